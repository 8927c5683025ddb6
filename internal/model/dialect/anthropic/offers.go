package anthropic

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// requests says where requests have tools and results.
var requests = dialect.RequestTable{Units: unitsOf, Offers: readOffers, Results: resultsOf, Orphans: orphansOf}

// unitsOf returns the requests in a body: the body itself, and the requests of a batch.
func unitsOf(l *dialect.Lookup, root strictjson.Value) []strictjson.Value {
	units := []strictjson.Value{root}
	for entry := range l.List(root, "requests").Elems() {
		if params := l.Member(entry, "params"); params.Kind() == strictjson.Object {
			units = append(units, params)
		}
	}
	return units
}

// An offering collects the offers of one request.
type offering struct {
	*dialect.Lookup
	offers  []*dialect.Offer
	tools   map[string]*dialect.Offer // tools without a server, by name; the last of several with one name
	servers map[string]*server
	changes []change // changes that refer to tools declared elsewhere
}

// readOffers returns the offers of one request.
func readOffers(l *dialect.Lookup, unit strictjson.Value) []dialect.Offer {
	o := &offering{Lookup: l, tools: map[string]*dialect.Offer{}, servers: map[string]*server{}}
	for v := range o.List(unit, "tools").Elems() {
		o.readTool(v, placeOf(v))
	}
	o.readServers(unit)
	o.readContainer(unit)
	o.readMessages(unit)
	o.resolve()
	for _, s := range o.servers {
		s.finish()
	}
	offers := make([]dialect.Offer, 0, len(o.offers))
	for _, offer := range o.offers {
		if offer.Fixed {
			offer.Cuts = nil
		}
		offers = append(offers, *offer)
	}
	return offers
}

// A spot is a position in a request that is about a tool.
type spot struct {
	cut dialect.Cut
	// fixed says that the tool cannot be removed there.
	fixed bool
}

func placeOf(v strictjson.Value) spot { return spot{cut: dialect.CutOf(v)} }

// at adds a spot to an offer.
func at(offer *dialect.Offer, s spot) {
	offer.Cuts = append(offer.Cuts, s.cut)
	offer.Fixed = offer.Fixed || s.fixed
}

// readTool reads the declaration of a tool.
func (o *offering) readTool(v strictjson.Value, s spot) {
	if !o.Object(v) {
		return
	}
	typ := o.Text(v, "type")
	if typ == "mcp_toolset" {
		o.readToolset(v, s)
		return
	}
	name, inner := o.Text(v, "name"), o.Text(o.Member(v, "function"), "name")
	if typ == "custom" {
		typ = ""
	}
	if name == "" && (typ == "" || typ == "function") {
		name, inner = inner, ""
	}
	if typ == "" && name == "" {
		o.Fail(dialect.ErrUnreadable)
		return
	}
	names, spellings := namesOf(typ, name, v)
	if inner != "" && !slices.Contains(names, inner) {
		names = append(names, inner) // servers that also accept other APIs look for the name there
	}
	o.add(&dialect.Offer{Names: names, Spellings: spellings, Declared: dialect.WithoutSecrets(v)}, s)
}

// add adds a tool without a server.
func (o *offering) add(offer *dialect.Offer, s spot) {
	at(offer, s)
	o.offers = append(o.offers, offer)
	o.tools[offer.Names[0]] = offer
}

// containerTool is the tool name of the container in which the provider runs code.
const containerTool = "container"

// readContainer reads the container in which the provider runs code. Its contents, such as skills, are not in the request.
func (o *offering) readContainer(unit strictjson.Value) {
	if container := o.Member(unit, containerTool); container.Kind() != strictjson.Missing {
		o.offers = append(o.offers, &dialect.Offer{
			Names: []string{containerTool}, Declared: dialect.Declared(containerTool, container), Fixed: true,
		})
	}
}
