package gemini

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// requests says where requests have tools and results.
var requests = dialect.RequestTable{
	Units: unitsOf,
	Offers: func(l *dialect.Lookup, unit strictjson.Value) (all []dialect.Offer) {
		for _, o := range readOffers(l, unit) {
			all = append(all, o.Offer)
		}
		return all
	},
	Results: resultsOf, Orphans: orphansOf,
}

// unitsOf returns the requests in a body: the body itself, the request that it wraps (Code Assist, the counting of tokens), and the
// requests of a batch.
func unitsOf(l *dialect.Lookup, root strictjson.Value) []strictjson.Value {
	units := []strictjson.Value{root}
	add := func(v strictjson.Value) {
		if v.Kind() == strictjson.Object {
			units = append(units, v)
		}
	}
	add(requestMember(l, root, "request"))
	add(requestMember(l, root, "generateContentRequest"))
	batch := root
	for _, name := range []string{"batch", "inputConfig", "requests", "requests"} {
		batch = requestMember(l, batch, name)
	}
	for entry := range elems(batch) {
		add(requestMember(l, entry, "request"))
	}
	return units
}

// An offered is an offer with what is only needed during parsing.
type offered struct {
	dialect.Offer
	// function says that its calls are function calls, which a request may choose among.
	function bool
}

// readOffers returns the offers of one request.
func readOffers(l *dialect.Lookup, unit strictjson.Value) []offered {
	r := offers{Lookup: l}
	for tool := range elems(requestMember(l, unit, "tools")) {
		r.readTool(tool)
	}
	if cached := requestMember(l, unit, cachedContent); dialect.Present(cached) && !cached.Is("") {
		r.list = append(r.list, offered{Offer: dialect.Offer{
			Names: []string{cachedContent}, Spellings: []string{snake(cachedContent)},
			Declared: dialect.Declared(cachedContent, cached), Fixed: true,
		}})
	}
	return r.list
}

// cachedContent is the member that refers to content that the provider stores from earlier requests. It may have tools that are not
// in this request.
const cachedContent = "cachedContent"

// offers collects the offers of one request.
type offers struct {
	*dialect.Lookup
	list    []offered
	servers map[string]int // by name: the index in list
}

// readTool reads an entry of a request's tools, every member of which is a tool or a list of tools.
func (r *offers) readTool(tool strictjson.Value) {
	if !r.Object(tool) {
		return
	}
	seen := map[string]bool{}
	for n, v := range tool.Members() {
		name := r.Name(n)
		if name == "" {
			r.Fail(dialect.ErrUnreadable)
			return
		}
		known := knownMember(name)
		if seen[key(name)] || known != "" && name != known && name != snake(known) {
			r.Fail(dialect.ErrTwoReadings)
			return
		}
		seen[key(name)] = true
		if v.Kind() != strictjson.Null {
			r.readMember(name, known, v)
		}
	}
}

// readMember reads a member of an entry of a request's tools; known is its usual spelling.
func (r *offers) readMember(name, known string, v strictjson.Value) {
	switch known {
	case "functionDeclarations":
		for function := range elems(v) {
			r.add(dialect.Offer{Names: []string{r.nameOf(function)}, Declared: dialect.WithoutSecrets(function)}, function, true)
		}
	case "mcpServers":
		for server := range elems(v) {
			r.readServer(server)
		}
	default:
		o := hostedOffer(name, known, v)
		o.Declared = dialect.Declared(name, v)
		r.add(o, v, known == computerUse)
	}
}

// add adds an offer, which is the value v.
func (r *offers) add(o dialect.Offer, v strictjson.Value, function bool) {
	o.Cuts = []dialect.Cut{dialect.CutOf(v)}
	r.list = append(r.list, offered{Offer: o, function: function})
}

// readServer reads an MCP server that the provider connects to. Two entries with one name are one server.
func (r *offers) readServer(v strictjson.Value) {
	name := r.nameOf(v)
	if i, ok := r.servers[name]; ok {
		r.list[i].Cuts = append(r.list[i].Cuts, dialect.CutOf(v))
		return
	}
	if r.servers == nil {
		r.servers = map[string]int{}
	}
	r.servers[name] = len(r.list)
	r.add(dialect.Offer{Names: []string{dialect.ServerName}, Server: name, Open: true, Declared: dialect.WithoutSecrets(v)}, v, false)
}

// nameOf returns the name of a tool or server; a missing name is a failure.
func (r *offers) nameOf(v strictjson.Value) string {
	if !r.Object(v) {
		return ""
	}
	name := r.Name(requestMember(r.Lookup, v, "name"))
	if name == "" {
		r.Fail(dialect.ErrUnreadable)
	}
	return name
}
