package gemini_test

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/model/dialect/gemini"
)

// A givenResult is what a request says that a call gave, with the content as it was sent.
type givenResult struct {
	ID, Tool, Args, Content string
	Failed, New             bool
}

type resultCase struct {
	body    string
	results []givenResult
}

const (
	asksTwice = `{"role":"model","parts":[{"functionCall":{"name":"ls","args":{"path":"a"}}},{"function_call":{"name":"ls","args":{"path":"b"}}}]}`
	asksByID  = `{"role":"model","parts":[{"functionCall":{"id":"c1","name":"ls","args":{"path":"a"}}}]}`
)

var resultCases = map[string]resultCase{
	"none": {`{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`, nil},
	"by name and order": {
		`{"contents":[` + asksTwice + `,{"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"output":"one"}}},{"function_response":{"name":"ls","response":{"output":"two"}}}]}]}`,
		[]givenResult{
			{Tool: "ls", Args: `{"path":"a"}`, Content: `{"output":"one"}`, New: true},
			{Tool: "ls", Args: `{"path":"b"}`, Content: `{"output":"two"}`, New: true},
		},
	},
	"by id": {
		`{"contents":[` + asksByID + `,{"role":"function","parts":[{"functionResponse":{"id":"c1","name":"ls","response":{"result":1}}}]}]}`,
		[]givenResult{{ID: "c1", Tool: "ls", Content: `{"result":1}`, New: true}},
	},
	"one alone for a list": {
		`{"contents":{"parts":{"functionResponse":{"name":"ls","response":{}}}}}`,
		[]givenResult{{Tool: "ls", Content: `{}`, New: true}},
	},
	"failed": {
		`{"contents":[{"parts":[{"functionResponse":{"name":"a","response":{"error":"no"}}},{"functionResponse":{"name":"b","response":{"error":null}}},` +
			`{"functionResponse":{"name":"c","response":{"error":"no","output":"yes"}}}]}]}`,
		[]givenResult{
			{Tool: "a", Content: `{"error":"no"}`, Failed: true, New: true},
			{Tool: "b", Content: `{"error":null}`, New: true},
			{Tool: "c", Content: `{"error":"no","output":"yes"}`, New: true},
		},
	},
	"old and new": {
		`{"contents":[` + asksByID + `,{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"ls","response":{}}}]},{"role":"model","parts":[{"text":"so"}]},` +
			`{"role":"user","parts":[{"text":"go on"}]},` + asksTwice + `,{"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"output":2}}}]}]}`,
		[]givenResult{
			{ID: "c1", Tool: "ls", Content: `{}`},
			{Tool: "ls", Args: `{"path":"a"}`, Content: `{"output":2}`, New: true},
		},
	},
	"wrapped": {
		`{"request":{"contents":[{"role":"model","parts":[{"functionCall":{"name":"ls"}}]},{"parts":[{"functionResponse":{"name":"ls","response":{}}}]}]}}`,
		[]givenResult{{Tool: "ls", Args: `{}`, Content: `{}`, New: true}},
	},
	"of a batch": {
		`{"batch":{"inputConfig":{"requests":{"requests":[{"request":{"contents":[` + asksByID + `,{"parts":[{"functionResponse":{"id":"c1","name":"ls","response":{}}}]}]}}]}}}}`,
		[]givenResult{{ID: "c1", Tool: "ls", Content: `{}`, New: true}},
	},
	"what cannot be read": {
		`{"contents":[{"role":"user","role":"model","parts":[{"functionResponse":{"name":"a"}}]},{"parts":[{"functionResponse":{"name":"a","name":"b"}},{"functionResponse":"x"},` +
			`{"functionResponse":{"name":"a"},"function_response":{"name":"b"}},{"functionResponse":{"name":"a","response":{},"response":{}}},7]},"x",{"parts":[{"functionResponse":{}}]}]}`,
		[]givenResult{{New: true}},
	},
	"two conversations": {`{"contents":[{"parts":[{"functionResponse":{"name":"a"}}]}],"contents":[]}`, nil},
}

func TestResults(t *testing.T) {
	for name, c := range resultCases {
		t.Run(name, func(t *testing.T) {
			request, err := gemini.Format().Requests.Read([]byte(c.body))
			if err != nil {
				t.Fatal(err)
			}
			var got []givenResult
			for _, r := range request.Results {
				got = append(got, givenResult{r.WireID, r.Tool, string(r.Args), string(r.Content.Raw()), r.Failed, r.New})
			}
			if diff := cmp.Diff(c.results, got); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
		})
	}
}

// BenchmarkReadRequest reads a long conversation.
func BenchmarkReadRequest(b *testing.B) {
	text := bytes.Repeat([]byte("and then it went "), 480)
	body := []byte(`{"tools":[{"functionDeclarations":[` + listDeclared + `,` + shellDeclared + `]}],"contents":[{"role":"user","parts":[{"text":"hi"}]}`)
	for i := range 250 {
		n := strconv.Itoa(i)
		body = append(body, `,{"role":"model","parts":[{"functionCall":{"name":"ls","args":{"n":`+n+`}}}]},{"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"output":"`...)
		body = append(append(body, text...), `"}}}]}`...)
	}
	body = append(body, "]}"...)
	read := gemini.Format().Requests.Read
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if r, err := read(body); err != nil || len(r.Results) != 250 {
			b.Fatal(len(r.Results), err)
		}
	}
}
