package ollama_test

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// texts say which strings of the format are text.
var texts = []dialecttest.TextPlace{
	{Place: "message/tool_calls/**"},
	{Place: "message/content", Kind: dialect.Answer},
	{Place: "message/thinking", Kind: dialect.Reasoning},
	{Place: "message/role"},
	{Place: "message/images/*"},
	{Place: "response", Kind: dialect.Answer},
	{Place: "thinking", Kind: dialect.Reasoning},
	{Place: "error", Kind: dialect.Failure},
	{Place: "logprobs/**", Kind: dialect.Echo},
	{Place: "aside", Kind: dialect.Elsewhere}, // the API has no such member
	{Place: "model"},
	{Place: "created_at"},
	{Place: "done_reason"},
	{Place: "remote_model"},
	{Place: "remote_host"},
}
