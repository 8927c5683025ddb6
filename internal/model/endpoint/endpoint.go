// Package endpoint lists the endpoints of model APIs and how weir treats each.
package endpoint

import (
	"slices"
	"sync"

	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
	"github.com/weir-gate/weir/internal/model/dialect/gemini"
	"github.com/weir-gate/weir/internal/model/dialect/ollama"
	"github.com/weir-gate/weir/internal/model/dialect/openaichat"
	"github.com/weir-gate/weir/internal/model/dialect/openairesponses"
)

// Treatment says what weir does with the requests for an endpoint and with their responses.
type Treatment uint8

// The treatments. The zero value is Gated, so that nothing passes unread by mistake.
const (
	// Gated: its responses are model output. They go through the gate, and are refused if no format can read them.
	Gated Treatment = iota
	// Passes: its responses hold no model output. They pass, unless something in them has the shape of a call.
	Passes
	// Content: its responses are files or sound of any type. JSON and lines of JSON go through the gate, according to their shape.
	// Other bytes pass unless some reader could find a call in them.
	Content
	// Refused: the request is not sent. Its response would be model output, or a way around weir, in a form that weir cannot judge.
	Refused
	// Changes: it changes the models of a model server. It is refused unless the upstream's configuration allows it.
	Changes
)

var treatmentNames = [...]string{Gated: "gated", Passes: "passes", Content: "content", Refused: "refused", Changes: "changes"}

// String returns the treatment's name as the documentation has it.
func (t Treatment) String() string {
	if int(t) < len(treatmentNames) {
		return treatmentNames[t]
	}
	return "unknown"
}

// A Row is one endpoint, or several with the same treatment.
type Row struct {
	Method    string // "*": any
	Path      string // a pattern; see the package's pattern.go
	Treatment Treatment
	Format    string // name of the wire format of its requests and responses; "": none, or one that weir does not read
	Offers    bool   // its requests may declare tools in Format
	Quiet     bool   // of a gated endpoint: its responses may have no model output at all (an empty list, an id)
	Note      string // of a refused endpoint: what it is and why it is refused, for the client and the documentation; else a remark or ""
}

// An Upstream is a model API that weir knows.
type Upstream struct {
	Name    string // in the configuration and in paths
	Address string // may contain {region} and the like
	// BuiltIn says that it needs no declaration. Others must be declared, under any name.
	BuiltIn bool
	// Format is the name of a built-in upstream's format, unless a request or a response shows another.
	Format string
}

// A Table has the endpoints of one upstream. Their paths come after its address.
type Table struct {
	Upstream // zero: the table is for all upstreams together
	Rows     []Row

	index *index
}

// upstreams are all known upstreams, in the order of the documentation.
var upstreams = []struct {
	Upstream
	rows func() []Row
}{
	{Upstream{"anthropic", "https://api.anthropic.com", true, anthropic.Name}, anthropicRows},
	{Upstream{"openai", "https://api.openai.com", true, openaichat.Name}, openaiRows},
	{Upstream{"gemini", "https://generativelanguage.googleapis.com", true, gemini.Name}, geminiRows},
	{Upstream{"xai", "https://api.x.ai", true, openaichat.Name}, xaiRows},
	{Upstream{"mistral", "https://api.mistral.ai", true, openaichat.Name}, mistralRows},
	{Upstream{"groq", "https://api.groq.com/openai", true, openaichat.Name}, groqRows},
	{Upstream{"deepseek", "https://api.deepseek.com", true, openaichat.Name}, deepseekRows},
	{Upstream{"openrouter", "https://openrouter.ai/api", true, openaichat.Name}, openrouterRows},
	{Upstream{"ollama", "http://127.0.0.1:11434", true, ollama.Name}, ollamaRows},
	// Codex with a ChatGPT login, and Gemini CLI with a Google login.
	{Upstream{"chatgpt", "https://chatgpt.com/backend-api/codex", true, openairesponses.Name}, chatgptRows},
	{Upstream{"codeassist", "https://cloudcode-pa.googleapis.com", true, gemini.Name}, codeAssistUpstreamRows},
	{Upstream{"bedrock", "https://bedrock-runtime.{region}.amazonaws.com", false, ""}, bedrockRows},
	{Upstream{"vertex", "https://{region}-aiplatform.googleapis.com", false, ""}, vertexRows},
}

// BuiltIn returns the addresses of the upstreams that need no declaration, by their names.
func BuiltIn() map[string]string {
	all := map[string]string{}
	for _, u := range upstreams {
		if u.BuiltIn {
			all[u.Name] = u.Address
		}
	}
	return all
}

// Tables returns one table for each upstream.
func Tables() []Table {
	var tables []Table
	for _, u := range upstreams {
		rows := u.rows()
		tables = append(tables, Table{Upstream: u.Upstream, Rows: rows, index: newIndex(rows, strictest)})
	}
	return tables
}

// Of returns the table of a built-in upstream. For any other name it returns a table with the rows of all tables: weir does not
// know which API is behind a name that a user chose.
func Of(upstream string) *Table {
	tables := byName()
	if t, ok := tables[upstream]; ok {
		return t
	}
	return tables[""]
}

// byName has the built-in tables, and under "" the table of all upstreams. It is built once.
var byName = sync.OnceValue(func() map[string]*Table {
	tables := Tables()
	named := map[string]*Table{"": union(tables)}
	for i := range tables {
		if tables[i].BuiltIn {
			named[tables[i].Name] = &tables[i]
		}
	}
	return named
})

// union returns a table with the rows of all tables. Of several rows for the same method and path, the one that prevails stays.
func union(tables []Table) *Table {
	at := map[[2]string]int{}
	var rows []Row
	for _, t := range tables {
		for _, r := range t.Rows {
			key := [2]string{r.Method, parse(r.Path).String()}
			i, there := at[key]
			switch {
			case !there:
				at[key] = len(rows)
				rows = append(rows, r)
			case prevails(r, rows[i]):
				rows[i] = r
			}
		}
	}
	rows = slices.Clip(rows)
	return &Table{Rows: rows, index: newIndex(rows, gateFirst)}
}

// prevails says whether a replaces b in a table of all upstreams.
func prevails(a, b Row) bool {
	if a.Treatment != b.Treatment {
		return gateFirst[a.Treatment] > gateFirst[b.Treatment]
	}
	return a.Offers && !b.Offers
}

// Find returns the row of the request's endpoint. The path is clean and escaped. Neither the case of its letters nor
// their escaping makes a difference, and HEAD counts as GET.
//
// If several rows match, the most specific one counts: a path without ** before one with it, then the one with more literal
// segments, with more verbs, with more versions, with more segments, with a specific method. Of equally specific rows the strictest
// counts: refused, changes, gated, content, passes. Only in the table of all upstreams does a gated row count before a refused one
// of another API: the gate refuses what it cannot read.
func (t *Table) Find(method, path string) (Row, bool) {
	if i := t.index.find(method, path); i >= 0 {
		return t.Rows[i], true
	}
	return Row{}, false
}
