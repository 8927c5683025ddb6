package gemini_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/gemini"
)

func TestRecognises(t *testing.T) {
	for data, want := range map[string]bool{
		says(hiPart):                        true,
		wrap(says(hiPart)):                  true,
		`{"usageMetadata":{}}`:              true,
		`{"promptFeedback":{}}`:             true,
		`{"modelVersion":"m"}`:              true,
		`{"Candidates":[]}`:                 true,
		`{"response":{"CANDIDATES":[]}}`:    true,
		`{"candidates":[],"candidates":[]}`: true,
		failure:                             true,
		`{"error":{"message":"x"}}`:         false,
		`{"error":"x"}`:                     false,
		`{"response":{"id":"resp_1"}}`:      false,
		`{"choices":[]}`:                    false,
		`{"type":"message","content":[]}`:   false,
		`{"model":"llama","message":{}}`:    false,
		`{}`:                                false,
		`[]`:                                false,
		`{"candidates":[`:                   false,
		``:                                  false,
	} {
		if got := gemini.Format().Recognises(frame.Frame{Data: []byte(data)}); got != want {
			t.Errorf("Recognises(%s) = %v, want %v", data, got, want)
		}
	}
}

func TestAsks(t *testing.T) {
	for path, want := range map[string]dialect.Ask{
		"/v1beta/models/gemini-2.5-flash:generateContent":                                        dialect.Turn,
		"/v1beta/models/gemini-2.5-flash:streamGenerateContent":                                  dialect.Turn,
		"/v1/models/gemini-2.5-flash:generateContent":                                            dialect.Turn,
		"/v1alpha/tunedModels/x:streamGenerateContent":                                           dialect.Turn,
		"/v1/projects/p/locations/l/publishers/google/models/gemini-3-pro:streamGenerateContent": dialect.Turn,
		"/v1beta1/projects/p/locations/l/endpoints/123:generateContent":                          dialect.Turn,
		"/v1/publishers/google/models/gemini-3-pro:streamGenerateContent":                        dialect.Turn,
		"/v1internal:generateContent":                                                            dialect.Turn,
		"/v1internal:streamGenerateContent":                                                      dialect.Turn,
		"/v1beta/models/odd:name:generateContent":                                                dialect.Turn,
		"/v1beta/models/gemini-2.5-flash:countTokens":                                            dialect.Nothing,
		"/v1beta/models/gemini-2.5-flash:embedContent":                                           dialect.Nothing,
		"/v1beta/models/gemini-2.5-flash:batchGenerateContent":                                   dialect.Nothing,
		"/v1beta/models/generateContent":                                                         dialect.Nothing,
		"/v1beta/models:generateContent/x":                                                       dialect.Nothing,
		"/v1internal:loadCodeAssist":                                                             dialect.Nothing,
		"/v1beta/interactions":                                                                   dialect.Nothing,
		"/":                                                                                      dialect.Nothing,
		"":                                                                                       dialect.Nothing,
	} {
		r := &http.Request{Method: http.MethodPost}
		if got := gemini.Format().Asks(r, path); got != want {
			t.Errorf("Asks(%s) = %v, want %v", path, got, want)
		}
		if got := gemini.Format().Asks(&http.Request{Method: http.MethodGet}, path); got != dialect.Nothing {
			t.Errorf("a GET of %s asks for %v", path, got)
		}
	}
}

func TestWants(t *testing.T) {
	const (
		whole  = "/gemini/v1beta/models/m:generateContent"
		stream = "/gemini/v1beta/models/m:streamGenerateContent"
		assist = "/v1internal:streamGenerateContent"
		none   = frame.Framing(99) // refused
	)
	for target, want := range map[string]frame.Framing{
		whole:                            frame.Whole,
		whole + "?alt=json":              frame.Whole,
		whole + "?alt=sse":               frame.Whole,
		stream:                           frame.Elements,
		stream + "?alt=json":             frame.Elements,
		stream + "?alt=sse":              frame.Events,
		stream + "?$alt=sse":             frame.Events,
		stream + "?%24alt=sse":           frame.Events,
		stream + "?key=k&alt=sse":        frame.Events,
		stream + "?%61lt=sse":            frame.Events,
		stream + "?alt=sse&alt=sse":      frame.Events,
		stream + "?alt=sse&$alt=sse":     frame.Events,
		stream + "/?alt=sse":             frame.Events,
		assist + "?alt=sse":              frame.Events,
		stream + "?alt=proto":            none,
		stream + "?$alt=proto":           none,
		whole + "?alt=proto":             none,
		whole + "?alt=media":             none,
		stream + "?alt=SSE":              none,
		stream + "?alt=":                 none,
		stream + "?alt=json&alt=proto":   none,
		stream + "?alt=sse&alt=json":     none,
		stream + "?alt=sse&$alt=json":    none,
		stream + "?alt=sse&%24alt=proto": none,
	} {
		got, err := gemini.Format().Wants(httptest.NewRequest(http.MethodPost, target, http.NoBody), nil)
		if err != nil {
			got = none
		}
		if got != want {
			t.Errorf("Wants(%s) = %v (%v), want %v", target, got, err, want)
		}
	}
}

