package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/scan"
)

// Tools records which tools an MCP server offers, and says which of them the client may see: all that no rule refuses by name.
// After an error none may reach the client.
func (j *Judge) Tools(ctx context.Context, l call.Listing) (call.Offer, error) {
	p := j.policyOf(l.Actor)
	if l.Trace.ID == "" {
		l.Trace = call.NewTrace()
	}
	listed := j.read(l)
	offer := call.Offer{Shown: make([]bool, len(l.Tools))}
	if ruling, denied := j.DeniesServer(l.Actor, l.Server.ID); denied {
		// Tools of a denied server are not stored in the registry: they must not block names of others.
		j.cfg.Recorder.Record(j.deniedListing(l, p, ruling), nil)
		return offer, nil
	}
	changes, err := j.observe(ctx, l, listed, p)
	if err != nil {
		j.cfg.Recorder.Record(j.listingRefused(l, p, err), nil)
		if j.cfg.Mode == Observe {
			return showAll(offer), nil
		}
		return call.Offer{}, err
	}
	for i := range listed {
		t := &listed[i]
		t.ruling = j.offered(l, t, p)
		// Invalid definitions are removed in every mode.
		offer.Shown[i] = t.ruling.Released || t.err == nil && j.cfg.Mode != Enforce
	}
	if j.cfg.Mode == Observe {
		offer = showAll(offer)
	}
	if events := j.listingEvents(l, listed, changes, p); len(events) > 0 {
		if err := j.recordListing(ctx, events); err != nil {
			return call.Offer{}, err
		}
	}
	return offer, nil
}

func showAll(o call.Offer) call.Offer {
	for i := range o.Shown {
		o.Shown[i] = true
	}
	return o
}

// A listedTool is one entry of a list of tools.
type listedTool struct {
	definition registry.Definition
	err        error // it is no definition that every reader reads alike
	ruling     call.Ruling
}

func (j *Judge) read(l call.Listing) []listedTool {
	out := make([]listedTool, len(l.Tools))
	for i, entry := range l.Tools {
		out[i].definition, out[i].err = registry.Bounds{}.Read(l.Server.ID, entry)
	}
	return out
}

func (j *Judge) observe(ctx context.Context, l call.Listing, listed []listedTool, p *policy.Policy) (registry.Changes, error) {
	if j.cfg.Registry == nil {
		return registry.Changes{}, nil
	}
	seen := registry.Listing{Server: l.Server.ID, Complete: l.Complete, TrustFirst: p.TrustsFirst(), Apart: j.apart(l.Actor)}
	for _, t := range listed {
		if t.err == nil {
			seen.Tools = append(seen.Tools, t.definition)
		}
	}
	if _, err := j.cfg.Registry.Met(ctx, registry.Server{ID: l.Server.ID, Type: l.Server.Type, Addr: l.Server.Addr}); err != nil {
		return registry.Changes{}, err
	}
	return j.cfg.Registry.Observe(ctx, seen)
}

// offered rules on whether a client may see a tool, or could where policy is enforced.
func (j *Judge) offered(l call.Listing, t *listedTool, p *policy.Policy) call.Ruling {
	if t.err != nil {
		return call.Ruling{
			Code: call.CodeMalformed, Policy: p.Version(),
			Reason: "The definition of the tool can be read in more than one way, or is too long.",
		}
	}
	c := call.Call{Surface: call.MCP, Actor: l.Actor, Server: l.Server.ID, Tool: t.definition.Name}
	if j.cfg.Registry != nil {
		// What counts is the definition that would be shown: by now another list may have brought another.
		hash := t.definition.Hash()
		shown := registry.Tool{Definition: t.definition, Hash: hash}
		c.Known = []call.Known{{
			Server: l.Server.ID, Tool: t.definition.Name, Hash: string(hash),
			State:    stateOf(j.cfg.Registry.State(l.Server.ID, t.definition.Name).Pin, hash),
			Severity: severity(j.scans.definition(p, shown)),
			Hints:    t.definition.Hints(),
		}}
	}
	if d, refused := p.RefusedByName(j.query(c)); refused {
		return refusal(d, p)
	}
	return call.Ruling{Released: true}
}

