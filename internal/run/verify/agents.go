package verify

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/openaichat"
	"github.com/weir-gate/weir/internal/model/endpoint"
	"github.com/weir-gate/weir/internal/model/formats"
	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/agent/roster"
	"github.com/weir-gate/weir/internal/run/canary"
	"github.com/weir-gate/weir/internal/text/inert"
)

// agents checks whether the configurations of agents route them through weir.
func (v *verifier) agents(ctx context.Context) []Row {
	var rows []Row
	for _, c := range v.Agents {
		rows = append(rows, v.agent(ctx, c)...)
	}
	if len(rows) == 0 {
		rows = append(rows, Row{
			Area: areaAgents, Tried: "agents that weir knows", Status: Untold,
			Seen: "none is on your PATH, and none is set up",
		})
	}
	return rows
}

// agent checks one agent.
func (v *verifier) agent(ctx context.Context, c CheckedAgent) []Row {
	name := c.Agent.Name()
	row := Row{Area: areaAgents, Tried: name + ": its models", Promised: c.Promised}
	look, err := c.Agent.Look(v.Surroundings)
	if err != nil {
		row.Status, row.Seen, row.Cure = Untold, inert.Text(err.Error(), 300), "correct its configuration"
		return []Row{row}
	}
	var rows []Row
	if len(look.Routes) == 0 {
		row.Status, row.Seen, row.Cure = NotCovered, "its settings name no address", cureFor(name)
		rows = append(rows, row)
	}
	for i, lead := range look.Routes {
		r := v.lead(ctx, c.Agent, lead)
		r.Area, r.Tried, r.Promised = areaAgents, name+": "+inert.Name(lead.Setting, 40), c.Promised && i == 0
		if lead.Note != "" {
			r.Seen += "; " + inert.Text(lead.Note, 200)
		}
		rows = append(rows, r)
	}
	for _, s := range look.Servers {
		rows = append(rows, v.server(c, s))
	}
	return rows
}

func cureFor(name string) string { return fmt.Sprintf("weir run -- %s, or weir setup %[1]s", name) }

// lead checks one setting. If it is an address of this weir, lead tries it.
func (v *verifier) lead(ctx context.Context, a agent.Agent, l agent.Route) Row {
	place := inert.Text(shownAddress(l.URL), 120) + " (" + inert.Text(l.Origin, 120) + ")"
	at, ok := v.here(l.URL)
	if !ok {
		return Row{Status: NotCovered, Seen: "by itself it is routed to " + place, Cure: cureFor(a.Name())}
	}
	if _, ok := v.Running.Upstreams[at.upstream]; !ok {
		return Row{
			Status: NotCovered, Seen: "it is routed to " + place + ", but weir has no upstream " + inert.Name(at.upstream, 64),
			Cure: "weir setup " + a.Name() + ", or declare the upstream in weir.yaml",
		}
	}
	row := v.tryFormat(ctx, at.canary, formatOf(a.Name(), at.upstream))
	row.Seen = "it is routed to " + place + "; " + row.Seen
	return row
}

// A spot is an address of the running weir.
type spot struct {
	upstream string
	canary   string // the address of the canary at the same weir, with the same key
}

// here says whether an address belongs to the running weir, and to which upstream.
func (v *verifier) here(address string) (spot, bool) {
	u, err := url.Parse(address)
	base, baseErr := url.Parse(v.Base)
	if err != nil || baseErr != nil || u.Scheme != base.Scheme || !sameHost(u, base) {
		return spot{}, false
	}
	rest, key := strings.TrimPrefix(u.EscapedPath(), "/"), ""
	if after, ok := strings.CutPrefix(rest, admission.KeySegment+"/"); ok {
		key, rest, _ = strings.Cut(after, "/")
		key = "/" + admission.KeySegment + "/" + key
	}
	name, _, _ := strings.Cut(rest, "/")
	return spot{upstream: name, canary: u.Scheme + "://" + u.Host + key + "/" + canary.Upstream}, true
}

// sameHost says whether two addresses have the same host and port. All names of the machine itself count as the same.
func sameHost(a, b *url.URL) bool {
	own := func(u *url.URL) string {
		host := strings.ToLower(u.Hostname())
		if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
			return "loopback"
		}
		return host
	}
	return own(a) == own(b) && a.Port() == b.Port()
}

// shownAddress returns an address without the key of a client.
func shownAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "an address that cannot be read"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	before, after, ok := strings.Cut(u.String(), "/"+admission.KeySegment+"/")
	if !ok {
		return before
	}
	_, rest, below := strings.Cut(after, "/")
	if !below {
		return before + "/" + admission.KeySegment + "/..."
	}
	return before + "/" + admission.KeySegment + "/.../" + rest
}

// formatOf returns the format of an agent's requests to an upstream.
func formatOf(agentName, upstream string) dialect.Format {
	spoken := ""
	if a, known := roster.Named(agentName); known {
		spoken = a.Format()
	}
	f, _ := formats.Named(cmp.Or(spoken, endpoint.Of(upstream).Format, openaichat.Name))
	return f
}

// gatewaySegment is the first path segment of weir's gateway for MCP servers.
const gatewaySegment = "mcp"

// server says how an agent reaches an MCP server.
func (v *verifier) server(c CheckedAgent, s agent.Server) Row {
	name := c.Agent.Name()
	row := Row{Area: areaAgents, Tried: name + ": MCP server " + inert.Name(s.Name, 60), Promised: c.Promised}
	at, ok := v.here(s.URL)
	switch {
	case s.Way == agent.Wrapped:
		row.Status, row.Seen = Covered, "it is started by weir mcp wrap"
	case s.Way == agent.Gateway, ok && at.upstream == gatewaySegment:
		row.Status, row.Seen = Covered, "it is reached through weir's gateway"
	case s.Way == agent.Off:
		row.Status, row.Seen = Covered, "the agent does not start it"
	default:
		row.Status, row.Cure = NotCovered, cureFor(name)
		row.Seen = "it is reached past weir (" + inert.Text(s.Origin, 120) + ")"
		if s.Why != "" {
			row.Seen += ": " + inert.Text(s.Why, 200)
		}
	}
	return row
}
