package deed

import (
	"slices"
	"strings"
	"sync"

	"github.com/weir-gate/weir/internal/text/address"
	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// A hostRow says which words of a program are hosts.
type hostRow struct {
	where   map[string]bool
	options []string
	ports   []string // options
	port    string
}

var hostRows = sync.OnceValue(func() map[string]hostRow {
	rows := map[string]hostRow{}
	for text := range strings.Lines(joinedRows.Replace(program.HostTables)) {
		names, spec, ok := strings.Cut(text, "=")
		if !ok {
			continue
		}
		r := hostRow{where: map[string]bool{}}
		for field := range strings.FieldsSeq(spec) {
			switch {
			case strings.HasPrefix(field, "port="):
				r.ports = append(r.ports, field[len("port="):])
			case field[0] == ':':
				r.port = field[1:]
			case field[0] == '-':
				r.options = append(r.options, strings.Split(field, "|")...)
			default:
				r.where[field] = true
			}
		}
		for name := range strings.FieldsSeq(names) {
			rows[name] = r
		}
	}
	return rows
})

var silent = func() map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(program.SilentNames) {
		set[name] = true
	}
	return set
}()

// onlyLocal reports that the line connects, and only to this machine.
func (l *line) onlyLocal() bool {
	for _, e := range l.ends {
		if !e.local() {
			return false
		}
	}
	return len(l.ends) > 0
}

// remote reports that the line connects to another machine.
func (l *line) remote() bool {
	for _, e := range l.ends {
		if !e.local() && !e.listens {
			return true
		}
	}
	return false
}

// connections notes the connections of a line.
func (f *finder) connections(l *line) {
	certainty := truth.Yes
	if row, known := hostRows()[l.name]; known {
		l.ends = distinct(row.ends(l))
	} else if l.ends = distinct(l.databaseEnds("")); len(l.ends) > 0 {
		// It is a tool that works on a database.
	} else if !silent[l.name] {
		certainty = truth.Maybe
		for _, it := range l.items {
			if hasScheme(it.word.Text) {
				l.ends = append(l.ends, ends(it.word, "")...)
			}
		}
	}
	l.ends = append(l.ends, deviceEnds(l)...)
	l.ends = append(l.ends, shareEnds(l)...)
	l.ends = append(l.ends, listening(l)...)
	l.ends = append(l.ends, strangerShell(l)...)
	l.ends = append(l.ends, l.display()...)
	if f.givesShell(l) {
		for i := range l.ends {
			l.ends[i].shell = true
		}
	}
	if l.takesWeirPort() || l.asksWeir() {
		f.noteWeir(l, truth.Yes)
	}
	if len(l.ends) > 0 {
		f.addOf(l, Deed{Verb: Connects, Certainty: certainty, hosts: l.ends})
	}
}

// netSchemes are those of URLs that programs connect to.
func hasScheme(text string) bool {
	i := strings.Index(text, "://")
	if i <= 0 || i > 20 {
		return false
	}
	for _, signs := range []string{"=@ '\"(", "=@+ '\"("} {
		if schemePorts[strings.ToLower(text[strings.LastIndexAny(text[:i], signs)+1:i])] != "" {
			return true
		}
	}
	return false
}

