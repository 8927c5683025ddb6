// Package deed finds what commands do beyond files: connect, send, delete what is not on this machine, give rights, persist,
// escalate, stop, publish, rewrite history, run what comes from the network.
package deed

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// A Verb is what a command does. It is also the name of the operator that looks for it.
type Verb string

// These are the verbs.
const (
	Connects      Verb = "connects"
	Sends         Verb = "sends"
	DeletesRemote Verb = "deletes_remote"
	Widens        Verb = "widens"
	Persists      Verb = "persists"
	Escalates     Verb = "escalates"
	Stops         Verb = "stops"
	Publishes     Verb = "publishes"
	Rewrites      Verb = "rewrites"
	RunsFetched   Verb = "runs_fetched"
)

// Kinds are the kinds of deeds of a verb; none: its deeds are told apart in another way.
func Kinds(v Verb) []string { return slices.Clone(kinds[v]) }

// OfFiles reports whether changing a file can be a deed of the verb.
func OfFiles(v Verb) bool {
	return v == Sends || slices.ContainsFunc(places, func(p place) bool { return p.verb == v })
}

// Sent is the deed of a tool that sends files away. What it counts for is said by the files, as with a message.
func Sent(uses []fileuse.Use) Deed {
	return Deed{Verb: Sends, Kind: messageKind, Certainty: truth.Yes, uses: uses}
}

var kinds = map[Verb][]string{
	DeletesRemote: {"cloud", "cluster", "database", "repository", "bucket", "registry", "message"},
	Widens:        {"file", "role", "visibility", "network", "trust"},
	Persists:      {"login", "timer", "service", "hook", "key", "autostart", "agent"},
	Escalates:     {"user", "setuid", "account", "container", "capability", "kernel"},
	Stops:         {"machine", "service", "process", "guard", "check"},
	Publishes:     {"package", "image", "release", "page", "message"},
}

// A Deed is something that a command does.
type Deed struct {
	Verb Verb
	Kind string
	// Certainty is Maybe if the command could also be read in another way.
	Certainty truth.Value
	// Command is the command, for people.
	Command string

	names   []string // the words that name the target and its environment
	targets []target // the single objects among them; nil: all words name one
	around  []string // those that name the environment of all objects
	hosts   []end    // where a connection leads, or code comes from
	uses    []fileuse.Use
	aside   []fileuse.Use // those of uses that hardly are files
	what    sent
	others  bool // something is sent beside the files and the environment
	unread  bool // it represents text that could not be parsed: it could be any deed
}

// maxDeeds bounds the number of deeds. Beyond it, the rest counts as text that could not be parsed.
const maxDeeds = 1 << 14

// Find returns what the commands do. The uses are those of the same commands.
func Find(commands []shell.Command, uses []fileuse.Use) []Deed {
	f := &finder{commands: commands, lines: make([]*line, len(commands))}
	for i := range commands {
		switch c := &commands[i]; {
		case c.Unread:
			f.unread()
		case !c.Words[0].Known:
			f.computed(i)
			f.partlyKnown(i)
			f.underOtherName(c)
		case len(c.Folders) == 0:
			// It is only another spelling of a command before it.
		default:
			f.command(i)
		}
		if f.full {
			return f.deeds
		}
	}
	f.changed(uses)
	f.flows()
	return f.deeds
}

// A finder collects deeds.
type finder struct {
	commands  []shell.Command
	lines     []*line // of the commands; nil: it has no deed of its own
	deeds     []Deed
	wrote     map[string][]int      // the commands by the names of the files that they write; nil: not computed
	read      []fileuse.Use         // what all commands read
	readAll   bool                  // read was computed
	byCommand map[int][]fileuse.Use // what single commands read
	fetches   []fetched             // the commands that fetch or decode; nil: not computed
	remotes   map[string]bool       // the remote repositories that git gets
	clones    []clone               // the repositories that git fetches
	mounts    []string              // the folders that are on other machines
	sawClient bool                  // objects that fetch were looked for
	forged    bool                  // git committed in another name
	rewound   bool                  // git put the branch onto its first commit

	sawUnknown bool                // a command of which nothing is known was noted
	steps      int                 // of following what commands use
	couldBe    map[string][]string // the programs that names with unknown parts could be
	full       bool
}

func (f *finder) unread() {
	for _, verb := range verbs {
		f.deeds = append(f.deeds, Deed{Verb: verb, Certainty: truth.Maybe, unread: true})
	}
	f.full = true
}

var verbs = []Verb{Connects, Sends, DeletesRemote, Widens, Persists, Escalates, Stops, Publishes, Rewrites, RunsFetched}

func (f *finder) add(d Deed) {
	if f.full {
		return
	}
	if len(f.deeds) >= maxDeeds {
		f.unread()
		return
	}
	f.deeds = append(f.deeds, d)
}

// command notes the deeds of one command.
func (f *finder) command(i int) {
	c := &f.commands[i]
	l := newLine(c, c.Words[0].Text)
	f.lines[i] = l
	f.slipped(l)
	f.underOtherName(c)
	f.line(l)
	f.rights(l)
	f.removesGuard(l)
	for _, other := range []*line{l.module(), l.initScript()} {
		if other != nil {
			f.line(other)
		}
	}
	f.removedAway(i)
}

