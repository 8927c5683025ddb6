package ollama_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/ollama"
)

const (
	listTool  = `{"type":"function","function":{"name":"ls","description":"List.","parameters":{"type":"object"}}}`
	shellTool = `{"type":"function","function":{"name":"sh","parameters":{}}}`
)

// offerCase is a request with what it offers, and what is left when all of that is stripped.
type offerCase struct {
	body     string
	offers   []dialect.Offer // without places
	stripped string
}

var offerCases = map[string]offerCase{
	"nothing":    {`{"model":"m","messages":[]}`, nil, `{"model":"m","messages":[]}`},
	"empty body": {``, nil, ``},
	"no object":  {`[{"tools":[1]}]`, nil, `[{"tools":[1]}]`},
	"no tools":   {`{"tools":[]}`, nil, `{"tools":[]}`},
	"null":       {`{"tools":null}`, nil, `{"tools":null}`},
	"functions": {
		`{"model":"m","tools":[` + listTool + `, ` + shellTool + `],"stream":false}`,
		[]dialect.Offer{
			{Names: []string{"ls"}, Declared: []byte(listTool)},
			{Names: []string{"sh"}, Declared: []byte(shellTool)},
		},
		`{"model":"m","stream":false}`,
	},
	"without a type": {
		`{"tools":[{"function":{"name":"ls"}}]}`,
		[]dialect.Offer{{Names: []string{"ls"}, Declared: []byte(`{"function":{"name":"ls"}}`)}},
		`{}`,
	},
	"another type": {
		`{"tools":[{"type":"remote","function":{"name":"ls"}}]}`,
		[]dialect.Offer{{Names: []string{"ls"}, Spellings: []string{"remote"}, Declared: []byte(`{"type":"remote","function":{"name":"ls"}}`)}},
		`{}`,
	},
	"a kind that we do not know": {
		`{"tools":[{"type":"web_search","name":"find"},{"type":"browser"}]}`,
		[]dialect.Offer{
			{Names: []string{"web_search", "find"}, Declared: []byte(`{"type":"web_search","name":"find"}`)},
			{Names: []string{"browser"}, Declared: []byte(`{"type":"browser"}`)},
		},
		`{}`,
	},
	"only a name": {
		`{"tools":[{"type":"function","name":"ls"}]}`,
		[]dialect.Offer{{Names: []string{"ls"}, Declared: []byte(`{"type":"function","name":"ls"}`)}},
		`{}`,
	},
	"two names": {
		`{"tools":[{"name":"rm","function":{"name":"ls"}}]}`,
		[]dialect.Offer{{Names: []string{"ls", "rm"}, Declared: []byte(`{"name":"rm","function":{"name":"ls"}}`)}},
		`{}`,
	},
	"a secret": {
		`{"tools":[{"function":{"name":"ls","api_key":"k"}}]}`,
		[]dialect.Offer{{Names: []string{"ls"}, Declared: []byte(`{"function":{"name":"ls","api_key":"[redacted]"}}`)}},
		`{}`,
	},
	"twice what does not matter": {
		`{"model":"a","model":"b","tools":[{"function":{"name":"ls","description":"a","description":"b"}}]}`,
		[]dialect.Offer{{Names: []string{"ls"}, Declared: []byte(`{"function":{"name":"ls","description":"a","description":"b"}}`)}},
		`{"model":"a","model":"b"}`,
	},
}

// withoutPlaces is offers without where they stand.
func withoutPlaces(offers []dialect.Offer) (out []dialect.Offer) {
	for _, o := range offers {
		o.Cuts = nil
		out = append(out, o)
	}
	return out
}

