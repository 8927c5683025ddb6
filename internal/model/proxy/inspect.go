package proxy

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// A Judge rules on the tools that requests offer, and notes the results that they contain.
type Judge interface {
	// Inspects says whether any rule is about what requests of an actor offer.
	Inspects(who call.Actor) bool
	// Offered rules on offers and returns when the rulings are recorded. It fails if they cannot be recorded.
	Offered(ctx context.Context, offers []call.Call) ([]call.Ruling, error)
	// Recognise finds the tools of a request that belong to MCP servers, where their names alone do not show it.
	Recognise(who call.Actor, shown []call.Shown) call.Menu
	// Answered notes results.
	RecordResults(ctx context.Context, r call.Results)
	// RequestRefused records that a request was refused, and why.
	RequestRefused(o call.Outcome)
}

// maxResults is how many results of one request are noted: each may need a lookup. The last results are the newest.
const maxResults = 1000

// unrecorded is the failure if the offers of a request cannot be recorded.
var unrecorded = failure{
	status: http.StatusServiceUnavailable, retry: true,
	message: "weir cannot record what the request offers (" + call.CodeStoreUnavailable + ")",
}

// inspect rules on the tools that a request offers, and notes the results in it. It returns the body that may be sent: without the
// refused tools, if the door strips them.
func (q *asking) inspect(ctx context.Context, body []byte) ([]byte, *failure) {
	if q.door.cfg.Judge == nil || len(body) == 0 {
		return body, nil
	}
	if (q.asked != nil || !q.known || startsJSON(body)) && q.inOtherCharset() && q.door.cfg.Judge.Inspects(q.Actor) {
		return nil, q.refuseExchange(dialect.Refused{Code: call.CodeMalformed, Reason: errCharset.Error()})
	}
	if q.asked != nil {
		body, ruled, fail := q.inspectAs(ctx, q.asked, body)
		if fail == nil && ruled != nil && q.upstream.speaksMany() {
			fail = q.inspectNested(ctx, body, ruled)
		}
		return body, fail
	}
	var covered covered
	if f := q.reader(); f != nil {
		var fail *failure
		if body, covered, fail = q.inspectAs(ctx, f, body); fail != nil {
			return nil, fail
		}
	}
	if !q.door.cfg.Judge.Inspects(q.Actor) {
		return body, nil
	}
	return body, q.inspectAny(ctx, body, covered)
}

// reader is the format of requests to the endpoint, if they may offer tools; nil: unknown.
func (q *asking) reader() *dialect.Format {
	if q.known && q.endpoint.Offers {
		return q.door.formatNamed(q.endpoint.Format)
	}
	return nil
}

// bringsResults says whether results in the request are for the model, now or later. Other requests only repeat results, to count
// their tokens.
func (q *asking) bringsResults() bool {
	return q.asked != nil || dialect.PathEnds(q.path, "/batches", ":batchGenerateContent")
}

// inspectAs parses the body as a request of a format and rules its offers. It returns the body to send, and the names and positions
// of the offers in it.
func (q *asking) inspectAs(ctx context.Context, f *dialect.Format, body []byte) ([]byte, covered, *failure) {
	if f.Requests == nil {
		return body, nil, nil
	}
	inspects := q.door.cfg.Judge.Inspects(q.Actor)
	request, err := f.Requests.Read(body)
	if err != nil {
		if inspects {
			return nil, nil, q.refuseExchange(dialect.Refused{Code: call.CodeMalformed, Reason: err.Error()})
		}
		return body, nil, nil
	}
	if q.bringsResults() {
		q.noteResults(ctx, f, request.Results)
	}
	q.readMenu(request.Offers)
	if !inspects {
		return body, nil, nil
	}
	refused, first, fail := q.ruleOffers(ctx, f, request.Offers)
	switch {
	case fail != nil:
		return nil, nil, fail
	case len(refused) == 0:
		return body, coveredBy(request.Offers), nil
	case !q.door.cfg.Strip || anyFixed(refused):
		return nil, nil, offerRefused(refused, first)
	}
	stripped := f.Requests.Strip(body, refused)
	left, err := f.Requests.Read(stripped)
	if err != nil || len(left.Offers) != len(request.Offers)-len(refused) {
		return nil, nil, offerRefused(refused, first) // it could not be removed
	}
	return stripped, coveredBy(left.Offers), nil
}

