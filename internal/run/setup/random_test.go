package setup

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// keyPool is small, so that paths meet what is there.
var keyPool = []string{"a", "b", "c", "a.b", "x y", "ü", ""}

func randomPath(r *rand.Rand) []string {
	path := make([]string, 1+r.IntN(3))
	for i := range path {
		path[i] = keyPool[r.IntN(len(keyPool))]
	}
	return path
}

// randomValue is one to set.
func randomValue(r *rand.Rand, depth int) any {
	switch n := r.IntN(9); {
	case n == 0:
		return r.IntN(2) == 0
	case n == 1:
		return r.IntN(100) - 50
	case n == 2:
		return float64(r.IntN(100)) / 8
	case n == 3 && depth > 0:
		list := make([]any, r.IntN(3))
		for i := range list {
			list[i] = randomValue(r, depth-1)
		}
		return list
	case n >= 4 && n <= 6 && depth > 0:
		m := map[string]any{}
		for range r.IntN(4) {
			m[keyPool[r.IntN(len(keyPool))]] = randomValue(r, depth-1)
		}
		return m
	}
	return strings.Repeat("q\"\\\n'€\x02", r.IntN(2)) + fmt.Sprint(r.IntN(10))
}

// randomJSON is a document with comments and odd white space.
func randomJSON(r *rand.Rand) string {
	gap := func() string {
		return []string{"", "", " ", "\n", "\n  ", "\n\t", "/* c */", " // l\n", "\r\n  ", "\n  // o\n  "}[r.IntN(10)]
	}
	var value func(depth int) string
	value = func(depth int) string {
		n := r.IntN(4)
		if depth == 0 || n == 0 {
			return []string{"1", "null", `"s"`, "1.50", "true", "[]", "{}", `"//"`}[r.IntN(8)]
		}
		var parts []string
		used := map[string]bool{}
		for range r.IntN(4) {
			key := keyPool[r.IntN(len(keyPool))]
			if n == 1 {
				parts = append(parts, gap()+value(depth-1)+gap())
			} else if !used[key] {
				used[key] = true
				parts = append(parts, gap()+fmt.Sprintf("%q", key)+gap()+":"+gap()+value(depth-1)+gap())
			}
		}
		text := strings.Join(parts, ",")
		if len(parts) > 0 && r.IntN(3) == 0 {
			text += ","
		}
		text += gap()
		if n == 1 {
			return "[" + text + "]"
		}
		return "{" + text + "}"
	}
	for {
		if text := value(3); text[0] == '{' {
			return gap() + text + gap()
		}
	}
}

// randomTOML is a document of lines that may contradict each other; those that do are thrown away.
func randomTOML(r *rand.Rand) string {
	key := func() string {
		parts := make([]string, 1+r.IntN(2))
		for i := range parts {
			parts[i] = tomlKey(keyPool[r.IntN(len(keyPool))])
		}
		return strings.Join(parts, []string{".", " . "}[r.IntN(2)])
	}
	values := []string{
		"1", `"s"`, "'l'", "[1, 2]", "[\n  1, # one\n  2,\n]", "{}", "{ a = 1 }", "{a.b = 1, c = {x = 2}}", "nan", "1979-05-27", "\"\"\"\nm\n\"\"\"", "{a = 1, b = [{c = 1}]}",
	}
	newline := []string{"\n", "\n", "\r\n"}[r.IntN(3)]
	for {
		var lines []string
		for range r.IntN(8) {
			switch r.IntN(6) {
			case 0:
				lines = append(lines, []string{"", "# note", "  # far", "\t"}[r.IntN(4)])
			case 1:
				lines = append(lines, "["+key()+"]"+[]string{"", " # c"}[r.IntN(2)])
			case 2:
				lines = append(lines, "[["+key()+"]]")
			default:
				lines = append(lines, []string{"", "  "}[r.IntN(2)]+key()+" = "+values[r.IntN(len(values))]+[]string{"", " # c"}[r.IntN(2)])
			}
		}
		text := strings.Join(lines, newline) + []string{"", newline}[r.IntN(2)]
		if _, err := parseTOML([]byte(text)); err == nil {
			return text
		}
	}
}

func randomDocument(r *rand.Rand, f Format) string {
	if f == JSON {
		return randomJSON(r)
	}
	return randomTOML(r)
}

// checkEdit holds an edit to its promises: only what is named changes, comments stay, and a second time changes nothing. It says
// whether the edit was done.
func checkEdit(t *testing.T, f Format, text string, path []string, value any) bool {
	t.Helper()
	e, err := editorFor(f)
	if err != nil {
		t.Fatal(err)
	}
	root, err := e.read([]byte(text))
	if err != nil {
		return false
	}
	got, err := editOnce(f, []byte(text), path, value)
	if err != nil {
		return false
	}
	now, err := e.read(got)
	if err != nil {
		t.Fatalf("%q became %q: %v", text, got, err)
	}
	v, err := canonical(value)
	if err != nil {
		t.Fatal(err)
	}
	want, err := with(root, step{path: path, value: v, remove: v == nil})
	if err != nil {
		t.Fatalf("it was done, although %v", err)
	}
	if f == TOML {
		want, now = withoutEmpty(want), withoutEmpty(now)
	}
	if !same(now, want) {
		t.Fatalf("%q: %q = %v became %q", text, path, value, got)
	}
	again, err := editOnce(f, got, path, value)
	if err != nil || string(again) != string(got) {
		t.Fatalf("%q: %q = %v became %q, then %q, %v", text, path, value, got, again, err)
	}
	return true
}

