package deed

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/address"
	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// sent is what leaves the machine, beside files.
type sent uint8

const (
	file        sent = iota // only files that are named
	input                   // its input, or a text that is not known
	environment             // the variables of the environment
	sentKinds
)

// interpreters run code that they get as a word, in a file or as input.
var interpreters = wordSet(`python pypy node nodejs deno bun ruby perl php lua luajit osascript tclsh r rscript julia groovy jshell swift
	awk gawk mawk powershell pwsh`)

// shells run a text that they get as a word, in a file or as input.
var shells = wordSet(`sh bash zsh dash ash ksh mksh fish csh tcsh busybox rbash pwsh powershell cmd iex invoke-expression eval source .
	xonsh nu elvish`)

// fetchers write what they get from the network to their output or to a file.
var fetchers = wordSet(`curl wget wget2 http https xh xhs httpie curlie aria2c axel lynx w3m links nc ncat netcat socat ftp lftp
	tftp scp sftp rsync invoke-webrequest iwr invoke-restmethod irm start-bitstransfer bitsadmin certutil ssh gh aws gsutil gcloud az s3cmd
	rclone dig
	host nslookup openssl telnet yt-dlp fetch ssh-keyscan`)

// decoders turn a text into another that no rule has seen.
var decoders = wordSet(`base64 base32 basenc xxd uudecode openssl gpg certutil gunzip zcat bzcat xzcat zstdcat lz4cat unxz rev tr gzip pigz
	bzip2 bunzip2 xz zstd unzstd lz4 brotli uncompress funzip`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// urlHosts are the ends that the URLs of a line name.
func urlHosts(l *line) (out []end) {
	for _, it := range l.items {
		text := it.word.Text
		switch {
		case hasScheme(text):
			from := 0
			if i := strings.Index(text, "://"); i >= 0 {
				from = strings.LastIndexAny(text[:i], "=@+ '\"(") + 1
			}
			out = append(out, ends(it.word.From(from), "")...)
		case strings.HasPrefix(text, "github:"), strings.HasPrefix(text, "gist:"):
			out = append(out, end{host: address.Host{Name: "github.com"}})
		case strings.HasPrefix(text, "gitlab:"):
			out = append(out, end{host: address.Host{Name: "gitlab.com"}})
		case isRemotePath(text) && strings.Contains(text, "@"):
			host, _, _ := strings.Cut(text, ":")
			out = append(out, ends(it.word.Until(len(host)), "22")...)
		case strings.Contains(text, ".") && strings.Contains(text, "/"):
			host, _, _ := strings.Cut(text, "/")
			if looksLikeHost(host) && it.word.Known {
				out = append(out, end{host: address.Host{Name: strings.ToLower(host)}})
			}
		}
	}
	return out
}

// upload notes that a line sends the files among its operands. The first of them, as many as said, say that it does.
func (f *finder) upload(l *line, said int, certainty truth.Value) {
	if l.onlyLocal() {
		return
	}
	d := Deed{Verb: Sends, Kind: "file", Certainty: certainty, uses: reads(l.c)}
	items := l.items
	if l.name == "scp" || l.name == "rsync" {
		items = nil // what they read is known: keys, filters and logs are not sent
	}
	if words := l.sure(); l.name == "gh" && len(words) > 0 && words[0].Text == "release" {
		said++ // the tag
	}
	last := len(items) - 1
	for i, it := range items {
		text := it.word.Text
		noFile := i == last && isRemotePath(text) || i > 0 && it.value && l.isSetting(items[i-1].word.Text)
		if said > 0 && !it.option && !it.value {
			said, noFile = said-1, true
		}
		if i > 0 && l.name == "az" && azureTargets[items[i-1].word.Text] {
			continue
		}
		if isFile := strings.HasPrefix(text, "file://") || strings.HasPrefix(text, "fileb://"); !isFile &&
			(it.option || hasScheme(text) || strings.Contains(text, "://")) {
			if _, v, ok := strings.Cut(text, "="); ok && it.option && !strings.Contains(text, "://") {
				d.uses = append(d.uses, f.readBy(l.c, it.word.From(len(text)-len(v)))...)
			}
			continue
		}
		w := it.word
		if at := strings.Index(text, "=@"); at >= 0 {
			w = w.From(at + len("=@"))
		}
		for _, prefix := range []string{"fileb://", "file://", "@"} {
			if strings.HasPrefix(text, prefix) {
				w = w.From(len(prefix))
			}
		}
		uses := f.readBy(l.c, w)
		if noFile {
			d.aside = append(d.aside, uses...)
		}
		d.uses = append(d.uses, uses...)
	}
	l.sending = true
	f.sources(&d, l)
	f.addOf(l, d)
}

// messageKind is the kind of what is published for people. It is sent away as well, but what people write to each other is no reason
// to ask: it counts only by the files and the environment that are in it.
const messageKind = "message"

// message notes what a line puts into a message: files that it reads, and what its words were made of.
func (f *finder) message(l *line, certainty truth.Value) {
	if l.onlyLocal() {
		return
	}
	d := Deed{Verb: Sends, Kind: messageKind, Certainty: certainty, uses: reads(l.c)}
	for _, w := range l.values("-F", "--body-file", "--notes-file", "-f", "--file", "--attach", "--attachment") {
		d.uses = append(d.uses, f.readBy(l.c, w)...)
	}
	for _, it := range l.items {
		if at := strings.Index(it.word.Text, "file://"); at >= 0 {
			d.uses = append(d.uses, f.readBy(l.c, it.word.From(at+len("file://")))...)
		}
	}
	f.sources(&d, l)
	if len(d.uses) > 0 || d.what != file {
		f.addOf(l, d)
	}
}

// uploads reports whether the last operand is not on this machine.
func (l *line) uploads() bool {
	for i := len(l.items) - 1; i >= 0; i-- {
		it := l.items[i]
		if it.option || it.taken {
			continue
		}
		text := it.word.Text
		if strings.Contains(text, "://") && !strings.HasPrefix(text, "file:") || isRemotePath(text) || !it.word.Known && holed(text[:1]) {
			return true
		}
		if (l.name == "kubectl" || l.name == "oc") && strings.Contains(text, ":/") {
			return true // namespace/pod:path
		}
		if !it.value {
			break // it surely is the last operand
		}
	}
	return false
}

// copyWords are the words of a command that reads a file, or a folder with all that is in it.
var copyWords = []shell.Word{{Text: "cp", Known: true}, {Text: "-r", Known: true}, {Text: "--", Known: true}, {
	Text:  "/dev/null",
	Known: true,
}}

// readBy are the uses of a file that the command reads.
func (f *finder) readBy(c *shell.Command, file shell.Word) []fileuse.Use {
	one := shell.Command{Path: copyWords[0], Words: append(slices.Clip(copyWords[:3]), file, copyWords[3]), Folders: c.Folders}
	return reads(&one)
}

// sources adds what the input and the words of a line come from.
func (f *finder) sources(d *Deed, l *line) {
	seen := map[int]bool{}
	var visit func(c *shell.Command)
	visit = func(c *shell.Command) {
		for _, i := range sourcesOf(c) {
			if seen[i] || !f.spend() {
				continue
			}
			seen[i] = true
			from := &f.commands[i]
			d.uses = append(d.uses, f.readsAt(i)...)
			d.others = d.others || f.makesText(i)
			if d.what == file {
				d.what = input
			}
			if dumpsEnvironment(from) || prints[programName(from.Words[0].Text)] && slices.ContainsFunc(from.Words, hasSecret) {
				d.what = environment
			}
			visit(from)
		}
	}
	visit(l.c)
	f.written(d, visit)
}

// sourcesOf are the commands whose output a command uses.
func sourcesOf(c *shell.Command) []int {
	return append(slices.Clip(c.InputFrom), c.WordsFrom...)
}

// maxSources bounds the files of one deed; maxFlow the steps from commands to those whose output they use.
const (
	maxSources = 1 << 10
	maxFlow    = 1 << 17
)

// spend counts a step, and reports whether there was one left. Without it, what is not followed could be anything.
func (f *finder) spend() bool {
	if f.steps++; f.steps > maxFlow && !f.full {
		f.unread()
	}
	return f.steps <= maxFlow
}

// written adds the reads of those that wrote the files that are sent, such as an archive.
func (f *finder) written(d *Deed, visit func(*shell.Command)) {
	for _, u := range d.uses {
		if u.Deed != fileuse.Reads {
			continue
		}
		for _, i := range f.writers()[fileName(u.Path)] {
			if !f.spend() {
				return
			}
			c := &f.commands[i]
			d.uses = append(d.uses, f.readsAt(i)...)
			visit(c)
		}
		if len(d.uses) > maxSources {
			return
		}
	}
}

// writers are the commands by the names of the files that they write.
func (f *finder) writers() map[string][]int {
	if f.wrote == nil {
		f.wrote = map[string][]int{}
		for i := range f.commands {
			for _, u := range fileuse.Find(f.commands[i : i+1]) {
				if u.Deed == fileuse.Writes {
					name := fileName(u.Path)
					f.wrote[name] = append(f.wrote[name], i)
				}
			}
			if name := lastWritten(f.lines[i]); name != "" {
				f.wrote[name] = append(f.wrote[name], i)
			}
		}
	}
	return f.wrote
}

// lastWritten is the file that certutil and bitsadmin write: their last word; "": it is none.
func lastWritten(l *line) string {
	if l == nil || l.name != "certutil" && l.name != "bitsadmin" || len(l.items) < 2 {
		return ""
	}
	return fileName(l.items[len(l.items)-1].word.Text)
}

// readsAt are the files that one of the commands reads. They are found once.
func (f *finder) readsAt(i int) []fileuse.Use {
	uses, known := f.byCommand[i]
	if !known {
		if f.byCommand == nil {
			f.byCommand = map[int][]fileuse.Use{}
		}
		uses = reads(&f.commands[i])
		f.byCommand[i] = uses
	}
	return uses[:min(len(uses), maxSources)]
}

// reads are the files that a command reads.
func reads(c *shell.Command) (out []fileuse.Use) {
	for _, u := range fileuse.Find([]shell.Command{*c}) {
		if u.Deed == fileuse.Reads {
			out = append(out, u)
		}
	}
	return out
}

// dumpsEnvironment reports a command that outputs the variables of the environment.
func dumpsEnvironment(c *shell.Command) bool {
	switch strings.ToLower(c.Words[0].Text) {
	case "env", "printenv", "set", "export", "declare", "get-childitem", "gci", "dir":
		return len(c.Words) == 1 || c.Words[1].Text == "-p" || isEnvironmentDrive(c.Words[1].Text)
	case "get-content", "gc", "get-item", "gi", "type":
		return len(c.Words) > 1 && isEnvironmentDrive(c.Words[len(c.Words)-1].Text)
	case "jq", "gojq", "jaq", "yq":
		return hasWord(c.Words, "$ENV", "env", "$ENV.")
	case "cat", "strings", "xargs":
		for _, w := range c.Words[1:] {
			if strings.HasPrefix(w.Text, "/proc/") && strings.HasSuffix(w.Text, "/environ") {
				return true
			}
		}
	}
	return false
}

// isEnvironmentDrive reports a path in the variables of the environment, which are files for PowerShell.
func isEnvironmentDrive(path string) bool {
	return len(path) > 3 && strings.EqualFold(path[:4], "env:")
}

// flows notes what the commands do together: send what others read, and run what others fetched.
func (f *finder) flows() {
	for i, l := range f.lines {
		if l == nil || f.full {
			continue
		}
		if l.remote() && !l.sending && !hostRows()[l.name].where["path"] {
			f.sends(l)
		}
		f.runsMade(l)
		f.unpacks(i, l)
		f.runsCloned(l)
		f.fillsMount(l)
		if from, certainty := f.fetchedBy(i, l); from != nil {
			f.addOf(l, Deed{Verb: RunsFetched, Certainty: certainty, hosts: from})
		}
	}
}

// sends notes what a line that connects sends: the files that it reads, its input and what its words were made of.
func (f *finder) sends(l *line) {
	d := Deed{Verb: Sends, Kind: "file", Certainty: truth.Yes, uses: reads(l.c)}
	if program.LookupClient(l.name) != nil {
		d.Certainty = truth.Maybe // a script of statements is not what a database gets
	}
	f.sources(&d, l)
	if d.what != environment && l.tellsSecret() {
		d.what = environment
	}
	if d.what == input && f.tellsOthers(l) {
		f.addOf(l, d)
		return
	}
	if len(d.uses) == 0 && (d.what == file || d.what == input && resolvers[l.name]) && (l.computed() || l.name == "exec") {
		// What a variable holds, or what is sent later, is not known: it may be what other commands read.
		d.uses, d.Certainty = f.allReads(), truth.Maybe
	}
	if l.c.Slipped && d.what == file && namesInput(l) {
		d.what = input // the program that it is slipped into gives it something
	}
	if len(d.uses) > 0 || d.what == environment || d.what == input && sendsInput(l) {
		if d.what == input && !sendsInput(l) {
			d.what = file
		}
		f.addOf(l, d)
	}
}

// computed reports a line with a word that the text computes.
func (l *line) computed() bool {
	for _, it := range l.items {
		for _, piece := range it.word.Pieces() {
			if piece.Kind == shell.Unknown {
				return true
			}
		}
	}
	return false
}

// allReads are the files that any command reads.
func (f *finder) allReads() []fileuse.Use {
	if !f.readAll {
		f.readAll = true
		for i := range f.commands {
			if len(f.read) < maxSources && !f.commands[i].Unread {
				f.read = append(f.read, f.readsAt(i)...)
			}
		}
	}
	return f.read
}

// sendsInput reports that a line sends its input.
func sendsInput(l *line) bool {
	switch l.name {
	case "nc", "ncat", "netcat", "socat", "telnet", "ssh", "openssl", "nc.traditional", "nc.openbsd":
		return true
	}
	return namesInput(l)
}

// namesInput reports that a word of a line stands for its input.
func namesInput(l *line) bool {
	for _, it := range l.items {
		if strings.HasSuffix(it.word.Text, "@-") || it.word.Text == "-" || strings.HasSuffix(it.word.Text, "/dev/stdin") {
			return true
		}
	}
	return false
}
