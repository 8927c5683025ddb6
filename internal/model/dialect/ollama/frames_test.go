package ollama_test

import (
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/ollama"
)

const (
	head  = `{"model":"m","created_at":"2026-11-01T10:00:00Z"`
	usage = `"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}`
)

// said is a line with a message; members stand behind its role.
func said(members string) string {
	return head + `,"message":{"role":"assistant",` + members + `},"done":false}`
}

func text(s string) string { return said(`"content":` + quote(s)) }

// tools is a line with calls and no text.
func tools(entries ...string) string {
	return said(`"content":"","tool_calls":[` + strings.Join(entries, ",") + `]`)
}

// last is the line that ends a response.
func last(content string) string {
	return head + `,"message":{"role":"assistant","content":` + quote(content) + `},` + usage
}

// generated is a line of a response to /api/generate.
func generated(s string) string { return head + `,"response":` + quote(s) + `,"done":false}` }

// entry is a call as the API has it.
func entry(name, args string) string {
	return `{"function":{"name":` + quote(name) + `,"arguments":` + args + `}}`
}

// numbered is a call as newer servers have it.
func numbered(id, index, name, args string) string {
	return `{"id":` + quote(id) + `,"function":{"index":` + index + `,"name":` + quote(name) + `,"arguments":` + args + `}}`
}

var (
	rm   = entry("rm", `{"path":"/"}`)
	ls   = entry("ls", `{}`)
	done = last("")
)

const failure = `{"error":"model runner has stopped"}`

// lines puts lines on the wire.
func lines(all ...string) []byte { return []byte(strings.Join(all, "\n") + "\n") }

// Names that tables are full of.
var (
	quote     = dialecttest.Quote
	refuse    = dialecttest.Refuse
	noticeFor = dialecttest.NoticeFor
)

func pass(in []byte, whole bool, p dialecttest.Policy) dialecttest.Result {
	return dialecttest.Put(ollama.Format(), framingOf(whole), in, p)
}

func framingOf(whole bool) frame.Framing {
	if whole {
		return frame.Whole
	}
	return frame.Rows
}
