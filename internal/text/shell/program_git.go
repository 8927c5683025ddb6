package shell

import (
	"net/url"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// git reads the ways in which git runs commands: aliases, configured programs, and subcommands with a command.
func git(r *reader, c invocation) value {
	line := c.line()
	for _, setting := range line.Values("c") {
		r.gitAssignment(setting, c)
	}
	for _, sub := range line.Subcommands() {
		r.gitSubcommand(sub, c)
	}
	r.gitAlias(c)
	for _, arg := range c.args {
		if folder, ok := strings.CutPrefix(arg, "--exec-path="); ok {
			r.loadedFile(folder+"/git", c.scope)
		}
		if text, ok := strings.CutPrefix(arg, "ext::"); ok {
			r.run(externalWords(text), apartScope(c.scope), pipes{})
			if plain, err := url.PathUnescape(text); err == nil && plain != text {
				r.text(plain, apartScope(c.scope), pipes{}) // as people write addresses
			}
			if plain := strings.ReplaceAll(text, "% ", " "); plain != text {
				r.text(plain, apartScope(c.scope), pipes{})
			}
		}
	}
	c.pipes = pipes{}
	out := r.knownLine(line, c)
	if len(c.args) == 2 && c.args[0] == "rev-parse" && (c.args[1] == "--show-toplevel" || c.args[1] == "--show-cdup") {
		return value{hereWord + "\n", oneWord + "\n"} // mostly it is the folder where the text runs
	}
	if listsFiles(c.args) {
		return value{"./" + treeRun + "\n"}
	}
	return out
}

// listsFiles reports arguments of git with which it prints files of the folder where it runs, and nothing else.
func listsFiles(args []string) bool {
	if len(args) == 0 {
		return false
	}
	names := args[0] == "ls-files"
	for _, arg := range args[1:] {
		names = names || nameOptions[args[0]+" "+arg]
		elsewhere := strings.Contains(arg, "..") && args[0] != "diff" || strings.HasPrefix(arg, ":") || strings.HasPrefix(arg, "/")
		if elsewhere || detailOptions[arg] {
			return false
		}
	}
	return names
}

// nameOptions are the options of git with which a subcommand prints names of files, and detailOptions those that print more than names.
var (
	nameOptions = map[string]bool{
		"diff --name-only": true, "grep -l": true, "grep -lz": true, "grep --files-with-matches": true,
	}
	detailOptions = wordSet("--full-name -s --stage -u --unmerged -v -t --resolve-undo --format")
)

// externalWords splits the command of an address such as ext::ssh -p% 22 host %S. In a word,
// %% is a percent sign, and a percent sign before a blank is that blank.
func externalWords(text string) []string {
	const blank = "\x00"
	words := strings.Fields(strings.NewReplacer("%%", "%", "% ", blank).Replace(text))
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], blank, " ")
	}
	return words
}

// gitSubcommand reads the settings that a subcommand of git makes, and the pager that it starts.
func (r *reader) gitSubcommand(sub *program.Line, c invocation) {
	switch e := sub.Entry; {
	case e.Is("clone"), e.Is("init"):
		for _, setting := range sub.Values("c") {
			r.gitAssignment(setting, c)
		}
		c.scope = apartScope(c.scope)
		r.withFiles(sub.Values("upload-pack", "receive-pack", "u"), c)
	case e.Is("grep"):
		for _, text := range sub.Values("O", "open-files-in-pager") {
			with := c
			if !strings.HasPrefix(text, "./") { // a script of the project may well be a pager
				with.scope = apartScope(c.scope)
			}
			r.withFiles([]string{text}, with)
		}
	case e.Is("difftool"):
		r.withFiles(sub.Values("x", "extcmd"), c)
	case e.Is("ls-remote"), e.Is("fetch"), e.Is("pull"), e.Is("push"):
		c.scope = apartScope(c.scope)
		r.withFiles(sub.Values("upload-pack", "receive-pack", "exec"), c)
	case e.Is("send-email"):
		r.withFiles(sub.Values("sendmail-cmd", "to-cmd", "cc-cmd", "header-cmd"), c)
	case e.Is("config"):
		operands := sub.Operands()
		for i := 1; i < len(operands); i++ {
			// The key comes first, or after the word set.
			if key := operands[i-1]; key.First < 2 && key.Text != "set" {
				r.gitSetting(key.Text, operands[i].Text, c)
			}
		}
	}
}