// listingEvents tell of what is new. What was refused before is not told of again: clients ask for the same list again and again.
func (j *Judge) listingEvents(l call.Listing, listed []listedTool, ch registry.Changes, p *policy.Policy) []record.Event {
	cross := j.crossFindings(l, ch, p)
	var out []record.Event
	for i := range ch.New {
		t := &ch.New[i]
		e := j.toolEvent(record.Types.MCPToolSeen, l, t, listed, p)
		trusted := j.cfg.Registry.State(t.Server, t.Name).State == registry.Trusted
		e.Detail = seen(ch, t, append(recorded(j.scans.definition(p, *t)), cross[t.Name]...), trusted)
		out = append(out, e)
	}
	for _, c := range slices.Concat(ch.Changed, ch.Noted) {
		e := j.toolEvent(record.Types.MCPToolChanged, l, &c.New, listed, p)
		e.Detail = record.ToolChanged{
			Was: string(c.Old.Hash), Noted: c.Old.Hash == c.New.Hash, Differences: differences(c),
			Findings: append(recorded(j.scans.definition(p, c.New)), cross[c.New.Name]...),
		}
		out = append(out, e)
	}
	for i := range ch.Gone {
		e := j.toolEvent(record.Types.MCPToolChanged, l, &ch.Gone[i], nil, p)
		e.Detail = record.ToolChanged{Was: string(ch.Gone[i].Hash), Gone: true}
		out = append(out, e)
	}
	for i := range ch.Back {
		t := &ch.Back[i]
		if slices.ContainsFunc(ch.Changed, func(c registry.Change) bool { return c.New.Name == t.Name }) {
			continue
		}
		e := j.toolEvent(record.Types.MCPToolChanged, l, t, listed, p)
		e.Detail = record.ToolChanged{Was: string(t.Hash), Back: true}
		out = append(out, e)
	}
	if j.cfg.Registry != nil {
		mark := record.RegistryMark(j.cfg.Registry.Mark(l.Server.ID))
		for i := range out {
			out[i].MCP.Registry = mark
		}
	}
	return append(out, j.unreadable(l, listed, p)...)
}

// unreadable tells of entries that are no definitions, once for each that was not told of lately.
func (j *Judge) unreadable(l call.Listing, listed []listedTool, p *policy.Policy) (out []record.Event) {
	for i := range listed {
		if listed[i].err == nil {
			continue
		}
		key := "unreadable\x00" + l.Server.ID + "\x00" + digestOf(l.Tools[i])
		if j.answered.has(key) {
			continue
		}
		j.answered.update(key, func(struct{}) struct{} { return struct{}{} })
		e := j.toolEvent(record.Types.MCPToolSeen, l, &registry.Tool{Definition: registry.Definition{Server: l.Server.ID}}, nil, p)
		refuse(&e, listed[i].ruling, j.cfg.Mode != Observe)
		e.Detail = record.ToolSeen{}
		out = append(out, e)
	}
	return out
}

func (j *Judge) toolEvent(typ record.Type, l call.Listing, t *registry.Tool, listed []listedTool, p *policy.Policy) record.Event {
	e := record.Event{
		Time: time.Now(), Type: typ, Actor: l.Actor, Surface: call.MCP, Ruling: record.Ruling{PolicyVersion: p.Version()},
		Server: t.Server, MCP: record.MCP{ServerType: l.Server.Type, ServerAddr: l.Server.Addr, ToolHash: string(t.Hash)}, Tool: t.Name,
	}
	e.Exchange.Trace = l.Trace
	at := slices.IndexFunc(listed, func(have listedTool) bool { return have.err == nil && have.definition.Name == t.Name })
	if at >= 0 && !listed[at].ruling.Released {
		refuse(&e, listed[at].ruling, j.cfg.Mode == Enforce)
	}
	return e
}

func seen(ch registry.Changes, t *registry.Tool, found []record.Finding, trusted bool) record.ToolSeen {
	d := record.ToolSeen{Findings: found, Trusted: trusted}
	if raw, err := json.Marshal(t.Definition); err == nil {
		d.Definition = raw
	}
	for _, like := range ch.LookAlikes {
		if like.Tool != t.Identity() {
			continue
		}
		for _, other := range like.Like {
			d.LookAlikes = append(d.LookAlikes, other.Server+"/"+other.Name)
		}
	}
	for _, c := range ch.Collisions {
		if c.Name == t.Name {
			d.Collisions = slices.DeleteFunc(slices.Clone(c.Servers), func(s string) bool { return s == t.Server })
		}
	}
	for _, r := range ch.Renamed {
		if r.New.Name == t.Name {
			d.RenamedFrom = r.Old.Name
		}
	}
	return d
}

