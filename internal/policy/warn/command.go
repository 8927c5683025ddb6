package warn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/glob"
	programs "github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// checkCommands warns of patterns of commands that match more, or less, than they seem to.
func (f *Finder) checkCommands(r *rule, t *test, at position) {
	if t.operator != "runs" && t.operator != "surely_runs" {
		return
	}
	grants := at.grants != t.negated
	for _, v := range t.values {
		switch {
		case builtin[v.Text]:
		case grants && endsOpen(v.Text):
			f.add(policy.WarnTrailingStar, r, v,
				fmt.Sprintf("the * at the end of %s lets any further words pass, and any text in its own word: %s",
					yamlfile.Quote(v.Text), example(v.Text)),
				fmt.Sprintf("write %s for one plain word: %s", shell.OneWord, yamlfile.Quote(strings.TrimSuffix(v.Text, "*")+shell.OneWord)))
		case !grants && t.isExact(v.Text):
			f.add(policy.WarnExactCommand, r, v,
				fmt.Sprintf("%s is only the command without further words, not %s", yamlfile.Quote(v.Text), yamlfile.Quote(v.Text+" x")),
				longer(v.Text))
		case isProgramStar(v.Text):
			f.add(policy.WarnProgramStar, r, v,
				fmt.Sprintf("%s has no blank, so it is compared with the name of the program only, and weir knows no program that it matches",
					yamlfile.Quote(v.Text)),
				"write a blank after the program, to compare arguments: "+yamlfile.Quote(spaced(v.Text)))
		}
	}
}

// longer says how to write a command with any words. A wildcard at the end of an option would have it compared as it is written.
func longer(pattern string) string {
	if strings.Contains(pattern, " -") {
		return fmt.Sprintf("add %s, which is the command with further words", yamlfile.Quote(pattern+" *"))
	}
	return fmt.Sprintf("write %s for the command with any words", yamlfile.Quote(pattern+"*"))
}

// isProgramStar says whether a pattern is about the arguments of a program, but is compared with its name: it has no blank, an option or a
// command after a wildcard, and it matches no program that is known. Others may be meant as names: *-docs, *deploy*.
func isProgramStar(pattern string) bool {
	pattern = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(pattern), "%", "*"))
	pieces := strings.Split(pattern, "*")
	if strings.ContainsAny(pattern, " \t\n/") || !slices.ContainsFunc(pieces[1:], isArgument) {
		return false
	}
	known := slices.Contains(programs.Names(), pieces[0]) || pieces[0] == "" && pieces[len(pieces)-1] == ""
	return known && !slices.ContainsFunc(programs.Names(), func(name string) bool { return glob.Match(pattern, name) })
}

// isArgument says whether a word is surely an argument: an option, or a command of a program.
func isArgument(word string) bool {
	if name, dashed := strings.CutPrefix(word, "-"); dashed {
		return strings.HasPrefix(name, "-") || len(name) == 1 || len(name) == 2
	}
	for _, commands := range subcommands {
		if slices.Contains(strings.Fields(commands), word) {
			return len(word) > 1
		}
	}
	return false
}

// spaced is such a pattern with a blank after its program; if it names none, any program.
func spaced(pattern string) string {
	i := strings.IndexAny(pattern, "*%")
	if i == 0 {
		return "* " + pattern
	}
	return pattern[:i] + " " + pattern[i:]
}

// runners are programs whose first word is a script, which takes any words.
var runners = strings.Fields("node ruby php python python3 bash sh zsh deno bun perl tsx ts-node npx Rscript")

// endsOpen says whether a pattern of a command ends with a wildcard where one word seems to be meant: after the beginning of a name, as in
// bot/*, or in the place of a branch of git push. The wildcard after a program or a command of it, as in git log*, is the usual way to
// mean any words.
func endsOpen(pattern string) bool {
	words := strings.Fields(pattern)
	stem, open := strings.CutSuffix(pattern, "*")
	if len(words) < 2 || !open || strings.Contains(stem, "*") {
		return false
	}
	last := strings.TrimSuffix(words[len(words)-1], "*")
	switch {
	case last == "":
		return len(words) > 3 && words[0] == "git" && words[1] == "push"
	case strings.HasPrefix(last, "-"), len(words) == 2 && slices.Contains(runners, words[0]):
		return false
	case len(words) == 2 && strings.HasSuffix(last, ":"):
		return false // a command of the program, as emulators:*
	default:
		return strings.ContainsAny(last[len(last)-1:], "/:=@")
	}
}

// example is a command that such a pattern matches, and that is hardly meant.
func example(pattern string) string {
	stem := strings.TrimSuffix(pattern, "*")
	if strings.HasPrefix(pattern, "git push") {
		return yamlfile.Quote(stem + "x:main")
	}
	return yamlfile.Quote(stem + "x --any option")
}

// subcommands are commands of programs that usually have further words.
var subcommands = map[string]string{
	"git":       "push pull fetch clone commit reset clean checkout switch restore rebase merge remote config branch tag rm stash",
	"npm":       "install i run exec publish unpublish",
	"pnpm":      "install add run exec dlx publish",
	"yarn":      "add run exec dlx publish",
	"pip":       "install uninstall download",
	"pip3":      "install uninstall download",
	"docker":    "run exec push pull rm rmi build cp kill stop",
	"podman":    "run exec push pull rm rmi build cp kill stop",
	"kubectl":   "delete apply exec get create edit patch scale drain cp run",
	"helm":      "install upgrade uninstall delete rollback",
	"terraform": "apply destroy import",
	"cargo":     "install publish run add",
	"go":        "get install run generate",
	"gem":       "install push",
	"apt":       "install remove purge",
	"apt-get":   "install remove purge",
	"brew":      "install uninstall",
	"systemctl": "stop disable restart start enable mask",
}

// isExact says whether a pattern is a command of a program that usually has further words, without a place for these.
func (t *test) isExact(pattern string) bool {
	words := strings.Fields(pattern)
	words = slices.DeleteFunc(words, func(word string) bool { return strings.HasPrefix(word, "-") && !strings.ContainsAny(word, "*=") })
	if len(words) != 2 || !slices.Contains(strings.Fields(subcommands[words[0]]), words[1]) {
		return false
	}
	if slices.ContainsFunc(t.values, func(v *yamlfile.Node) bool {
		return v.Text != pattern && (v.Text == words[0] || strings.HasPrefix(v.Text, pattern))
	}) {
		return false // the list has the longer forms, too
	}
	return !probeOf(t.alone(pattern), policy.Deny).holds("Bash", `{"command":`+quoted(pattern+" x")+`}`)
}

// alone is the test with one value, without negation.
func (t *test) alone(value string) []byte {
	text := `{"operator":` + quoted(t.operator) + `,"value":[` + quoted(value) + `]`
	if t.operator == "path_in" || t.operator == "within" {
		text += `,"param_path":"file_path"`
	}
	return []byte(text + "}")
}
