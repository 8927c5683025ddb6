package database

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/text/address"
	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// local says whether the database is on this machine, or one for tests. A name that says production is never.
func (a *asked) local(outer *shell.Command) truth.Value {
	hosts, names := a.targets()
	everything := append(append([]string{}, hosts...), names...)
	if a.command.Contained && outer != nil {
		for _, w := range outer.Words[1:] {
			if w.Text != "" && !strings.ContainsAny(w.Text, " \n") {
				everything = append(everything, w.Text) // the container's name may say more than the command in it
			}
		}
	}
	for _, text := range everything {
		if says(text, productionWords) {
			return truth.No
		}
	}
	for _, text := range a.texts {
		if says(text, plainProductionWords) {
			return truth.No
		}
	}
	switch {
	case a.line.Has("remote", "linked") != truth.No:
		return truth.No
	case a.line.Has("local") == truth.Yes:
		return truth.Yes
	}
	test := false
	for _, text := range names {
		test = test || says(text, testWords)
	}
	if a.command.Away && !test {
		return truth.No
	}
	return min(a.whereabouts(hosts, names, test), containers(a.command, outer))
}

// containers says whether the containers of a program are on this machine. Those of a context that has another name than the usual ones
// could be anywhere.
func containers(c, outer *shell.Command) truth.Value {
	if !c.Contained || outer == nil {
		return truth.Yes
	}
	entry, _ := program.Lookup(outer.Words[0].Text)
	if entry == nil {
		return truth.Yes
	}
	args := make([]string, len(outer.Words)-1)
	for i, w := range outer.Words[1:] {
		args[i] = w.Text
	}
	line := entry.Read(args)
	best := truth.Yes
	for _, host := range line.Values("H", "host", "url") {
		best = min(best, address.Local(host))
	}
	for _, name := range line.Values("context", "connection") {
		if !usualContexts[name] {
			best = min(best, truth.Maybe)
		}
	}
	return best
}

var usualContexts = wordList("default desktop-linux desktop-windows orbstack colima rancher-desktop podman-machine-default")

// whereabouts combines what hosts and names say.
func (a *asked) whereabouts(hosts, names []string, test bool) truth.Value {
	if len(hosts) > 0 {
		low, high := truth.Yes, truth.No
		for _, host := range hosts {
			one := localHost(host)
			low, high = min(low, one), max(high, one)
		}
		switch {
		case test || low == truth.Yes:
			return truth.Yes
		case high == truth.No:
			return truth.No
		}
		return truth.Maybe
	}
	unknown := false
	for _, text := range names {
		unknown = unknown || !utf8.ValidString(text)
	}
	switch {
	case test, a.framework(names):
		return truth.Yes
	case a.client.Default == program.Cloud:
		return truth.No
	case unknown, a.client.Default == program.Configured && !a.developing(names):
		return truth.Maybe
	}
	return truth.Yes
}

// framework says that a tool of a framework works on a developer's own database, as the command names no other.
func (a *asked) framework(names []string) bool {
	return a.client.Develops && len(a.texts) == 0 && len(a.line.Signed('@')) == 0 &&
		len(a.variables()) == 0 && !slices.ContainsFunc(names, func(name string) bool { return !utf8.ValidString(name) })
}

// developing says whether a name says that the database is one of a developer's own.
func (a *asked) developing(names []string) bool {
	for _, text := range names {
		if says(text, ownWords) {
			return true
		}
	}
	return false
}

// disposable says whether the database is one for tests or development: its name says so, or its host, which the command names and
// which is this machine; or else every statement does, as one that drops app_test. What Redis has on this machine is a cache.
func (a *asked) disposable() bool {
	hosts, names := a.targets()
	if a.developing(names) || len(hosts) == 0 && a.framework(names) || a.client.Language == program.Redis ||
		len(hosts) > 0 && a.whereabouts(hosts, nil, false) == truth.Yes {
		return true
	}
	found := false
	for _, text := range a.texts {
		for statement := range strings.SplitSeq(text, ";") {
			if strings.TrimSpace(statement) == "" {
				continue
			}
			if !says(statement, ownWords) {
				return false
			}
			found = true
		}
	}
	return found
}

// targets returns the hosts and URLs, and the names of databases and environments, that the command names.
func (a *asked) targets() (hosts, names []string) {
	add := func(text string) {
		h, n := split(text)
		hosts, names = append(hosts, h...), append(names, n...)
	}
	for _, g := range a.line.Signed('@') {
		value := g.Value
		if set, members, ok := strings.Cut(value, "/"); ok && a.client.Language == program.Mongo && isService(set) {
			value = members // of a replica set
		}
		h, n := split(value)
		if len(h) == 0 {
			h, n = n, nil // a host's name alone
		}
		hosts, names = append(hosts, h...), append(names, n...)
	}
	for _, value := range a.line.Values(strings.Fields(a.client.Databases)...) {
		add(value)
	}
	for _, o := range a.line.Operands() {
		if o.First >= a.client.Target {
			continue
		}
		host, name, path := strings.Cut(o.Text, "/")
		switch {
		case strings.HasPrefix(a.client.Names, "cqlsh"):
			hosts = append(hosts, o.Text)
		case a.client.Language == program.Mongo && path && !strings.Contains(o.Text, "://"):
			hosts, names = append(hosts, host), append(names, name)
		default:
			add(o.Text)
		}
	}
	for _, text := range a.variables() {
		name, value, _ := strings.Cut(text, "=")
		switch {
		case strings.HasSuffix(name, "SERVICE"):
			hosts, names = append(hosts, unknownHost), append(names, value)
		case strings.Contains(name, "HOST") && !strings.Contains(value, "://"):
			hosts = append(hosts, value)
		default:
			add(value)
		}
	}
	return hosts, names
}

