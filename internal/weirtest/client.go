package weirtest

import (
	"slices"
	"strings"
)

// A client is how the clients of an API ask.
type client struct {
	// asks says whether a request for a path comes from one of them.
	asks func(path string) bool
	// headers are what they send beside the body.
	headers []header
	// verb stands in targets for the end of a path by which they ask for a form, which is one of verbs; "": for nothing.
	verb  string
	verbs map[form]string
	// requests are what is asked unless a scenario says otherwise.
	requests map[form]string
}

// clients are those that are known. What one of them asks for, no later one does.
var clients = []*client{&responses, &messages, &chat, &gemini, &ollama, &converse, &invoke}

// clientFor is the one that sends requests to a target.
func clientFor(target string) *client {
	path, _, _ := strings.Cut(target, "?")
	for _, c := range clients {
		if c.asks(path) {
			return c
		}
	}
	return &messages
}

// endsIn says whether a path ends in one of the verbs.
func endsIn(path string, verbs map[form]string) bool {
	path = strings.TrimSuffix(path, "/")
	for _, verb := range verbs {
		if strings.HasSuffix(path, "/"+verb) {
			return true
		}
	}
	return false
}

var bearer = []header{{"authorization", "Bearer the-agents-own-key"}}

var messages = client{
	asks:    func(path string) bool { return strings.HasSuffix(path, "/messages") },
	headers: []header{{"x-api-key", "the-agents-own-key"}, {"anthropic-version", "2023-06-01"}},
	requests: map[form]string{
		stream: `{"model":"claude-sonnet-4-5","max_tokens":1024,"stream":true,"messages":[{"role":"user","content":"Go on."}]}`,
		whole:  `{"model":"claude-sonnet-4-5","max_tokens":1024,"messages":[{"role":"user","content":"Go on."}]}`,
	},
}

// chat is the client of Chat Completions, and of every API that looks like it.
var chat = client{
	asks: func(path string) bool {
		return strings.HasSuffix(path, "/chat/completions") || strings.Contains(path, "/openai/")
	},
	headers: bearer,
	requests: map[form]string{
		stream: `{"model":"gpt-5","stream":true,"messages":[{"role":"user","content":"Go on."}]}`,
		whole:  `{"model":"gpt-5","messages":[{"role":"user","content":"Go on."}]}`,
	},
}

var responses = client{
	asks: func(path string) bool {
		segments := strings.Split(path, "/")
		return slices.Contains(segments, "responses") || slices.Contains(segments, "conversations")
	},
	headers: bearer,
	requests: map[form]string{
		stream: `{"model":"gpt-5","stream":true,"input":"Go on."}`,
		whole:  `{"model":"gpt-5","input":"Go on."}`,
	},
}

// geminiRequest is the same in all forms: the target says which one is asked for.
const geminiRequest = `{"contents":[{"role":"user","parts":[{"text":"Go on."}]}]}`

var gemini = client{
	asks: func(path string) bool {
		return strings.HasPrefix(path, "/gemini/") || strings.HasSuffix(path, "enerateContent")
	},
	headers: []header{{"x-goog-api-key", "the-agents-own-key"}},
	verb:    "${GENERATE}",
	verbs: map[form]string{
		stream: "streamGenerateContent?alt=sse", array: "streamGenerateContent", whole: "generateContent",
		plain: "generateContent", none: "generateContent",
	},
	requests: map[form]string{stream: geminiRequest, array: geminiRequest, whole: geminiRequest, plain: geminiRequest, none: geminiRequest},
}

var ollama = client{
	asks: func(path string) bool { return strings.Contains(path, "/api/") },
	requests: map[form]string{
		rows:  `{"model":"qwen3:8b","messages":[{"role":"user","content":"Go on."}]}`,
		whole: `{"model":"qwen3:8b","stream":false,"messages":[{"role":"user","content":"Go on."}]}`,
	},
}

// converseVerbs and invokeVerbs are the ends of paths by which clients of Amazon Bedrock ask for the forms.
var (
	converseVerbs = map[form]string{parcels: "converse-stream", whole: "converse", plain: "converse", none: "converse"}
	invokeVerbs   = map[form]string{parcels: "invoke-with-response-stream", whole: "invoke", plain: "invoke", none: "invoke"}
)

const (
	converseRequest = `{"messages":[{"role":"user","content":[{"text":"Go on."}]}],"inferenceConfig":{"maxTokens":1024}}`
	invokeRequest   = `{"anthropic_version":"bedrock-2023-05-31","max_tokens":1024,"messages":[{"role":"user","content":"Go on."}]}`
)

var converse = client{
	asks:     func(path string) bool { return endsIn(path, converseVerbs) },
	headers:  bearer,
	verb:     "${CONVERSE}",
	verbs:    converseVerbs,
	requests: map[form]string{parcels: converseRequest, whole: converseRequest},
}

// invoke is the client that asks Amazon Bedrock in a model's own format. Of Claude, that is the format of messages.
var invoke = client{
	asks:     func(path string) bool { return endsIn(path, invokeVerbs) },
	headers:  bearer,
	verb:     "${INVOKE}",
	verbs:    invokeVerbs,
	requests: map[form]string{parcels: invokeRequest, whole: invokeRequest},
}