// ends are the other ends that the row finds.
func (r hostRow) ends(l *line) (out []end) {
	if r.where["none"] || r.where["quiet"] && l.has("--help", "--version") == truth.Yes {
		return nil
	}
	port := r.port
	for _, v := range l.values(r.ports...) {
		port = v.Text
	}
	client, _ := l.client()
	if client == nil || !client.Entry().Takes("@") {
		for _, v := range l.values(r.options...) {
			out = append(out, ends(v, port)...)
		}
	}
	out = append(out, l.databaseEnds(port)...)
	out = append(out, l.variableEnds(len(out) > 0, port)...)
	out = append(out, l.mappedEnds()...)
	operands := l.operands()
	for i, w := range operands {
		text := w.Text
		if client != nil && client.Target > 0 {
			break // they are read
		}
		out = append(out, redirectedEnds(w)...)
		switch {
		case r.where["url"] && strings.HasPrefix(text, ":") && shortHost[l.name]:
			port, _, _ := strings.Cut(text[1:], "/")
			out = append(out, end{here: true, port: orText(port, "80")})
		case r.where["socat"]:
			out = append(out, socatEnds(w)...)
		case r.where["url"] && (hasScheme(text) || looksLikeHost(text) || !w.Known && i == 0):
			out = append(out, ends(w, orText(port, "80"))...)
		case hasScheme(text) && (r.where["urls"] || r.where["first"] || r.where["login"] || r.where["path"]):
			out = append(out, ends(w, port)...)
		case r.where["gitpath"] && i > 0 && isRemotePath(text) && reachesOut(operands[:i]):
			host, _, _ := strings.Cut(text, ":")
			out = append(out, ends(w.Until(len(host)), "22")...)
		case r.where["path"] && isRemotePath(text):
			host, _, _ := strings.Cut(text, ":")
			out = append(out, ends(w.Until(len(host)), port)...)
		case r.where["at"] && strings.HasPrefix(text, "@"):
			out = append(out, ends(w.From(1), "53")...)
		case r.where["names"] && (looksLikeHost(text) || !w.Known):
			out = append(out, ends(w, port)...)
		}
	}
	if r.where["first"] || r.where["login"] {
		out = append(out, r.firstEnds(l, port)...)
	}
	unknownHost := func(w shell.Word) bool { return !w.Known }
	if len(out) == 0 && r.where["default"] && slices.ContainsFunc(operands, unknownHost) {
		return []end{{host: address.Host{Name: "*", Partial: true}, port: port}}
	}
	if len(out) == 0 && r.where["default"] {
		out = append(out, end{here: true, port: port})
	}
	return out
}

// mappedEnds are the ends to which curl is told to go in place of others, as in --resolve name:80:address, and those that a tunnel of
// ssh reaches, as in -L 8080:host:80.
func (l *line) mappedEnds() (out []end) {
	var options []string
	switch l.name {
	case "curl", "curlie":
		options = []string{"--resolve", "--connect-to"}
	case "ssh", "autossh":
		options = []string{"-L"}
	}
	for _, w := range l.values(options...) {
		parts := strings.Split(w.Text, ":")
		for _, part := range parts[min(1, len(parts)):] {
			if strings.Contains(part, ".") && w.Known {
				out = append(out, ends(shell.Word{Text: part, Known: true}, "")...)
			}
		}
	}
	return out
}

// redirectedEnds are the services of clouds for credentials to which a URL asks its host to redirect, as in ?url=http://169.254.169.254/.
func redirectedEnds(w shell.Word) (out []end) {
	_, query, ok := strings.Cut(w.Text, "?")
	if !ok || !strings.Contains(query, "169.254.") || !w.Known {
		return nil
	}
	query = percentSigns.Replace(query)
	if _, rest, ok := strings.Cut(query, "://"); ok {
		for _, e := range ends(shell.Word{Text: "http://" + rest, Known: true}, "80") {
			if e.host.Addr.IsLinkLocalUnicast() {
				out = append(out, e)
			}
		}
	}
	return out
}

// percentSigns are the signs of a URL as a query has them.
var percentSigns = strings.NewReplacer("%3A", ":", "%3a", ":", "%2F", "/", "%2f", "/")

// shortHost are the programs for which :3000/x is a URL of this machine.
var shortHost = wordSet("http https xh xhs httpie")

// firstEnds are the ends that the first operand could name, with the port that may follow it.
func (r hostRow) firstEnds(l *line, port string) (out []end) {
	operands := l.operands()
	for i, it := range l.first() {
		p := port
		if i+1 < len(operands) && strings.Trim(operands[i+1].Text, "0123456789-") == "" && r.where["first"] {
			p = operands[i+1].Text
		}
		if hasScheme(it.Text) || strings.HasPrefix(it.Text, "-") || strings.Trim(it.Text, "0123456789") == "" && r.where["first"] &&
			i+1 == len(operands) {
			continue
		}
		out = append(out, ends(it, p)...)
	}
	return out
}

