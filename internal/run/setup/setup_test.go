package setup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// A home is a folder with files to be set up.
type home struct {
	t   *testing.T
	dir string
	j   *Journal
}

func newHome(t *testing.T) home {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return home{t, dir, NewJournal(filepath.Join(dir, "state"))}
}

func (h home) path(name string) string { return filepath.Join(h.dir, name) }

func (h home) write(name, text string) {
	h.t.Helper()
	if err := os.WriteFile(h.path(name), []byte(text), 0o640); err != nil {
		h.t.Fatal(err)
	}
}

func (h home) want(name, text string) {
	h.t.Helper()
	got, err := os.ReadFile(h.path(name))
	if err != nil {
		h.t.Fatal(err)
	}
	if diff := cmp.Diff(text, string(got)); diff != "" {
		h.t.Fatalf("%s (-want +got)\n%s", name, diff)
	}
}

func (h home) wantNone(name string) {
	h.t.Helper()
	if _, err := os.Lstat(h.path(name)); !errors.Is(err, fs.ErrNotExist) {
		h.t.Fatalf("%s is there: %v", name, err)
	}
}

func (h home) prepare(changes ...Change) *Plan {
	h.t.Helper()
	p, err := Prepare(changes)
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

func (h home) setup(changes ...Change) {
	h.t.Helper()
	if err := h.prepare(changes...).Apply(h.j, "one"); err != nil {
		h.t.Fatal(err)
	}
}

// undo takes the setup back, and returns what is left.
func (h home) undo() []string {
	h.t.Helper()
	p, err := h.j.Undo("one")
	if err != nil {
		h.t.Fatal(err)
	}
	if err := p.Apply(h.j, "one"); err != nil {
		h.t.Fatal(err)
	}
	if list, err := h.j.List(); err != nil || len(list) != 0 {
		h.t.Fatalf("the journal still has %v, %v", list, err)
	}
	return p.Left()
}

func (h home) set(name, key string, value any) Change {
	return Change{File: h.path(name), Format: JSON, Path: strings.Split(key, "/"), Value: value}
}

func TestSetupAndUndo(t *testing.T) {
	h := newHome(t)
	h.write("a.json", `{"x": 1}`)
	changes := []Change{h.set("a.json", "env/URL", "u"), h.set("new/deep/b.json", "k", true)}
	p := h.prepare(changes...)
	if diff := cmp.Diff("--- "+h.path("a.json")+"\n+++ "+h.path("a.json")+`
@@ -1,1 +1,1 @@
-{"x": 1}
\ no newline at the end
+{"x": 1, "env": {"URL": "u"}}
\ no newline at the end
--- /dev/null
+++ `+h.path("new/deep/b.json")+`
@@ -0,0 +1,3 @@
+{
+  "k": true
+}
`, p.Diff()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	h.wantNone("new")
	if err := p.Apply(h.j, "one"); err != nil {
		t.Fatal(err)
	}
	h.want("a.json", `{"x": 1, "env": {"URL": "u"}}`)
	h.want("new/deep/b.json", "{\n  \"k\": true\n}\n")
	if !h.prepare(changes...).Empty() {
		t.Error("the same again is something to do")
	}
	list, err := h.j.List()
	if err != nil || len(list) != 1 || list[0].Stale || list[0].Changed != nil {
		t.Errorf("the journal lists %+v, %v", list, err)
	}
	if left := h.undo(); left != nil {
		t.Errorf("left: %q", left)
	}
	h.want("a.json", `{"x": 1}`)
	h.wantNone("new")
	if _, err := h.j.Undo("one"); err == nil {
		t.Error("a second undo finds something")
	}
}

func TestUndoKeepsEdits(t *testing.T) {
	h := newHome(t)
	h.write("a.json", "{\n  \"old\": 1,\n  \"url\": \"mine\"\n}\n")
	h.setup(h.set("a.json", "url", "weir"), h.set("a.json", "env/A", "1"), h.set("a.json", "env/B", "2"), h.set("a.json", "old", nil), h.set("made.json", "x", 1))
	h.want("a.json", "{\n  \"url\": \"weir\",\n  \"env\": {\n    \"A\": \"1\",\n    \"B\": \"2\"\n  }\n}\n")
	h.write("a.json", "{\n  \"url\": \"weir\", // hm\n  \"env\": {\n    \"A\": \"1\",\n    \"B\": \"9\"\n  },\n  \"new\": []\n}\n")
	h.write("made.json", "{\n  \"x\": 1,\n  \"y\": 2\n}\n")
	if list, err := h.j.List(); err != nil || len(list) != 1 || len(list[0].Changed) != 2 {
		t.Errorf("the journal lists %+v, %v", list, err)
	}
	left := h.undo()
	if diff := cmp.Diff([]string{h.path("a.json") + ": env.B was changed since, and stays"}, left); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	h.want("a.json", "{\n  \"url\": \"mine\", // hm\n  \"env\": {\n    \"B\": \"9\"\n  },\n  \"new\": [],\n  \"old\": 1\n}\n")
	h.want("made.json", "{\n  \"y\": 2\n}\n")
}

// Tables that were made for settings go with the last of them.
func TestUndoPrunesTables(t *testing.T) {
	h := newHome(t)
	toml := func(value any, path ...string) Change {
		return Change{File: h.path("c.toml"), Format: TOML, Path: path, Value: value}
	}
	h.write("c.toml", "model = \"m\"\n\n[mcp_servers.fs]\ncommand = \"npx\" # node\n")
	h.setup(toml("weir", "model_provider"), toml(map[string]any{"name": "weir", "base_url": "u"}, "model_providers", "weir"),
		toml("weir", "mcp_servers", "fs", "command"), toml([]string{"mcp"}, "mcp_servers", "fs", "args"))
	h.want("c.toml", "model = \"m\"\nmodel_provider = \"weir\"\n\n[mcp_servers.fs]\ncommand = \"weir\" # node\nargs = [\"mcp\"]\n\n[model_providers.weir]\nbase_url = \"u\"\nname = \"weir\"\n")
	text, err := os.ReadFile(h.path("c.toml"))
	if err != nil {
		t.Fatal(err)
	}
	h.write("c.toml", "# edited\n"+string(text))
	if left := h.undo(); left != nil {
		t.Errorf("left: %q", left)
	}
	h.want("c.toml", "# edited\nmodel = \"m\"\n\n[mcp_servers.fs]\ncommand = \"npx\" # node\n")
}

func TestSetupAgain(t *testing.T) {
	h := newHome(t)
	h.write("a.json", `{"url":"mine"}`)
	h.setup(h.set("a.json", "url", "one"))
	h.setup(h.set("a.json", "url", "two"))
	h.setup(h.set("b.json", "x", 1))
	h.undo()
	h.want("a.json", `{"url":"mine"}`)
	h.wantNone("b.json")

	h.setup(h.set("a.json", "url", "one"))
	h.write("a.json", `{"url":"one","more":true}`) // by its user
	h.setup(h.set("a.json", "url", "two"))
	h.undo()
	h.want("a.json", `{"url":"mine","more":true}`)
}

func TestUndoAfterBreakingOff(t *testing.T) {
	h := newHome(t)
	h.write("a.json", `{"url":"mine"}`)
	h.write("b.json", `{"url":"mine"}`)
	h.setup(h.set("a.json", "url", "one"), h.set("b.json", "url", "one"))
	p := h.prepare(h.set("a.json", "url", "two"), h.set("b.json", "url", "two"), h.set("c.json", "url", "two"))
	old, err := h.j.load("one")
	if err != nil {
		t.Fatal(err)
	}
	next, err := p.record(h.j, old)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(h.j.save("one", next), p.files[0].write()); err != nil { // and here it is killed
		t.Fatal(err)
	}
	if list, err := h.j.List(); err != nil || len(list) != 1 || !list[0].Stale {
		t.Errorf("the journal lists %+v, %v", list, err)
	}
	if left := h.undo(); left != nil {
		t.Errorf("left: %q", left)
	}
	h.want("a.json", `{"url":"mine"}`)
	h.want("b.json", `{"url":"mine"}`)
	h.wantNone("c.json")
}

func TestApplyRefuses(t *testing.T) {
	h := newHome(t)
	h.write("a.json", `{}`)
	p := h.prepare(h.set("a.json", "url", "u"))
	h.write("a.json", `{"mine":1}`)
	if err := p.Apply(h.j, "one"); err == nil || !strings.Contains(err.Error(), "was changed meanwhile") {
		t.Errorf("%v", err)
	}
	h.want("a.json", `{"mine":1}`)
	h.wantNone("state/setup/one.json")
	if err := h.prepare(h.set("a.json", "url", "u")).Apply(h.j, "../x"); err == nil {
		t.Error("a name that leaves the folder is taken")
	}
}

// If a file cannot be written, those before it are put back, and the journal is as it was.
func TestApplyPutsBack(t *testing.T) {
	h := newHome(t)
	h.write("a.json", `{}`)
	p := h.prepare(h.set("a.json", "url", "u"), h.set("dir/b.json", "url", "u"))
	h.write("dir", "in the way")
	if err := p.Apply(h.j, "one"); err == nil {
		t.Fatal("it was written")
	}
	h.want("a.json", `{}`)
	h.wantNone("state/setup/one.json")
}

func TestLinksStay(t *testing.T) {
	h := newHome(t)
	if err := os.Mkdir(h.path("dotfiles"), 0o700); err != nil {
		t.Fatal(err)
	}
	h.write("dotfiles/a.json", `{}`)
	for link, target := range map[string]string{"a.json": "dotfiles/a.json", "b.json": "dotfiles/b.json", "c.json": h.path("a.json"), "o.json": "o.json"} {
		if err := os.Symlink(target, h.path(link)); err != nil {
			need.Missing(t, "settings behind links", err.Error())
		}
	}
	h.setup(h.set("a.json", "x", 1), h.set("b.json", "y", 2), h.set("c.json", "z", 3))
	h.want("dotfiles/a.json", "{\n  \"x\": 1,\n  \"z\": 3\n}")
	h.want("dotfiles/b.json", "{\n  \"y\": 2\n}\n")
	for _, link := range []string{"a.json", "b.json", "c.json"} {
		if info, err := os.Lstat(h.path(link)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v", link, err)
		}
	}
	h.undo()
	h.want("dotfiles/a.json", `{}`)
	h.wantNone("dotfiles/b.json")
	if _, err := Prepare([]Change{h.set("o.json", "x", 1)}); err == nil || !strings.Contains(err.Error(), "form a loop") {
		t.Errorf("%v", err)
	}
}

// A file that has become a link since, as managers of dotfiles make them, is taken back behind the link.
func TestUndoFollowsNewLinks(t *testing.T) {
	h := newHome(t)
	h.write("a.json", `{}`)
	h.setup(h.set("a.json", "x", 1))
	if err := errors.Join(os.Rename(h.path("a.json"), h.path("b.json")), os.Symlink("b.json", h.path("a.json"))); err != nil {
		need.Missing(t, "settings behind links", err.Error())
	}
	if list, err := h.j.List(); err != nil || len(list) != 1 || list[0].Changed != nil {
		t.Errorf("the journal lists %+v, %v", list, err)
	}
	h.undo()
	h.want("b.json", `{}`)
	h.want("a.json", `{}`)
}

func TestModesStay(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are none")
	}
	h := newHome(t)
	h.write("a.json", `{}`)
	h.setup(h.set("a.json", "x", 1), h.set("new.json", "x", 1))
	for name, want := range map[string]fs.FileMode{"a.json": 0o640, "new.json": 0o600, "state/setup/one.json": 0o600, "state/setup": 0o700} {
		info, err := os.Stat(h.path(name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

func TestPrepareNamesThePlace(t *testing.T) {
	h := newHome(t)
	h.write("a.json", "{\n  \"a\" 1\n}")
	_, err := Prepare([]Change{h.set("a.json", "x", 1)})
	want := h.path("a.json") + ":2:7: invalid character '1' after object name; correct the file, or move it away, and try again"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if err := os.Mkdir(h.path("dir.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Prepare([]Change{h.set("dir.json", "x", 1)}); err == nil || !strings.Contains(err.Error(), "this is not a regular file") {
		t.Errorf("%v", err)
	}
	deep := strings.Repeat(`{"a":[`, 600)
	h.write("deep.json", deep)
	if _, err := Prepare([]Change{h.set("deep.json", "x", 1)}); err == nil || !strings.Contains(err.Error(), "nested too deep") {
		t.Errorf("%v", err)
	}
}

func TestDiffIsInert(t *testing.T) {
	h := newHome(t)
	h.write("a.json", "{\n  // \x1b[31m\u202e\n\t\"x\": 1\n}\n")
	got := h.prepare(h.set("a.json", "y", "\x07")).Diff()
	if strings.ContainsAny(got, "\x1b\u202e\x07") || !strings.Contains(got, `\x1b[31m\u202e`) || !strings.Contains(got, "\t\"x\": 1") {
		t.Errorf("%s", got)
	}
	h.write("b.json", `{"long":"`+strings.Repeat("x", 1000)+`"}`)
	want := "@@ settings; the lines are too long to show @@\n+env.A = \"b\"\n"
	if got := h.prepare(h.set("b.json", "env/A", "b")).Diff(); !strings.HasSuffix(got, want) {
		t.Errorf("%s", got)
	}
}
