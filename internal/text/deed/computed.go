package deed

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/address"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// showing are the commands of weir that only show something: with a second word where only some of the commands below it do.
var showing = strings.Fields(`bodies calls completion demo doctor events help stats status verify version findings/list findings/show report
	audit/verify audit/export config/check config/schema policy/check policy/explain policy/test policy/replay policy/suggest policy/list
	policy/lists policy/preset policy/schema mcp/servers mcp/tools mcp/calls mcp/events mcp/inspect
	mcp/pins/list mcp/pins/diff approvals/list approvals/show grants/list`)

// commandsWeir reads weir itself. A command that does more than show something changes what agents may do, or what weir sees of it.
func commandsWeir(f *finder, l *line) {
	var words []string
	for _, it := range l.items {
		if !it.option {
			words = append(words, it.word.Text)
		}
		if it.option && slices.Contains([]string{"--help", "-h", "--version"}, it.word.Text) {
			return
		}
	}
	for n := range min(len(words), 3) {
		if slices.Contains(showing, strings.Join(words[:n+1], "/")) {
			return
		}
	}
	if len(words) == 0 || l.c.Contained {
		return
	}
	f.addOf(l, Deed{Verb: Stops, Kind: "guard", Certainty: truth.Yes, names: []string{"weir"}})
}

// computedKind is the kind of deed, and the host, of a command that another program prints. It is looked for by name only: the
// output of a program may well be harmless.
const computedKind = "computed"

// slippedEnd stands for a program that is slipped into another program.
var slippedEnd = end{host: address.Host{Name: "slipped"}}

// slipped notes code that an option or a variable slips into another program, which gives no hint of it: code that everybody could have
// put where it is, the data of that program as code of a shell, and scripts, if it has other work than to run them.
func (f *finder) slipped(l *line) {
	if !l.c.Slipped || l.c.Contained {
		return
	}
	if inTemporary(l.c.Path.Text) || l.runsData() || l.c.Apart && (l.isScript() || shells[l.name] || losing[l.name]) {
		f.addOf(l, Deed{Verb: RunsFetched, Certainty: truth.Yes, hosts: []end{slippedEnd}})
	}
}

// losing are the programs that nobody takes for a pager, or for a server of git.
var losing = wordSet("rm shred dd mv truncate unlink rmdir srm wipe chmod chown")

// runsData reports a shell, or another interpreter, that runs what it gets from the program into which it is slipped.
func (l *line) runsData() bool {
	name := strings.TrimRight(l.name, "0123456789.-")
	if !shells[l.name] && !interpreters[name] || l.name == "eval" || l.name == "source" || l.name == "." || makers[name] {
		return false
	}
	for i, it := range l.items {
		switch text := it.word.Text; {
		case text == "-" || text == "/dev/stdin":
			return true
		case !it.option:
			return !it.word.Known && isHole(text, 0) // the words that the other program adds
		case len(text) > 1 && text[1] != '-' && strings.ContainsAny(text, "cemrE") && i+1 < len(l.items), text == "--version":
			return false // it has code of its own
		}
	}
	return true
}

// isScript reports a script: a file in a folder other than those for the programs of the system, by itself or given to a shell.
func (l *line) isScript() bool {
	file := l.c.Path.Text
	if shells[l.name] || interpreters[strings.TrimRight(l.name, "0123456789.-")] {
		words := l.first()
		if len(words) == 0 || slices.ContainsFunc(l.items, func(it item) bool { return it.option }) {
			return false
		}
		if file = words[0].Text; !strings.Contains(file, "/") {
			file = "./" + file
		}
	}
	if !strings.Contains(file, "/") || isHole(file, 0) {
		return false
	}
	for _, folder := range []string{"/usr/", "/bin/", "/sbin/", "/opt/", "/nix/", "/snap/", "/System/", "/Applications/", "/Library/"} {
		if strings.HasPrefix(file, folder) {
			return false
		}
	}
	return true
}

// inTemporary reports a path in a folder for temporary files.
func inTemporary(path string) bool {
	for _, folder := range []string{"/tmp/", "/var/tmp/", "/dev/shm/", "/private/tmp/", "/run/shm/"} {
		if strings.HasPrefix(path, folder) {
			return true
		}
	}
	return false
}

// computed notes a command of which the text only says that another program prints it: its output is run.
func (f *finder) computed(i int) {
	c := &f.commands[i]
	unknown := func(p shell.Piece) bool { return p.Kind == shell.Unknown }
	if c.Contained || !slices.ContainsFunc(c.Words[0].Pieces(), unknown) {
		return
	}
	f.sawUnknown = true
	switch {
	case f.fromMaker(c.WordsFrom, map[int]bool{}):
		f.addComputed(c, truth.Yes)
	case !f.inFetched(i):
		f.addComputed(c, truth.Maybe)
	}
}

// inFetched reports a command that is the code of the shell before it, which fetches it: that is a deed already.
func (f *finder) inFetched(i int) bool {
	return len(f.commands[i].WordsFrom) == 0 && i > 0 && f.lines[i-1] != nil && shells[f.lines[i-1].name] &&
		f.origins(f.commands[i-1].InputFrom, map[int]bool{}) != nil
}

