package roster

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/setup"
)

// Each file of testdata/runs is like those of testdata/homes, of an agent that takes settings on its command line: args has an
// argument in each line.
func TestRuns(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths in the files are those of unix")
	}
	files, err := filepath.Glob("testdata/runs/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { playRun(t, file) })
	}
}

func playRun(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	h := unpackHome(t, archive)
	h.weir.Upstreams["chatgpt"] = agent.ChatGPTAddress
	name, _, _ := strings.Cut(filepath.Base(file), "-")
	a, ok := Named(name)
	if !ok {
		t.Fatal("no agent has this name")
	}
	var args []string
	for _, f := range archive.Files {
		if f.Name == "args" {
			args = strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(f.Data), "$ROOT", h.root), "\n"), "\n")
		}
	}
	look, lookErr := a.Look(h.place)
	s, setupErr := a.Setup(h.place, h.weir)
	got := map[string]string{"launch": h.run(a, args), "look": h.text(look, lookErr), "setup": h.text(s, setupErr)}
	for i, f := range archive.Files {
		text, ok := got[f.Name]
		if !ok {
			continue
		}
		delete(got, f.Name)
		if diff := cmp.Diff(string(f.Data), text); diff != "" && !*updateHomes {
			t.Errorf("%s (-want +got):\n%s", f.Name, diff)
		}
		archive.Files[i].Data = []byte(text)
	}
	if !*updateHomes {
		for name := range got {
			t.Errorf("%s is not in the file", name)
		}
		return
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(got[name])})
	}
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run is a launch as text, with the files that it makes.
func (h home) run(a agent.Agent, args []string) string {
	l, err := a.Launch(h.place, h.weir, args, h.root+"/scratch")
	files, covers := l.Files, l.Covers
	l.Files, l.Covers = nil, nil
	text := h.text(l, err)
	for _, f := range files {
		text += strings.ReplaceAll("file "+f.Path+"\n"+string(f.Content), h.root, "$ROOT")
	}
	for _, f := range covers {
		text += strings.ReplaceAll("cover "+f.Path+"\n"+string(f.Content), h.root, "$ROOT")
	}
	return text
}

// A launch says the same each time, and leaves the files of the user as they are.
func TestLaunchIsPure(t *testing.T) {
	files, _ := filepath.Glob("testdata/runs/*.txtar")
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		h := unpackHome(t, archive)
		name, _, _ := strings.Cut(filepath.Base(file), "-")
		a, _ := Named(name)
		before := snapshot(t, h.root)
		first := h.run(a, []string{"x"})
		if diff := cmp.Diff(first, h.run(a, []string{"x"})); diff != "" {
			t.Errorf("%s: the second time it says (-first +second):\n%s", file, diff)
		}
		if diff := cmp.Diff(before, snapshot(t, h.root)); diff != "" {
			t.Errorf("%s: files changed:\n%s", file, diff)
		}
	}
}

// What a setup has changed is not changed again, and a look then shows the way through weir.
func TestSetupOnce(t *testing.T) {
	files, _ := filepath.Glob("testdata/runs/*.txtar")
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		h := unpackHome(t, archive)
		h.weir.Upstreams["chatgpt"] = agent.ChatGPTAddress
		name, _, _ := strings.Cut(filepath.Base(file), "-")
		a, _ := Named(name)
		first, err := a.Setup(h.place, h.weir)
		if err != nil {
			continue // a file that cannot be set up
		}
		plan, err := setup.Prepare(first.Changes)
		if err == nil {
			err = plan.Apply(setup.NewJournal(t.TempDir()), name)
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		second, err := a.Setup(h.place, h.weir)
		if err != nil || len(second.Changes) > 0 {
			t.Errorf("%s: the second time it changes %v: %v", file, second.Changes, err)
		}
	}
}

func snapshot(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