// withFiles reads texts to which git adds arguments, such as the files of a repository.
func (r *reader) withFiles(texts []string, c invocation) {
	for _, text := range texts {
		if strings.Contains(text, "|") { // without words behind it, its last command reads its input
			r.text(text, newScope(c.scope), pipes{})
		}
		r.withArgs(text, []string{anyWords}, c.scope, pipes{})
	}
}

// gitAssignment reads a setting such as core.pager=less.
func (r *reader) gitAssignment(setting string, c invocation) {
	key, v, _ := strings.Cut(setting, "=")
	r.gitSetting(key, v, c)
}

// gitSetting reads a configured value if git would run it.
func (r *reader) gitSetting(key, v string, c invocation) {
	key = fold(key)
	last := key[strings.LastIndexByte(key, '.')+1:]
	text, bang := strings.CutPrefix(v, "!")
	switch {
	case strings.HasPrefix(key, "alias."):
		r.namesAlias(key[len("alias."):], v)
		if bang {
			r.withFiles([]string{text}, c)
		} else if !hasHole(v) {
			r.text("git "+v, newScope(c.scope), pipes{})
		}
	case bang:
		r.withFiles([]string{text}, c)
	case v == "true", v == "false":
	case last == "hookspath":
		r.loadedFile(strings.TrimRight(v, "/")+"/hook", c.scope)
	case gitCommands[last]:
		if last != "editor" { // people write one for a single rebase
			c.scope = apartScope(c.scope)
		}
		r.withFiles([]string{v}, c)
	case strings.HasPrefix(key, "pager."), gitPrograms[last]:
		r.text(v, apartScope(c.scope), pipes{})
	}
}

// maxAliases bounds the aliases that are followed.
const maxAliases = 64

// namesAlias notes what an alias stands for.
func (r *reader) namesAlias(name, v string) {
	if r.gitAliases == nil {
		r.gitAliases = map[string]string{}
	}
	if len(r.gitAliases) < maxAliases && !hasHole(v) {
		r.gitAliases[name] = v
	}
}

// gitAlias reads a command whose subcommand is an alias that the text gives, with the words behind it.
func (r *reader) gitAlias(c invocation) {
	for i := 0; i < len(c.args); i++ {
		switch arg := c.args[i]; {
		case arg == "-c" || arg == "-C" || arg == "--git-dir" || arg == "--work-tree":
			i++
		case strings.HasPrefix(arg, "-"):
		default:
			v, ok := r.gitAliases[fold(arg)]
			if !ok {
				return
			}
			delete(r.gitAliases, fold(arg)) // an alias of itself ends
			if text, bang := strings.CutPrefix(v, "!"); bang {
				r.withArgs(text, c.args[i+1:], newScope(c.scope), pipes{})
			} else {
				r.withArgs("git "+v, c.args[i+1:], newScope(c.scope), pipes{})
			}
			r.namesAlias(fold(arg), v)
			return
		}
	}
}

// gitPrograms are the last parts of the keys whose value git runs.
var gitPrograms = wordSet("pager program cmd command clean smudge process driver gitproxy browser difffilter sendmailcmd tocmd cccmd " +
	"headercmd packobjectshook alternaterefscommand")

// gitCommands are the same, where git adds arguments such as files of the repository.
var gitCommands = wordSet("editor sshcommand askpass fsmonitor external textconv uploadpack receivepack")
