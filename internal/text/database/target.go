package database

import (
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
	return a.whereabouts(hosts, names, test)
}

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
	case test:
		return truth.Yes
	case a.client.Default == program.Cloud:
		return truth.No
	case unknown, a.client.Default == program.Configured && !a.developing(names):
		return truth.Maybe
	}
	return truth.Yes
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

// targets returns the hosts and URLs, and the names of databases and environments, that the command names.
func (a *asked) targets() (hosts, names []string) {
	add := func(text string) {
		h, n := split(text)
		hosts, names = append(hosts, h...), append(names, n...)
	}
	for _, g := range a.line.Signed('@') {
		h, n := split(g.Value)
		if len(h) == 0 {
			h, n = n, nil // a host's name alone
		}
		hosts, names = append(hosts, h...), append(names, n...)
	}
	for _, value := range a.line.Values(strings.Fields(a.client.Databases)...) {
		add(value)
	}
	for _, o := range a.line.Operands() {
		if o.First < a.client.Target {
			add(o.Text)
			if strings.HasPrefix(a.client.Names, "cqlsh") {
				hosts, names = append(hosts, names...), nil
			}
		}
	}
	for _, w := range a.command.Variables {
		name, value, _ := strings.Cut(w.Text, "=")
		if strings.Contains(name, "HOST") && !strings.Contains(value, "://") {
			hosts = append(hosts, value)
			continue
		}
		add(value)
	}
	return hosts, names
}

// split takes the hosts and the name of a database out of a text: a URL, a list such as host=a dbname=b, user@host/name, or a name.
func split(text string) (hosts, names []string) {
	scheme, rest, isURL := strings.Cut(text, "://")
	switch {
	case isURL && isFileScheme(scheme):
		return nil, []string{rest}
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
			case "dbname", "database", "service", "env", "catalog":
				names = append(names, value)
			}
		}
		return hosts, names
	case strings.Contains(text, "@"):
		host, path, _ := strings.Cut(text[strings.LastIndexByte(text, '@')+1:], "/")
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
	if at := address.Local(host); at != truth.No {
		return at
	}
	_, rest, isURL := strings.Cut(host, "://")
	if !isURL {
		rest = host
	}
	rest, _, _ = strings.Cut(rest, "/")
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	rest, _, _ = strings.Cut(rest, ":")
	named := utf8.ValidString(rest) && !strings.ContainsAny(rest, ".:,[%\\") && strings.IndexFunc(rest, unicode.IsLetter) >= 0
	if named && !isURLOfCloud(host) {
		return truth.Yes
	}
	return truth.No
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
	ownWords             = wordList("test tests testing dev develop development local sandbox scratch tmp demo example")
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
