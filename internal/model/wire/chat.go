package wire

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Chat is the OpenAI Chat Completions API, and every API that looks like it. It has no signatures.
var Chat = Kit{
	Request: func(t Turn, streamed bool) (path, body string) {
		return "/v1/chat/completions", fmt.Sprintf(`{"model":%s,"stream":%t,"messages":[{"role":"user","content":%s}]}`,
			quote(t.Model), streamed, quote(t.Prompt))
	},
	Framing: frame.Events, Stream: chatStream, Whole: chatWhole,
	Marks:  []string{`"tool_calls"`},
	Reader: func() func(strictjson.Value) []News { return chatReader{}.read },
}

// completion is one, or a piece of one, with at most one choice.
func completion(t Turn, object, choice, rest string) string {
	return fmt.Sprintf(`{"id":%s,"object":%q,"created":0,"model":%s,"choices":[%s]%s}`, quote(t.ID), object, quote(t.Model), choice, rest)
}

func chatCost(t Turn) string {
	return fmt.Sprintf(`,"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}`, t.In, t.Out, t.In+t.Out)
}

// chatCall is a call with these arguments; index may be "".
func chatCall(b Block, index, arguments string) string {
	return fmt.Sprintf(`{%s"id":%s,"type":"function","function":{"name":%s,"arguments":%s}}`,
		index, quote(b.ID), quote(b.Tool), quote(arguments))
}

func chatStream(t Turn) (s Steps) {
	chunk := func(choice, rest string) string { return completion(t, "chat.completion.chunk", choice, rest) }
	add := func(n News, delta, reason string) {
		s.add(n, "", chunk(`{"index":0,"delta":{`+delta+`},"finish_reason":`+reason+`}`, ""))
	}
	add(News{}, `"role":"assistant","content":""`, "null")
	calls := 0
	for _, b := range t.Blocks {
		if b.Tool == "" {
			for _, p := range b.Pieces {
				if b.Thought {
					add(News{}, `"reasoning_content":`+quote(p), "null")
				} else {
					add(News{Text: p}, `"content":`+quote(p), "null")
				}
			}
			continue
		}
		index := fmt.Sprintf(`"index":%d,`, calls)
		calls++
		add(News{Tool: b.Tool}, `"tool_calls":[`+chatCall(b, index, "")+`]`, "null")
		for _, p := range b.Pieces {
			add(News{Args: p}, `"tool_calls":[{`+index+`"function":{"arguments":`+quote(p)+`}}]`, "null")
		}
	}
	reason := t.stop("tool_calls", "stop")
	add(News{Stop: reason}, "", quote(reason))
	if t.Out > 0 {
		s.add(News{}, "", chunk("", chatCost(t)))
	}
	s.add(News{}, "", "[DONE]")
	return s
}

func chatWhole(t Turn) string {
	var text, thought string
	var calls []string
	for _, b := range t.Blocks {
		switch {
		case b.Thought:
			thought += b.Whole()
		case b.Tool == "":
			text += b.Whole()
		default:
			calls = append(calls, chatCall(b, "", b.Whole()))
		}
	}
	said := `"role":"assistant","content":` + quote(text)
	if thought != "" {
		said += `,"reasoning_content":` + quote(thought)
	}
	if calls != nil {
		said += `,"tool_calls":[` + strings.Join(calls, ",") + `]`
	}
	choice := fmt.Sprintf(`{"index":0,"message":{%s},"finish_reason":%q}`, said, t.stop("tool_calls", "stop"))
	return completion(t, "chat.completion", choice, chatCost(t))
}

// A chatReader understands a stream. It has the calls by their indexes.
type chatReader map[int]*readCall

type readCall struct {
	name, args string
	json       strictjson.Partial
}

// read learns of a call when its arguments have become one object: this format has no other sign.
func (r chatReader) read(root strictjson.Value) (learned []News) {
	choices, _ := root.Member("choices")
	for choice := range choices.Elems() {
		delta, _ := choice.Member("delta")
		learned = append(learned, said(textAt(delta, "content"))...)
		calls, _ := delta.Member("tool_calls")
		for entry := range calls.Elems() {
			learned = append(learned, r.entry(entry)...)
		}
		if reason := textAt(choice, "finish_reason"); reason != "" {
			learned = append(learned, News{Stop: reason})
		}
	}
	return learned
}

func (r chatReader) entry(entry strictjson.Value) []News {
	v, _ := entry.Member("index")
	index, _ := v.Uint()
	function, _ := entry.Member("function")
	c := r[index]
	if c == nil {
		c = &readCall{name: textAt(function, "name")}
		r[index] = c
	}
	piece := textAt(function, "arguments")
	c.args += piece
	if piece == "" || c.json.Write([]byte(piece)) != strictjson.Complete {
		return nil
	}
	return []News{{Tool: c.name, Args: c.args}}
}
