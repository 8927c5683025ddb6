package deed

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// weirName and weirLine are the name of weir's process and how it is started, weirPort is the port where it listens unless it is told
// another.
const (
	weirName = "weir"
	weirLine = "/usr/local/bin/weir serve --config weir.yaml"
	weirPort = "4141"
)

// finders are the programs by which processes are found, and handers those through which their numbers go.
var (
	finders = wordSet(`which command whereis type
		lsof fuser ss netstat pgrep pidof grep egrep rg awk gawk mawk sed cat head jobs docker get-nettcpconnection
		get-process`)
	handers = wordSet("ps xargs tr cut head tail sort uniq echo printf tee wc top")
)

// killed reads kill. The search for processes whose output it uses says whom it kills.
func killed(f *finder, l *line) {
	if l.everyProcess() {
		f.noteWeir(l, truth.Yes)
		return
	}
	names, selected := f.searched(l)
	if names == nil {
		return
	}
	if slices.ContainsFunc(names, isWeirPort) {
		f.noteWeir(l, truth.Yes)
	}
	for _, name := range names {
		if matchKnown(guards, name) != truth.No {
			certainty := truth.Maybe
			if selected {
				certainty = truth.Yes
			}
			f.addOf(l, Deed{Verb: Stops, Kind: "guard", Certainty: certainty, names: []string{name}})
		}
	}
	if !selected {
		return
	}
	// The numbers are those of what was searched for.
	for i := len(f.deeds) - 1; i >= 0 && f.deeds[i].Verb == Stops && f.deeds[i].Command == l.c.String(); i-- {
		if f.deeds[i].Kind == "process" {
			f.deeds[i].names = names
		}
	}
}

// everyProcess reports kill -9 -1.
func (l *line) everyProcess() bool {
	for i, it := range l.items {
		if i > 0 && it.word.Text == "-1" {
			return l.name == "kill" && strings.HasPrefix(l.items[0].word.Text, "-")
		}
	}
	return false
}

func (f *finder) noteWeir(l *line, certainty truth.Value) {
	if !l.c.Contained {
		f.addOf(l, Deed{Verb: Stops, Kind: "guard", Certainty: certainty, names: []string{weirName}})
	}
}

// searched returns the words of the commands that find the processes of a line, and whether these say which processes they are. Where a
// variable is between the two, the commands before the line count.
func (f *finder) searched(l *line) (names []string, selected bool) {
	from := sourcesOf(l.c)
	if len(from) == 0 && l.computed() {
		for i := range f.commands {
			if &f.commands[i] == l.c || i > maxSearched {
				break
			}
			if name := programName(f.commands[i].Words[0].Text); finders[name] || handers[name] {
				from = append(from, i)
			}
		}
	}
	seen := map[int]bool{}
	selected = true
	found := false
	for len(from) > 0 && f.spend() {
		i := from[0]
		from = from[1:]
		if seen[i] {
			continue
		}
		seen[i] = true
		c := &f.commands[i]
		name := programName(c.Words[0].Text)
		words, known := searchWords(name, c)
		names = append(names, words...)
		selected = selected && known && (finders[name] || handers[name])
		found = found || finders[name] && (len(words) > 0 || name == "jobs")
		from = append(from, sourcesOf(c)...)
	}
	return names, selected && found
}

// maxSearched bounds the commands before a line that are looked at.
const maxSearched = 64

// searchWords returns the words of a command that say which processes it finds. A part of a number of a port may be unknown.
func searchWords(name string, c *shell.Command) (words []string, known bool) {
	known = true
	for i, w := range c.Words[1:] {
		switch {
		case searchers[name] && narrowing[c.Words[i].Text]: // whose they are, not what they are
		case w.Known && (strings.Contains(w.Text, weirPort) || couldFind(name, w.Text) || w.Text == weirName && pathFinders[name]):
			words = append(words, weirName, w.Text)
		case w.Known:
			words = append(words, w.Text)
			known = known && !(portFinders[name] && unusualPort(w.Text))
		case portFinders[name] && strings.Contains(w.Text, ":"):
			words = append(words, ":")
		default:
			known = false
		}
	}
	return words, known
}

// narrowing are the options of searches for processes before a user, a group, a terminal or a parent.
var narrowing = wordSet("-u -U -g -G -P -t --euid --uid --user --group --pgroup --parent --terminal")

// pathFinders find the file of a program.
var pathFinders = wordSet("which command whereis type")

// portFinders find processes by the ports where they listen.
var portFinders = wordSet("lsof fuser ss netstat get-nettcpconnection")