func (f *finder) addComputed(c *shell.Command, certainty truth.Value) {
	from := end{host: address.Host{Name: computedKind}}
	f.add(Deed{Verb: RunsFetched, Kind: computedKind, Certainty: certainty, Command: c.String(), hosts: []end{from}})
}

// runsMade notes a shell that runs what a program for texts makes, which no rule can read. Without a command of which nothing is known,
// the text was computed, and counts as what it is.
func (f *finder) runsMade(l *line) {
	if !f.sawUnknown || !shells[l.name] || l.c.Contained {
		return
	}
	code := l.code(true)
	seen := map[int]bool{}
	if l.hasUnknownCode() && f.origins(l.c.WordsFrom, map[int]bool{}) == nil || code.input && f.readsPipe(l) {
		f.addComputed(l.c, truth.Yes)
		return
	}
	if code.input && f.fromMaker(l.c.InputFrom, seen) || code.word && l.startsUnknown(code) && f.fromMaker(l.c.WordsFrom, seen) {
		f.addComputed(l.c, truth.Yes)
	}
}

// hasUnknownCode reports a shell that is given a text of which nothing is known, such as each line of a file by xargs. To name a file
// with it, or to fill in a part, is common; what eval runs mostly sets variables.
func (l *line) hasUnknownCode() bool {
	for i, it := range l.items {
		switch text := it.word.Text; {
		case !it.option:
			return false
		case i+1 < len(l.items) && len(text) > 1 && text[1] != '-' && strings.HasSuffix(text, "c"):
			next := l.items[i+1].word
			return l.name != "eval" && !next.Known && next.Text != "" && allHoles(next.Text)
		}
	}
	return false
}

// allHoles reports a text of which nothing is known.
func allHoles(text string) bool {
	for i := range len(text) {
		if !isHole(text, i) {
			return false
		}
	}
	return true
}

// readsPipe reports that the input of a line is a named pipe that the text makes: what others write to it runs.
func (f *finder) readsPipe(l *line) bool {
	for _, redirect := range l.c.Redirects {
		if !redirect.Reads || !redirect.File.Known {
			continue
		}
		for _, other := range f.lines {
			if other != nil && (other.name == "mkfifo" || other.name == "mknod") && slices.ContainsFunc(other.items, func(it item) bool {
				return it.word.Text == redirect.File.Text
			}) {
				return true
			}
		}
	}
	return false
}

// startsUnknown reports that nothing is known of the beginning of the code: mostly a text in which only a name is filled in is harmless.
func (l *line) startsUnknown(c code) bool {
	return c.unknown || slices.ContainsFunc(l.items, func(it item) bool { return strings.HasPrefix(it.word.Text, "/dev/fd/") })
}

// These programs make texts out of others, or out of code in their words; passers hand on what they get.
var (
	makers = wordSet(`sed gsed awk gawk mawk nawk tr cut rev tac dc bc recode iconv uconv xxd od hexdump base32 base64 basenc openssl
		uudecode paste fold strings compgen expr m4 jq gojq jaq yq xmlstarlet xmllint numfmt rot13 tclsh
		dd exiftool steghide zsteg stegsnow outguess zbarimg pdftotext tesseract binwalk`)
	codeMakers = wordSet("perl python pypy ruby node nodejs deno bun php lua luajit julia rscript raku osascript groovy elixir guile")
	passers    = wordSet("cat tee head tail grep egrep fgrep sort uniq echo printf xargs column nl tail sponge pv stdbuf command env time")
)

// fromMaker reports whether one of the commands makes a text, or hands on what such a command makes.
func (f *finder) fromMaker(from []int, seen map[int]bool) bool {
	for _, i := range from {
		if seen[i] || !f.spend() {
			continue
		}
		seen[i] = true
		c := &f.commands[i]
		if !c.Words[0].Known {
			continue
		}
		l := newLine(c, c.Words[0].Text)
		if l.makes() || passers[l.name] && f.fromMaker(sourcesOf(c), seen) {
			return true
		}
	}
	return false
}

// makes reports a line that makes a text. Lines that people use to set variables from a file do not count.
func (l *line) makes() bool {
	name := strings.TrimRight(l.name, "0123456789.-")
	// Code that is at an offset of something else is hidden there.
	cutsBytes := (l.name == "tail" || l.name == "head") && l.has("-c", "--bytes") != truth.No
	if !makers[l.name] && !codeMakers[name] && !cutsBytes {
		return false
	}
	for _, it := range l.items {
		if containsAny(it.word.Text, "export ", "@sh", "export\t", "set -x ") {
			return false
		}
	}
	if makers[l.name] || cutsBytes {
		return true
	}
	prints := func(it item) bool {
		return it.option && containsAny(it.word.Text, "p", "n") && len(it.word.Text) < 4 || it.word.Text == "eval"
	}
	return l.code(false).word || l.code(false).input || slices.ContainsFunc(l.items, prints)
}
