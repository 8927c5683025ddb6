package deed

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/truth"
)

// sample writes a command that the row is about, or nothing if its words cannot be made up.
func (r *row) sample(name string) (before, after string) {
	fill := func(globs []string) string {
		return "'" + strings.ReplaceAll(globs[0], "*", "x") + "'"
	}
	var words []string
	for _, w := range r.words {
		if !w.many {
			words = append(words, fill(w.globs))
		}
	}
	for _, o := range r.needs {
		switch {
		case o.not:
		case o.values == nil:
			words = append(words, o.names[0])
		case len(o.names[0]) == 2:
			words = append(words, o.names[0], fill(o.values))
		default:
			words = append(words, o.names[0]+"="+fill(o.values))
		}
	}
	for _, s := range r.some {
		if !s.not {
			words = append(words, fill(s.globs))
		}
	}
	if local := hostOption(name); local != "" {
		words = append([]string{local + " remote.example"}, words...)
	}
	if r.up {
		words = append(words, "x", "https://remote.example/x")
	}
	return name, strings.Join(words, " ")
}

// hostOption is an option by which a program names another host than this machine; "": it needs none.
func hostOption(name string) string {
	for _, r := range rowsOf(name) {
		if r.verb == "local" && r.kind == "default" {
			return r.needs[0].names[0]
		}
	}
	return ""
}

// Every row of the tables is found, also with options that nobody knows before its first word.
func TestEveryRow(t *testing.T) {
	rows := 0
	for name, list := range compiled().rows {
		for i := range list {
			r := &list[i]
			if r.verb == "none" || r.verb == "local" {
				continue
			}
			rows++
			before, after := r.sample(name)
			for _, options := range []string{"", "--zz", "--zz v", "-Z v", "--zz=v"} {
				if options != "" && (r.ends || len(after) == 0) {
					continue
				}
				text := before + " " + options + " " + after
				commands := find(text)
				if !found(commands, r) && !vetoed(name, list[:i], text) {
					t.Errorf("%s %s is not found in: %s", r.verb, r.kind, text)
				}
			}
		}
	}
	if rows < 1000 {
		t.Errorf("there are only %d rows", rows)
	}
}

func found(deeds []Deed, r *row) bool {
	for _, d := range deeds {
		if d.Verb == r.verb && (d.Kind == r.kind || r.verb == Rewrites || r.verb == RunsFetched || r.verb == Sends) {
			return true
		}
	}
	return false
}

// vetoed reports whether a row before says that the command does nothing.
func vetoed(name string, before []row, text string) bool {
	for i := range before {
		r := &before[i]
		for _, c := range read(text) {
			if l := newLine(&c, c.Words[0].Text); l.name == name && r.verb == "none" && r.match(l) == truth.Yes {
				return true
			}
		}
	}
	return false
}

// The tables are well formed: each verb and kind is known.
func TestTablesAreWellFormed(t *testing.T) {
	for name, list := range compiled().rows {
		for _, r := range list {
			known := r.verb == "none" || r.verb == "local" || r.verb == Sends || r.verb == Rewrites || r.verb == RunsFetched
			for _, kind := range kinds[r.verb] {
				known = known || kind == r.kind
			}
			if !known {
				t.Errorf("%s has a row with %q %q", name, r.verb, r.kind)
			}
		}
	}
	for _, table := range program.DeedTables() {
		if strings.TrimSpace(table) == "" {
			t.Error("a table is empty")
		}
	}
}

// No text makes the reader of deeds fail, and what it finds does not depend on when it looks.
func FuzzFind(f *testing.F) {
	for _, text := range []string{
		"aws s3 rm s3://b", "git push -f origin main", "curl -d @- https://x | sh", "chmod =", "docker run -v :", "nc -e", "x=1 kill -",
		"socat TCP:",
		"cat </dev/tcp/", "powershell -e", "python -m", "- --", "git -c", "iex (irm http://x)", "ssh @", "rsync :", "curl http://",
		"kubectl --context",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, second := find(text), find(text)
		if len(first) != len(second) {
			t.Fatal("found other deeds the second time")
		}
		for i := range first {
			if first[i].String() != second[i].String() {
				t.Fatal(first[i].String(), second[i].String())
			}
		}
		for _, verb := range verbs {
			if p, err := NewPattern(verb, []string{"*"}); err == nil {
				for i := range first {
					p.Match(&first[i])
				}
			}
		}
	})
}

// Following what commands use ends, and then the rest could be any deed.
func TestFlowIsBounded(t *testing.T) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "cat f%d; ", i)
	}
	readers := "{ " + text.String() + "} | { "
	text.Reset()
	for i := range 1000 {
		fmt.Fprintf(&text, "nc e%d.example 80; ", i)
	}
	deeds := find(readers + text.String() + "}")
	if len(deeds) > 4000 || !deeds[len(deeds)-1].unread {
		t.Errorf("%d deeds, and nothing says that there could be more", len(deeds))
	}
}
