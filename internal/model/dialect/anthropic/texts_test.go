package anthropic_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// texts say which strings of the format are text. A block is content_block in a frame and an element of content in a message.
var texts = []dialecttest.TextPlace{
	// What the API does not have.
	{Place: "**/*:note/**", Kind: dialect.Elsewhere},
	{Place: "**/novel", Kind: dialect.Elsewhere},
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
	{Place: "**/amazon-bedrock-trace/**", Kind: dialect.Echo},
	{Place: "message", Kind: dialect.Failure}, // of a failure that the framing tells of
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

// Members that the API does not have are text too, wherever they are.
func TestTextsElsewhere(t *testing.T) {
	chunks := func(data ...string) (stream []byte) {
		for _, d := range data {
			stream = dialecttest.ChunkMessage(d).Append(stream)
		}
		return stream
	}
	const (
		start = `{"type":"message_start","novel":"a","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"novel":"b"}}`
		open  = `{"type":"content_block_start","index":0,"novel":"c","content_block":{"type":"tool_use","id":"t","name":"ls","input":{},"novel":"d"}}`
		piece = `{"type":"content_block_delta","index":0,"novel":"e","delta":{"type":"input_json_delta","partial_json":"{}","novel":"f"}}`
		other = `{"type":"content_block_start","index":1,"novel":"g","content_block":{"type":"future_call","novel":"h"}}`
		more  = `{"type":"content_block_delta","index":1,"novel":"i","delta":{"type":"future_delta","novel":"j"}}`
	)
	s := subject(t)
	s.Texts = append([]dialecttest.TextPlace{
		{Place: ":content_block_delta/delta:future_delta/novel"},
		{Place: "**/*:future_call/novel"},
		{Place: "**/*:tool_use/novel", Kind: dialect.Elsewhere},
	}, s.Texts...)
	s.CheckTexts(t, chunks(start, open, piece, other, more, `{"type":"future_event","novel":"k"}`), frame.Chunks)
	failure := dialecttest.ExceptionMessage("modelStreamErrorException", `{"message":"no"}`)
	s.CheckTexts(t, failure.Append(chunks(start)), frame.Chunks)
	s.CheckTexts(t, []byte(`{"type":"error","error":{"type":"api_error","message":"no"},"novel":"l"}`), frame.Whole)
}
