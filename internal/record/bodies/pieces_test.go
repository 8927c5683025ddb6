package bodies

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/strictjson"
)

// A wireForm is how a format carries a text in pieces: what stands around each of them.
type wireForm struct {
	begin, before, after, between, end string
	path                               []string // to the piece in a document; a "" goes into the only element of an array
}

var wireForms = map[string]wireForm{
	"anthropic": {
		before: "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":",
		after:  "}}\n\n", path: []string{"delta", "partial_json"},
	},
	"chat": {
		before: `data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":`,
		after:  "}}]}}]}\n\n", path: []string{"choices", "", "delta", "tool_calls", "", "function", "arguments"},
	},
	"responses": {
		before: "event: response.function_call_arguments.delta\ndata: {\"type\":\"response.function_call_arguments.delta\",\"item_id\":\"fc_1\",\"output_index\":2,\"delta\":",
		after:  "}\n\n", path: []string{"delta"},
	},
	"gemini": {
		before: `data: {"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.k","stringValue":`,
		after:  ",\"willContinue\":true}]}}]}}]}\r\n\r\n",
		path:   []string{"candidates", "", "content", "parts", "", "functionCall", "partialArgs", "", "stringValue"},
	},
	"gemini, an array": {
		begin: "[", before: `{"candidates":[{"content":{"parts":[{"text":`, after: "}]}}]}", between: ",\r\n", end: "]",
		path: []string{"candidates", "", "content", "parts", "", "text"},
	},
	"bedrock": {
		before: `{"contentBlockIndex":1,"delta":{"toolUse":{"input":`, after: "}}}\n", path: []string{"delta", "toolUse", "input"},
	},
	"ollama": {before: `{"model":"m","message":{"content":`, after: "},\"done\":false}\n", path: []string{"message", "content"}},
}

// body is a body that carries these literals.
func (f wireForm) body(literals []string) string {
	var b strings.Builder
	b.WriteString(f.begin)
	for i, literal := range literals {
		if i > 0 {
			b.WriteString(f.between)
		}
		b.WriteString(f.before + literal + f.after)
	}
	return b.String() + f.end
}

// text is what a client makes of a body.
func (f wireForm) text(t *testing.T, body string) string {
	t.Helper()
	var all []byte
	for _, p := range partsOf(body) {
		v := p.doc.Root()
		for _, name := range f.path {
			if name == "" {
				for v = range v.Elems() {
					break
				}
				continue
			}
			v, _ = v.Member(name)
		}
		if v.Kind() != strictjson.String {
			t.Fatalf("no piece in %s", p.doc.Root().Raw())
		}
		all = v.AppendText(all)
	}
	return string(all)
}

// escaped writes a text inside of a JSON string, some of its characters as escapes that nobody needs.
func escaped(random *rand.Rand, text string, often float64) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case random.Float64() < often && r < 0x10000:
			fmt.Fprintf(&b, []string{`\u%04x`, `\u%04X`}[random.IntN(2)], r)
		default:
			literal := strictjson.AppendString(nil, string(r))
			b.Write(literal[1 : len(literal)-1])
		}
	}
	return b.String()
}

// cutUp cuts a text into random pieces, between characters.
func cutUp(random *rand.Rand, text string) (pieces []string) {
	for rest := []rune(text); len(rest) > 0; {
		n := min(len(rest), 1+random.IntN(20))
		pieces = append(pieces, string(rest[:n]))
		rest = rest[n:]
	}
	return pieces
}

