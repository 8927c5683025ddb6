package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/text/inert"
)

// The bounds of a list of tools, over all of its pages.
const (
	maxTools     = 4096
	maxListBytes = 32 << 20
	maxCursor    = 4096 // bytes
	maxChains    = 4    // lists under way
)

// A page is the result of one tools/list.
type page struct {
	whole strictjson.Value // the result
	array strictjson.Value // of the tools
	tools []jsontext.Value
	named []bool // whether a tool may have this name
	next  string // where the next page begins; "": there is none
	extra bool   // it has more members than tools and the next page
}

// listed returns the list of the tools that the client may see, or the refusal that replaces it.
func (s *Session) listed(ctx context.Context, r *request, m *jsonrpc.Message, again bool) (out, refusal *jsonrpc.Message) {
	p, ok := readPage(m)
	if !ok {
		return nil, s.unfit(r)
	}
	if p.extra && !s.extraPasses(ctx, r, m, p, again) {
		return nil, s.noList(r, "The list says what may not be passed on.")
	}
	s.mu.Lock()
	all, complete, fits := s.pages.take(r.cursor, p, len(m.Raw))
	s.mu.Unlock()
	if !fits {
		s.refused(&s.fromServer, s.act(r.id, call.Call{Tool: toolsList, MCP: call.MCPCall{Method: toolsList}}),
			call.Ruling{Code: call.CodeMalformed, Reason: "The server offers more tools than can be looked at."})
		return nil, s.noList(r, "The server offers more tools than can be looked at.")
	}
	offer, err := s.judge.Tools(ctx, call.Listing{Actor: s.actor, Server: s.server, Tools: all, Complete: complete, Trace: r.trace})
	if err != nil || len(offer.Shown) != len(all) {
		if err != nil {
			s.log.Warn("refused a list of tools", "server", s.server.ID, "err", inert.Text(err.Error(), 200))
		}
		return nil, s.noList(r, "The server's list of tools could not be looked at.")
	}
	shown := offer.Shown[len(all)-len(p.tools):]
	edits := p.array.RemoveElems(func(i int, _ strictjson.Value) bool { return !shown[i] || !p.named[i] })
	if len(edits) == 0 {
		return m, nil
	}
	if out, err = m.Edit(edits...); err != nil {
		return nil, s.unfit(r)
	}
	return out, nil
}

// noList is the response to tools/list without a list.
func (s *Session) noList(r *request, why string) *jsonrpc.Message {
	return jsonrpc.NewError(r.id, jsonrpc.CodeInternal, prefix+why, nil)
}

// extraPasses submits the other members of a list, beside its tools, to the judge.
func (s *Session) extraPasses(ctx context.Context, r *request, m *jsonrpc.Message, p page, again bool) bool {
	given := s.given(r, m, again)
	start, end := p.array.Span()
	offset, _ := p.whole.Span()
	given.Result = strictjson.Splice(m.Result, strictjson.Edit{Start: start - offset, End: end - offset, New: []byte(`[]`)})
	ruling := s.judge.Given(ctx, given)
	return ruling.Released && ruling.Args == nil
}

// readCursor returns the position of the page that a client asks for; "": the first page.
func readCursor(m *jsonrpc.Message) (string, error) {
	v, err := m.Param("cursor")
	if err != nil || v.Kind() == strictjson.Null {
		return "", err
	}
	cursor, err := m.ParamText("cursor")
	if len(cursor) > maxCursor {
		cursor = strings.Clone(cursor[:maxCursor+1]) // longer than the cursor of any remembered list
	}
	return cursor, err
}

// readPage parses the result of tools/list. It is not ok if readers could find other tools in it.
func readPage(m *jsonrpc.Message) (p page, ok bool) {
	var err error
	if p.array, err = m.ResultMember("tools"); err != nil || p.array.Kind() != strictjson.Array || p.array.Len() > maxTools {
		return page{}, false
	}
	next, err := m.ResultMember("nextCursor")
	if err != nil {
		return page{}, false
	}
	switch next.Kind() {
	case strictjson.Missing, strictjson.Null:
	case strictjson.String:
		if p.next, ok = next.Text(); !ok {
			return page{}, false
		}
	default:
		return page{}, false
	}
	if p.whole, err = m.Root().Member("result"); err != nil {
		return page{}, false
	}
	for name := range p.whole.Members() {
		p.extra = p.extra || !name.Is("tools") && !name.Is("nextCursor") && !name.Is("resultType")
	}
	for tool := range p.array.Elems() {
		if tool.Kind() != strictjson.Object {
			return page{}, false
		}
		value, err := tool.Member("name")
		name, isText := value.Text()
		p.tools = append(p.tools, tool.Raw())
		p.named = append(p.named, err == nil && isText && !isReserved(name))
	}
	return p, true
}

// pages are the lists of tools whose last page the client has not got yet. The zero value is empty.
type pages struct {
	chains []chain // the newest last
}

// A chain is the beginning of a list. It is immutable.
type chain struct {
	next  string // where the next page begins
	tools []jsontext.Value
	size  int // bytes of the messages with these tools
}

// take adds a page to its list. If this is the last page, the list is complete, and take returns the tools of the whole list; else
// it returns those of the page. It does not fit if the list is over the bounds.
func (p *pages) take(cursor string, page page, size int) (tools []jsontext.Value, complete, fits bool) {
	before := chain{}
	known := cursor == ""
	for _, c := range p.chains {
		if c.next == cursor && cursor != "" {
			before, known = c, true
		}
	}
	if size > maxListBytes {
		return nil, false, false
	}
	if !known {
		return page.tools, false, true
	}
	if len(before.tools)+len(page.tools) > maxTools || before.size+size > maxListBytes {
		return nil, false, false
	}
	all := slices.Concat(before.tools, page.tools)
	if page.next == "" {
		return all, true, true
	}
	p.remember(chain{next: page.next, tools: all, size: before.size + size})
	return page.tools, false, true
}

// remember stores the beginning of a list. It drops older ones if there are too many or they are too large.
func (p *pages) remember(c chain) {
	p.chains = slices.DeleteFunc(p.chains, func(old chain) bool { return old.next == c.next })
	if len(c.next) > maxCursor {
		return
	}
	p.chains = append(p.chains, c)
	for total(p.chains) > maxListBytes || len(p.chains) > maxChains {
		p.chains = slices.Delete(p.chains, 0, 1)
	}
}

// total is the size of some lists in bytes.
func total(chains []chain) (n int) {
	for _, c := range chains {
		n += c.size
	}
	return n
}
