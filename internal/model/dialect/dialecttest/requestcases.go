package dialecttest

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// The tables that a format has of requests, by what their rows show.
type (
	// OfferCases are bodies, what they offer, without where it stands, and what is left when all of that is stripped; "": nobody says.
	OfferCases = map[string]struct {
		Body     string
		Offers   []dialect.Offer
		Stripped string
	}
	// StripCases are bodies, the names of the tools or servers that are stripped from them, and what is left.
	StripCases = map[string]struct {
		Body  string
		Names []string
		Want  string
	}
	// UnreadableCases are bodies that cannot be read, and what is said of them; "": nobody says.
	UnreadableCases = map[string]struct{ Body, Error string }
	// ResultCases are bodies, and what calls gave.
	ResultCases = map[string]struct {
		Body    string
		Results []Given
	}
)

// Given is what a request says that a call gave, with the content as it was sent.
type Given struct {
	ID, Tool, Args, Content string
	Failed, New             bool
}

// Run checks the tables, and what holds of every request on all of their bodies and on mixtures of them.
func (q Requests) Run(t *testing.T) {
	t.Run("offers", q.testOffers)
	t.Run("strip", q.testStrip)
	t.Run("unreadable", q.testUnreadable)
	t.Run("results", q.testResults)
	t.Run("any", func(t *testing.T) {
		for _, body := range q.bodies() {
			q.Check(t, body, rand.New(rand.NewPCG(1, 2)))
		}
	})
	t.Run("mixed", func(t *testing.T) {
		bodies := q.bodies()
		for seed := range cases(1000) {
			r := rand.New(rand.NewPCG(seed, 3))
			q.Check(t, MixRequests(r, bodies), r)
		}
	})
}

// Fuzz feeds any bytes to the format, and with a number a mixture of bodies: bytes alone rarely stay JSON.
func (q Requests) Fuzz(f *testing.F) {
	bodies := q.bodies()
	for _, body := range need.Seeds(bodies) {
		f.Add(body, uint64(0))
	}
	for seed := range uint64(4) {
		f.Add([]byte("{}"), seed+1)
	}
	f.Fuzz(func(t *testing.T, body []byte, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 3))
		if seed > 0 {
			body = MixRequests(r, append(slices.Clone(bodies), body))
		}
		q.Check(t, body, r)
	})
}

// bodies are those of all tables, in order, so that a seed tells what is mixed.
func (q Requests) bodies() (all [][]byte) {
	for _, c := range q.Offers {
		all = append(all, []byte(c.Body))
	}
	for _, c := range q.Strips {
		all = append(all, []byte(c.Body))
	}
	for _, c := range q.Unreadable {
		all = append(all, []byte(c.Body))
	}
	for _, c := range q.Results {
		all = append(all, []byte(c.Body))
	}
	slices.SortFunc(all, bytes.Compare)
	return all
}

func (q Requests) read(t *testing.T, body string) dialect.Request {
	t.Helper()
	request, err := q.Format.Requests.Read([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return request
}

func (q Requests) testOffers(t *testing.T) {
	for name, c := range q.Offers {
		t.Run(name, func(t *testing.T) {
			offers := q.read(t, c.Body).Offers
			if diff := cmp.Diff(withoutPlaces(c.Offers), withoutPlaces(offers)); diff != "" {
				t.Errorf("offers (-want +got):\n%s", diff)
			}
			if got := string(q.Format.Requests.Strip([]byte(c.Body), offers)); c.Stripped != "" && got != c.Stripped {
				t.Errorf("stripped of all:\n%s\nwant\n%s", got, c.Stripped)
			}
		})
	}
}

func (q Requests) testStrip(t *testing.T) {
	for name, c := range q.Strips {
		t.Run(name, func(t *testing.T) {
			stripped := slices.DeleteFunc(q.read(t, c.Body).Offers, func(o dialect.Offer) bool {
				return !slices.ContainsFunc(append(o.Names, o.Server), func(n string) bool { return slices.Contains(c.Names, n) })
			})
			if got := string(q.Format.Requests.Strip([]byte(c.Body), stripped)); got != c.Want {
				t.Errorf("stripped:\n%s\nwant\n%s", got, c.Want)
			}
		})
	}
}

func (q Requests) testUnreadable(t *testing.T) {
	for name, c := range q.Unreadable {
		if request, err := q.Format.Requests.Read([]byte(c.Body)); err == nil || c.Error != "" && err.Error() != c.Error {
			t.Errorf("%s: read as %+v, %v; want %s", name, request, err, c.Error)
		}
	}
}

func (q Requests) testResults(t *testing.T) {
	for name, c := range q.Results {
		t.Run(name, func(t *testing.T) {
			var got []Given
			for _, r := range q.read(t, c.Body).Results {
				got = append(got, Given{r.WireID, r.Tool, string(r.Args), string(r.Content.Raw()), r.Failed, r.New})
			}
			if diff := cmp.Diff(c.Results, got); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
		})
	}
}

// BenchmarkRead reads a long conversation: 250 turns, each a call and its result. In turn # is the number of the call and @ what it
// gave.
func (q Requests) BenchmarkRead(b *testing.B, head, turn string) {
	text := bytes.Repeat([]byte("and then it went "), 480)
	body := []byte(head)
	for i := range 250 {
		if i > 0 {
			body = append(body, ',')
		}
		more := bytes.ReplaceAll([]byte(turn), []byte("#"), []byte(strconv.Itoa(i)))
		body = append(body, bytes.Replace(more, []byte("@"), text, 1)...)
	}
	body = append(body, "]}"...)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if r, err := q.Format.Requests.Read(body); err != nil || len(r.Results) != 250 {
			b.Fatal(len(r.Results), err)
		}
	}
}
