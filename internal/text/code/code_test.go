package code

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// show writes an act as a shell would, with signs for unknown parts.
func show(a Act) string {
	holes := strings.NewReplacer(Unknown, "…", Char, "?", Run, "*", Home, "~", Here, ".", Tree, "**")
	out := strings.Join(a.Words, " ")
	if a.Shell {
		out = "$ " + out
	}
	if a.From != nil {
		out = strings.Join(a.From, " ") + " | " + out
	}
	if a.HasInput {
		out += " < " + a.Input
	}
	return holes.Replace(out)
}

func shown(r Reading) []string {
	var out []string
	for _, a := range r.Acts {
		out = append(out, show(a))
	}
	return out
}

var byName = map[string]*Language{
	"python": Python, "node": JavaScript, "ruby": Ruby, "perl": Perl, "php": PHP, "lua": Lua, "awk": Awk, "R": R, "julia": Julia,
	"osascript": AppleScript, "java": Java, "any": Any, "powershell": PowerShell, "go": Go,
}

// rows reads a table: a language, what is expected, and code, separated by " | ".
func rows(t testing.TB, file string) [][3]string {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out [][3]string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		name, rest, ok := strings.Cut(line, " :: ")
		want, source, ok2 := strings.Cut(rest, " :: ")
		if !ok || !ok2 || byName[name] == nil {
			t.Fatalf("%q is no row", line)
		}
		unescape := strings.NewReplacer(`\\`, `\`, `\n`, "\n").Replace
		out = append(out, [3]string{name, unescape(want), unescape(source)})
	}
	return out
}

// What code does is found, whatever the language and the spelling.
func TestDeeds(t *testing.T) {
	for _, row := range rows(t, "testdata/deeds.txt") {
		got := shown(Read(row[2], byName[row[0]]))
		if !slices.Contains(got, row[1]) {
			t.Errorf("%s: %s\n\tgot %q\n\twant %s", row[0], row[2], got, row[1])
		}
	}
}

// Ordinary code does what it says, and nothing else. Nothing is expected after "-".
func TestOrdinary(t *testing.T) {
	for _, row := range rows(t, "testdata/ordinary.txt") {
		got := strings.Join(shown(Read(row[2], byName[row[0]])), "; ")
		if want := strings.TrimPrefix(row[1], "-"); got != want {
			t.Errorf("%s: %s\n\tgot %q\n\twant %q", row[0], row[2], got, want)
		}
	}
}
