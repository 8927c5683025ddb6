package fold

import (
	"errors"
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
		if err := f.add(body); err != nil {
			return nil, err
		}
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

func (f *lineFolder) take(_ string, data []byte) error {
	var line object
	if err := json.Unmarshal(data, &line, lenient); err != nil {
		return fmt.Errorf("line: %w", err)
	}
	return f.add(line)
}

// add takes a line, which may be a whole answer. Texts and arrays are joined; of others the last one counts.
func (f *lineFolder) add(line object) error {
	if isThere(line["error"]) {
		return ErrFailed
	}
	if f.ended {
		return errors.New("a line follows the one that is done")
	}
	f.ended = string(line["done"]) == "true"
	var message object
	if err := json.Unmarshal(orElse(line["message"], "null"), &message, lenient); err != nil {
		return fmt.Errorf("message: %w", err)
	}
	switch {
	case message != nil && message["content"].Kind() != '"':
		return errors.New("a message has no content, if only an empty one")
	case message == nil && line["response"].Kind() != '"' && !f.ended:
		return errors.New("a line says nothing")
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
	return nil
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
		message, err := json.Marshal(f.message, lenient)
		if err != nil {
			return nil, fmt.Errorf("fold a message: %w", err)
		}
		f.top["message"] = message
	}
	return json.Marshal(f.top, lenient)
}
