package anthropic

import (
	"slices"

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
		offers, err := readOffers(unit)
		if err != nil {
			return dialect.Request{}, err
		}
		all.Offers = append(all.Offers, offers...)
		all.Results = append(all.Results, resultsOf(unit)...)
	}
	return all, nil
}

// unitsOf are the requests in a body: the body itself, and those of a batch.
func unitsOf(root strictjson.Value) ([]strictjson.Value, error) {
	units := []strictjson.Value{root}
	batch, err := listMember(root, "requests")
	if err != nil {
		return nil, err
	}
	for entry := range batch.Elems() {
		params, err := dialect.OfferMember(entry, "params")
		if err != nil {
			return nil, err
		}
		if params.Kind() == strictjson.Object {
			units = append(units, params)
		}
	}
	return units, nil
}

// listMember is a member on the way to a tool that is an array where it is there at all.
func listMember(v strictjson.Value, name string) (strictjson.Value, error) {
	m, err := dialect.OfferMember(v, name)
	if err != nil {
		return m, err
	}
	if k := m.Kind(); k != strictjson.Array && k != strictjson.Missing {
		return m, dialect.ErrUnreadable
	}
	return m, nil
}

// An offering is what one request offers as it is read.
type offering struct {
	offers  []*dialect.Offer
	tools   map[string]*dialect.Offer // those that are no server's, by name; of several with one name the last
	servers map[string]*server
	changes []change // those that refer to what is declared elsewhere
}

// readOffers reads what one request offers.
func readOffers(unit strictjson.Value) ([]dialect.Offer, error) {
	o := &offering{tools: map[string]*dialect.Offer{}, servers: map[string]*server{}}
	for _, read := range []func(strictjson.Value) error{o.readTools, o.readServers, o.readContainer, o.readMessages} {
		if err := read(unit); err != nil {
			return nil, err
		}
	}
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
	return offers, nil
}

func (o *offering) readTools(unit strictjson.Value) error {
	tools, err := listMember(unit, "tools")
	if err != nil {
		return err
	}
	for v := range tools.Elems() {
		if err := o.readTool(v, placeOf(v)); err != nil {
			return err
		}
	}
	return nil
}

// A spot is where a request speaks of a tool.
type spot struct {
	place dialect.Cut
	// fixed says that it cannot be taken out there.
	fixed bool
}

func placeOf(v strictjson.Value) spot {
	start, _ := v.Span()
	return spot{place: dialect.Cut{Start: start}}
}

// at adds a spot to an offer.
func at(offer *dialect.Offer, s spot) {
	offer.Cuts = append(offer.Cuts, s.place)
	offer.Fixed = offer.Fixed || s.fixed
}

// readTool reads the declaration of a tool.
func (o *offering) readTool(v strictjson.Value, s spot) error {
	if v.Kind() != strictjson.Object {
		return dialect.ErrUnreadable
	}
	typ, err := dialect.OfferText(v, "type")
	if err != nil {
		return err
	}
	if typ == "mcp_toolset" {
		return o.readToolset(v, s)
	}
	name, err := dialect.OfferText(v, "name")
	if err != nil {
		return err
	}
	function, err := dialect.OfferMember(v, "function")
	if err != nil {
		return err
	}
	inner, err := dialect.OfferText(function, "name")
	if err != nil {
		return err
	}
	if typ == "custom" {
		typ = ""
	}
	if name == "" && (typ == "" || typ == "function") {
		name, inner = inner, ""
	}
	if typ == "" && name == "" {
		return dialect.ErrUnreadable
	}
	names, spellings := namesOf(typ, name, v)
	if inner != "" && !slices.Contains(names, inner) {
		names = append(names, inner) // servers that read other APIs too have the name there
	}
	o.add(&dialect.Offer{Names: names, Spellings: spellings, Declared: dialect.WithoutSecrets(v)}, s)
	return nil
}

// add adds a tool that is no server's.
func (o *offering) add(offer *dialect.Offer, s spot) {
	at(offer, s)
	o.offers = append(o.offers, offer)
	o.tools[offer.Names[0]] = offer
}

// containerTool is the name of the place where the provider runs code.
const containerTool = "container"

// readContainer reads where the provider runs code. What it holds, skills among it, is not in the request.
func (o *offering) readContainer(unit strictjson.Value) error {
	container, err := dialect.OfferMember(unit, containerTool)
	if err != nil || container.Kind() == strictjson.Missing {
		return err
	}
	o.offers = append(o.offers, &dialect.Offer{
		Names: []string{containerTool}, Declared: dialect.Declared(containerTool, container), Fixed: true,
	})
	return nil
}
