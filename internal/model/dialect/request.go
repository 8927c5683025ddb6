package dialect

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/strictjson"
)

// Requests parses and edits the requests of a format: the tools that they offer to the model, and the results of calls in them.
type Requests struct {
	// Read returns the tools and results in a body. It fails, with a text for the client, if readers could disagree on them. It does
	// not report other errors in the body: the provider does.
	Read func(body []byte) (Request, error)
	// Strip returns the body without offers that Read found in it, and without parts that make no sense without them: a choice of such
	// a tool, an empty list.
	Strip func(body []byte, offers []Offer) []byte
}

// A Request is the tools and results in one request. It aliases the request's body.
type Request struct {
	Offers  []Offer
	Results []Result // in the order of the conversation
}

// An Offer is a tool that a request lets the model call, or the provider run.
type Offer struct {
	// Names are the names that its calls could have. All are judged; if one is refused, the offer is. There is at least one name.
	Names []string
	// Spellings are other ways to write the first of Names: the type of a tool that the provider defines.
	Spellings []string
	// Server is the MCP server whose tools are offered; "": none.
	Server string
	// Open says that the offer has all tools of Server, whatever their names: a rule that could match one of them matches. Names then
	// has one name for the whole offer.
	Open bool
	// Declared is the declaration without its secrets, as one JSON object. Conditions of rules look at it.
	Declared jsontext.Value
	// Fixed says that the offer cannot be removed without changing the meaning of the rest of the request. If it is refused, so is the
	// request.
	Fixed bool
	// Cuts are the values that Strip removes from the body.
	Cuts []Cut
}

// ServerName is the tool name of every MCP server that a request offers as a whole.
const ServerName = "mcp"

// IsServer says whether the offer is an MCP server, rather than one tool.
func (o Offer) IsServer() bool {
	return o.Server != "" && (o.Names[0] == ServerName || slices.Contains(o.Spellings, ServerName))
}

// A Cut removes or replaces a value of a request's body.
type Cut struct {
	Start int // of the value, in bytes
	// With is the JSON that replaces the value; nil: the value is removed, and with it every container that would be empty then.
	With []byte
}

// CutOf returns the Cut that removes a value.
func CutOf(v strictjson.Value) Cut {
	start, _ := v.Span()
	return Cut{Start: start}
}

// A Result is the result of a call, as a request reports it.
type Result struct {
	WireID string // of the call; "": the format has none
	Tool   string // of the call, if the request names it
	// Args are the arguments of the call as the request repeats them, if the format has no ids; else nil.
	Args jsontext.Value
	// Content is what the call returned: a text, or whatever the format allows.
	Content strictjson.Value
	Failed  bool // the client says that the call failed
	// New says that no turn of the model comes after it.
	New bool
}

// Measure returns the size of the content in bytes and its SHA-256. For a text these are of the text itself; for anything else, of
// its JSON as it was sent.
func (r Result) Measure() (size int64, digest string) {
	content := r.Content.Raw()
	if r.Content.Kind() == strictjson.String {
		content = r.Content.AppendText(nil)
	}
	sum := sha256.Sum256(content)
	return int64(len(content)), "sha256:" + hex.EncodeToString(sum[:])
}

// Without returns a body after some cuts. A body that cannot be parsed is returned unchanged.
func Without(body []byte, cuts []Cut) []byte {
	var doc strictjson.Doc
	if len(cuts) == 0 || doc.Parse(body) != nil {
		return body
	}
	at := make(map[int][]byte, len(cuts))
	for _, c := range cuts {
		at[c.Start] = c.With
	}
	return strictjson.Splice(body, doc.Root().Prune(func(v strictjson.Value) (with []byte, marked bool) {
		start, _ := v.Span()
		with, marked = at[start]
		return with, marked
	})...)
}
