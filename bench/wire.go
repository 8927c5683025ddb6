package main

import (
	"fmt"
	"strings"
)

// A wire is a format in which turns are played.
type wire interface {
	path() string
	opening() [][]byte
	text(words string) []byte
	// ending closes a turn of text, or one with a call.
	ending(call bool) [][]byte
	// call are the frames of a call: all but the last argument piece, and that with what belongs to it.
	call(id string) (first [][]byte, last []byte)
	// released is the line with which a call has arrived.
	released() string
}

// wires are the formats by name.
var wires = map[string]wire{"anthropic": messages{}, "openai-chat": chat{}, "openai-responses": responses{}}

// The arguments of the call that is timed, in pieces.
var argumentPieces = []string{`{"command":`, `"go test .`, `/...","timeout":120000}`}

// messages is the Anthropic Messages API.
type messages struct{}

func (messages) path() string { return "/v1/messages" }

func event(typ, format string, args ...any) []byte {
	return fmt.Appendf(nil, "event: %s\ndata: {\"type\":\"%s\"%s}\n\n", typ, typ, fmt.Sprintf(format, args...))
}

func (messages) opening() [][]byte {
	return [][]byte{
		event("message_start", `,"message":{"id":"msg_bench","type":"message","role":"assistant","model":"scripted","content":[],`+
			`"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":1}}`),
		event("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`),
	}
}

func (messages) text(words string) []byte {
	return event("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":%q}`, words)
}

func (messages) ending(call bool) [][]byte {
	reason, frames := "tool_use", [][]byte(nil)
	if !call {
		reason, frames = "end_turn", [][]byte{event("content_block_stop", `,"index":0`)}
	}
	return append(frames, event("message_delta", `,"delta":{"stop_reason":"%s","stop_sequence":null},"usage":{"output_tokens":7}`, reason),
		event("message_stop", ""))
}

func (m messages) call(id string) (first [][]byte, last []byte) {
	piece := func(text string) []byte {
		return event("content_block_delta", `,"index":0,"delta":{"type":"input_json_delta","partial_json":%q}`, text)
	}
	first = [][]byte{
		m.opening()[0],
		event("content_block_start", `,"index":0,"content_block":{"type":"tool_use","id":"toolu_%s","name":"Bash","input":{}}`, id),
		piece(argumentPieces[0]), piece(argumentPieces[1]),
	}
	return first, append(piece(argumentPieces[2]), event("content_block_stop", `,"index":0`)...)
}

func (messages) released() string { return "event: content_block_stop\n" }

// chat is the OpenAI Chat Completions API.
type chat struct{}

func (chat) path() string { return "/v1/chat/completions" }

func chunk(delta, finish string) []byte {
	return fmt.Appendf(nil, `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1762300000,"model":"scripted",`+
		`"service_tier":"default","system_fingerprint":"fp_bench","choices":[{"index":0,"delta":%s,"logprobs":null,"finish_reason":%s}]}`+"\n\n", delta, finish)
}

func (chat) opening() [][]byte {
	return [][]byte{chunk(`{"role":"assistant","content":""}`, "null")}
}

func (chat) text(words string) []byte { return chunk(fmt.Sprintf(`{"content":%q}`, words), "null") }

func (chat) ending(call bool) [][]byte {
	reason := `"stop"`
	if call {
		reason = `"tool_calls"`
	}
	return [][]byte{chunk("{}", reason), []byte("data: [DONE]\n\n")}
}

func (c chat) call(id string) (first [][]byte, last []byte) {
	first = append(c.opening(), chunk(fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"call_%s","type":"function","function":{"name":"Bash","arguments":""}}]}`, id), "null"))
	for _, p := range argumentPieces[:2] {
		first = append(first, chatPiece(p))
	}
	return first, chatPiece(argumentPieces[2])
}

func chatPiece(text string) []byte {
	return chunk(fmt.Sprintf(`{"tool_calls":[{"index":0,"function":{"arguments":%q}}]}`, text), "null")
}

func (chat) released() string { return strings.TrimSuffix(string(chatPiece(argumentPieces[2])), "\n") }