// maxDifferences bounds what an event says of a change, in bytes.
const maxDifferences = 64 << 10

func differences(c registry.Change) []byte {
	raw, err := json.Marshal(registry.Diff(c.Old.Definition, c.New.Definition))
	if err != nil || len(raw) > maxDifferences {
		return nil
	}
	return raw
}

// crossFindings are what new and changed definitions say of the tools of other servers, by the name of the tool.
func (j *Judge) crossFindings(l call.Listing, ch registry.Changes, p *policy.Policy) map[string][]record.Finding {
	if len(ch.New)+len(ch.Changed) == 0 {
		return nil
	}
	var all []scan.Definition
	apart := j.apart(l.Actor)
	for _, server := range j.cfg.Registry.Servers() {
		if apart(server) {
			continue
		}
		for _, t := range j.cfg.Registry.Tools(server) {
			if t.Gone.IsZero() {
				all = append(all, definitionOf(t.Definition))
			}
		}
	}
	out := map[string][]record.Finding{}
	for _, f := range j.scans.of(p).CrossTool(all) {
		rest, ours := strings.CutPrefix(f.Where, l.Server.ID+"/")
		if !ours {
			continue
		}
		for _, t := range ch.New {
			if strings.HasPrefix(rest, t.Name+"/") {
				out[t.Name] = append(out[t.Name], recorded([]scan.Finding{f})...)
			}
		}
		for _, c := range ch.Changed {
			if strings.HasPrefix(rest, c.New.Name+"/") {
				out[c.New.Name] = append(out[c.New.Name], recorded([]scan.Finding{f})...)
			}
		}
	}
	return out
}

// recordListing waits until what is new is on record.
func (j *Judge) recordListing(ctx context.Context, events []record.Event) error {
	if j.cfg.RecordLater || j.cfg.Mode == Observe {
		j.cfg.Recorder.RecordAll(events, record.Effects{}, nil)
		return nil
	}
	named(events)
	recorded := make(chan error, 1)
	j.cfg.Recorder.RecordAll(events, record.Effects{}, func(err error) { recorded <- err })
	select {
	case err := <-recorded:
		if err != nil {
			j.cfg.Recorder.RecordAgain(events, nil, record.Effects{})
			return fmt.Errorf("record what the server offers: %w", err)
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// apart returns a test for the servers that are denied to the actor. Their tools are ignored when others are compared.
func (j *Judge) apart(a call.Actor) func(server string) bool {
	return func(server string) bool {
		_, denied := j.DeniesServer(a, server)
		return denied
	}
}

func (j *Judge) deniedListing(l call.Listing, p *policy.Policy, r call.Ruling) record.Event {
	e := record.Event{
		Time: time.Now(), Type: record.Types.StreamRefused, Actor: l.Actor, Surface: call.MCP, Ruling: record.Ruling{PolicyVersion: p.Version()},
		Server: l.Server.ID, MCP: record.MCP{ServerType: l.Server.Type, ServerAddr: l.Server.Addr},
	}
	e.Exchange.Trace = l.Trace
	refuse(&e, r, true)
	return e
}

func (j *Judge) listingRefused(l call.Listing, p *policy.Policy, err error) record.Event {
	e := record.Event{
		Time: time.Now(), Type: record.Types.StreamRefused, Actor: l.Actor, Surface: call.MCP,
		Ruling: record.Ruling{
			PolicyVersion: p.Version(), Blocked: j.cfg.Mode != Observe, Code: call.CodeStoreUnavailable,
			Reason: "The server's tools could not be stored.",
		},
		Server: l.Server.ID, MCP: record.MCP{ServerType: l.Server.Type, ServerAddr: l.Server.Addr},
	}
	e.Exchange.Trace = l.Trace
	switch {
	case errors.Is(err, registry.ErrTwice):
		e.Code, e.Reason = call.CodeMalformed, "The server offers two different tools of one name."
	case errors.Is(err, registry.ErrBounds):
		e.Code, e.Reason = call.CodeArgsOversize, "The server offers more tools than weir remembers."
	}
	return e
}
