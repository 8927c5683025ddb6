package openaichat_test

import (
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
