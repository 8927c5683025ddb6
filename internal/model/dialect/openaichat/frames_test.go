package openaichat_test

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/openaichat"
)

// role is the chunk with which a stream begins.
var role = delta(`{"role":"assistant","content":""}`)

func chunk(choices ...string) string {
	return `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[` + strings.Join(choices, ",") + `]}`
}

func delta(d string) string { return chunk(`{"index":0,"delta":` + d + `,"finish_reason":null}`) }

func text(s string) string { return delta(`{"content":` + quote(s) + `}`) }

func finish(reason string) string { return choiceEnd(0, reason) }

func choiceEnd(choice int, reason string) string {
	return chunk(fmt.Sprintf(`{"index":%d,"delta":{},"finish_reason":%q}`, choice, reason))
}

func tool(entries ...string) string { return choiceTool(0, entries...) }

func choiceTool(choice int, entries ...string) string {
	return chunk(fmt.Sprintf(`{"index":%d,"delta":{"tool_calls":[%s]},"finish_reason":null}`, choice, strings.Join(entries, ",")))
}

// open is the first entry of a call; args stands escaped between quotes.
func open(index any, id, name, args string) string {
	return fmt.Sprintf(`{"index":%v,"id":%q,"type":"function","function":{"name":%q,"arguments":"%s"}}`, index, id, name, args)
}

// more is a further entry of a call.
func more(index any, args string) string {
	return fmt.Sprintf(`{"index":%v,"function":{"arguments":"%s"}}`, index, args)
}

// message is a whole completion with one choice.
func message(m, reason string) string {
	return `{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":` + m +
		`,"logprobs":null,"finish_reason":` + quote(reason) + `}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`
}

// stream puts frames on the wire.
func stream(frames ...string) []byte {
	var b strings.Builder
	for _, f := range frames {
		fmt.Fprintf(&b, "data: %s\n\n", f)
	}
	return []byte(b.String())
}

// Names that tables are full of.
var (
	quote     = dialecttest.Quote
	refuse    = dialecttest.Refuse
	noticeFor = dialecttest.NoticeFor
)

func pass(in []byte, whole bool, p dialecttest.Policy) dialecttest.Result {
	return dialecttest.Put(openaichat.Format(), framingOf(whole), in, p)
}

func framingOf(whole bool) frame.Framing {
	if whole {
		return frame.Whole
	}
	return frame.Events
}
