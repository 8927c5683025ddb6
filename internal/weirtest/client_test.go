package weirtest

import "testing"

func TestClientFor(t *testing.T) {
	for target, want := range map[string]*client{
		"/anthropic/v1/messages":               &messages,
		"/openai/v1/chat/completions":          &chat,
		"/az/x/chat/completions?api-version=1": &chat,
		"/openai/v1/models":                    &chat,
		"/openai/v1/responses":                 &responses,
		"/openai/v1/responses/resp_1/cancel":   &responses,
		"/openai/v1/conversations/c/items?a=1": &responses,
		"/gemini/v1beta/openai/models":         &chat,
		"/gemini/v1beta/models":                &gemini,
		"/x/v1internal:generateContent?a=1":    &gemini,
		"/ollama/api/tags":                     &ollama,
		"/ollama/v1/chat/completions":          &chat,
		"/healthz":                             &messages,
	} {
		if clientFor(target) != want {
			t.Errorf("%s is asked for by another client", target)
		}
	}
}
