package gemini

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// readRequest finds the tools that a request offers, and the results that it brings back.
func readRequest(body []byte) (dialect.Request, error) {
	doc := new(strictjson.Doc)
	root, err := dialect.ParseRequest(doc, body)
	if err != nil {
		return dialect.Request{}, err
	}
	units, err := unitsOf(root)
	if err != nil {
		return dialect.Request{}, err
	}
	var all dialect.Request
	for _, unit := range units {
		offered, err := readOffers(unit)
		if err != nil {
			return dialect.Request{}, err
		}
		for _, o := range offered {
			all.Offers = append(all.Offers, o.Offer)
		}
		all.Results = append(all.Results, resultsOf(unit)...)
	}
	return all, nil
}

// unitsOf are the requests in a body: the body itself, the one that it wraps (Code Assist, the counting of tokens), and those
// of a batch.
func unitsOf(root strictjson.Value) ([]strictjson.Value, error) {
	units := []strictjson.Value{root}
	for _, name := range []string{"request", "generateContentRequest"} {
		wrapped, err := requestMember(root, name)
		if err != nil {
			return nil, err
		}
		if wrapped.Kind() == strictjson.Object {
			units = append(units, wrapped)
		}
	}
	batch := root
	for _, name := range []string{"batch", "inputConfig", "requests", "requests"} {
		var err error
		if batch, err = requestMember(batch, name); err != nil {
			return nil, err
		}
	}
	for entry := range elems(batch) {
		request, err := requestMember(entry, "request")
		if err != nil {
			return nil, err
		}
		if request.Kind() == strictjson.Object {
			units = append(units, request)
		}
	}
	return units, nil
}

// An offered is an offer as it is read.
type offered struct {
	dialect.Offer
	// function says that its calls are function calls, which a request may choose among.
	function bool
}

// readOffers reads what one request offers.
func readOffers(unit strictjson.Value) ([]offered, error) {
	tools, err := requestMember(unit, "tools")
	if err != nil {
		return nil, err
	}
	var r offers
	for tool := range elems(tools) {
		if err := r.readTool(tool); err != nil {
			return nil, err
		}
	}
	cached, err := requestMember(unit, cachedContent)
	if err != nil {
		return nil, err
	}
	if !isNone(cached) && !cached.Is("") {
		r.list = append(r.list, offered{Offer: dialect.Offer{
			Names: []string{cachedContent}, Spellings: []string{snake(cachedContent)},
			Declared: dialect.Declared(cachedContent, cached), Fixed: true,
		}})
	}
	return r.list, nil
}

// cachedContent names what the provider keeps of earlier requests. It may hold tools that are not in this one.
const cachedContent = "cachedContent"

// offers are the offers of one request as they are read.
type offers struct {
	list    []offered
	servers map[string]int // by name, where in list
}

// readTool reads an entry of a request's tools, every member of which is a tool or a list of tools.
func (r *offers) readTool(tool strictjson.Value) error {
	if tool.Kind() != strictjson.Object {
		return dialect.ErrUnreadable
	}
	seen := map[string]bool{}
	for n, v := range tool.Members() {
		name, err := dialect.OfferName(n)
		if err != nil || name == "" {
			return dialect.ErrUnreadable
		}
		known := knownMember(name)
		if seen[key(name)] || known != "" && name != known && name != snake(known) {
			return dialect.ErrTwoReadings
		}
		seen[key(name)] = true
		if v.Kind() == strictjson.Null {
			continue
		}
		if err := r.readMember(name, known, v); err != nil {
			return err
		}
	}
	return nil
}

// readMember reads a member of an entry of a request's tools; known is its usual spelling.
func (r *offers) readMember(name, known string, v strictjson.Value) error {
	switch known {
	case "functionDeclarations":
		for function := range elems(v) {
			if err := r.readFunction(function); err != nil {
				return err
			}
		}
		return nil
	case "mcpServers":
		for server := range elems(v) {
			if err := r.readServer(server); err != nil {
				return err
			}
		}
		return nil
	}
	o := offered{Offer: hostedOffer(name, known, v)}
	o.function = known == computerUse
	o.Declared, o.Cuts = dialect.Declared(name, v), placeOf(v)
	r.list = append(r.list, o)
	return nil
}

func placeOf(v strictjson.Value) []dialect.Cut {
	start, _ := v.Span()
	return []dialect.Cut{{Start: start}}
}

// readFunction reads a tool that the client runs.
func (r *offers) readFunction(v strictjson.Value) error {
	name, err := nameOf(v)
	if err != nil {
		return err
	}
	r.list = append(r.list, offered{
		Offer:    dialect.Offer{Names: []string{name}, Declared: dialect.WithoutSecrets(v), Cuts: placeOf(v)},
		function: true,
	})
	return nil
}

// readServer reads an MCP server that the provider connects to. Two entries with one name are one server.
func (r *offers) readServer(v strictjson.Value) error {
	name, err := nameOf(v)
	if err != nil {
		return err
	}
	if i, ok := r.servers[name]; ok {
		r.list[i].Cuts = append(r.list[i].Cuts, placeOf(v)...)
		return nil
	}
	if r.servers == nil {
		r.servers = map[string]int{}
	}
	r.servers[name] = len(r.list)
	r.list = append(r.list, offered{Offer: dialect.Offer{
		Names: []string{dialect.ServerName}, Server: name, Open: true, Declared: dialect.WithoutSecrets(v), Cuts: placeOf(v),
	}})
	return nil
}

// nameOf is the name of a tool or server, which must have one.
func nameOf(v strictjson.Value) (string, error) {
	if v.Kind() != strictjson.Object {
		return "", dialect.ErrUnreadable
	}
	m, err := requestMember(v, "name")
	if err != nil {
		return "", err
	}
	name, err := dialect.OfferName(m)
	if err == nil && name == "" {
		err = dialect.ErrUnreadable
	}
	return name, err
}
