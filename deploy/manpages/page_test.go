package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

func TestEveryCommandHasAPage(t *testing.T) {
	root := cli.Root()
	all := pages(root, "v1.2.3", "2026-11-18")
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Hidden {
			return
		}
		page := string(all[pageName(cmd)+".1"])
		if !strings.Contains(page, roff(cmd.Short)) {
			t.Errorf("%s has no page that says what it is:\n%s", cmd.CommandPath(), page)
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
	for name, page := range all {
		for i, line := range strings.Split(string(page), "\n") {
			if known := regexp.MustCompile(`^(\.(TH|SH|TP|PP|nf|fi)( .*)?|[^.'].*)?$`); !known.MatchString(line) {
				t.Errorf("%s:%d: %q is a request that is not ours", name, i+1, line)
			}
		}
	}
}

func TestTextStaysAsItIs(t *testing.T) {
	for text, want := range map[string]string{
		"--flag":    `\-\-flag`,
		`a\b`:       `a\eb`,
		".hidden":   `\&.hidden`,
		"'quoted'":  `\(aqquoted\(aq`,
		"~/x ^ `y`": "\\(ti/x \\(ha \\`y\\`",
		"two\nline": "two line",
	} {
		if got := roff(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// man(1) is the judge of the pages, where it can be had.
func TestManReadsThePages(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		need.Missing(t, "manual pages", "groff is not installed")
	}
	for name, page := range pages(cli.Root(), "v1.2.3", "2026-11-18") {
		cmd := exec.Command(groff, "-man", "-Tutf8", "-ww", "-Kutf8", "-P-c")
		cmd.Stdin = bytes.NewReader(page)
		var said bytes.Buffer
		cmd.Stderr = &said
		shown, err := cmd.Output()
		if err != nil || said.Len() > 0 {
			t.Errorf("%s: %v: %s", name, err, &said)
		}
		if name == "weir-version.1" && !strings.Contains(string(shown), "--json") {
			t.Errorf("%s does not show --json:\n%s", name, shown)
		}
	}
}

func TestWrite(t *testing.T) {
	out := t.TempDir()
	if err := write(out, "v1.2.3", "yesterday"); err == nil || !strings.Contains(err.Error(), "2026-11-18") {
		t.Errorf("a wrong date: got %v", err)
	}
	if err := write(out, "v1.2.3", "2026-11-18"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"man/weir.1": `.TH "WEIR" "1" "2026\-11\-18" "weir v1.2.3" "weir manual"`, "man/weir-policy-explain.1": "EXAMPLES",
		"completions/weir.bash": "__start_weir", "completions/_weir": "#compdef weir", "completions/weir.fish": "complete -c weir",
	} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, want %q in it", name, err, want)
		}
	}
}