// variables returns the variables that say where the database is, as NAME=value. Tools such as rake take them among their operands, too.
func (a *asked) variables() (out []string) {
	for _, w := range a.command.Variables {
		out = append(out, w.Text)
	}
	known := strings.Fields(a.client.Variables)
	for _, w := range a.command.Assigns { // those of a tool that an interpreter starts
		if name, _, set := strings.Cut(w.Text, "="); set && len(a.command.Variables) == 0 && slices.Contains(known, name) {
			out = append(out, w.Text)
		}
	}
	for _, o := range a.line.Operands() {
		if name, _, set := strings.Cut(o.Text, "="); set && slices.Contains(known, name) {
			out = append(out, o.Text)
		}
	}
	return out
}

// unknownHost is a host of which nothing is known.
const unknownHost = "\xff"

// split takes the hosts and the name of a database out of a text: a URL, a list such as host=a dbname=b, user@host/name, or a name.
func split(text string) (hosts, names []string) {
	scheme, rest, isURL := strings.Cut(text, "://")
	switch {
	case isURL && isFileScheme(scheme):
		return []string{"file:///"}, []string{rest}
	case !isURL && isFileScheme(text[:max(0, strings.IndexByte(text, ':'))]):
		return []string{"file:///"}, []string{text}
	case isURL:
		_, path, _ := strings.Cut(rest, "/")
		path, query, _ := strings.Cut(path, "?")
		names = []string{path}
		if !strings.HasPrefix(rest, "/") || !strings.Contains(query, "host=") {
			hosts = []string{text}
		}
		for pair := range strings.SplitSeq(query, "&") {
			if host, ok := strings.CutPrefix(pair, "host="); ok {
				hosts = append(hosts, host)
			}
		}
		return hosts, names
	case strings.Contains(text, "="):
		for pair := range strings.FieldsFuncSeq(text, func(r rune) bool { return unicode.IsSpace(r) || r == ';' }) {
			key, value, _ := strings.Cut(pair, "=")
			value = strings.Trim(value, `'"`)
			switch strings.ToLower(key) {
			case "host", "hostaddr", "server", "data source", "source", "addr", "address":
				hosts = append(hosts, value)
			case "service":
				hosts, names = append(hosts, unknownHost), append(names, value)
			case "dbname", "database", "env", "catalog":
				names = append(names, value)
			}
		}
		return hosts, names
	case strings.Contains(text, "@"):
		host, path, _ := strings.Cut(strings.TrimLeft(text[strings.LastIndexByte(text, '@')+1:], "/"), "/")
		return []string{host}, []string{path}
	}
	if host, path, ok := strings.Cut(text, "/"); ok && host != "" && strings.Contains(host, ":") {
		return []string{host}, []string{path}
	}
	return nil, []string{text}
}

// isFileScheme reports the schemes of databases that are files.
func isFileScheme(scheme string) bool {
	switch strings.ToLower(scheme[strings.LastIndexByte(scheme, ':')+1:]) {
	case "sqlite", "sqlite3", "file", "duckdb", "h2":
		return true
	}
	return false
}

// localHost says whether a database's host is this machine. A name without a dot is a service beside the command, as compose names it.
func localHost(host string) truth.Value {
	for _, protocol := range []string{"tcp:", "np:", "lpc:", "admin:"} { // of SQL Server
		host = strings.TrimPrefix(host, protocol)
	}
	if server, port, ok := strings.Cut(host, ","); ok && strings.Trim(port, "0123456789") == "" {
		host = server
	}
	if host == "." || strings.HasPrefix(host, `.\`) || strings.HasPrefix(host, "(local") {
		return truth.Yes
	}
	if at := address.Local(host); at != truth.No {
		return at
	}
	_, rest, isURL := strings.Cut(host, "://")
	if !isURL {
		rest = host
	}
	rest = rest[:strings.IndexAny(rest+"/", "/?")]
	for one := range strings.SplitSeq(rest[strings.LastIndexByte(rest, '@')+1:], ",") {
		name, port, _ := strings.Cut(one, ":")
		if !isService(name) || strings.Trim(port, "0123456789") != "" {
			return truth.No
		}
	}
	if isURLOfCloud(host) {
		return truth.No
	}
	return truth.Yes
}

// isService reports the name of a service without a dot.
func isService(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return name != "" && (name[0] < '0' || name[0] > '9') // else it is an address
}

// isURLOfCloud reports schemes whose names are looked up elsewhere.
func isURLOfCloud(host string) bool {
	return strings.Contains(host, "+srv://") || strings.HasPrefix(host, "snowflake://")
}

// These words in the name of a host, a database or an environment say what it is for.
var (
	plainProductionWords = wordList("prod production prd")
	productionWords      = wordList("prod production prd live staging stage stg")
	testWords            = wordList("test tests testing tst ci :memory:")
	ownWords             = wordList("test tests testing tst ci :memory: dev develop development local sandbox scratch tmp demo example")
)

func wordList(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// says reports whether one of the words is a word of the text, also at the end of one with digits.
func says(text string, words map[string]bool) bool {
	if words[text] {
		return true
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if words[strings.TrimRight(strings.ToLower(word), "0123456789")] {
			return true
		}
	}
	return false
}
