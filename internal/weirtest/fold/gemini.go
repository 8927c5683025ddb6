package fold

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Gemini is the Gemini generateContent API, plain or in the wrapper of Code Assist.
var Gemini = Format{
	Name: "Gemini generateContent",
	speaks: func(frame object) bool {
		return showsGemini(frame) || showsGemini(inner(frame))
	},
	begin:  func() folder { return &geminiFolder{top: object{}, wrapper: object{}} },
	framed: framedForGemini,
	whole: func(body object) (jsontext.Value, error) {
		if !showsGemini(body) && !showsGemini(inner(body)) {
			return nil, nil
		}
		f := &geminiFolder{top: object{}, wrapper: object{}}
		f.add(body)
		return f.result()
	},
	acceptable: acceptableTurn,
	content:    geminiContent,
}

func showsGemini(o object) bool {
	return o["candidates"] != nil || o["promptFeedback"] != nil || o["usageMetadata"] != nil
}

// inner is what Code Assist has wrapped; nil: nothing.
func inner(frame object) object {
	var o object
	if frame["response"].Kind() != '{' || json.Unmarshal(frame["response"], &o, lenient) != nil {
		return nil
	}
	return o
}

// framedForGemini checks that there are no comments, which make one client fail, and one kind of line ends, since another
// finds the end of events by the first that it sees.
func framedForGemini(sse []byte) {
	text := string(sse)
	if strings.HasPrefix(text, ":") || strings.Contains(text, "\n:") {
		stumblef("the stream has comments")
	}
	if crlf := strings.Count(text, "\r\n"); crlf > 0 && crlf < strings.Count(text, "\n") {
		stumblef("the stream has two kinds of line ends")
	}
}

// ErrPieces says that a response has calls in pieces. The message has them as they came.
var ErrPieces = errors.New("a piece of a call, and clients do not put pieces together")

// A geminiFolder makes one response of its elements, and fails where a client would stumble. Pieces of text that follow
// each other become one part: no client shows where one ended.
type geminiFolder struct {
	top        object
	wrapper    object // what is around the response
	wrapped    bool
	begun      bool
	pieces     error // where there was a piece of a call
	candidates []*foldedCandidate
}

type foldedCandidate struct {
	index int
	rest  object
	role  jsontext.Value
	parts []object
}

func (f *geminiFolder) take(name string, data []byte) {
	if name != "" {
		stumblef("an element is called %s", name)
	}
	element := parse[object](data, "element")
	f.add(element)
}

// add takes an element, which may be a whole response.
func (f *geminiFolder) add(element object) {
	if isThere(element["error"]) {
		panic(stumble{ErrFailed})
	}
	held := element
	wrapped := inner(element) != nil
	if f.begun && wrapped != f.wrapped {
		stumblef("some elements are wrapped, and some are not")
	}
	f.begun, f.wrapped = true, wrapped
	if wrapped {
		held = inner(element)
		delete(element, "response")
		maps.Copy(f.wrapper, element)
	}
	candidates := parse[[]object](orElse(held["candidates"], "[]"), "candidates")
	for _, c := range candidates {
		f.candidate(c)
	}
	for member, v := range held {
		if member != "candidates" && isThere(v) && string(v) != "{}" {
			f.top[member] = v
		}
	}
}

func (f *geminiFolder) candidate(c object) {
	index, err := strconv.ParseUint(string(orElse(c["index"], "0")), 10, 7)
	if err != nil {
		stumblef("a candidate has the index %s", c["index"])
	}
	at, known := slices.BinarySearchFunc(f.candidates, int(index), func(c *foldedCandidate, i int) int { return c.index - i })
	if !known {
		f.candidates = slices.Insert(f.candidates, at, &foldedCandidate{index: int(index), rest: object{}})
	}
	folded := f.candidates[at]
	var content struct {
		Role  jsontext.Value `json:"role"`
		Parts []object       `json:"parts"`
	}
	if err := json.Unmarshal(orElse(c["content"], "{}"), &content, lenient); err != nil {
		stumblef("candidate %d: content: %w", index, err)
	}
	if isThere(content.Role) {
		folded.role = content.Role
	}
	for _, p := range content.Parts {
		if isPiece(p["functionCall"]) {
			f.pieces = fmt.Errorf("candidate %d: %w", index, ErrPieces)
		}
		folded.add(p)
	}
	for member, v := range c {
		if member != "index" && member != "content" && isThere(v) {
			folded.rest[member] = v
		}
	}
}

// isPiece says whether a call is one of those that come in pieces.
func isPiece(call jsontext.Value) bool {
	var members object
	return json.Unmarshal(orElse(call, "{}"), &members, lenient) == nil &&
		(isThere(members["partialArgs"]) || isThere(members["willContinue"]))
}

// add appends a part, or its text to the text before.
func (c *foldedCandidate) add(p object) {
	if !isText(p) {
		c.parts = append(c.parts, p)
		return
	}
	if text(p["text"]) == "" {
		return // many streams end with it
	}
	if last := len(c.parts) - 1; last >= 0 && isText(c.parts[last]) && string(c.parts[last]["thought"]) == string(p["thought"]) {
		c.parts[last]["text"] = joined(c.parts[last]["text"], p["text"])
		return
	}
	c.parts = append(c.parts, p)
}

// isText says whether a part is text, and nothing else.
func isText(p object) bool {
	for member := range p {
		if member != "text" && member != "thought" {
			return false
		}
	}
	return p["text"] != nil
}

// whole is a candidate as it stands in a whole response. A content without parts says nothing.
func (c *foldedCandidate) whole() object {
	c.rest["index"] = jsontext.Value(strconv.Itoa(c.index))
	if len(c.parts) == 0 {
		return c.rest
	}
	content := written(map[string]any{"role": c.role, "parts": c.parts})
	c.rest["content"] = content
	return c.rest
}

func (f *geminiFolder) result() (jsontext.Value, error) {
	if len(f.candidates) == 0 && f.top["promptFeedback"] == nil {
		return nil, fmt.Errorf("no candidate: %w", ErrUnfinished)
	}
	list := make([]object, 0, len(f.candidates))
	for _, c := range f.candidates {
		if text(c.rest["finishReason"]) == "" {
			return nil, fmt.Errorf("candidate %d: %w", c.index, ErrUnfinished)
		}
		list = append(list, c.whole())
	}
	f.top["candidates"] = written(list)
	if f.wrapped {
		f.wrapper["response"] = written(f.top)
		return written(f.wrapper), f.pieces
	}
	return written(f.top), f.pieces
}
