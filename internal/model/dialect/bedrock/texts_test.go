package bedrock_test

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// texts say which strings of the format are text, in the frames of a stream and in the content of a body.
var texts = []dialecttest.TextPlace{
	// Calls, and blocks of an unknown kind, which are judged as calls.
	{Place: "start/toolUse*/*"},
	{Place: "delta/toolUse/input"},
	{Place: "output/message/content/*/toolUse*/**"},
	{Place: "**/futureCall/**"},
	{Place: "**/hologram/**"},
	// Results of provider-run calls.
	{Place: "start/toolResult*/*"},
	{Place: "output/message/content/*/toolResult*/toolUseId"},
	{Place: "output/message/content/*/toolResult*/status"},
	{Place: "output/message/content/*/toolResult*/type"},
	{Place: "output/message/content/*/toolResult*/content/*/image/**"},
	{Place: "output/message/content/*/toolResult*/content/*/document/format"},
	{Place: "output/message/content/*/toolResult*/content/**", Kind: dialect.Output},
	{Place: "delta/toolResult/**", Kind: dialect.Output},
	{Place: "output/message/content/*/searchResult/**", Kind: dialect.Output},
	// What the model says.
	{Place: "delta/text", Kind: dialect.Answer},
	{Place: "output/message/content/*/text", Kind: dialect.Answer},
	{Place: "output/message/content/*/citationsContent/content/*/text", Kind: dialect.Answer},
	{Place: "output/message/content/*/document/name", Kind: dialect.Answer},
	{Place: "output/message/content/*/document/**"},
	{Place: "output/message/content/*/image/**"},
	{Place: "output/message/content/*/guardContent/text/text", Kind: dialect.Answer},
	{Place: "output/message/content/*/guardContent/text/qualifiers/*"},
	{Place: "delta/reasoningContent/text", Kind: dialect.Reasoning},
	{Place: "delta/reasoningContent/*"},
	{Place: "output/message/content/*/reasoningContent/reasoningText/text", Kind: dialect.Reasoning},
	{Place: "output/message/content/*/reasoningContent/**"},
	{Place: "delta/citation/**", Kind: dialect.Citation},
	{Place: "output/message/content/*/citationsContent/citations/**", Kind: dialect.Citation},
	// What is around it.
	{Place: "trace/**", Kind: dialect.Echo},
	{Place: "additionalModelResponseFields/**", Kind: dialect.Echo},
	{Place: "message", Kind: dialect.Failure},
	{Place: "originalStatusCode"},
	{Place: "aside", Kind: dialect.Elsewhere}, // the API has no such members
	{Place: "output/aside", Kind: dialect.Elsewhere},
	{Place: "role"},
	{Place: "output/message/role"},
	{Place: "stopReason"},
	{Place: "performanceConfig/latency"},
	{Place: "p"},
}
