package codex

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
)

func TestArgs(t *testing.T) {
	for _, c := range []struct {
		args string
		want commandLine
	}{
		{"", commandLine{}},
		{"exec hello", commandLine{command: "exec", second: "hello", operands: 2}},
		{"-c a=1 exec -cb=2 --config=c=3 -c=d=4", commandLine{command: "exec", overrides: []string{"a=1", "b=2", "c=3", "d=4"}, operands: 6}},
		{"-m exec hello", commandLine{operands: 3}},
		{"hello exec", commandLine{operands: 2}},
		{"-i a b -p work -- exec", commandLine{profile: "work", operands: 5}},
		{"exec -C /x --oss --local-provider lmstudio", commandLine{command: "exec", dir: "/x", oss: true, local: "lmstudio", operands: 6}},
		{"--remote ws://x --no-daemon -V", commandLine{remote: true, noDaemon: true, plain: true, operands: 4}},
		{"app-server daemon start", commandLine{command: "app-server", second: "daemon", operands: 3}},
		{"exec --ignore-user-config -c", commandLine{command: "exec", noUser: true, overrides: []string{""}, operands: 3}},
	} {
		got := parseArgs(strings.Fields(c.args))
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(commandLine{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.args, diff)
		}
	}
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