// reachesOut reports whether the operands of git have a subcommand that connects.
func reachesOut(operands []shell.Word) bool {
	for _, w := range operands {
		switch w.Text {
		case "clone", "fetch", "push", "pull", "remote", "ls-remote", "submodule", "archive", "send-pack", "fetch-pack":
			return true
		}
	}
	return false
}

// isRemotePath reports host:path, as scp and git write it. A drive of Windows is no host.
func isRemotePath(text string) bool {
	colon := strings.IndexByte(text, ':')
	if colon < 2 || strings.Contains(text, "://") {
		return false
	}
	slash := strings.IndexByte(text, '/')
	return slash < 0 || slash > colon
}

// looksLikeHost reports a word that a client of URLs would take as a host: it has a dot, a port or is this machine.
func looksLikeHost(text string) bool {
	host, _, _ := strings.Cut(text, "/")
	if host == "" || strings.ContainsAny(host, "=@ {\"'") && !strings.Contains(host, "@") {
		return false
	}
	name, port, hasPort := strings.Cut(host, ":")
	if hasPort && (port == "" || strings.Trim(port, "0123456789") != "") {
		return false
	}
	switch {
	case strings.EqualFold(name, "localhost"), hasPort, strings.HasPrefix(host, "["):
		return true
	case strings.Trim(name, "0123456789") == "", len(name) > 2 && strings.EqualFold(name[:2], "0x"):
		return len(name) > 3 // an address as one number
	}
	dot := strings.LastIndexByte(name, '.')
	return dot > 0 && dot+1 < len(name) && !strings.HasPrefix(text, ".")
}

// socatEnds are the ends of an address of socat, such as TCP:host:port or TCP-LISTEN:port.
func socatEnds(w shell.Word) []end {
	kind, rest, ok := strings.Cut(w.Text, ":")
	kind = strings.ToLower(kind)
	if !ok || strings.HasPrefix(kind, "unix") || strings.HasPrefix(kind, "exec") || strings.HasPrefix(kind, "system") ||
		strings.HasPrefix(kind, "file") {
		return nil
	}
	first, _, _ := strings.Cut(rest, ",")
	switch {
	case strings.Contains(kind, "listen") || strings.Contains(kind, "recv"):
		if _, bound, ok := strings.Cut(rest, ",bind="); ok && isLoopbackWord(shell.Word{Text: strings.Split(bound, ",")[0], Known: w.Known}) {
			return []end{{here: true, port: first}}
		}
		return []end{{listens: true, port: first}}
	case strings.HasPrefix(kind, "tcp"), strings.HasPrefix(kind, "udp"), strings.HasPrefix(kind, "openssl"), strings.HasPrefix(kind, "ssl"),
		strings.HasPrefix(kind, "socks"), strings.HasPrefix(kind, "proxy"), strings.HasPrefix(kind, "sctp"), strings.HasPrefix(kind, "dtls"):
		return ends(w.From(len(kind)+1).Until(len(first)), "")
	case strings.HasPrefix(kind, "vsock"), strings.HasPrefix(kind, "ip"), strings.HasPrefix(kind, "dccp"):
		return []end{{host: address.Host{Name: "*", Partial: true}}}
	}
	return nil
}

// deviceEnds are the connections that a shell opens as files.
func deviceEnds(l *line) (out []end) {
	for _, redirect := range l.c.Redirects {
		out = append(out, deviceEnd(redirect.File)...)
	}
	for _, it := range l.items {
		out = append(out, deviceEnd(it.word)...)
	}
	return out
}

func deviceEnd(w shell.Word) []end {
	for _, folder := range []string{"/dev/tcp/", "/dev/udp/"} {
		i := strings.Index(w.Text, folder)
		if i != 0 {
			continue
		}
		rest := w.Text[len(folder):]
		host, port, _ := strings.Cut(rest, "/")
		at := w.From(len(folder)).Until(len(host))
		if holed(port) {
			port = ""
		}
		return ends(at, port)
	}
	return nil
}
