package ollama

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// requests says where requests have tools and results. No other part of a request is about tools.
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

// namesOf returns the names of a function, and other spellings of them. This API ignores a name beside the function, but servers
// that also accept other APIs might use it.
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

// unknownNames returns the names of a tool of an unknown kind, as in a response: its type, and its name if it has one.
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
