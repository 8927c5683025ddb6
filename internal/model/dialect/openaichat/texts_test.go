package openaichat_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// texts say which strings of the format are text. What a delta has a message has too.
var texts = []dialecttest.TextPlace{
	// Calls.
	{Place: "choices/*/*/tool_calls/**"},
	{Place: "choices/*/*/function_call/**"},
	// What the model says.
	{Place: "choices/*/delta/content", Kind: dialect.Answer},
	{Place: "choices/*/message/content", Kind: dialect.Answer},
	{Place: "choices/*/*/audio/transcript", Kind: dialect.Answer},
	{Place: "choices/*/*/audio/id"},
	{Place: "choices/*/*/audio/data"},
	{Place: "choices/*/*/refusal", Kind: dialect.Refusal},
	{Place: "choices/*/*/reasoning_content", Kind: dialect.Reasoning},
	{Place: "choices/*/*/reasoning", Kind: dialect.Reasoning},
	{Place: "choices/*/*/reasoning_details/*:reasoning.text/text", Kind: dialect.Reasoning},
	{Place: "choices/*/*/reasoning_details/*:reasoning.text/type"},
	{Place: "choices/*/*/reasoning_details/*:reasoning.text/format"},
	{Place: "choices/*/*/reasoning_details/*:reasoning.encrypted/*"},
	{Place: "choices/*/*/annotations/*:url_citation/type"},
	{Place: "choices/*/*/annotations/*:url_citation/url_citation/*", Kind: dialect.Citation},
	{Place: "choices/*/*/executed_tools/*:*/type"},
	{Place: "choices/*/*/executed_tools/*:*/arguments"},
	{Place: "choices/*/*/executed_tools/**", Kind: dialect.Output},
	{Place: "choices/*/logprobs/**", Kind: dialect.Echo},
	// What the API does not have.
	{Place: "choices/*/*/aside", Kind: dialect.Elsewhere},
	// What is around it.
	{Place: "choices/*/*/role"},
	{Place: "choices/*/*/extra_content/google/thought_signature"},
	{Place: "choices/*/finish_reason"},
	{Place: "choices/*/content_filter_results/**"},
	{Place: "prompt_filter_results/**"},
	{Place: "citations/*", Kind: dialect.Citation},
	{Place: "search_results/*/*", Kind: dialect.Citation},
	{Place: "error/message", Kind: dialect.Failure},
	{Place: "error:*/message", Kind: dialect.Failure},
	{Place: "error*/type"},
	{Place: "error*/code"},
	{Place: "id"},
	{Place: "object"},
	{Place: "model"},
	{Place: "system_fingerprint"},
	{Place: "service_tier"},
	{Place: "obfuscation"},
	{Place: "provider"},
}

// rareTexts are places that only some of the APIs that look like this one have.
var rareTexts = append([]dialecttest.TextPlace{
	{Place: "choices/*/text", Kind: dialect.Answer},
	{Place: "choices/*/message/content/*:text/text", Kind: dialect.Answer},
	{Place: "choices/*/message/content/*:thinking/thinking/*:text/text", Kind: dialect.Reasoning},
	{Place: "choices/*/message/content/*:text/novel", Kind: dialect.Answer},
	{Place: "choices/*/message/content_parts/*:text/text", Kind: dialect.Answer},
	{Place: "choices/*/message/content*/**/type"},
	{Place: "choices/*/message/reasoning_text", Kind: dialect.Reasoning},
	{Place: "choices/*/message/thinking", Kind: dialect.Reasoning},
	{Place: "choices/*/message/id"},
	{Place: "choices/*/error/message", Kind: dialect.Failure},
	{Place: "x_groq/id"},
	{Place: "x_groq/error", Kind: dialect.Failure},
	{Place: "message", Kind: dialect.Failure},
	{Place: ":*/message", Kind: dialect.Failure},
	{Place: ":*/object"},
	{Place: ":*/type"},
	{Place: ":*/code"},
	{Place: "detail", Kind: dialect.Failure},
	{Place: "metadata/*", Kind: dialect.Prompt},
	{Place: "tools/**", Kind: dialect.Prompt},
	{Place: "amazon-bedrock-trace/**", Kind: dialect.Echo},
	{Place: "**/novel", Kind: dialect.Elsewhere},
}, texts...)

func TestTextsOfFewAPIs(t *testing.T) {
	s := subject(t)
	s.Texts = rareTexts
	for name, body := range map[string]string{
		"parts": `{"object":"chat.completion","choices":[{"index":0,"message":{"id":"m","role":"assistant","content":[{"type":"thinking",` +
			`"thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"a","novel":"b"}],"content_parts":[{"type":"text","text":"c"}],` +
			`"reasoning_text":"d","thinking":"e","novel":"f"},"text":"g","novel":"h","error":{"message":"i"},"finish_reason":"stop"}],"novel":"j"}`,
		"around": `{"object":"chat.completion","choices":[],"x_groq":{"id":"x","error":"a"},"metadata":{"k":"b"},"tools":[{"type":"c"}],` +
			`"amazon-bedrock-trace":{"output":["d"]},"detail":"e"}`,
		"an error without an object": `{"object":"error","message":"a","type":"b","code":"c"}`,
	} {
		t.Run(name, func(t *testing.T) { s.CheckTexts(t, []byte(body), frame.Whole) })
	}
	s.Texts = append([]dialecttest.TextPlace{
		{Place: "choices/*/message/content", Kind: dialect.Prompt}, {Place: "choices/*/message/content/*/text", Kind: dialect.Prompt},
	}, rareTexts...)
	s.CheckTexts(t, []byte(`{"object":"chat.completion","choices":[{"index":0,"message":{"role":"user","content":"do it","novel":"a"},`+
		`"finish_reason":"stop"}]}`), frame.Whole)
}
