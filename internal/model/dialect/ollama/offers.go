package ollama

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// requests is where requests have tools and results. Nothing else of them speaks of tools.
var requests = dialect.RequestTable{Offers: offersOf, Results: resultsOf}

func offersOf(l *dialect.Lookup, root strictjson.Value) (offers []dialect.Offer) {
	for v := range l.List(root, "tools").Elems() {
		if l.Object(v) {
			offers = append(offers, offerOf(l, v))
		}
	}
	return offers
}

// offerOf reads an entry of a request's tools.
func offerOf(l *dialect.Lookup, v strictjson.Value) dialect.Offer {
	typ, function := l.Text(v, "type"), l.Member(v, "function")
	offer := dialect.Offer{Declared: dialect.WithoutSecrets(v), Cuts: []dialect.Cut{dialect.CutOf(v)}}
	if function.Kind() == strictjson.Missing {
		offer.Names = unknownNames(l, v, typ)
	} else if l.Object(function) {
		offer.Names, offer.Spellings = namesOf(l, v, function, typ)
	}
	return offer
}

// functionType is the type of tools that the client runs.
const functionType = "function"

// namesOf is what a function is called, and other ways to write that. A name beside the function is none to this API, but
// might be one to servers that read others too.
func namesOf(l *dialect.Lookup, v, function strictjson.Value, typ string) (names, spellings []string) {
	names = []string{l.RequiredText(function, "name")}
	if name := l.Text(v, "name"); name != "" && !slices.Contains(names, name) {
		names = append(names, name)
	}
	if typ != "" && typ != functionType && typ != names[0] {
		spellings = []string{typ}
	}
	return names, spellings
}

// unknownNames is what a tool of a kind that we do not know is called, as in a response: by its type, and by its name if it
// has one.
func unknownNames(l *dialect.Lookup, v strictjson.Value, typ string) (names []string) {
	if typ != "" && typ != functionType {
		names = []string{typ}
	}
	if name := l.Text(v, "name"); name != "" && name != typ {
		names = append(names, name)
	}
	if names == nil {
		l.Fail(dialect.ErrUnreadable)
	}
	return names
}
