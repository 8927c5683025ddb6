package claude

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestArgs(t *testing.T) {
	for _, c := range []struct {
		args string
		want commandLine
	}{
		{"", commandLine{}},
		{"hello", commandLine{kept: []string{"hello"}}},
		{"-p hello", commandLine{kept: []string{"-p", "hello"}, print: true}},
		{"-cp hello", commandLine{kept: []string{"-cp", "hello"}, print: true}},
		{"-n --print x", commandLine{kept: []string{"-n", "--print", "x"}}},
		{"-nprint", commandLine{kept: []string{"-nprint"}}},
		{"mcp list", commandLine{kept: []string{"mcp", "list"}, command: "mcp"}},
		{"--model mcp x", commandLine{kept: []string{"--model", "mcp", "x"}}},
		{"x mcp", commandLine{kept: []string{"x", "mcp"}}},
		{"--debug mcp", commandLine{kept: []string{"--debug", "mcp"}}},
		{"--mcp-config a b -p", commandLine{kept: []string{"-p"}, servers: []string{"a", "b"}, print: true}},
		{"--mcp-config=a b", commandLine{kept: []string{"b"}, servers: []string{"a"}}},
		{"--strict-mcp-config x", commandLine{kept: []string{"x"}, strict: true}},
		{"--settings a --settings=b", commandLine{settings: "b"}},
		{"-- --settings a", commandLine{kept: []string{"--", "--settings", "a"}}},
		{"--version", commandLine{kept: []string{"--version"}, plain: true}},
		{"--bg x", commandLine{kept: []string{"--bg", "x"}, background: true}},
		{"--setting-sources user,local", commandLine{kept: []string{"--setting-sources", "user,local"}, sources: "user,local"}},
		{"--settings", commandLine{}},
	} {
		got := parseArgs(strings.Fields(c.args))
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(commandLine{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.args, diff)
		}
	}
}

// What is kept of a command line is in its order, and no server or setting of it is left on it.
func FuzzArgs(f *testing.F) {
	for _, s := range []string{"-p\x00hi", "--mcp-config\x00a\x00b\x00-p", "--settings={}\x00--\x00--mcp-config", "-cr\x00x\x00mcp", "-n", "-\x00--\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, "\x00")
		c := parseArgs(args)
		rest := args
		for _, kept := range c.kept {
			i := slices.Index(rest, kept)
			if i < 0 {
				t.Fatalf("%q is not among %q", kept, args)
			}
			rest = rest[i+1:]
		}
		if again := parseArgs(c.kept); len(again.servers) > 0 || again.settings != "" || again.strict {
			t.Errorf("%q is left of %q", c.kept, args)
		}
	})
}
