package ollama

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
	tools, err := dialect.OfferMember(root, "tools")
	if err != nil {
		return dialect.Request{}, err
	}
	if k := tools.Kind(); k != strictjson.Array && k != strictjson.Missing {
		return dialect.Request{}, dialect.ErrUnreadable
	}
	var offers []dialect.Offer
	for v := range tools.Elems() {
		offer, err := offerOf(v)
		if err != nil {
			return dialect.Request{}, err
		}
		offers = append(offers, offer)
	}
	return dialect.Request{Offers: offers, Results: resultsOf(root)}, nil
}

// offerOf reads an entry of a request's tools.
func offerOf(v strictjson.Value) (dialect.Offer, error) {
	if v.Kind() != strictjson.Object {
		return dialect.Offer{}, dialect.ErrUnreadable
	}
	typ, err := dialect.OfferText(v, "type")
	if err != nil {
		return dialect.Offer{}, err
	}
	function, err := dialect.OfferMember(v, "function")
	if err != nil {
		return dialect.Offer{}, err
	}
	start, _ := v.Span()
	offer := dialect.Offer{Declared: dialect.WithoutSecrets(v), Cuts: []dialect.Cut{{Start: start}}}
	switch function.Kind() {
	case strictjson.Object:
		offer.Names, offer.Spellings, err = namesOf(v, function, typ)
	case strictjson.Missing:
		offer.Names, err = unknownNames(v, typ)
	default:
		err = dialect.ErrUnreadable
	}
	return offer, err
}

// functionType is the type of tools that the client runs.
const functionType = "function"

// namesOf is what a function is called, and other ways to write that. A name beside the function is none to this API, but
// might be one to servers that read others too.
func namesOf(v, function strictjson.Value, typ string) (names, spellings []string, err error) {
	for _, holder := range []strictjson.Value{function, v} {
		name, err := dialect.OfferText(holder, "name")
		if err != nil {
			return nil, nil, err
		}
		if name == "" && names == nil {
			return nil, nil, dialect.ErrUnreadable
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if typ != "" && typ != functionType && typ != names[0] {
		spellings = []string{typ}
	}
	return names, spellings, nil
}

// unknownNames is what a tool of a kind that we do not know is called, as in a response: by its type, and by its name if it
// has one.
func unknownNames(v strictjson.Value, typ string) ([]string, error) {
	name, err := dialect.OfferText(v, "name")
	if err != nil {
		return nil, err
	}
	var names []string
	if typ != "" && typ != functionType {
		names = []string{typ}
	}
	if name != "" && name != typ {
		names = append(names, name)
	}
	if names == nil {
		return nil, dialect.ErrUnreadable
	}
	return names, nil
}

// stripOffers takes tools out of a request. Nothing else of it speaks of them.
func stripOffers(body []byte, offers []dialect.Offer) []byte {
	var places []dialect.Cut
	for _, o := range offers {
		places = append(places, o.Cuts...)
	}
	return dialect.Without(body, places)
}