// readMenu remembers what the names of the request's tools mean.
func (q *asking) readMenu(offers []dialect.Offer) {
	shown := make([]call.Shown, 0, len(offers))
	for _, o := range offers {
		if o.Server == "" {
			shown = append(shown, call.Shown{Names: slices.Concat(o.Names, o.Spellings), Define: o.Define})
		}
	}
	q.menu = q.door.cfg.Judge.Recognise(q.Actor, shown)
}

func coveredBy(offers []dialect.Offer) covered {
	c := covered{}
	c.cover(offers)
	return c
}

// ruleOffers returns the offers that are refused, and the first ruling that refuses one.
func (q *asking) ruleOffers(ctx context.Context, f *dialect.Format, offers []dialect.Offer) (
	refused []dialect.Offer, first call.Ruling, fail *failure,
) {
	if len(offers) == 0 {
		return nil, first, nil
	}
	calls := make([]call.Call, len(offers))
	for i, o := range offers {
		names := o.Names
		if o.IsServer() && names[0] != dialect.ServerName {
			names = append([]string{dialect.ServerName}, names...) // the record is about the server, not its first tool
		}
		calls[i] = call.Call{
			ID: call.NewID(q.door.cfg.Now()), Surface: call.Inbound, Actor: q.Actor, Exchange: q.exchangeOf(f),
			Server: o.Server, Tool: names[0], Args: o.Declared,
			Readings: call.Readings{Aliases: names[1:], Spellings: o.Spellings, Open: o.Open},
		}
	}
	rulings, err := q.door.cfg.Judge.Offered(ctx, calls)
	if err != nil {
		q.trouble = err.Error()
		f := unrecorded
		return nil, first, &f
	}
	for i, r := range rulings {
		if r.Released {
			continue
		}
		if len(refused) == 0 {
			first = r
		}
		refused = append(refused, offers[i])
	}
	return refused, first, nil
}

func anyFixed(offers []dialect.Offer) bool {
	for _, o := range offers {
		if o.Fixed {
			return true
		}
	}
	return false
}

// offerRefused is the refusal of a request because of the tools that it offers.
func offerRefused(refused []dialect.Offer, first call.Ruling) *failure {
	message := dialect.OfferNotice(refused[0], first)
	switch more := len(refused) - 1; {
	case more == 1:
		message += " Another of its tools is refused too."
	case more > 1:
		message += " " + strconv.Itoa(more) + " more of its tools are refused too."
	}
	return refusal(http.StatusBadRequest, message)
}

// noteResults notes the results in a request.
func (q *asking) noteResults(ctx context.Context, f *dialect.Format, results []dialect.Result) {
	if len(results) == 0 {
		return
	}
	results = newest(results)
	if over := len(results) - maxResults; over > 0 {
		q.door.cfg.Log.Warn("a request brings more results than are looked at", "request", q.id, "left", over)
		results = results[over:]
	}
	a := call.Results{Actor: q.Actor, Exchange: q.exchangeOf(f), List: make([]call.Result, len(results))}
	for i, r := range results {
		a.List[i] = call.Result{WireID: r.WireID, Tool: r.Tool, Args: r.Args, Measure: r.Measure, Failed: r.Failed, New: r.New}
	}
	q.door.cfg.Judge.RecordResults(ctx, a)
}

// newest leaves only the last of several results with the same id: it is the result of the last call with that id.
func newest(results []dialect.Result) []dialect.Result {
	last := map[string]int{}
	for i, r := range results {
		last[r.WireID] = i
	}
	var left []dialect.Result
	for i, r := range results {
		if r.WireID == "" || last[r.WireID] == i {
			left = append(left, r)
		}
	}
	return left
}