// However a secret is escaped, inside of however many strings, and wherever a stream of any format is cut: it does not stay, and all the
// rest does.
func TestHideEscapedInPieces(t *testing.T) {
	h := newHider(t)
	names := map[string]string{awsKey: "aws_access_key", githubKey: "github_token", openaiKey: "openai_key"}
	for name, form := range wireForms {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(3, 4))
			for range 100 {
				secret := []string{awsKey, githubKey, openaiKey}[random.IntN(3)]
				often, depth := random.Float64(), random.IntN(4)
				text := "use " + secret + " now é\n"
				for level := range depth {
					text = `{"k":"` + escaped(random, text, often/float64(1+9*level)) + `"}` // else it grows sixfold each time
				}
				var literals []string
				for _, piece := range cutUp(random, text) {
					literals = append(literals, `"`+escaped(random, piece, often/4)+`"`)
				}
				body := form.body(literals)
				got := form.text(t, h.hide(body))
				for range depth {
					var doc strictjson.Doc
					if err := doc.Parse([]byte(got)); err != nil {
						t.Fatalf("%s\nbecame\n%s\nof which\n%s\nis no JSON: %v", body, h.hide(body), got, err)
					}
					k, _ := doc.Root().Member("k")
					got = string(k.AppendText(nil))
				}
				if want := "use [redacted:" + names[secret] + "] now é\n"; got != want {
					t.Fatalf("%s\nbecame\n%s\nwhich says %q", body, h.hide(body), got)
				}
			}
		})
	}
}

// What a stream says of its pieces may be wrong or stop anywhere, and secrets are found all the same.
func TestHideInOddPieces(t *testing.T) {
	h := newHider(t)
	delta := func(id string, literal string) string {
		return `data: {"type":"response.function_call_arguments.delta","item_id":"` + id + `","delta":"` + literal + "\"}\n\n"
	}
	parts := func(texts ...string) string {
		return `data: {"parts":[{"text":"` + strings.Join(texts, `"},{"text":"`) + "\"}]}\n\n"
	}
	for name, c := range map[string]struct{ in, want string }{
		"another id each time": {
			delta("a", "x "+githubKey[:9]) + delta("b", githubKey[9:]+" y"), delta("a", "x [redacted:github_token]") + delta("b", " y"),
		},
		"another place in the list": {
			parts("x", githubKey[:9]) + parts(githubKey[9:], " y"), parts("x", "[redacted:github_token]") + parts("", " y"),
		},
		"broken off in the string": {
			delta("a", `{\"k\":\"gh\\u0070`) + delta("a", githubKey[3:]), delta("a", `{\"k\":\"[redacted:github_token]`) + delta("a", ""),
		},
		"half a character beside it": {
			delta("a", githubKey[:9]) + delta("a", githubKey[9:]+` \ud83d`) + delta("a", `\ude00`),
			delta("a", "[redacted:github_token]") + delta("a", ` \ud83d`) + delta("a", `\ude00`),
		},
		"an escape in two pieces": {
			delta("a", `{\"k\":\"gh\\u00`) + delta("a", "70"+githubKey[3:]+`\"}`), delta("a", `{\"k\":\"[redacted:github_token]`) + delta("a", `\"}`),
		},
		"a quote too many": {
			delta("a", `5\" is {\"k\":\"gh`) + delta("a", `\\u0070`+githubKey[3:]+`\"}`), delta("a", `5\" is {\"k\":\"[redacted:github_token]`) + delta("a", `\"}`),
		},
		"two at once": {
			delta("a", awsKey[:9]) + delta("b", githubKey[:20]) + delta("a", awsKey[9:]) + delta("b", githubKey[20:]),
			delta("a", "[redacted:aws_access_key]") + delta("b", "[redacted:github_token]") + delta("a", "") + delta("b", ""),
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := h.hide(c.in); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// A place in a text without escapes is where it was with them.
func FuzzUnescape(f *testing.F) {
	f.Add(`a\u00e9b\n\\u0041\"`, 2, 3)
	f.Add(`\ud83d\ude00\ud83d\x\`, 0, 4)
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		plain, made := unescape(text)
		if start < 0 || start >= end || end > len(plain) {
			t.Skip()
		}
		from, to := made.begin(start), made.finish(end)
		if from < 0 || from >= to || to > len(text) {
			t.Fatalf("%q: %d to %d was %d to %d", text, start, end, from, to)
		}
		if again, _ := unescape(text[from:to]); utf8.ValidString(text) && !strings.Contains(again, plain[start:end]) {
			t.Fatalf("%q at %d to %d is %q, and was %q", plain, start, end, plain[start:end], text[from:to])
		}
	})
}