// unusualPort reports a port where servers in development hardly listen: it may be another one that weir was told.
func unusualPort(text string) bool {
	digits := text[strings.LastIndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })+1:]
	port, err := strconv.Atoi(digits)
	usual := slices.Contains([]int{80, 443, 1234, 4200, 4321, 27017}, port) || port >= 3000 && port < 4100 || port >= 5000 && port < 7000 ||
		port >= 8000 && port < 10000
	return err == nil && port > 9 && !usual
}

// searchers are the programs whose operands are patterns of names.
var searchers = wordSet("grep egrep rg pgrep pidof pkill killall skill")

// couldFind reports a pattern that finds weir.
func couldFind(name, pattern string) bool {
	if name == "awk" || name == "gawk" || name == "mawk" || name == "sed" {
		parts := strings.Split(pattern, "/")
		return len(parts) > 2 && couldFind("grep", parts[1])
	}
	const most = 256
	if !searchers[name] || strings.HasPrefix(pattern, "-") || len(pattern) > most || pattern == "" {
		return false
	}
	matcher, err := regexp.Compile("(?i)" + pattern)
	return err == nil && (matcher.MatchString(weirName) || matcher.MatchString(weirLine))
}

// killedByName reads pkill: its pattern may find weir without naming it.
func killedByName(f *finder, l *line) {
	f.note(l, Stops, "machine", l.everyProcessOfUser())
	for _, w := range l.operands() {
		if w.Known && matchKnown(guards, w.Text) == truth.No && (l.name != "killall" || l.has("-r", "--regexp") == truth.Yes) &&
			couldFind(l.name, w.Text) {
			f.noteWeir(l, truth.Maybe)
		}
	}
}

// everyProcessOfUser says whether it is pkill -u ann: without a name, it ends everything that a user runs.
func (l *line) everyProcessOfUser() truth.Value {
	ofUser, sure := false, truth.Yes
	for i, it := range l.items {
		text := it.word.Text
		switch {
		case i > 0 && killerValues[l.items[i-1].word.Text]:
		case it.word.AnyNumber():
			sure = truth.Maybe
		case strings.HasPrefix(text, "--"):
			name, _, _ := strings.Cut(text, "=")
			if name != "--user" && name != "--euid" && name != "--uid" && name != "--signal" {
				return truth.No
			}
			ofUser = ofUser || name != "--signal"
		case strings.HasPrefix(text, "-u"), strings.HasPrefix(text, "-U"):
			ofUser = true
		case !strings.HasPrefix(text, "-"), strings.Trim(text, "-ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789e") != "":
			return truth.No // a name, or another way to select processes
		}
	}
	if !ofUser {
		return truth.No
	}
	return sure
}

// isWeirPort reports a word of a search for what listens on the port of weir, such as tcp:4141 or 4141/tcp.
func isWeirPort(text string) bool {
	text = strings.TrimSuffix(strings.TrimSuffix(text, "/tcp"), "/udp")
	digits := text[strings.LastIndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })+1:]
	return digits == weirPort
}

// killerValues are the options of pkill and killall before a user or a signal.
var killerValues = wordSet("-u -U --user --euid --uid -s --signal")

// killedByPort reads programs that kill what listens on a port.
func killedByPort(f *finder, l *line) {
	for _, w := range l.operands() {
		if isWeirPort(w.Text) {
			f.noteWeir(l, truth.Yes)
		}
	}
}

// portServers are further programs that take a port of this machine for others, or stand between a client and a server.
var portServers = wordSet(`mitmproxy mitmdump mitmweb haproxy nginx tinyproxy goproxy simpleproxy redir rinetd balance proxy-server
	json-server live-server uvicorn gunicorn hypercorn flask websockify http-server serve miniserve dufs caddy stunnel local-ssl-proxy`)

// takesWeirPort reports a line that listens where agents expect weir, so that their requests go elsewhere.
func (l *line) takesWeirPort() bool {
	switch {
	case l.name == "socat":
		for _, e := range l.ends {
			if (e.listens || e.here) && e.port == weirPort {
				return true
			}
		}
		return false
	case l.name == "ssh" || l.name == "autossh":
		for _, w := range l.values("-L") {
			parts := strings.Split(w.Text, ":")
			if n := len(parts); n >= 3 && parts[n-3] == weirPort && parts[n-1] != weirPort {
				return true
			}
		}
		return false
	case !portServers[l.name] && !listens(l) || l.name == "kubectl" || l.name == "oc":
		return false
	}
	for _, it := range l.items {
		if isWeirPort(it.word.Text) {
			return true
		}
	}
	return false
}
