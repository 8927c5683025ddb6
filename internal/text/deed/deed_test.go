package deed

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

func read(text string) []shell.Command { return shell.Read(text, shell.Start{}) }

func find(text string) []Deed {
	commands := read(text)
	return Find(commands, fileuse.Find(commands))
}

// matches says whether a value of the operator of a verb holds for a text.
func matches(t *testing.T, verb Verb, value, text string) truth.Value {
	t.Helper()
	return best(t, verb, value, find(text))
}

func best(t *testing.T, verb Verb, value string, deeds []Deed) (most truth.Value) {
	t.Helper()
	p, err := NewPattern(verb, strings.Fields(value))
	if err != nil {
		t.Fatal(err)
	}
	for i := range deeds {
		most = max(most, p.Match(&deeds[i]))
	}
	return most
}

// An example is a line of a table: a value of the operator of a verb, and a command that it holds for or not.
type example struct {
	verb        Verb
	value, text string
	not         bool
}

// examples reads the tables in testdata, one for each verb. A line is a value of the operator, a tab, and a command that it holds for;
// with ! before the value, for which it does not hold. An arrow stands for the end of a line of the command.
func examples(t *testing.T) (out []example) {
	t.Helper()
	for _, verb := range verbs {
		data, err := os.ReadFile("testdata/" + string(verb) + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			value, text, ok := strings.Cut(strings.TrimSpace(line), "\t")
			if !ok {
				continue
			}
			value, not := strings.CutPrefix(value, "!")
			out = append(out, example{verb, value, strings.ReplaceAll(strings.TrimSpace(text), "⏎", "\n"), not})
		}
	}
	return out
}

func TestTables(t *testing.T) {
	hits, misses := map[Verb]int{}, map[Verb]int{}
	for _, e := range examples(t) {
		if got := matches(t, e.verb, e.value, e.text); (got == truth.No) != e.not {
			t.Errorf("%s %q of %q: %d", e.verb, e.value, e.text, got)
		}
		if e.not {
			misses[e.verb]++
		} else {
			hits[e.verb]++
		}
	}
	for _, verb := range verbs {
		if hits[verb] < 25 || misses[verb] < 15 {
			t.Errorf("%s has only %d commands that do it and %d that do not", verb, hits[verb], misses[verb])
		}
	}
}

// wrapped are forms in which a shell runs the same command; X is the command, P its program and R the rest.
var wrapped = []string{
	"sudo X", "sudo -n -u root X", "env A=b X", "timeout -k 1 5 X", "nohup X &", "nice -n 5 X", "command X", "time X", "sh -c 'X'",
	`bash -lc "X"`,
	"eval 'X'", "f() { X; }; f", "true && X", "ls; X", "(X)", "{ X; }", "if a; then X; fi", "for i in 1 2; do X; done", "echo $(X)",
	"echo `X`",
	"cat <(X)", "bash <<'E'\nX\nE", "echo 'X' | sh", "c=P; $c R", "c='X'; $c", `\P R`, `"P" R`, "'P' R", "X 2>&1 | tail -5", "X || true",
	"ssh build.example 'X'", "tmux send-keys 'X' Enter", "find . -name x -exec X \\;", "watch -n 5 'X'",
	"trap 'X' EXIT", "exec X", "setsid X", "stdbuf -oL X", "script -qc 'X' /dev/null", "flock /tmp/l X", "make -f - <<'E'\na:\n\tX\nE",
}

// followed are forms that add words at the end of the command.
var followed = []string{"xargs -a list X", "parallel X ::: a", "git -c alias.z='!X' z"}

// quoted are programs that run a text with a shell.
var quoted = []string{
	"sh -c 'X'", `bash -lc "X"`, "eval 'X'", "git -c alias.z='!X' z", "watch 'X'", "make --eval='a:;X' a", "find . -exec sh -c 'X' \\;",
	"trap 'X' EXIT", "script -qc 'X' /dev/null", "flock /tmp/l -c 'X'", "su -c 'X' ann", "tar cf a b --checkpoint-action=exec='X'",
	"echo 'X' | bash", "bash <<< 'X'", "tmux new -d 'X'", "timeout 5 sh -c 'X'", "xargs -I{} sh -c 'X'", "nohup bash -c 'X' &",
	"hyperfine 'X'", "entr -s 'X'", "ssh build.example 'X'",
	"echo 'X' > /tmp/a.sh; sh /tmp/a.sh", "f() { X; }; f", "(X)", "{ X; } 2>&1 | tail -5", "if true; then X; fi", "echo $(X)",
	"concurrently 'X'", "npx -c 'X'", "npm exec -c 'X'", "vim -c '!X'", "sqlite3 a.db '.shell X'", "psql -c '\\! X'", "systemd-run sh -c 'X'",
	"env -S 'sh -c \"X\"'", "at now <<< 'X'", "batch <<< 'X'", "awk 'BEGIN{system(\"X\")}'", `python3 -c 'import os;os.system("X")'`,
	`perl -e 'system("X")'`, `ruby -e 'system("X")'`, `node -e 'require("child_process").execSync("X")'`, `php -r 'system("X");'`,
	`lua -e 'os.execute("X")'`, `python3 -c 'import subprocess;subprocess.run("X",shell=True)'`, `cmd.exe /c "X"`,
}

// What a pipeline does, it does in any text that a program runs.
func TestQuoted(t *testing.T) {
	checked := 0
	for _, e := range examples(t) {
		isPower := strings.HasPrefix(e.text, "Get-") // it is no text for the other shells
		if e.not || isPower || !strings.Contains(e.text, "|") || strings.ContainsAny(e.text, "'\"`$&;<>(){}\\!*~=#\n") {
			continue
		}
		for _, form := range quoted {
			text := strings.ReplaceAll(form, "X", e.text)
			if checked++; matches(t, e.verb, e.value, text) == truth.No {
				t.Errorf("%s %q is not found in %q", e.verb, e.value, text)
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d forms", checked)
	}
}

// What a command does, it does behind any program that runs it.
func TestWrapped(t *testing.T) {
	checked := 0
	for _, e := range examples(t) {
		program, rest, ok := strings.Cut(e.text, " ")
		if e.not || !ok || strings.ContainsAny(e.text, "'\"`$|&;<>(){}\\!*~=#\n") {
			continue
		}
		forms := wrapped
		ends := e.verb == Stops && e.value == "machine" && (program == "pkill" || program == "killall") // a word would name a process
		if program != "cp" && program != "ln" && !strings.HasPrefix(rest, "s3 sync") && !ends {         // their last word says where to
			forms = append(slices.Clip(forms), followed...)
		}
		if _, known := compiled().rows[program]; known {
			forms = append(slices.Clip(forms), "P$Z R", "/usr/b?n/P R")
		}
		for _, form := range forms {
			text := strings.NewReplacer("X", e.text, "P", program, "R", rest).Replace(form)
			if checked++; matches(t, e.verb, e.value, text) == truth.No {
				t.Errorf("%s %q is not found in %q", e.verb, e.value, text)
			}
		}
		for _, argv := range [][]string{strings.Fields(e.text), {"bash", "-lc", e.text}, {"/usr/bin/env", "sh", "-c", e.text}} {
			commands := shell.ReadArgv(argv, shell.Start{})
			if checked++; best(t, e.verb, e.value, Find(commands, fileuse.Find(commands))) == truth.No {
				t.Errorf("%s %q is not found in %q", e.verb, e.value, argv)
			}
		}
	}
	if checked < 5000 {
		t.Errorf("only %d forms", checked)
	}
}
