package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/truth"
)

// madeUp are options that no program has.
var madeUp = [][]string{{"--zz"}, {"--zz", "v"}, {"--zz=v"}, {"-~", "v"}, {"--zz-y", "-v"}, {"--zz", "v", "--zy", "w"}}

// sentinel is the command that the programs of these tests run.
var sentinel = NewPattern("rm -rf /*")

func runsSentinel(argv []string) truth.Value {
	best := truth.No
	for _, c := range ReadArgv(argv, Start{}) {
		best = max(best, c.Runs(sentinel))
	}
	return best
}

// optionForms are the ways to write an option with a value.
func optionForms(e *program.Entry, name, value string) [][]string {
	switch {
	case e.Style&program.Dashed != 0:
		return [][]string{{"-" + name, value}}
	case len(name) == 1:
		return [][]string{{"-" + name, value}, {"-" + name + value}}
	default:
		return [][]string{{"--" + name, value}, {"--" + name + "=" + value}}
	}
}

// runningLines are lines of an entry that run the sentinel, with the words that lead to the entry.
func runningLines(path []string, e *program.Entry) (out [][]string) {
	with := func(words ...string) { out = append(out, slices.Concat(path, words)) }
	if e.Runs != nil {
		operands := slices.Repeat([]string{"o"}, e.Runs.Skip)
		if e.Runs.Only || e.Runs.Dashes {
			operands = append(operands, "--")
		}
		with(append(operands, "rm", "-rf", "/x")...)
	}
	for word := range strings.FieldsSeq(e.Options) {
		names := strings.TrimRight(word, ":</>@$%!;?*")
		for name := range strings.SplitSeq(names, ",") {
			switch word[len(names):] {
			case "$":
				for _, form := range optionForms(e, name, "rm -rf /x") {
					with(form...)
				}
			case "*":
				with(append(optionForms(e, name, "")[0][:1], "rm", "-rf", "/x")...)
			}
		}
	}
	return out
}

// eachLine calls do with the lines of an entry and its subcommands, and the number of words that lead to the entry.
func eachLine(path []string, e *program.Entry, lines func([]string, *program.Entry) [][]string, do func(line []string, lead int)) {
	for _, line := range lines(path, e) {
		do(line, len(path))
	}
	for i := range e.Subs {
		name := strings.Fields(e.Subs[i].Names)[0]
		eachLine(slices.Concat(path, []string{name}), &e.Subs[i], lines, do)
	}
}

// notPrograms are names that a shell reads in another way than as a program with options.
var notPrograms = wordSet("bind complete compgen")

// What a program runs is found with options that are not known, before each of its subcommands and before its operands.
func TestUnknownOptionsHideNoCommand(t *testing.T) {
	tested := 0
	for _, name := range program.Names() {
		e, _ := program.Lookup(name)
		if notPrograms[name] {
			continue
		}
		eachLine([]string{name}, e, runningLines, func(line []string, lead int) {
			if runsSentinel(line) == truth.No {
				t.Errorf("%q: not found without the option", line)
				return
			}
			tested++
			for at := 1; at <= lead; at++ {
				for _, option := range madeUp {
					if with := slices.Insert(slices.Clone(line), at, option...); runsSentinel(with) == truth.No {
						t.Errorf("%q: not found", with)
					}
				}
			}
		})
	}
	if tested < 300 {
		t.Errorf("only %d lines", tested)
	}
}

// The same for programs that do more than their entry says.
func TestUnknownOptionsHideNoCommandOfHandlers(t *testing.T) {
	for _, text := range []string{
		"git | rebase --exec 'rm -rf /x' main", "git | -c alias.x='!rm -rf /x' x", "git | config alias.x '!rm -rf /x'",
		"git config | alias.x '!rm -rf /x'",
		"git | bisect | run rm -rf /x", "git | submodule | foreach rm -rf /x", "git clone | -c core.pager='rm -rf /x' u",
		"git grep | -O'rm -rf /x' y",
		"ssh | host rm -rf /x", "ssh host | rm -rf /x", "ssh | -o ProxyCommand='rm -rf /x' host", "scp | -o ProxyCommand='rm -rf /x' a b",
		"env | rm -rf /x", "env | -S 'rm -rf /x'", "env | A=b rm -rf /x", "su | -c 'rm -rf /x'", "su root | -c 'rm -rf /x'",
		"runuser | -u root rm -rf /x",
		"xargs | rm -rf /x", "xargs | -I % rm -rf /x", "parallel | rm -rf /x", "parallel | rm -rf ::: /x", "bash | -c 'rm -rf /x'",
		"sh | -ec 'rm -rf /x'",
		"sudo | bash | -c 'rm -rf /x'", "docker | run | alpine rm -rf /x", "docker | container | exec | c rm -rf /x",
		"docker | compose | run | c rm -rf /x", "docker run | --entrypoint rm alpine -rf /x", "kubectl | exec | p -- rm -rf /x",
		"kubectl | -n x exec | p rm -rf /x", "tmux | new-session | 'rm -rf /x'", "screen | rm -rf /x", "command | rm -rf /x",
		"trap | 'rm -rf /x' EXIT",
		"make | --eval 'x:;rm -rf /x'", "sed | -e '1e rm -rf /x' y", "sed | '1e rm -rf /x'", "tar | cf a --to-command 'rm -rf /x'",
		"tar | -c --checkpoint-action 'exec=rm -rf /x' a", "tar | -I 'rm -rf /x' -cf a b", "fzf | --bind 'x:execute(rm -rf /x)'",
		"start-stop-daemon | -x rm -- -rf /x",
		"apt | -o APT::Update::Pre-Invoke::='rm -rf /x' update", "apt | install | -o Dpkg::Pre-Invoke::='rm -rf /x'",
		"cargo +nightly | watch | -s 'rm -rf /x'",
		"bun | x | rm -rf /x", "find . -exec rm -rf /x ;", "fd | x -x rm -rf /x", "nix | shell | n -c rm -rf /x",
	} {
		plain := strings.ReplaceAll(text, "| ", "")
		if got := runs(plain, "rm -rf /*"); got == No {
			t.Errorf("%q: not found without the option", plain)
		}
		parts := strings.Split(text, "| ")
		for i := 1; i < len(parts); i++ {
			for _, option := range madeUp {
				with := strings.Join(parts[:i], "") + strings.Join(option, " ") + " " + strings.Join(parts[i:], "")
				if runs(with, "rm -rf /*") == No {
					t.Errorf("%q: not found", with)
				}
			}
		}
	}
}
