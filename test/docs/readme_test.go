package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/tty"
)

const (
	readme = "../../README.md"
	// twoScreens is how many lines the README may have.
	twoScreens = 130
)

var (
	recording = regexp.MustCompile(`(?s)<!-- recorded: the third scene of weir demo -->\n.*?<!-- end of recording -->`)
	scene     = regexp.MustCompile(`(?ms)^3\. .*?\n\n\n?(?:^4\. )`)
)

// The README is short, begins with the two commands, and shows what weir prints.
func TestREADME(t *testing.T) {
	need.Long(t)
	page := read(t, readme)
	if n := strings.Count(page, "\n"); n > twoScreens {
		t.Errorf("it has %d lines, at most %d", n, twoScreens)
	}
	first := shellBlocks(page)[0]
	if len(first) != 2 || !strings.HasPrefix(first[0], "make run ") || !strings.HasPrefix(first[1], "make test ") {
		t.Errorf("its first commands are %q", first)
	}
	s := tryOut(t, "")
	unpack(t, page, s.dir)
	out, code := s.sh("COLUMNS=100 weir demo")
	third := strings.TrimSuffix(strings.TrimRight(scene.FindString(out), "4. "), "\n")
	if code != 0 || third == "" {
		t.Fatalf("weir demo ended with %d:\n%s", code, out)
	}
	recorded := "<!-- recorded: the third scene of weir demo -->\n```text\n" + strings.TrimSpace(third) + "\n```\n<!-- end of recording -->"
	made := recording.ReplaceAllStringFunc(page, func(before string) string {
		// What the record shows may come before or after the end of the response: three programs write at the same time.
		if sortedLines(before) == sortedLines(recorded) {
			return before
		}
		return recorded
	})
	made = session.ReplaceAllStringFunc(made, func(block string) string { return replay(t, s.dir, block) })
	if *update {
		write(t, readme, made)
	} else if diff := cmp.Diff(page, made); diff != "" {
		t.Errorf("README.md is not what weir prints; if that is right, run go test ./test/docs -update (-page +weir):\n%s", diff)
	}
}

func sortedLines(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// Every command of the README, and of the READMEs of examples, is one that works as it is written. What needs an agent, a terminal or
// much time is tried as far as it can be.
func TestCommandsOfREADME(t *testing.T) {
	need.Long(t)
	s := tryOut(t, "")
	s.env = append(s.env, recordedDay(t)...)
	agent := filepath.Join(filepath.Dir(s.dir), "claude")
	write(t, agent, "#!/bin/sh\necho the agent\n")
	if err := os.Chmod(agent, 0o700); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, block := range shellBlocks(read(t, readme)) {
		for _, line := range block {
			command, _, _ := strings.Cut(line, "  ")
			if command == "" {
				continue
			}
			tried++
			tryCommand(t, s, command)
		}
	}
	if tried < 8 {
		t.Errorf("%d commands: does this test still find them?", tried)
	}
}

// shellBlocks are the blocks of a page with commands for a shell, as lines.
func shellBlocks(page string) (all [][]string) {
	open, shell := false, false
	for line := range strings.SplitSeq(page, "\n") {
		if info, ok := strings.CutPrefix(line, "```"); ok {
			open = !open
			if shell = open && (info == "" || info == "sh"); shell {
				all = append(all, nil)
			}
			continue
		}
		if shell {
			all[len(all)-1] = append(all[len(all)-1], strings.TrimSpace(line))
		}
	}
	return all
}

func tryCommand(t *testing.T, s *sandbox, command string) {
	t.Helper()
	try := command
	switch {
	case strings.HasPrefix(command, "make "):
		cmd := exec.Command("make", "-n", strings.Fields(command)[1])
		cmd.Dir = "../.."
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
		return
	case command == "weir top":
		p := tty.Start(t, 80, 24, s.env, weir, "top")
		p.Await(`q quit`)
		p.Type("q")
		if code := p.Exit(); code != 0 {
			t.Errorf("%s ended with %d", command, code)
		}
		return
	case strings.HasPrefix(command, "weir run -- "):
		try = strings.Replace(command, "weir run", "weir run --dry-run", 1)
	case command == "weir verify": // it needs a weir that runs; see its own tests
		try = "weir verify --help"
	}
	if out, code := s.sh(try); code != 0 {
		t.Errorf("%s ended with %d:\n%s", try, code, out)
	}
}
