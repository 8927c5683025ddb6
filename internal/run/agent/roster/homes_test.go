package roster

import (
	flags "flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/setup"
)

var updateHomes = flags.Bool("update-homes", false, "write what comes out into the files of testdata/homes; read the difference before you keep it")

// Each file of testdata/homes is a home and a project, with what is made of them: prose and the agent's name, then files below
// home/, project/ and etc/, an environment (env), and what weir has (weir), then the launch, the look and the setup as text.
// $ROOT is the folder that they are in.
func TestHomes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths in the files are those of unix")
	}
	files, err := filepath.Glob("testdata/homes/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			if root := os.Geteuid() == 0; root && strings.HasSuffix(name, "-user") || !root && strings.HasSuffix(name, "-root") {
				t.Skip("it is for another user")
			}
			playHome(t, file)
		})
	}
}

type home struct {
	root  string
	place agent.Surroundings
	weir  agent.Weir
}

func playHome(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	h := unpackHome(t, archive)
	name, _, _ := strings.Cut(filepath.Base(file), "-")
	got := map[string]string{"launch": h.launch(name)}
	if a, ok := Named(name); ok {
		look, err := a.Look(h.place)
		got["look"] = h.text(look, err)
		s, err := a.Setup(h.place, h.weir)
		got["setup"] = h.text(s, err)
		if err == nil {
			h.setUpTwice(t, a, s)
		}
	}
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
		return
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(got[name])})
	}
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// setUpTwice applies a setup: a second one has nothing left to change, and the first is taken back without a trace.
func (h home) setUpTwice(t *testing.T, a agent.Agent, s agent.Setup) {
	before := h.files(t)
	plan, err := setup.Prepare(s.Changes)
	if err != nil {
		t.Fatal(err)
	}
	journal := setup.NewJournal(t.TempDir())
	if err := plan.Apply(journal, a.Name()); err != nil {
		t.Fatal(err)
	}
	again, err := a.Setup(h.place, h.weir)
	if err != nil || len(again.Changes) > 0 {
		t.Errorf("a second setup: %v %v", again.Changes, err)
	}
	if len(s.Changes) == 0 {
		return
	}
	back, err := journal.Undo(a.Name())
	if err != nil {
		t.Fatal(err)
	}
	if err := back.Apply(journal, a.Name()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, h.files(t)); diff != "" {
		t.Errorf("after the undo (-before +after):\n%s", diff)
	}
}

// files are the contents of all files, by path.
func (h home) files(t *testing.T) map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(h.root, func(path string, d fs.DirEntry, err error) error {
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

func unpackHome(t *testing.T, archive *txtar.Archive) home {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := home{root: root, weir: agent.Weir{
		Base: "http://127.0.0.1:5000/k/TOKEN", Own: []string{"http://127.0.0.1:4141"}, Program: "/opt/weir", Covers: true,
		Upstreams: map[string]string{
			"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com", "gemini": "https://generativelanguage.googleapis.com",
			"groq": "https://api.groq.com/openai", "ollama": "http://127.0.0.1:11434", "codeassist": "https://cloudcode-pa.googleapis.com",
			"corp": "https://llm.corp.example/v1",
		},
		Served: func(url string) (string, bool) { return "weather", url == "https://weather.example/mcp" },
	}}
	env := map[string]string{
		"GEMINI_CLI_SYSTEM_SETTINGS_PATH":  root + "/etc/gemini/settings.json",
		"OPENCODE_TEST_MANAGED_CONFIG_DIR": root + "/etc/opencode",
	}
	for _, f := range archive.Files {
		text := strings.ReplaceAll(string(f.Data), "$ROOT", root)
		switch {
		case f.Name == "env" || f.Name == "weir":
			for line := range strings.Lines(text) {
				name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
				switch {
				case f.Name == "env":
					env[name] = value
				case name == "covers":
					h.weir.Covers = value == "true"
				default:
					h.weir.Upstreams[name] = value
				}
			}
		case strings.Contains(f.Name, "/"):
			path := filepath.Join(root, f.Name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, dir := range []string{"home", "project/.git"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	h.place = agent.Surroundings{Home: root + "/home", Dir: root + "/project", Lookup: func(name string) (string, bool) {
		v, ok := env[name]
		return v, ok
	}}
	return h
}

func (h home) launch(name string) string {
	var l agent.Launch
	var err error
	if a, ok := Named(name); ok {
		l, err = a.Launch(h.place, h.weir, []string{"-p", "go on"}, h.root+"/scratch")
	} else {
		l, err = agent.Program{}.Launch(h.place, h.weir, []string{"-p", "go on"})
	}
	if err == nil && !slices.Equal(l.Args, []string{"-p", "go on"}) {
		return fmt.Sprintf("other arguments: %q\n", l.Args)
	}
	l.Args = nil
	covers := l.Covers
	l.Covers = nil
	text := h.text(l, err)
	for _, c := range covers {
		text += "cover " + strings.ReplaceAll(c.Path+"\n"+string(c.Content), h.root, "$ROOT")
	}
	return text
}

// text is a value, a line for each part of it that is not zero.
func (h home) text(v any, err error) string {
	if err != nil {
		return strings.ReplaceAll("error: "+err.Error()+"\n", h.root, "$ROOT")
	}
	b, err := json.Marshal(v, json.Deterministic(true), json.OmitZeroStructFields(true))
	if err != nil {
		return err.Error()
	}
	var parts map[string]any
	if err := json.Unmarshal(b, &parts); err != nil {
		return err.Error()
	}
	var out strings.Builder
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		items, isList := parts[part].([]any)
		if m, ok := parts[part].(map[string]any); ok {
			for _, k := range slices.Sorted(maps.Keys(m)) {
				items = append(items, fmt.Sprintf("%s=%s", k, m[k]))
			}
			isList = true
		}
		if !isList {
			items = []any{parts[part]}
		}
		for _, item := range items {
			line, _ := json.Marshal(item, json.Deterministic(true))
			if s, ok := item.(string); ok {
				line = []byte(s)
			}
			fmt.Fprintf(&out, "%s %s\n", part, line)
		}
	}
	return strings.ReplaceAll(out.String(), h.root, "$ROOT")
}