func TestEditsOfRandomDocuments(t *testing.T) {
	for _, f := range []Format{JSON, TOML} {
		t.Run(string(f), func(t *testing.T) {
			done, could := 0, 0
			for seed := range uint64(4000) {
				r := rand.New(rand.NewPCG(seed, 1))
				text, path := randomDocument(r, f), randomPath(r)
				var value any
				if r.IntN(4) > 0 {
					value = randomValue(r, 2)
				}
				e, _ := editorFor(f)
				root, err := e.read([]byte(text))
				if err != nil {
					t.Fatalf("seed %d: %q: %v", seed, text, err)
				}
				v, err := canonical(value)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := with(root, step{path: path, value: v, remove: v == nil}); err != nil {
					continue
				}
				could++
				if checkEdit(t, f, text, path, value) {
					done++
				} else {
					_, err := editOnce(f, []byte(text), path, value)
					t.Logf("seed %d: %q = %v in %q: %v", seed, path, value, text, err)
				}
			}
			t.Logf("%d of %d were done", done, could)
			if done != could {
				t.Errorf("only %d of %d edits were done", done, could)
			}
		})
	}
}

// Applied and undone, a file has the bytes that it had, with whatever was set, and set again.
func TestUndoGivesTheSameBytes(t *testing.T) {
	for _, f := range []Format{JSON, TOML} {
		t.Run(string(f), func(t *testing.T) {
			dir := t.TempDir()
			j := NewJournal(filepath.Join(dir, "state"))
			file := filepath.Join(dir, "file")
			for seed := range uint64(40) {
				r := rand.New(rand.NewPCG(seed, 2))
				text := randomDocument(r, f)
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				for range 1 + r.IntN(3) {
					plan, err := Prepare([]Change{{file, f, randomPath(r), randomValue(r, 2)}, {file, f, randomPath(r), randomValue(r, 1)}})
					if err != nil {
						continue // the paths go through values
					}
					if err := plan.Apply(j, "one"); err != nil {
						t.Fatal(err)
					}
				}
				undoIfThere(t, j, "one")
				if got, err := os.ReadFile(file); err != nil || string(got) != text {
					t.Fatalf("seed %d: %q came back as %q, %v", seed, text, got, err)
				}
			}
		})
	}
}

// What a user edits between a setup and its undoing stays, and nothing of the setup does.
func TestTakingBackKeepsEdits(t *testing.T) {
	for _, f := range []Format{JSON, TOML} {
		t.Run(string(f), func(t *testing.T) {
			done := 0
			for seed := range uint64(1500) {
				r := rand.New(rand.NewPCG(seed, 5))
				text := randomDocument(r, f)
				ours, theirs, value := randomPath(r), below([]string{"theirs"}, keyPool[r.IntN(3)]), randomValue(r, 2)
				after, err := editOnce(f, []byte(text), ours, value)
				if err != nil {
					continue // the path goes through a value
				}
				edited, err := editOnce(f, after, theirs, "new")
				if err != nil {
					t.Fatal(err)
				}
				back, err := (fileRecord{Format: f, Existed: true, Before: []byte(text), After: after}).takeBack(edited)
				if err != nil || back.left != nil {
					t.Fatalf("seed %d: %q, set %q, edited %q: %q, %v", seed, text, after, edited, back.left, err)
				}
				want, err := editOnce(f, []byte(text), theirs, "new")
				if err != nil {
					t.Fatal(err)
				}
				e, _ := editorFor(f)
				wanted, _ := e.read(want)
				got, err := e.read(back.data)
				if err != nil || !same(withoutEmpty(got), withoutEmpty(wanted)) {
					t.Fatalf("seed %d: %q, set %q, edited %q, came back as %q, %v", seed, text, after, edited, back.data, err)
				}
				done++
			}
			if done < 1000 {
				t.Errorf("only %d were tried", done)
			}
		})
	}
}

func undoIfThere(t *testing.T, j *Journal, name string) {
	t.Helper()
	if r, err := j.load(name); err != nil || r == nil {
		return
	}
	plan, err := j.Undo(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(j, name); err != nil {
		t.Fatal(err)
	}
}

func FuzzEditJSON(f *testing.F) { fuzzEdit(f, JSON) }

func FuzzEditTOML(f *testing.F) { fuzzEdit(f, TOML) }

func fuzzEdit(f *testing.F, format Format) {
	for _, e := range edits {
		if e.format == format {
			f.Add(e.before, strings.Join(e.path, "/"), uint64(len(e.before)))
		}
	}
	f.Fuzz(func(t *testing.T, text, path string, seed uint64) {
		if !validText(path) {
			return
		}
		r := rand.New(rand.NewPCG(seed, 3))
		var value any
		if seed%4 > 0 {
			value = randomValue(r, 2)
		}
		checkEdit(t, format, text, strings.Split(path, "/"), value)
	})
}

func validText(s string) bool { return invalidUTF8([]byte(s)) < 0 }
