package deed

import (
	"net/netip"
	"strings"

	"github.com/weir-gate/weir/internal/text/address"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// An end is the other end of a connection.
type end struct {
	host address.Host
	port string // "": not known
	// listens says that the command awaits connections there.
	listens bool
	// shell says that a shell gets its commands there.
	shell bool
	// here says that it is on this machine although its name does not say so, such as a socket.
	here bool
}

// local reports whether an end is on this machine.
func (e end) local() bool {
	return e.here || !e.host.Partial && (e.host.Addr.IsValid() && isLoopback(e.host.Addr) || isLocalName(e.host.Name))
}

func isLoopback(a netip.Addr) bool { return a.IsLoopback() || a.IsUnspecified() }

// isLocalName reports the names of this machine, also as containers see it.
func isLocalName(name string) bool {
	switch name {
	case "localhost", "localhost.localdomain", "ip6-localhost", "host.docker.internal", "gateway.docker.internal", "localstack",
		"kubernetes.docker.internal", "host.containers.internal", "host.lima.internal", "host.minikube.internal", "docker.for.mac.localhost":
		return true
	}
	return strings.HasSuffix(name, ".localhost") || strings.HasSuffix(name, ".localhost.localstack.cloud")
}

// String is the end for people.
func (e end) String() string {
	name := e.host.Name
	if strings.Contains(name, ":") {
		name = "[" + name + "]"
	}
	if e.port != "" {
		return name + ":" + e.port
	}
	return name
}

// filled is how an unknown part of a host is written, so that the host is read as partly known.
const filled = "${x}"

// ends are the ends that a word names: a URL, host:port, user@host or a host, in every form that clients read.
func ends(w shell.Word, port string) []end {
	text := w.Text
	if len(text) > maxUnknown {
		text = text[:maxUnknown]
	}
	if !w.Known {
		var b strings.Builder
		for i := range len(text) {
			if isHole(text, i) {
				b.WriteString(filled)
			} else {
				b.WriteByte(text[i])
			}
		}
		text = b.String()
	}
	scheme, rest, hasScheme := strings.Cut(text, "://")
	if hasScheme {
		port = orText(schemePorts[strings.ToLower(scheme)], port)
	} else {
		rest = strings.TrimPrefix(text, "//")
	}
	switch strings.ToLower(scheme) {
	case "unix", "file", "npipe", "data":
		if hasScheme {
			return []end{{here: true}}
		}
	}
	if strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//") {
		return []end{{here: true}} // a socket
	}
	if authority := strings.IndexAny(rest, "/?#"); authority >= 0 {
		rest = rest[:authority]
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	if colon := strings.LastIndexByte(rest, ':'); colon >= 0 && strings.Count(rest, ":") == 1 || strings.Contains(rest, "]:") {
		if digits := rest[colon+1:]; digits != "" && strings.Trim(digits, "0123456789") == "" {
			port = digits
			rest = rest[:colon]
		} else if digits == filled {
			port, rest = "", rest[:colon]
		}
	}
	if rest == filled {
		return []end{{host: address.Host{Name: "*", Partial: true}, port: port}}
	}
	if known, ok := strings.CutSuffix(rest, filled); ok {
		// Those who ask the metadata service of a cloud have the path in a variable.
		if a, err := netip.ParseAddr(known); err == nil && a.IsLinkLocalUnicast() {
			rest = known
		}
	}
	hosts, _ := address.Hosts("http://" + strings.Trim(rest, "[]") + "/")
	if strings.Count(rest, ":") > 1 {
		hosts, _ = address.Hosts("http://[" + strings.Trim(rest, "[]") + "]/")
	}
	return endsOf(hosts, port)
}

// endsOf are hosts at a port. A name that stands for an address that no router carries further is also that address.
func endsOf(hosts []address.Host, port string) (out []end) {
	for _, h := range hosts {
		out = append(out, end{host: h, port: port})
		if addr, ok := address.Embedded(h.Name); ok && addr.IsLinkLocalUnicast() {
			out = append(out, end{host: address.Host{Name: addr.String(), Addr: addr}, port: port})
		}
	}
	return out
}

func orText(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// schemePorts are the usual ports.
var schemePorts = map[string]string{
	"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21", "ftps": "990", "ssh": "22", "git+ssh": "22", "git": "9418",
	"telnet": "23", "smtp": "25", "redis": "6379", "rediss": "6379", "postgres": "5432", "postgresql": "5432", "mysql": "3306",
	"mongodb": "27017", "mongodb+srv": "27017", "amqp": "5672", "ldap": "389", "ldaps": "636", "gopher": "70", "sftp": "22", "smb": "445",
	"rtmp": "1935", "rtmps": "443", "rtsp": "554", "smtps": "465", "imap": "143", "imaps": "993", "tftp": "69", "scp": "22", "mqtt": "1883",
	"mqtts": "8883", "amqps": "5671", "rsync": "873", "icecast": "8000",
	"tcp": "0", "udp": "0", "tls": "0", "srt": "0", "rtp": "0", // their addresses always have a port
}

// Ends are patterns of ends of connections.
type Ends struct {
	all, local, remote, listens, shell bool
	patterns                           []endPattern
}

type endPattern struct {
	hosts *address.HostSet
	cidrs *address.CIDRSet
	port  string
}

// NewEnds compiles the value of connects: hosts and globs of them, with or without a port, ranges of addresses, and the words local,
// remote, listen and shell: a shell that gets its commands there.
func NewEnds(texts []string) (*Ends, error) {
	out := &Ends{}
	for _, text := range texts {
		switch text {
		case "*":
			out.all = true
			continue
		case "local":
			out.local = true
			continue
		case "remote":
			out.remote = true
			continue
		case "listen":
			out.listens = true
			continue
		case "shell":
			out.shell = true
			continue
		}
		var p endPattern
		if _, err := netip.ParsePrefix(text); err == nil {
			if p.cidrs, err = address.NewCIDRs([]string{text}); err != nil {
				return nil, err
			}
			out.patterns = append(out.patterns, p)
			continue
		}
		host := text
		if i := strings.LastIndexByte(text, ':'); i >= 0 && (strings.Count(text, ":") == 1 || strings.Contains(text, "]:")) {
			host, p.port = strings.Trim(text[:i], "[]"), text[i+1:]
		}
		var err error
		if p.hosts, err = address.NewHosts([]string{host}); err != nil {
			return nil, err
		}
		out.patterns = append(out.patterns, p)
	}
	return out, nil
}

// match says whether an end is one of them.
func (s *Ends) match(e end) truth.Value {
	local := e.local()
	switch {
	case e.shell && s.shell && !local:
		return truth.Yes
	case e.listens:
		if s.listens || s.all {
			return truth.Yes
		}
	case s.all, s.local && local, s.remote && !local && !e.host.Partial:
		return truth.Yes
	}
	best := truth.No
	if s.remote && !local && !e.listens || s.local && e.host.Name == "*" {
		best = truth.Maybe
	}
	for i := range s.patterns {
		best = max(best, s.patterns[i].match(e))
	}
	return best
}

func (p *endPattern) match(e end) truth.Value {
	if e.here {
		return truth.No
	}
	a := truth.No
	switch {
	case p.cidrs != nil:
		a = p.cidrs.Match(e.host)
	case e.host.Name == "*" || e.host.Name == "":
		a = truth.Maybe
	default:
		a = p.hosts.Match(e.host)
	}
	if p.port != "" && p.port != "*" && p.port != e.port {
		if e.port != "" {
			return truth.No
		}
		a = min(a, truth.Maybe)
	}
	return a
}
