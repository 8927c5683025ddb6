package proxy

import (
	"context"
	"errors"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A document is a JSON object that may be a request, in a body whose format is not known.
type document struct {
	body   []byte
	start  int             // its position in the body of the request
	format *dialect.Format // the format that it claims; nil: it claims none
	// read says that its own format has already parsed it.
	read bool
	// anything says that it is in a file that need not hold requests.
	anything bool
	// covered are offers that were ruled already.
	covered covered
}

// covered holds the names of offers that were ruled already, by their position in the body of the request; under -1 the names of
// offers without a position.
type covered map[int][]string

// cover adds offers.
func (c covered) cover(offers []dialect.Offer) {
	for _, o := range offers {
		names := slices.Concat(o.Names, o.Spellings)
		if len(o.Cuts) == 0 {
			c[-1] = append(c[-1], names...)
		}
		for _, p := range o.Cuts {
			c[p.Start] = append(c[p.Start], names...)
		}
	}
}

// has says whether all names of an offer were ruled. start is the position of its document.
func (c covered) has(o dialect.Offer, start int) bool {
	known := c[-1]
	if len(o.Cuts) > 0 {
		known = c[start+o.Cuts[0].Start]
	}
	for _, name := range slices.Concat(o.Names, o.Spellings) {
		if !slices.Contains(known, name) {
			return false
		}
	}
	return true
}

// requestMembers are the members by which a request of any format is recognised: its messages, or the tools that may be called.
var requestMembers = []string{
	"tools", "functions", "toolConfig", "tool_config", "mcp_servers", "mcpServers", "web_search_options", "search_parameters", "plugins",
	"additionalModelRequestFields", "data_sources", "dataSources", "messages", "input", "contents", "prompt", "model",
}

// leaveOut are members that hold no requests: messages, and the arguments and schemas of tools.
var leaveOut = []string{
	"messages", "input", "contents", "system", "systemInstruction", "instructions", "input_schema", "inputSchema", "parameters",
	"parametersJsonSchema", "schema", "properties", "arguments", "args", "response_format", "responseSchema", "content",
}

// maxNesting is how deep weir looks for requests inside of others.
const maxNesting = 12

// nested returns the objects in a value, itself included, that have the shape of a request. It fails if there could be more of them
// deeper than it looks.
func nested(v strictjson.Value, depth int) (found []document, err error) {
	if v.Len() > 0 && depth > maxNesting {
		return nil, errDeep
	}
	if v.Kind() == strictjson.Object && (depth == 0 || isRequest(v)) {
		start, _ := v.Span()
		found = append(found, document{body: v.Raw(), start: start})
	}
	inside := func(v strictjson.Value) {
		more, failed := nested(v, depth+1)
		found = append(found, more...)
		if failed != nil {
			err = failed
		}
	}
	for elem := range v.Elems() {
		inside(elem)
	}
	for name, member := range v.Members() {
		if member.Kind() == strictjson.Object && name.Folds("input") || !slices.ContainsFunc(leaveOut, name.Folds) {
			inside(member)
		}
	}
	return found, err
}

func isRequest(v strictjson.Value) bool {
	for name := range v.Members() {
		if slices.ContainsFunc(requestMembers, name.Folds) {
			return true
		}
	}
	return false
}

// inspectDocument parses a document in all formats, its own first, and rules its offers.
func (q *asking) inspectDocument(ctx context.Context, d document) *failure {
	offers, format, err := q.offersIn(d)
	if d.anything && (errors.Is(err, dialect.ErrUnreadable) || errors.Is(err, dialect.ErrTwoReadings)) || d.read && err != nil {
		return nil
	}
	if err != nil {
		return q.refuseExchange(dialect.Refused{Code: call.CodeMalformed, Reason: err.Error()})
	}
	offers = slices.DeleteFunc(offers, func(o dialect.Offer) bool { return d.covered.has(o, d.start) })
	if format == nil || len(offers) == 0 {
		return nil
	}
	refused, first, fail := q.ruleOffers(ctx, format, offers)
	if fail == nil && len(refused) > 0 {
		fail = offerRefused(refused, first)
	}
	return fail
}

// offersIn parses a document in all formats. A tool that several formats find becomes one offer, with all of its names. A format
// may fail to parse the document if another one finds offers in it; only the format that the document claims must not fail.
func (q *asking) offersIn(d document) (offers []dialect.Offer, format *dialect.Format, err error) {
	at := map[int]int{} // maps the position of an offer in the document to its index in offers
	formats := q.requestFormats(d.format)
	for _, f := range formats {
		request, failed := f.Requests.Read(d.body)
		switch {
		case errors.Is(failed, dialect.ErrUnreadable) && f != d.format:
			err = failed
		case failed != nil:
			return nil, nil, failed
		case len(request.Offers) > 0 && format == nil:
			format = f
		}
		for _, o := range request.Offers {
			if len(o.Cuts) == 0 {
				offers = append(offers, o)
				continue
			}
			if same, there := at[o.Cuts[0].Start]; there {
				offers[same] = merged(offers[same], o)
				continue
			}
			at[o.Cuts[0].Start] = len(offers)
			offers = append(offers, o)
		}
	}
	if len(offers) > 0 {
		err = nil
	}
	return offers, format, err
}

// requestFormats are the formats that can parse requests. first, or else the upstream's own format, comes first.
func (q *asking) requestFormats(first *dialect.Format) (out []*dialect.Format) {
	if first == nil {
		first = q.upstream.format
	}
	for i := range q.door.cfg.Formats {
		f := &q.door.cfg.Formats[i]
		switch {
		case f.Requests == nil:
		case first != nil && f.Name == first.Name:
			out = slices.Insert(out, 0, f)
		default:
			out = append(out, f)
		}
	}
	return out
}

// merged joins what two formats found in the same offer.
func merged(a, b dialect.Offer) dialect.Offer {
	if a.Server == "" {
		a.Server = b.Server
	}
	a.Open = a.Open || b.Open
	for _, name := range b.Names {
		if !slices.Contains(a.Names, name) {
			a.Names = append(slices.Clip(a.Names), name)
		}
	}
	a.Spellings = append(slices.Clip(a.Spellings), b.Spellings...)
	return a
}
