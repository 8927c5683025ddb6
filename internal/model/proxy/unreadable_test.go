package proxy

import (
	"strings"
	"testing"
)

// What weir cannot read, but a client could, does not pass anywhere: not on endpoints whose answers may be anything, not with an
// error's status, and not in lines or events.
func TestUnreadableAnswersDoNotPass(t *testing.T) {
	const call = `"choices":[{"index":0,"message":{"role":"assistant","tool\u005fcalls":[{"id":"c","type":"function","function":{"name":"Denied","arguments":"{}"}}]},"finish_reason":"stop"}]`
	shell := `"output":[{"type":"shell\u005fcall","call_id":"c","action":{"commands":["Denied"]}}]`
	deep := `"pad":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `,`
	many := `"pad":[` + strings.Repeat("0,", 1_100_000) + `0],`
	for name, pad := range map[string]string{"too deep": deep, "too many": many, "no UTF-8": "\"n\":\"\xff\","} {
		for _, body := range []string{`{` + pad + call + `}`, `{` + pad + shell + `}`} {
			for _, answer := range []struct {
				status int
				body   string
				header []string
			}{
				{200, body, []string{"Content-Type", "application/json"}},
				{200, "{}\n" + body + "\n", []string{"Content-Type", "application/x-jsonl"}},
				{200, "text\n" + body + "\n", []string{"Content-Type", "text/plain"}},
				{200, "data: {}\n\ndata: " + body + "\n\n", []string{"Content-Type", "text/event-stream"}},
				{400, body, []string{"Content-Type", "application/json"}},
			} {
				b := newBench(t, responding(answer.status, answer.body, answer.header...))
				for i, target := range []string{
					"GET /bare/v1/models", "GET /bare/v1/files/f/content", "GET /bare/v1/chat/completions", "POST /bare/v1/embeddings",
					"POST /bare/model/m/invoke", "GET /bare/v1/responses/r/input_items", "GET /bare/v1/messages/batches/b/results",
					"POST /xai/v1/chat/completions", "GET /bare/v1beta/operations/o",
				} {
					if name == "too many" && (i > 1 || answer.status == 200 && answer.body != body) {
						continue // it is large, and the way is the same
					}
					method, path, _ := strings.Cut(target, " ")
					if r := b.do(method, path, `{}`); strings.Contains(r.body, "Denied") {
						t.Errorf("%s, status %d, %s: %s has it: %.200s", name, answer.status, target, answer.header[1], r.body)
					}
				}
			}
		}
	}
}

// Texts that begin as JSON or events do are texts.
func TestContentThatLooksLikeSomethingElse(t *testing.T) {
	for _, body := range []string{
		"[Music] hello\n[INFO] function_call happened\n", "{laughs} so\n", "[![badge](x)](y)\n", "[section]\nkey = 1\n",
		"event: launch\nwhen: today\n", "data\n1\n2\n", ": a note\n", "\n\n", "",
	} {
		b := newBench(t, responding(200, body, "Content-Type", "text/plain"))
		if r := b.do("GET", "/bare/v1/files/f/content", ""); r.StatusCode != 200 || r.body != body {
			t.Errorf("%q comes as %d %q", body, r.StatusCode, r.body)
		}
	}
}