func TestError(t *testing.T) {
	const details = `,"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"FIREWALL_BLOCKED","domain":"weir"}]`
	for status, want := range map[int]string{
		400: `"INVALID_ARGUMENT"` + details, 401: `"UNAUTHENTICATED"`, 403: `"PERMISSION_DENIED"`, 404: `"NOT_FOUND"`, 413: `"INVALID_ARGUMENT"` + details,
		429: `"RESOURCE_EXHAUSTED"`, 500: `"INTERNAL"`, 502: `"UNAVAILABLE"`, 503: `"UNAVAILABLE"`, 504: `"DEADLINE_EXCEEDED"`, 507: `"INTERNAL"`,
	} {
		got := string(gemini.Format().Error(dialect.Error{Status: status, Message: `no "x"`}))
		want = `{"error":{"code":` + http3(status) + `,"message":"no \"x\"","status":` + want + `}}`
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if !gemini.Format().Recognises(frame.Frame{Data: []byte(got)}) {
			t.Errorf("%s is not recognised", got)
		}
	}
}

// http3 are the three digits of a status.
func http3(status int) string {
	return string([]byte{byte('0' + status/100), byte('0' + status/10%10), byte('0' + status%10)})
}

func TestAuthorise(t *testing.T) {
	h := http.Header{"X-Goog-Api-Key": {"old"}}
	gemini.Format().Authorise(h, "new")
	if diff := cmp.Diff(http.Header{"X-Goog-Api-Key": {"new"}}, h); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMeta(t *testing.T) {
	const head = `{"candidates":[],"modelVersion":"m","responseId":"r","usageMetadata":`
	tests := map[string]struct {
		elements []string
		want     dialect.Meta
	}{
		"the last usage counts": {
			[]string{head + `{"promptTokenCount":3,"candidatesTokenCount":1}}`, head + `{"promptTokenCount":3,"candidatesTokenCount":9,"thoughtsTokenCount":4,"cachedContentTokenCount":2}}`},
			dialect.Meta{Model: "m", ResponseID: "r", Usage: call.Usage{Input: 1, Output: 13, CacheRead: 2}},
		},
		"usage without numbers": {
			[]string{head + `{"promptTokenCount":3,"candidatesTokenCount":1}}`, head + `{"trafficType":"ON_DEMAND"}}`, `{"usageMetadata":{}}`},
			dialect.Meta{Model: "m", ResponseID: "r", Usage: call.Usage{Input: 3, Output: 1}},
		},
		"odd numbers": {
			[]string{head + `{"promptTokenCount":-3,"candidatesTokenCount":1.5,"cachedContentTokenCount":"2"}}`},
			dialect.Meta{Model: "m", ResponseID: "r"},
		},
		"wrapped": {
			[]string{wrap(ends(hiPart))},
			dialect.Meta{Model: "m", ResponseID: "r1", Usage: call.Usage{Input: 1}, Ended: true},
		},
		"goes on":      {[]string{says(hiPart)}, dialect.Meta{Model: "m", ResponseID: "r1", Usage: call.Usage{Input: 1}}},
		"one goes on":  {[]string{element(finished(0, "STOP"), candidate(1))}, dialect.Meta{Model: "m", ResponseID: "r1", Usage: call.Usage{Input: 1}}},
		"over":         {[]string{says(hiPart), bareEnd}, dialect.Meta{Model: "m", ResponseID: "r1", Usage: call.Usage{Input: 1}, Ended: true}},
		"failed":       {[]string{says(hiPart), failure}, dialect.Meta{Model: "m", ResponseID: "r1", Usage: call.Usage{Input: 1}, Ended: true, Failed: true}},
		"failed ahead": {[]string{failure}, dialect.Meta{Ended: true, Failed: true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := gemini.Format().New(dialect.Options{MaxArguments: 1 << 10})
			for _, e := range tt.elements {
				if _, err := d.Scan(frame.Frame{Data: []byte(e), Plain: true}); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(tt.want, d.Meta()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Nothing comes after an error, which ends a stream of whatever framing.
func TestNothingAfterAnError(t *testing.T) {
	for how, framing := range streamed {
		r := pass(wire(framing, says(hiPart), failure, says(rmPart)), framing, dialecttest.AllowAll())
		if want := string(wire(framing, says(hiPart), failure)); string(r.Out) != want || r.Outcome().Code != call.CodeMalformed {
			t.Errorf("%s: %q of\n%s", how, r.Outcome().Code, r.Out)
		}
	}
}