func TestOffers(t *testing.T) {
	requests := ollama.Format().Requests
	for name, c := range offerCases {
		t.Run(name, func(t *testing.T) {
			request, err := requests.Read([]byte(c.body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.offers, withoutPlaces(request.Offers)); diff != "" {
				t.Errorf("offers (-want +got):\n%s", diff)
			}
			if got := string(requests.Strip([]byte(c.body), request.Offers)); got != c.stripped {
				t.Errorf("stripped of all:\n%s\nwant\n%s", got, c.stripped)
			}
		})
	}
}

func TestStripOne(t *testing.T) {
	requests := ollama.Format().Requests
	body := []byte(`{"tools": [ ` + listTool + ` , ` + shellTool + ` ], "stream":false}`)
	request, err := requests.Read(body)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`{"tools": [ ` + shellTool + ` ], "stream":false}`, `{"tools": [ ` + listTool + ` ], "stream":false}`} {
		if got := string(requests.Strip(body, request.Offers[i:i+1])); got != want {
			t.Errorf("stripped of the tool at %d:\n%s\nwant\n%s", i, got, want)
		}
	}
}

var unreadableRequests = map[string]string{
	"not JSON":             `{"tools":[`,
	"more than one value":  `{} {}`,
	"tools twice":          `{"tools":[],"tools":[` + listTool + `]}`,
	"tools in capitals":    `{"Tools":[` + listTool + `]}`,
	"function twice":       `{"tools":[{"function":{"name":"a"},"function":{"name":"b"}}]}`,
	"function beside name": `{"tools":[{"type":"x","name":"a","function":{"name":"b"},"Function":{"name":"c"}}]}`,
	"function capital":     `{"tools":[{"Function":{"name":"a"}}]}`,
	"name twice":           `{"tools":[{"function":{"name":"a","name":"b"}}]}`,
	"type twice":           `{"tools":[{"type":"function","type":"x","function":{"name":"a"}}]}`,
	"no name":              `{"tools":[{"type":"function","function":{}}]}`,
	"an empty name":        `{"tools":[{"type":"function","function":{"name":""}}]}`,
	"a number for a name":  `{"tools":[{"type":"function","function":{"name":1}}]}`,
	"half a character":     `{"tools":[{"function":{"name":"\ud800"}}]}`,
	"a text":               `{"tools":["ls"]}`,
	"null in tools":        `{"tools":[null]}`,
	"tools an object":      `{"tools":{"function":{"name":"a"}}}`,
	"function a text":      `{"tools":[{"function":"ls"}]}`,
	"nothing":              `{"tools":[{}]}`,
}

func TestUnreadableRequests(t *testing.T) {
	for name, body := range unreadableRequests {
		if request, err := ollama.Format().Requests.Read([]byte(body)); err == nil {
			t.Errorf("%s: read as %+v", name, request)
		}
	}
}

// requests is the check of what is said of requests.
var requests = dialecttest.Requests{
	Format:  ollama.Format(),
	Offered: func(body any) []string { return dialecttest.Texts(dialecttest.At(body, "tools", "function", "name")) },
}

// requestSeeds are the bodies of all tables.
func requestSeeds() (bodies [][]byte) {
	for _, c := range offerCases {
		bodies = append(bodies, []byte(c.body))
	}
	for _, body := range unreadableRequests {
		bodies = append(bodies, []byte(body))
	}
	for _, c := range resultCases {
		bodies = append(bodies, []byte(c.body))
	}
	slices.SortFunc(bodies, bytes.Compare) // so that a seed tells what is mixed
	return bodies
}

func TestRequests(t *testing.T) {
	for _, body := range requestSeeds() {
		requests.Check(t, body, rand.New(rand.NewPCG(1, 2)))
	}
}

func TestMixedRequests(t *testing.T) {
	bodies := requestSeeds()
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 3))
		requests.Check(t, dialecttest.MixRequests(r, bodies), r)
	}
}

func FuzzRequest(f *testing.F) {
	for _, body := range requestSeeds() {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) { requests.Check(t, body, rand.New(rand.NewPCG(1, 2))) })
}

// FuzzMixedRequest has bodies that are nearly right: bytes alone rarely stay JSON.
func FuzzMixedRequest(f *testing.F) {
	bodies := requestSeeds()
	for seed := range uint64(4) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 3))
		requests.Check(t, dialecttest.MixRequests(r, bodies), r)
	})
}
