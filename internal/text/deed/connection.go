package deed

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/address"
	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
)

// client is the client of a database that a line starts, with the words after its name; nil: it starts none. An interpreter or a runner
// of packages may start it.
func (l *line) client() (*program.Client, []shell.Word) {
	if c := program.LookupClient(l.name); c != nil {
		return c, l.c.Words[1:]
	}
	for i, it := range l.items {
		if it.option || it.taken || !clientStarters[strings.TrimRight(l.name, "0123456789.")] {
			continue
		}
		if c := program.LookupClient(it.word.Text); c != nil {
			return c, l.c.Words[i+2:]
		}
		if !it.value {
			break
		}
	}
	return nil, nil
}

// clientStarters are the programs that run a tool which their first operand names.
var clientStarters = wordSet("python py pypy php ruby node nodejs bun deno tsx ts-node symfony")

// databaseEnds are the servers that a client of a database names: in the options and operands that its entry says, in variables that the
// text sets for it, and in statements that connect further. The port is that of servers which do not say theirs.
func (l *line) databaseEnds(port string) (out []end) {
	client, words := l.client()
	if client == nil {
		return nil
	}
	args := make([]string, len(words))
	for i, w := range words {
		args[i] = w.Text
	}
	add := func(text string, plain bool) { out = append(out, serverEnds(text, plain, port)...) }
	given := client.Entry().Read(args)
	for _, g := range given.Signed('@') {
		value := g.Value
		if set, members, ok := strings.Cut(value, "/"); ok && client.Language == program.Mongo && !strings.ContainsAny(set, ".:") {
			value = members // of a replica set
		}
		add(value, true)
	}
	for _, value := range given.Values(strings.Fields(client.Databases)...) {
		add(value, false)
	}
	for _, o := range given.Operands() {
		if o.First < client.Target {
			add(o.Text, false)
		}
	}
	for _, set := range slices.Concat(l.c.Variables, l.c.Assigns) {
		name, value, _ := strings.Cut(set.Text, "=")
		if slices.Contains(strings.Fields(client.Variables), name) && !slices.Contains(program.HostVariables(l.name), name) {
			add(value, strings.HasSuffix(name, "HOST"))
		}
	}
	for _, text := range l.statements(given) {
		out = append(out, connectedEnds(client, text, port)...)
	}
	return out
}

// serverEnds are the ends that a connection string names.
func serverEnds(text string, plain bool, port string) (out []end) {
	if len(text) > maxUnknown {
		text = text[:maxUnknown]
	}
	for _, s := range address.Servers(text, plain) {
		at := orText(s.Port, orText(schemePorts[s.Scheme], port))
		out = append(out, ends(shell.Word{Text: s.Host, Known: !holed(s.Host)}, at)...)
	}
	return out
}

// statements are the texts that a line gives to a client of a database.
func (l *line) statements(given *program.Line) (out []string) {
	for _, g := range given.Signed(';') {
		out = append(out, g.Value)
	}
	for _, w := range l.c.Input {
		out = append(out, w.Text)
	}
	for _, script := range l.c.Scripts {
		for _, w := range script.Texts {
			out = append(out, w.Text)
		}
	}
	return out
}

// maxConnected bounds how many lines of statements, and how many texts in them, are read for servers.
const maxConnected = 1 << 10

// connectedEnds are the servers to which statements connect: \c of psql, and connection strings in quotes, as dblink takes them.
func connectedEnds(client *program.Client, text, port string) (out []end) {
	if client.Language != program.SQL {
		return nil
	}
	count := 0
	for line := range strings.Lines(text) {
		if count++; count > maxConnected {
			break
		}
		words := strings.Fields(strings.NewReplacer(`"`, "", "'", "").Replace(strings.TrimSpace(line)))
		if len(words) < 2 || words[0] != `\c` && words[0] != `\connect` {
			continue
		}
		switch told := strings.Join(words[1:], " "); {
		case strings.ContainsAny(told, "=") || strings.Contains(told, "://"):
			out = append(out, serverEnds(told, false, port)...)
		case len(words) > 3 && words[3] != "-":
			if len(words) > 4 {
				port = words[4]
			}
			out = append(out, serverEnds(words[3], true, port)...)
		}
	}
	for i, quoted := range strings.SplitN(text, "'", maxConnected) {
		if i%2 == 1 && (strings.Contains(quoted, "host=") || strings.Contains(quoted, "hostaddr=") || hasScheme(quoted)) {
			out = append(out, serverEnds(quoted, false, port)...)
		}
	}
	return out
}

// distinct are ends, each once.
func distinct(all []end) (out []end) {
	for _, e := range all {
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}
