package fold

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Ollama is Ollama's own API.
var Ollama = Format{
	Name:   "Ollama",
	speaks: showsOllama,
	begin:  func() folder { return &lineFolder{top: object{}} },
	whole: func(body object) (jsontext.Value, error) {
		if !showsOllama(body) {
			return nil, nil
		}
		f := &lineFolder{top: object{}}
		f.add(body)
		return f.result()
	},
	acceptable: acceptableChat,
	content:    ollamaContent,
}

func showsOllama(o object) bool {
	return o["done"] != nil && (o["message"].Kind() == '{' || o["response"].Kind() == '"')
}

// A lineFolder makes one answer of its lines, and fails where a client would stumble.
type lineFolder struct {
	top     object
	message object
	ended   bool
}

func (f *lineFolder) take(_ string, data []byte) {
	line := parse[object](data, "line")
	f.add(line)
}

// add takes a line, which may be a whole answer. Texts and arrays are joined; of others the last one counts.
func (f *lineFolder) add(line object) {
	if isThere(line["error"]) {
		panic(stumble{ErrFailed})
	}
	if f.ended {
		stumblef("a line follows the one that is done")
	}
	f.ended = string(line["done"]) == "true"
	message := parse[object](orElse(line["message"], "null"), "message")
	switch {
	case message != nil && message["content"].Kind() != '"':
		stumblef("a message has no content, if only an empty one")
	case message == nil && line["response"].Kind() != '"' && !f.ended:
		stumblef("a line says nothing")
	}
	if message != nil && f.message == nil {
		f.message = object{}
	}
	for member, v := range message {
		f.message[member] = grown(f.message[member], v, member == "role")
	}
	for member, v := range line {
		if member != "message" {
			f.top[member] = grown(f.top[member], v, member != "response")
		}
	}
}

// grown is a value with more of it; last says that only the newest one counts.
func grown(old, v jsontext.Value, last bool) jsontext.Value {
	switch {
	case !isThere(v) && old != nil:
		return old
	case !isThere(old):
		return v
	case old.Kind() == '[' && v.Kind() == '[':
		return joinedParts(old, v)
	case !last && old.Kind() == '"' && v.Kind() == '"':
		return joined(old, v)
	}
	return v
}

func (f *lineFolder) result() (jsontext.Value, error) {
	if !f.ended {
		return nil, fmt.Errorf("the answer: %w", ErrUnfinished)
	}
	if f.message != nil {
		dropNulls(f.message)
		message := written(f.message)
		f.top["message"] = message
	}
	return json.Marshal(f.top, lenient)
}
