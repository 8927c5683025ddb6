package dialect

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/strictjson"
)

// Requests reads and edits the requests of a format: the tools that they offer to the model, and the results of calls that
// they bring back.
type Requests struct {
	// Read finds out what a body says of tools. It fails if readers could disagree on that, with words for the client. A body
	// without tools has none; what is wrong with it otherwise is for the provider to say.
	Read func(body []byte) (Request, error)
	// Strip returns the body without offers that Read found in it, and without what would make no sense without them: a
	// choice of such a tool, an empty list.
	Strip func(body []byte, offers []Offer) []byte
}

// A Request is what one request says of tools. It aliases the request's body.
type Request struct {
	Offers  []Offer
	Results []Result // in the order of the conversation
}

// An Offer is a tool that a request lets the model call, or the provider run.
type Offer struct {
	// Names are those that its calls could have; all are judged, one refusal refuses. There is at least one.
	Names []string
	// Spellings are other ways to write the first of Names: the type of a tool that the provider defines.
	Spellings []string
	// Server is the MCP server whose tools are offered; "": none.
	Server string
	// Open says that the offer holds all tools of Server, whatever their names: a rule that could match one of them matches.
	// Names then holds one name for the offer as a whole.
	Open bool
	// Declared is the declaration, one JSON object, without its secrets. Conditions of rules are about it.
	Declared jsontext.Value
	// Fixed says that the offer cannot be taken out of the request without changing what else it means: if it is refused, so
	// is the request.
	Fixed bool
	// Cuts are what Strip takes out of the body.
	Cuts []Cut
}

// ServerName is the name that every MCP server has which a request offers as a whole.
const ServerName = "mcp"

// IsServer says whether the offer is an MCP server, rather than one tool.
func (o Offer) IsServer() bool {
	return o.Server != "" && (o.Names[0] == ServerName || slices.Contains(o.Spellings, ServerName))
}

// A Cut takes a value out of a request's body.
type Cut struct {
	Start int // of the value, in bytes
	// With is the JSON that stands there instead; nil: nothing does, and whatever holds nothing else goes, too.
	With []byte
}

// CutOf takes out a value.
func CutOf(v strictjson.Value) Cut {
	start, _ := v.Span()
	return Cut{Start: start}
}

// A Result is what a request says that a call gave.
type Result struct {
	WireID string // of the call; "": the wire gives none
	Tool   string // of the call, where the request names it
	// Args are the arguments of the call as the request repeats them, if the wire gives no ids; else nil.
	Args jsontext.Value
	// Content is what the call gave: a text, or whatever the wire allows.
	Content strictjson.Value
	Failed  bool // the client says that the call failed
	// New says that no turn of the model comes after it.
	New bool
}

// Measure returns the size of the content in bytes and its SHA-256: of a text, the text itself; of anything else, its JSON as it was
// sent.
func (r Result) Measure() (size int64, digest string) {
	content := r.Content.Raw()
	if r.Content.Kind() == strictjson.String {
		content = r.Content.AppendText(nil)
	}
	sum := sha256.Sum256(content)
	return int64(len(content)), "sha256:" + hex.EncodeToString(sum[:])
}

// Without returns a body after some cuts. A body that cannot be parsed comes back as it is.
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
