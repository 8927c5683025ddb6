package bedrock_test

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/bedrock"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// The frames of small streams, each a type and a payload; a mark of exclamation ahead of the type makes it an exception.
const (
	start   = `messageStart {"role":"assistant"}`
	end     = `messageStop {"stopReason":"tool_use"}`
	costs   = `metadata {"usage":{"inputTokens":7,"outputTokens":3,"totalTokens":10},"metrics":{"latencyMs":1}}`
	failure = `!modelStreamErrorException {"message":"stream broke"}`
)

func stopWith(reason string) string { return `messageStop {"stopReason":` + quote(reason) + `}` }

func startBlock(index any, unit string) string {
	return fmt.Sprintf(`contentBlockStart {"contentBlockIndex":%v,"start":%s}`, index, unit)
}

func tool(index any, name string) string {
	return startBlock(index, `{"toolUse":{"toolUseId":"t","name":`+quote(name)+`}}`)
}

func delta(index any, unit string) string {
	return fmt.Sprintf(`contentBlockDelta {"contentBlockIndex":%v,"delta":%s}`, index, unit)
}

func says(index any, text string) string { return delta(index, `{"text":`+quote(text)+`}`) }

// piece is a delta with a piece of arguments, which is a JSON string.
func piece(index any, literal string) string {
	return delta(index, `{"toolUse":{"input":`+literal+`}}`)
}

func stopBlock(index any) string {
	return fmt.Sprintf(`contentBlockStop {"contentBlockIndex":%v}`, index)
}

// rm is a call, as its frames.
func rm(index any) []string {
	return []string{tool(index, "rm"), piece(index, `"{\"path\":\"/\"}"`), stopBlock(index)}
}

// framesOf puts frames and lists of them in a row.
func framesOf(parts ...any) []string {
	var all []string
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			all = append(all, p)
		case []string:
			all = append(all, p...)
		}
	}
	return all
}

// body is a whole response.
func body(reason string, blocks ...string) string {
	return `{"output":{"message":{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}},"stopReason":` + quote(reason) +
		`,"usage":{"inputTokens":7,"outputTokens":3,"totalTokens":10},"metrics":{"latencyMs":1}}`
}

const rmBlock = `{"toolUse":{"toolUseId":"t","name":"rm","input":{"path":"/"}}}`

// Names that tables are full of.
var (
	quote     = dialecttest.Quote
	refuse    = dialecttest.Refuse
	noticeFor = dialecttest.NoticeFor
	stream    = dialecttest.Spelled
	told      = dialecttest.Spell
)

func pass(in []byte, whole bool, p dialecttest.Policy) dialecttest.Result {
	return dialecttest.Put(bedrock.Format(), framingOf(whole), in, p)
}

func framingOf(whole bool) frame.Framing {
	if whole {
		return frame.Whole
	}
	return frame.Binary
}
