package bodies

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/text/redact"
)

// The keys of these tests are made up, and written in two parts so that nobody takes them for real ones.
const (
	awsKey    = "AKIA" + "QF3MZ7K2WJ5XPL4T"
	githubKey = "ghp_" + "aB3dE6fG9hJ2kL5mN8pQ1rS4tU7vW0xY2zA4"
	openaiKey = "sk-proj-" + "Zx9Yw8Vu7Ts6Rq5Po4Nm3Lk2Ji1Hg0Fe9Dc8Ba7"
	mail      = "ann@example.com"
)

func newHider(t testing.TB, more ...redact.Config) hider {
	t.Helper()
	var h hider
	for _, cfg := range append([]redact.Config{{Presets: secrets}}, more...) {
		set, err := redact.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		h.sets = append(h.sets, set)
	}
	return h
}

func TestHide(t *testing.T) {
	h := newHider(t, redact.Config{Presets: []string{"email", "credit_card"}})
	pem := `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n-----END PRIVATE KEY-----`
	for name, c := range map[string]struct{ in, want string }{
		"nothing":          {`{"a":"b","n":1.50}`, `{"a":"b","n":1.50}`},
		"no JSON":          {"key " + awsKey + "\nand " + mail, "key [redacted:aws_access_key]\nand [redacted:email]"},
		"a string":         {`{"a":"use ` + awsKey + `"}`, `{"a":"use [redacted:aws_access_key]"}`},
		"an escape in it":  {`{"a":"use \u0041` + awsKey[1:] + `"}`, `{"a":"use [redacted:aws_access_key]"}`},
		"a name":           {`{"` + awsKey + `":1}`, `{"[redacted:aws_access_key]":1}`},
		"a number":         {`{"card":4111111111111111}`, `{"card":[redacted:credit_card]}`},
		"a key in lines":   {`{"a":"` + pem + ` end"}`, `{"a":"[redacted:private_key] end"}`},
		"arguments":        {`{"arguments":"{\"k\":\"` + awsKey + `\"}"}`, `{"arguments":"{\"k\":\"[redacted:aws_access_key]\"}"}`},
		"escape in those":  {`{"arguments":"{\"k\":\"\\u0041` + awsKey[1:] + `\"}"}`, `{"arguments":"{\"k\":\"[redacted:aws_access_key]\"}"}`},
		"cut":              {`{"a":["x","use \u0041` + awsKey[1:] + `","and so`, `{"a":["x","use [redacted:aws_access_key]","and so`},
		"a single quote":   {"5\" is\n{\"a\":\"\\u0041" + awsKey[1:] + "\"}", "5\" is\n{\"a\":\"[redacted:aws_access_key]\"}"},
		"a frame":          {"event: x\ndata: {\"a\":\"" + awsKey + "\"}\n\n", "event: x\ndata: {\"a\":\"[redacted:aws_access_key]\"}\n\n"},
		"half a character": {`{"a":"\ud83d","b":"` + mail + `"}`, `{"a":"\ud83d","b":"[redacted:email]"}`},
		"two sets in one":  {`{"a":"` + mail + ` ` + awsKey + `"}`, `{"a":"[redacted:email] [redacted:aws_access_key]"}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := h.hide(c.in); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// A secret that a stream carries in pieces stands nowhere as a whole, and is found all the same.
func TestHideInPieces(t *testing.T) {
	h := newHider(t)
	anthropic := func(i int, text string) string {
		return fmt.Sprintf("event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":%d,\"delta\":{\"type\":\"text_delta\",\"text\":%s}}\n\n", i, quoted(text))
	}
	chat := func(i int, text string) string {
		return fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":%d,\"function\":{\"arguments\":%s}}]}}]}\n\n", i, quoted(text))
	}
	row := func(_ int, text string) string { return fmt.Sprintf("{\"message\":{\"content\":%s}}\n", quoted(text)) }
	for name, frame := range map[string]func(int, string) string{"anthropic": anthropic, "chat": chat, "rows": row} {
		t.Run(name, func(t *testing.T) {
			in := frame(0, "use ") + frame(0, awsKey[:3]) + frame(0, awsKey[3:9]) + frame(0, awsKey[9:]+" now")
			want := frame(0, "use ") + frame(0, "[redacted:aws_access_key]") + frame(0, "") + frame(0, " now")
			if got := h.hide(in); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
	t.Run("two at once", func(t *testing.T) {
		in := chat(0, awsKey[:9]) + chat(1, githubKey[:20]) + chat(0, awsKey[9:]) + chat(1, githubKey[20:])
		want := chat(0, "[redacted:aws_access_key]") + chat(1, "[redacted:github_token]") + chat(0, "") + chat(1, "")
		if got := h.hide(in); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
	t.Run("an array", func(t *testing.T) {
		elem := func(text string) string {
			return `{"candidates":[{"content":{"parts":[{"text":` + quoted(text) + `}]}}]}`
		}
		in := "[" + elem(awsKey[:9]) + ",\r\n" + elem(awsKey[9:]) + "]"
		want := "[" + elem("[redacted:aws_access_key]") + ",\r\n" + elem("") + "]"
		if got := h.hide(in); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

func quoted(s string) string { return string(strictjson.AppendString(nil, s)) }

// Wherever a stream is cut into frames, and whatever stands around them: no secret is left, and the rest is.
func TestHideAnywhere(t *testing.T) {
	h := newHider(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		secret := []string{awsKey, githubKey, openaiKey}[random.IntN(3)]
		text := "Take " + secret + " and go."
		var body strings.Builder
		for len(text) > 0 {
			n := 1 + random.IntN(min(12, len(text)))
			fmt.Fprintf(&body, "data: {\"delta\":{\"text\":%s},\"index\":2}\n\n", quoted(text[:n]))
			text = text[n:]
		}
		got := h.hide(body.String())
		if left := textOf(got); strings.Contains(left, secret[5:]) || !strings.HasPrefix(left, "Take [redacted:") || !strings.HasSuffix(left, "] and go.") {
			t.Fatalf("%s\nbecame\n%s", body.String(), got)
		}
	}
}

// textOf is what a client makes of the frames of TestHideAnywhere.
func textOf(body string) (text string) {
	for _, p := range partsOf(body) {
		delta, _ := p.doc.Root().Member("delta")
		piece, _ := delta.Member("text")
		text += string(piece.AppendText(nil))
	}
	return text
}

// Nothing that a body holds makes redaction fail, leave the secret or change what has none.
func FuzzHide(f *testing.F) {
	h := newHider(f)
	f.Add(`{"a":"`, `"}`)
	f.Add("data: {\"index\":1,\"t\":\"", "\"}\n\ndata: {\"index\":1,\"t\":\"x\"}\n\n")
	f.Add("[{\"t\":\"", "\"}, {\"t\":\"\\ud83d\"}]")
	f.Add(`{"a":"{\"b\":\"\\u0041`, `\"}"}`)
	f.Add(`"\`, `\`)
	f.Fuzz(func(t *testing.T, before, after string) {
		plain := h.hide(before + after)
		if again := h.hide(plain); again != plain {
			t.Errorf("%q becomes %q and then %q", before+after, plain, again)
		}
		// Blanks keep what is around it from being part of it.
		got := h.hide(before + " " + awsKey + " " + after)
		if strings.Contains(got, awsKey) {
			t.Errorf("%q is left in %q", awsKey, got)
		}
	})
}

func BenchmarkHide(b *testing.B) {
	h := newHider(b, redact.Config{Presets: []string{"email"}})
	var stream, request strings.Builder
	for stream.Len() < 1<<20 {
		fmt.Fprintf(&stream, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\" word\"}}\n\n")
	}
	request.WriteString(`{"model":"m","messages":[`)
	for request.Len() < 1<<20 {
		request.WriteString(`{"role":"user","content":"Read the file \"main.go\" and say what it does.\nThen change it.\n"},`)
	}
	request.WriteString(`{}]}`)
	for name, text := range map[string]string{"stream": stream.String(), "request": request.String()} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				h.hide(text)
			}
		})
	}
}