// partlyKnown notes the deeds of a command whose program is one of those that a name with unknown parts could be.
func (f *finder) partlyKnown(i int) {
	c := &f.commands[i]
	const most = 1 << 8 // different names
	text := foldHoles(c.Words[0].Text)
	names, known := f.couldBe[text]
	if !known && len(f.couldBe) < most && strings.Trim(text, string([]byte{unknown})) != "" {
		if f.couldBe == nil {
			f.couldBe = map[string][]string{}
		}
		for _, name := range knownNames() {
			if couldBe(name, text) {
				names = append(names, name)
			}
		}
		f.couldBe[text] = names
	}
	for _, name := range names {
		l := newLine(c, name)
		l.doubt = true
		if f.line(l); len(l.ends) > 0 {
			f.lines[i] = l
		}
	}
}

// line notes the deeds of one line.
func (f *finder) line(l *line) {
	f.connections(l)
	f.stripped(l)
	f.handsOver(l)
	f.checksOut(l)
	f.foundWeir(l)
	f.rows(l)
	f.installed(l)
	f.misspelt(l)
	f.inline(l)
	if h := handlers[l.name]; h != nil {
		h(f, l)
	}
	f.assigned(l)
}

// local reports the verbs whose deeds concern this machine: in a container they concern only that.
func (v Verb) local(kind string) bool {
	switch v {
	case Persists, Escalates, Stops:
		return true
	case Widens:
		return kind == "file" || kind == "trust"
	}
	return false
}

// note adds a deed of a command.
func (f *finder) note(l *line, verb Verb, kind string, certainty truth.Value) {
	if certainty == truth.No || l.c.Contained && verb.local(kind) {
		return
	}
	skip := 0
	if modeFirst[l.name] {
		skip = 1
	}
	f.noteAfter(l, skip, Deed{Verb: verb, Kind: kind, Certainty: certainty})
}

// noteAfter adds a deed of a command whose first operands, as many as skip, say what it does.
func (f *finder) noteAfter(l *line, skip int, d Deed) {
	d.names = l.names()
	d.targets, d.around = l.targets(skip)
	for _, t := range d.targets {
		if len(t) == withClass {
			d.names = append(slices.Clip(d.names), t[1]) // the words alone do not have it
		}
	}
	f.addOf(l, d)
}

// addOf adds a deed of a line.
func (f *finder) addOf(l *line, d Deed) {
	d.Command = l.c.String()
	if l.doubt {
		d.Certainty = min(d.Certainty, truth.Maybe)
	}
	f.add(d)
}

// rows notes the deeds that the tables say.
func (f *finder) rows(l *line) { f.rowsAs(l, l.name) }

// rowsAs notes the deeds that the tables say of a name.
func (f *finder) rowsAs(l *line, name string) {
	elsewhere := true // a target may be on another machine
	rows := rowsOf(name)
	for i := range rows {
		r := &rows[i]
		if r.verb == "local" {
			elsewhere = elsewhere && !r.isLocal(l)
			continue
		}
		a := r.match(l)
		switch {
		case a == truth.No, r.verb == DeletesRemote && !elsewhere, r.kind == "trust" && l.onlyLocal():
		case r.verb == noVerb && a == truth.Yes:
			return
		case r.verb == noVerb:
		case r.verb == Sends:
			f.upload(l, r.said(l), a)
		case r.verb == RunsFetched:
			f.addOf(l, Deed{Verb: RunsFetched, Certainty: a, hosts: urlHosts(l)})
		case r.verb == Rewrites:
			f.addOf(l, Deed{Verb: Rewrites, Certainty: a, names: l.branches(), targets: l.refs()})
		default:
			if !l.c.Contained || !r.verb.local(r.kind) {
				f.noteAfter(l, r.said(l), Deed{Verb: r.verb, Kind: r.kind, Certainty: a})
			}
			if r.verb == Publishes && r.kind == messageKind {
				f.message(l, a)
			}
		}
	}
}

// isLocal reports that the options of a row name only this machine.
func (r *row) isLocal(l *line) bool {
	hosts := l.values(r.needs[0].names...)
	for _, host := range hosts {
		for _, e := range ends(host, "") {
			if !e.local() {
				return false
			}
		}
	}
	return len(hosts) > 0 || r.kind == "default"
}

// branches are the branches and tags that a push changes; none: it does not say. Where the line says that it is a tag, its name is also
// there with refs/tags/ before it.
func (l *line) branches() (out []string) {
	for _, t := range l.refs() {
		out = append(out, t...)
	}
	return out
}

// refs are the branches and tags of branches, each with its names.
func (l *line) refs() (out []target) {
	words := l.operands()
	for len(words) > 0 && words[0].Text != "push" {
		if _, ref, ok := strings.Cut(words[0].Text, "git/refs/"); ok { // of an API
			out = append(out, refTargets("refs/"+ref)...)
		}
		words = words[1:]
	}
	before := 2 // the subcommand and the remote
	if l.has("--repo") != truth.No {
		before = 1
	}
	for i, word := range words {
		if i < before && !strings.HasPrefix(word.Text, "+") && !strings.HasPrefix(word.Text, ":") {
			continue
		}
		text := strings.TrimPrefix(word.Text, "+")
		if colon := strings.LastIndexByte(text, ':'); colon >= 0 {
			text = text[colon+1:]
		}
		out = append(out, refTargets(text)...)
	}
	if len(words) > 0 && l.has("--tags") != truth.No {
		out = append(out, target{tagFolder + "*"})
	}
	return out
}

// tagFolder is where git has tags.
const tagFolder = "refs/tags/"

// refTargets are a branch or a tag with its names, or all of them.
func refTargets(ref string) []target {
	name := ref
	for _, folder := range []string{"refs/heads/", tagFolder, "heads/"} {
		name = strings.TrimPrefix(name, folder)
	}
	switch {
	case name == "*":
		return []target{{name}, {"main"}, {"master"}} // all of them
	case strings.HasPrefix(ref, tagFolder):
		return []target{{name, ref}}
	}
	return []target{{name}}
}
