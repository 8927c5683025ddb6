package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Egress says where the programs of a session may connect to.
type Egress struct {
	// Default is the verdict on connections that no rule of the policy matches: allow, audit or deny; default allow.
	Default policy.Verdict
	// Loopback are the services of this machine that sessions may reach, if the policy allows it; default none.
	Loopback []PortRange
	// Models is the verdict on direct connections to the hosts of upstreams, which bypass weir: allow, audit or deny; default audit.
	Models policy.Verdict
	// Sockets are the unix sockets that sessions may reach: absolute paths, or patterns of filepath.Match; default none.
	Sockets []string
}

// A PortRange is a range of TCP ports, including both ends.
type PortRange struct {
	First, Last uint16
}

// parsePorts parses a port such as 5432, or a range such as 3000-3010. The error ends with what to do. It does not contain the
// text, which may come from a variable.
func parsePorts(text string) (PortRange, error) {
	first, last, isRange := strings.Cut(text, "-")
	if !isRange {
		last = first
	}
	var ends [2]uint16
	for i, digits := range []string{first, last} {
		n, err := strconv.ParseUint(digits, 10, 16)
		if err != nil || n == 0 || strconv.FormatUint(n, 10) != digits {
			return PortRange{}, errNotPorts
		}
		ends[i] = uint16(n)
	}
	if ends[0] > ends[1] {
		return PortRange{}, errPortsReversed
	}
	return PortRange{First: ends[0], Last: ends[1]}, nil
}

var (
	errNotPorts      = errors.New("this is not a port, or a range of ports; write a number from 1 to 65535, or two of them, such as 3000-3010")
	errPortsReversed = errors.New("the range ends before it begins; write the smaller port first")
)

// maxLoopbackPorts is how many ports one session may have: each needs its own listeners.
const maxLoopbackPorts = 1024

var (
	egressShape = yamlfile.Shape{Optional: []string{"default", "loopback", "models", "sockets"}}
	egressWords = yamlfile.Choice{
		What: "what becomes of connections", Words: []string{string(policy.Allow), string(policy.Audit), string(policy.Deny)},
	}
)

func defaultEgress() Egress { return Egress{Default: policy.Allow, Models: policy.Audit} }

func (r *loader) egress(e *Egress, n *yamlfile.Node) {
	if !r.report.Mapping(n, egressShape) {
		return
	}
	for key, field := range map[string]*policy.Verdict{"default": &e.Default, "models": &e.Models} {
		if v := n.Get(key); v != nil {
			if word, ok := r.word(v, egressWords); ok {
				*field = policy.Verdict(word)
			}
		}
	}
	if v := n.Get("loopback"); v != nil {
		r.loopback(e, v)
	}
	if v := n.Get("sockets"); v != nil {
		r.sockets(e, v)
	}
}

// loopback reads one port or range, or a list of them.
func (r *loader) loopback(e *Egress, n *yamlfile.Node) {
	items := []*yamlfile.Node{n}
	if n.Kind == yamlfile.List {
		items, _ = r.report.List(n)
	}
	count := 0
	for _, item := range items {
		ports, ok := r.ports(item)
		if !ok {
			continue
		}
		for _, other := range e.Loopback {
			if ports.First <= other.Last && other.First <= ports.Last {
				r.report.Add(item, "some of these ports are given twice", "name each port once")
				break
			}
		}
		count += 1 + int(ports.Last) - int(ports.First)
		e.Loopback = append(e.Loopback, ports)
	}
	if count > maxLoopbackPorts {
		r.report.Add(n, fmt.Sprintf("these are %d ports", count), fmt.Sprintf("name those of the services that sessions need, %d at most",
			maxLoopbackPorts))
	}
}

func (r *loader) ports(n *yamlfile.Node) (PortRange, bool) {
	text, ok := n.Text, true
	if n.Kind != yamlfile.Number {
		text, ok = r.text(n, "a port or a range of ports")
	}
	if !ok {
		return PortRange{}, false
	}
	ports, err := parsePorts(text)
	if err != nil {
		r.addError(n, err)
	}
	return ports, err == nil
}

// sockets reads one path or glob, or a list of them.
func (r *loader) sockets(e *Egress, n *yamlfile.Node) {
	const what = "the path of a unix socket, or a glob"
	items, ok := r.report.OneOrMore(n, what)
	if !ok {
		return
	}
	for _, item := range items {
		text, ok := r.text(item, what)
		if !ok {
			continue
		}
		_, err := filepath.Match(text, "")
		switch {
		case strings.HasPrefix(text, "@") || strings.Contains(text, "\x00"):
			r.report.Add(item, "sessions cannot reach a socket without a path", "name sockets by their paths")
		case strings.HasPrefix(text, "~"):
			r.report.Add(item, "~ is not replaced by a home folder here", "write ${HOME}")
		case err != nil:
			r.report.Add(item, "this is not a glob", "close each [ with ], or write \\[ to mean it")
		default:
			e.Sockets = append(e.Sockets, r.path(text))
		}
	}
}

func egressSchema() yamlfile.Schema {
	port := yamlfile.Schema{"anyOf": []yamlfile.Schema{
		{"type": "integer", "minimum": 1, "maximum": 65535},
		{"type": "string", "pattern": `^[1-9][0-9]{0,4}(-[1-9][0-9]{0,4})?$|\$\{`},
	}}
	return egressShape.Schema(map[string]yamlfile.Schema{
		"default": wordSchema(egressWords).Describe("The verdict for connections that no rule matches (default: allow)."),
		"loopback": yamlfile.OneOrMoreSchema(port).Describe("Ports of services on this machine that sessions may reach, such as 5432 or " +
			"3000-3010."),
		"models":  wordSchema(egressWords).Describe("The verdict for connections to the hosts of upstreams that bypass weir (default: audit)."),
		"sockets": yamlfile.OneOrMoreSchema(yamlfile.TextSchema()).Describe("Unix sockets that sessions may reach: paths or globs."),
	})
}
