package fold

import (
	"errors"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// elementsOf are the forms of a response that has these elements.
func elementsOf(lineEnd string, list ...string) map[Kind][]byte {
	return map[Kind][]byte{
		Events: []byte("data: " + strings.Join(list, lineEnd+lineEnd+"data: ") + lineEnd + lineEnd),
		Array:  []byte("[" + strings.Join(list, ",\r\n") + "\n]\n"),
	}
}

// oneCandidate is an element with parts of the first candidate, and whatever else.
func oneCandidate(parts, rest string) string {
	return `{"candidates":[{"content":{"parts":[` + parts + `],"role":"model"}` + rest + `}],"modelVersion":"m"}`
}

const (
	finishes    = `,"finishReason":"STOP"`
	geminiCall  = `{"functionCall":{"name":"ls","args":{"a":1}},"thoughtSignature":"c2ln"}`
	geminiPiece = `{"functionCall":{"name":"ls","willContinue":true}}`
)

func TestFoldGemini(t *testing.T) {
	for name, c := range map[string]struct {
		elements []string
		want     string
	}{
		"text in pieces, a call, and an empty end": {
			[]string{
				oneCandidate(`{"text":"a\ud83d"}`, ""), oneCandidate(`{"text":"\ude00"},`+geminiCall, ""), `{"usageMetadata":{}}`,
				oneCandidate(`{"text":""}`, finishes),
			},
			oneCandidate(`{"text":"a😀"},`+geminiCall, finishes+`,"index":0`),
		},
		"thoughts and text stay apart": {
			[]string{oneCandidate(`{"text":"t","thought":true},{"text":"u","thought":true}`, ""), oneCandidate(`{"text":"a"}`, finishes)},
			oneCandidate(`{"text":"tu","thought":true},{"text":"a"}`, finishes),
		},
		"two candidates": {
			[]string{
				`{"candidates":[{"index":1,"content":{"role":"model","parts":[{"text":"b"}]},"finishReason":"STOP"}]}`,
				`{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]},"finishReason":"STOP"}],"usageMetadata":{"n":1}}`,
			},
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]},"finishReason":"STOP"},
			{"index":1,"content":{"role":"model","parts":[{"text":"b"}]},"finishReason":"STOP"}],"usageMetadata":{"n":1}}`,
		},
		"wrapped": {
			[]string{`{"response":` + oneCandidate(`{"text":"a"}`, "") + `,"traceId":"t"}`, `{"response":` + oneCandidate("", finishes) + `}`},
			`{"response":` + oneCandidate(`{"text":"a"}`, finishes) + `,"traceId":"t"}`,
		},
		"a blocked prompt": {
			[]string{`{"promptFeedback":{"blockReason":"SAFETY"}}`}, `{"promptFeedback":{"blockReason":"SAFETY"},"candidates":[]}`,
		},
	} {
		want, err := Fold([]byte(c.want), Whole)
		expect.OK(t, err, "%s", name)
		for _, lineEnd := range []string{"\n", "\r\n"} {
			for f, body := range elementsOf(lineEnd, c.elements...) {
				got, err := Fold(body, f)
				if err != nil {
					t.Errorf("%s as %s: %v", name, f, err)
					continue
				}
				if diff := Difference(got.JSON, want.JSON); diff != "" {
					t.Errorf("%s as %s (-got +want):\n%s", name, f, diff)
				}
			}
		}
	}
}

func TestFoldGeminiFailsWhereClientsStumble(t *testing.T) {
	fine := oneCandidate(`{"text":"a"}`, finishes)
	for name, sse := range map[string]string{
		"a comment":           ": x\n\ndata: " + fine + "\n\n",
		"a name":              "event: x\ndata: " + fine + "\n\n",
		"two kinds of ends":   "data: " + oneCandidate(`{"text":"a"}`, "") + "\r\n\r\ndata: " + fine + "\n\n",
		"a piece of a call":   "data: " + oneCandidate(geminiPiece, finishes) + "\n\n",
		"no end":              "data: " + oneCandidate(`{"text":"a"}`, "") + "\n\n",
		"no candidate":        "data: {\"usageMetadata\":{\"n\":1}}\n\n",
		"wrapped at times":    "data: {\"response\":" + oneCandidate("", "") + "}\n\ndata: " + fine + "\n\n",
		"an impossible index": "data: " + oneCandidate(`{"text":"a"}`, `,"index":"x"`) + "\n\n",
		"no JSON":             "data: " + fine + "\n\ndata: {\n\n",
	} {
		if got, err := foldFrames([]byte(sse), Events); err == nil {
			t.Errorf("%s: folded to %s", name, got.JSON)
		}
	}
	if _, err := foldFrames([]byte("["+oneCandidate("", "")+","), Array); err == nil {
		t.Error("an array that is not closed was folded")
	}
	failure := `{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}`
	for f, body := range elementsOf("\n", oneCandidate(`{"text":"a"}`, ""), failure) {
		if _, err := foldFrames(body, f); !errors.Is(err, ErrFailed) {
			t.Errorf("an error as %s: %v", f, err)
		}
	}
}

func TestAcceptableTurn(t *testing.T) {
	unsigned := `{"functionCall":{"name":"ls"}}`
	for parts, fine := range map[string]bool{
		`{"text":"a"}`:                               true,
		geminiCall + "," + unsigned:                  true,
		unsigned + "," + unsigned:                    true,
		``:                                           false,
		unsigned + "," + geminiCall:                  false,
		`{"text":"a","thoughtSignature":"?"}`:        false,
		`{"functionCall":{"args":{}}}`:               false,
		`{"functionCall":{"name":"ls","args":"{}"}}`: false,
		`{"functionCall":{"name":"ls","args":{"a":1,"a":2}}}`: false,
	} {
		for _, body := range []string{oneCandidate(parts, finishes), `{"response":` + oneCandidate(parts, finishes) + `}`} {
			if err := caught(func() { acceptableTurn([]byte(body)) }); (err == nil) != fine {
				t.Errorf("%s: %v", body, err)
			}
		}
	}
}
