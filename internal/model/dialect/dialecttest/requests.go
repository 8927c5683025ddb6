package dialecttest

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Requests holds what a format says of requests to its promises.
type Requests struct {
	Format dialect.Format
	// Offered are the names of the tools in a body as a lenient reader finds them: the last of two members, whatever else
	// is wrong with the body.
	Offered func(body any) []string
	// The tables.
	Offers     OfferCases
	Strips     StripCases
	Unreadable UnreadableCases
	Results    ResultCases
	// GivesUp says that Strip may return a body as it is, because the API would not take what is left.
	GivesUp bool
}

// Check reads a body, strips sets of its offers and looks at what is left. The body may be anything.
func (q Requests) Check(t testing.TB, body []byte, r *rand.Rand) {
	t.Helper()
	was := bytes.Clone(body)
	request, err := q.Format.Requests.Read(body)
	if err != nil {
		return
	}
	checkOffers(t, body, request.Offers)
	for _, result := range request.Results {
		if size, digest := result.Measure(); size > int64(len(body)) || len(digest) != len("sha256:")+64 {
			t.Fatalf("result of %d bytes with digest %q in a body of %d", size, digest, len(body))
		}
	}
	if got := q.Format.Requests.Strip(body, nil); !bytes.Equal(got, body) {
		t.Fatalf("stripped of nothing:\n%s\nwas\n%s", got, body)
	}
	for _, pick := range picks(len(request.Offers), r) {
		q.checkStrip(t, body, request.Offers, pick)
	}
	if !bytes.Equal(was, body) {
		t.Fatalf("the body was written to:\n%s\nwas\n%s", body, was)
	}
}

// picks are sets of offers, each given by whether it has the offer: all sets of few offers, some of many.
func picks(n int, r *rand.Rand) [][]bool {
	const all = 5
	sets := min(1<<min(n, all), 16)
	var out [][]bool
	for set := range sets {
		pick := make([]bool, n)
		for i := range pick {
			pick[i] = set>>i&1 == 1
			if n > all {
				pick[i] = set == 0 || r.IntN(2) == 0
			}
		}
		out = append(out, pick)
	}
	return out
}

func checkOffers(t testing.TB, body []byte, offers []dialect.Offer) {
	t.Helper()
	for _, o := range offers {
		if len(o.Names) == 0 || slices.Contains(o.Names, "") {
			t.Fatalf("an offer without a name: %+v", o)
		}
		if o.Open && o.Server == "" {
			t.Fatalf("an open offer of no server: %+v", o)
		}
		var doc strictjson.Doc
		if err := doc.Parse(o.Declared); err != nil || doc.Root().Kind() != strictjson.Object {
			t.Fatalf("declared as %s: %v", o.Declared, err)
		}
		if o.Fixed != (len(o.Cuts) == 0) {
			t.Fatalf("fixed %v with %d places: %+v", o.Fixed, len(o.Cuts), o)
		}
		for _, p := range o.Cuts {
			if p.Start <= 0 || p.Start >= len(body) {
				t.Fatalf("a place at %d in a body of %d bytes", p.Start, len(body))
			}
		}
	}
}

// checkStrip strips the offers that are picked: those that are left must be the others, and those only, to any reader.
func (q Requests) checkStrip(t testing.TB, body []byte, offers []dialect.Offer, pick []bool) {
	t.Helper()
	var gone, left []dialect.Offer
	stays := map[string]bool{}
	for i, o := range offers {
		if pick[i] && !o.Fixed {
			gone = append(gone, o)
			continue
		}
		left = append(left, o)
		for _, name := range o.Names {
			stays[name] = true
		}
	}
	out := q.Format.Requests.Strip(body, gone)
	if q.GivesUp && bytes.Equal(out, body) {
		return
	}
	var doc strictjson.Doc
	if err := doc.Parse(out); err != nil && len(gone) > 0 {
		t.Fatalf("stripped:\n%s\n%v; was\n%s", out, err, body)
	}
	after, err := q.Format.Requests.Read(out)
	if err != nil {
		t.Fatalf("stripped:\n%s\nread: %v; was\n%s", out, err, body)
	}
	if diff := cmp.Diff(withoutPlaces(left), withoutPlaces(after.Offers)); diff != "" {
		t.Fatalf("left after stripping (-want +got):\n%s\n%s\nwas\n%s", diff, out, body)
	}
	var lenient any
	if err := json.Unmarshal(out, &lenient); err != nil {
		return
	}
	for _, name := range q.Offered(lenient) {
		if slices.ContainsFunc(gone, func(o dialect.Offer) bool { return slices.Contains(o.Names, name) }) && !stays[name] {
			t.Fatalf("%q was stripped and is still offered in\n%s\nwas\n%s", name, out, body)
		}
	}
}

// withoutPlaces is offers without where they stand.
func withoutPlaces(offers []dialect.Offer) []dialect.Offer {
	out := []dialect.Offer{}
	for _, o := range offers {
		o.Cuts = nil
		out = append(out, o)
	}
	return out
}

// At finds the values at the end of a path of members in what encoding/json read. Lists on the way are gone through.
func At(v any, path ...string) (found []any) {
	if list, ok := v.([]any); ok {
		for _, elem := range list {
			found = append(found, At(elem, path...)...)
		}
		return found
	}
	if len(path) == 0 {
		return []any{v}
	}
	if object, ok := v.(map[string]any); ok {
		return At(object[path[0]], path[1:]...)
	}
	return nil
}

// Texts are those of the values that are texts.
func Texts(values []any) (texts []string) {
	for _, v := range values {
		if text, ok := v.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}
