package agent

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
)

func TestClaudeArgs(t *testing.T) {
	for _, c := range []struct {
		args string
		want claudeArgs
	}{
		{"", claudeArgs{}},
		{"hello", claudeArgs{kept: []string{"hello"}}},
		{"-p hello", claudeArgs{kept: []string{"-p", "hello"}, print: true}},
		{"-cp hello", claudeArgs{kept: []string{"-cp", "hello"}, print: true}},
		{"-n --print x", claudeArgs{kept: []string{"-n", "--print", "x"}}},
		{"-nprint", claudeArgs{kept: []string{"-nprint"}}},
		{"mcp list", claudeArgs{kept: []string{"mcp", "list"}, command: "mcp"}},
		{"--model mcp x", claudeArgs{kept: []string{"--model", "mcp", "x"}}},
		{"x mcp", claudeArgs{kept: []string{"x", "mcp"}}},
		{"--debug mcp", claudeArgs{kept: []string{"--debug", "mcp"}}},
		{"--mcp-config a b -p", claudeArgs{kept: []string{"-p"}, servers: []string{"a", "b"}, print: true}},
		{"--mcp-config=a b", claudeArgs{kept: []string{"b"}, servers: []string{"a"}}},
		{"--strict-mcp-config x", claudeArgs{kept: []string{"x"}, strict: true}},
		{"--settings a --settings=b", claudeArgs{settings: "b"}},
		{"-- --settings a", claudeArgs{kept: []string{"--", "--settings", "a"}}},
		{"--version", claudeArgs{kept: []string{"--version"}, plain: true}},
		{"--bg x", claudeArgs{kept: []string{"--bg", "x"}, background: true}},
		{"--setting-sources user,local", claudeArgs{kept: []string{"--setting-sources", "user,local"}, sources: "user,local"}},
		{"--settings", claudeArgs{}},
	} {
		got := parseClaudeArgs(strings.Fields(c.args))
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(claudeArgs{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.args, diff)
		}
	}
}

func TestCodexArgs(t *testing.T) {
	for _, c := range []struct {
		args string
		want codexArgs
	}{
		{"", codexArgs{}},
		{"exec hello", codexArgs{command: "exec", second: "hello", operands: 2}},
		{"-c a=1 exec -cb=2 --config=c=3 -c=d=4", codexArgs{command: "exec", overrides: []string{"a=1", "b=2", "c=3", "d=4"}, operands: 6}},
		{"-m exec hello", codexArgs{operands: 3}},
		{"hello exec", codexArgs{operands: 2}},
		{"-i a b -p work -- exec", codexArgs{profile: "work", operands: 5}},
		{"exec -C /x --oss --local-provider lmstudio", codexArgs{command: "exec", dir: "/x", oss: true, local: "lmstudio", operands: 6}},
		{"--remote ws://x --no-daemon -V", codexArgs{remote: true, noDaemon: true, plain: true, operands: 4}},
		{"app-server daemon start", codexArgs{command: "app-server", second: "daemon", operands: 3}},
		{"exec --ignore-user-config -c", codexArgs{command: "exec", noUser: true, overrides: []string{""}, operands: 3}},
	} {
		got := parseCodexArgs(strings.Fields(c.args))
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(codexArgs{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.args, diff)
		}
	}
}

// What is kept of a command line is in its order, and no server or setting of it is left on it.
func FuzzClaudeArgs(f *testing.F) {
	for _, s := range []string{"-p\x00hi", "--mcp-config\x00a\x00b\x00-p", "--settings={}\x00--\x00--mcp-config", "-cr\x00x\x00mcp", "-n", "-\x00--\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, "\x00")
		c := parseClaudeArgs(args)
		rest := args
		for _, kept := range c.kept {
			i := slices.Index(rest, kept)
			if i < 0 {
				t.Fatalf("%q is not among %q", kept, args)
			}
			rest = rest[i+1:]
		}
		if again := parseClaudeArgs(c.kept); len(again.servers) > 0 || again.settings != "" || again.strict {
			t.Errorf("%q is left of %q", c.kept, args)
		}
	})
}

// A text goes through TOML as it is.
func FuzzTOMLText(f *testing.F) {
	for _, s := range []string{"", "a", "\"'\\", "\x7f\x00\n\u2028é", "\xff", "#[]{}=,"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := strings.ToValidUTF8(s, "\ufffd")
		var got struct {
			V []string
			T map[string]any
		}
		text := "V = " + tomlValue([]any{s}) + "\nT = " + tomlValue(map[string]any{s: s}) + "\n"
		if strings.Count(text, "\n") != 2 {
			t.Fatalf("more than one line: %q", text)
		}
		if err := toml.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if len(got.V) != 1 || got.V[0] != want || got.T[want] != want {
			t.Errorf("%q has become %q", s, got)
		}
	})
}

// Every name gives an id that the shim takes.
func FuzzShimID(f *testing.F) {
	for _, s := range []string{"", "a", "_a", "-", ".x y", strings.Repeat("a", 70), "-" + strings.Repeat("é", 70)} {
		f.Add(s)
	}
	valid := regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	f.Fuzz(func(t *testing.T, name string) {
		id := shimID(name)
		if !valid.MatchString(id) {
			t.Errorf("%q gives %q", name, id)
		}
		if valid.MatchString(name) && id != name {
			t.Errorf("%q is valid, and gives %q", name, id)
		}
	})
}

func TestUnwrap(t *testing.T) {
	for _, c := range []struct{ command, id, inner string }{
		{"weir mcp wrap --id a -- srv -x", "a", "srv -x"},
		{"weir mcp wrap --id=a --verbose -- srv", "a", "srv"},
		{"weir mcp wrap -- srv", "", ""},
		{"weir mcp wrap --id a --", "", ""},
		{"weir mcp wrap --id a srv", "", ""},
	} {
		id, inner, ok := unwrap(strings.Fields(c.command))
		if !ok {
			id, inner = "", nil
		}
		if id != c.id || strings.Join(inner, " ") != c.inner {
			t.Errorf("%s: %q %q", c.command, id, inner)
		}
	}
}
