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

// Commands of PowerShell keep their backslashes, and text that calls one is read as PowerShell.
func TestIsCmdlet(t *testing.T) {
	for name, want := range map[string]bool{
		"remove-aduser": true, "get-childitem": true, "export-pfxcertificate": true, "apt-get": false, "start-all.sh": false,
		"docker-compose": false, "get-": false, "-get": false, "remove": false,
	} {
		if got := isCmdlet(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestWindowsAssigned(t *testing.T) {
	for text, want := range map[string]string{
		`set a=del&set b=/s /q&!a! !b! C:\x`:        `set a=del&set b=/s /q&del /s /q C:\x`,
		`for /d %i in (C:\Users\*) do @rd /s /q %i`: `for /d %i in (C:\Users\*) do @rd /s /q C:\Users\*`,
		`for /f %i in ('dir') do del %i`:            `for /f %i in ('dir') do del %_%`,
		`echo %PATH%`:                               `echo %PATH%`,
	} {
		if got := windowsAssigned(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestWindowsCommands(t *testing.T) {
	for text, want := range map[string][][]string{
		`del /f /s /q C:\*.*`:           {{"del", "/f", "/s", "/q", `C:\*.*`}},
		`reg add "HKLM\A B" /f & net x`: {{"reg", "add", `HKLM\A B`, "/f"}, {"net", "x"}},
		`d^el C:\x`:                     {{"del", `C:\x`}},
		`@rd %USERPROFILE%\x && (a|b)`:  {{"rd", homeWord + `\x`}, {"a"}, {"b"}},
		`start "" C:\x.exe`:             {{`C:\x.exe`}},
		`"a`:                            {{"a"}},
	} {
		if diff := cmp.Diff(want, windowsCommands(text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}
