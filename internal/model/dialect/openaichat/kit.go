package openaichat

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/strictjson"
)

// kit is how weir's own models and clients speak this format.
var kit = wire.Kit{
	Request: func(t wire.Turn, streamed bool) (path, body string) {
		return "/v1/chat/completions", fmt.Sprintf(`{"model":%s,"stream":%t,"messages":[{"role":"user","content":%s}]}`,
			dialect.Quote(t.Model), streamed, dialect.Quote(t.Question))
	},
	Framing: frame.Events, Stream: playStream, Whole: playWhole,
	Marks:  []string{`"tool_calls"`},
	Reader: func() func(strictjson.Value) []wire.News { return hearer{}.hear },
}

// playChoice is a completion, or a piece of one, with one choice.
func playChoice(t wire.Turn, object, choice, reason, rest string) string {
	return fmt.Sprintf(`{"id":"chatcmpl-%s","object":%q,"created":0,"model":%s,"choices":[{"index":0,%s,"finish_reason":%s}]%s}`,
		t.ID, object, dialect.Quote(t.Model), choice, reason, rest)
}

// playCall is a call with these arguments; index may be "".
func playCall(b wire.Block, index, arguments string) string {
	return fmt.Sprintf(`{%s"id":"call_%s","type":"function","function":{"name":%s,"arguments":%s}}`,
		index, b.ID, dialect.Quote(b.Tool), dialect.Quote(arguments))
}

func playReason(t wire.Turn) string {
	if t.Calls() {
		return "tool_calls"
	}
	return "stop"
}

func playStream(t wire.Turn) (s wire.Steps) {
	add := func(n wire.News, delta, reason string) {
		s.Add(n, "", playChoice(t, "chat.completion.chunk", `"delta":{`+delta+`}`, reason, ""))
	}
	add(wire.News{}, `"role":"assistant","content":""`, "null")
	calls := 0
	for _, b := range t.Blocks {
		if b.Tool == "" {
			for _, p := range b.Pieces {
				add(wire.News{Text: p}, `"content":`+dialect.Quote(p), "null")
			}
			continue
		}
		index := fmt.Sprintf(`"index":%d,`, calls)
		calls++
		add(wire.News{Tool: b.Tool}, `"tool_calls":[`+playCall(b, index, "")+`]`, "null")
		for _, p := range b.Pieces {
			add(wire.News{Args: p}, `"tool_calls":[{`+index+`"function":{"arguments":`+dialect.Quote(p)+`}}]`, "null")
		}
	}
	add(wire.News{Stop: playReason(t)}, "", `"`+playReason(t)+`"`)
	s.Add(wire.News{}, "", done)
	return s
}

func playWhole(t wire.Turn) string {
	var text, calls string
	for _, b := range t.Blocks {
		if b.Tool == "" {
			text += b.Whole()
		} else {
			calls += "," + playCall(b, "", b.Whole())
		}
	}
	if calls != "" {
		calls = `,"tool_calls":[` + strings.TrimPrefix(calls, ",") + `]`
	}
	return playChoice(t, "chat.completion", `"message":{"role":"assistant","content":`+dialect.Quote(text)+calls+`}`, `"`+playReason(t)+`"`,
		`,"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`)
}

// A hearer understands a stream. It has the calls by their indexes.
type hearer map[int]*heardCall

type heardCall struct {
	name, args string
	json       strictjson.Partial
}

// hear learns of a call when its arguments have become one object: this format has no other sign.
func (h hearer) hear(root strictjson.Value) (learned []wire.News) {
	choices, _ := root.Member("choices")
	for choice := range choices.Elems() {
		delta, _ := choice.Member("delta")
		if text := wire.TextAt(delta, "content"); text != "" {
			learned = append(learned, wire.News{Text: text})
		}
		calls, _ := delta.Member("tool_calls")
		for entry := range calls.Elems() {
			learned = append(learned, h.entry(entry)...)
		}
		if reason := wire.TextAt(choice, "finish_reason"); reason != "" {
			learned = append(learned, wire.News{Stop: reason})
		}
	}
	return learned
}

func (h hearer) entry(entry strictjson.Value) []wire.News {
	v, _ := entry.Member("index")
	index, _ := v.Uint()
	function, _ := entry.Member("function")
	c := h[index]
	if c == nil {
		c = &heardCall{name: wire.TextAt(function, "name")}
		h[index] = c
	}
	piece := wire.TextAt(function, "arguments")
	c.args += piece
	if piece == "" || c.json.Write([]byte(piece)) != strictjson.Complete {
		return nil
	}
	return []wire.News{{Tool: c.name, Args: c.args}}
}
