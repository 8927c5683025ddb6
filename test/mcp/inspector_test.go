package mcp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// inspect asks a server something with the command line of the official inspector. target is a URL or a command.
func (k kit) inspect(t *testing.T, at place, home string, target []string, question ...string) string {
	t.Helper()
	words := append([]string{k.node.Program, k.script("inspector", "cli", "build", "cli.js"), "--cli"}, target...)
	return string(run(t, at, home, append(words, question...)...))
}

// questions are what the inspector is asked.
func questions() map[string][]string {
	return map[string][]string{
		"tools": {"--method", "tools/list"},
		"call":  {"--method", "tools/call", "--tool-name", "echo", "--tool-arg", "message=hello"},
	}
}

// target is how the inspector is told of a server.
func (s server) target() []string {
	if s.kind == "stdio" {
		return s.command
	}
	return []string{s.url(), "--transport", s.kind}
}

// testInspector checks that what the inspector says of a server does not change because weir stands in front of it.
func testInspector(t *testing.T, k kit) {
	for _, transport := range []string{"stdio", "streamableHttp", "sse"} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			at := apart(t)
			s := k.everything(transport)
			s.id = "mcp" // the inspector takes only URLs that end so
			s.start(t, at)
			w := startWeir(t, k.weir, at, nil, s)
			for name, question := range questions() {
				want := k.inspect(t, at, t.TempDir(), s.target(), question...)
				if !strings.Contains(want, "cho") {
					t.Errorf("%s: it says %q", name, want)
				}
				for _, by := range ways(s.kind) {
					got := k.inspect(t, at, w.Home, w.target(t, by, s), question...)
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("%s, %s: %s", by.name, name, diff)
					}
				}
			}
		})
	}
}

// target is how the inspector is told of a server behind weir. It takes options of a command for its own, so a script has them.
func (w *weir) target(t *testing.T, by way, s server) []string {
	t.Helper()
	j := by.lead(w, job{}, s)
	if j.URL != "" {
		return []string{j.URL, "--transport", "http"}
	}
	text := "#!/bin/sh\nexec"
	for _, word := range j.Command {
		text += " '" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	script := filepath.Join(w.Home, "wrapped.sh")
	if err := os.WriteFile(script, []byte(text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return []string{script}
}
