package anthropic_test

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// texts say which strings of the format are text. A block is content_block in a frame and an element of content in a message.
var texts = []dialecttest.TextPlace{
	// What the API does not have.
	{Place: "**/*:note/**", Kind: dialect.Elsewhere},
	{Place: "**/type"},
	// Calls, and blocks of an unknown type, which are judged as calls.
	{Place: "**/*:*tool_use/**"},
	{Place: "**/delta:input_json_delta/partial_json"},
	{Place: "**/*:future_call/**"},
	{Place: "**/*:video/**"},
	// Results of provider-run calls.
	{Place: "**/*:*_tool_result/tool_use_id"},
	{Place: "**/*:*_tool_result/content*/**/encrypted_content"},
	{Place: "**/*:*_tool_result/content*/**/file_id"},
	{Place: "**/*:*_tool_result/content*/**/media_type"},
	{Place: "**/*:*_tool_result/content*/**/*:base64/data"},
	{Place: "**/*:*_tool_result/content*/**", Kind: dialect.Output},
	{Place: "**/*:*_tool_result/content", Kind: dialect.Output},
	{Place: "**/*:mcp_tool_listing/server_name"},
	{Place: "**/*:mcp_tool_listing/tools/**", Kind: dialect.Output},
	// What the model says.
	{Place: "**/*:text/text", Kind: dialect.Answer},
	{Place: "**/delta:text_delta/text", Kind: dialect.Answer},
	{Place: "**/*:compaction/content", Kind: dialect.Answer},
	{Place: "**/delta:compaction_delta/content", Kind: dialect.Answer},
	{Place: "**/*:thinking/thinking", Kind: dialect.Reasoning},
	{Place: "**/delta:thinking_delta/thinking", Kind: dialect.Reasoning},
	{Place: "**/*:thinking/signature"},
	{Place: "**/delta:signature_delta/signature"},
	{Place: "**/*:redacted_thinking/data"},
	{Place: "**/*:fallback/*/model"},
	{Place: "**/*:*_location/encrypted_index"},
	{Place: "**/*:*_location/file_id"},
	{Place: "**/*:*_location/*", Kind: dialect.Citation},
	{Place: "**/stop_details:refusal/category"},
	{Place: "**/stop_details:refusal/explanation", Kind: dialect.Refusal},
	// What is around it.
	{Place: ":error/error:*/message", Kind: dialect.Failure},
	{Place: ":error/request_id"},
	{Place: "**/usage/service_tier"},
	{Place: "**/container/id"},
	{Place: "**/container/expires_at"},
	{Place: "**/stop_reason"},
	{Place: "**/*:message/id"},
	{Place: "**/*:message/role"},
	{Place: "**/*:message/model"},
}
