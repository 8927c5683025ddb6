package gemini_test

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// texts say which strings of the format are text. Whatever they are in may be in the wrapper of Code Assist.
var texts = []dialecttest.TextPlace{
	// What the API does not have.
	{Place: "**/*:note/**", Kind: dialect.Elsewhere},
	{Place: "**/parts/*/codeExecutionResult/aside", Kind: dialect.Elsewhere},
	{Place: "**/parts/*/functionCall/remark", Kind: dialect.Elsewhere},
	// Calls, and parts of an unknown kind, which are judged as calls.
	{Place: "**/parts/*/functionCall/**"},
	{Place: "**/parts/*/function_call/**"},
	{Place: "**/parts/*/toolCall/**"},
	{Place: "**/parts/*/executableCode/**"},
	{Place: "**/parts/*/functionResponse/**"},
	{Place: "**/parts/*/videoCall/**"},
	// What came of them.
	{Place: "**/parts/*/codeExecutionResult/output", Kind: dialect.Output},
	{Place: "**/parts/*/codeExecutionResult/*"},
	{Place: "**/parts/*/toolResponse/response/**", Kind: dialect.Output},
	{Place: "**/parts/*/toolResponse/*"},
	// What the model says.
	{Place: "**/candidates/*/content/parts/*:thought/text", Kind: dialect.Reasoning},
	{Place: "**/candidates/*/content/parts/*/text", Kind: dialect.Answer},
	{Place: "**/parts/*/thoughtSignature"},
	{Place: "**/parts/*/inlineData/displayName", Kind: dialect.Citation},
	{Place: "**/parts/*/inlineData/*"},
	{Place: "**/parts/*/fileData/mimeType"},
	{Place: "**/parts/*/fileData/*", Kind: dialect.Citation},
	{Place: "**/parts/*/videoMetadata/*"},
	{Place: "**/parts/*/partMetadata/**", Kind: dialect.Citation},
	{Place: "**/content/role"},
	// What it has it from.
	{Place: "**/groundingMetadata/**/placeId"},
	{Place: "**/groundingMetadata/searchEntryPoint/sdkBlob"},
	{Place: "**/groundingMetadata/googleMapsWidgetContextToken"},
	{Place: "**/groundingMetadata/**", Kind: dialect.Citation},
	{Place: "**/groundingAttributions/**", Kind: dialect.Citation},
	{Place: "**/citationMetadata/**", Kind: dialect.Citation},
	{Place: "**/urlContextMetadata/urlMetadata/*/urlRetrievalStatus"},
	{Place: "**/urlContextMetadata/**", Kind: dialect.Citation},
	// What is around it.
	{Place: "**/logprobsResult/**", Kind: dialect.Echo},
	{Place: "**/finishReason"},
	{Place: "**/finishMessage", Kind: dialect.Failure},
	{Place: "**/safetyRatings/*/*"},
	{Place: "**/promptFeedback/blockReason"},
	{Place: "**/promptFeedback/blockReasonMessage", Kind: dialect.Failure},
	{Place: "**/modelStatus/modelStage"},
	{Place: "**/modelStatus/message", Kind: dialect.Failure},
	{Place: "error/status"},
	{Place: "error/details/*/@type"},
	{Place: "error/details/*/reason"},
	{Place: "error/details/*/domain"},
	{Place: "error/**", Kind: dialect.Failure},
	{Place: "**/usageMetadata/**"},
	{Place: "**/modelVersion"},
	{Place: "**/responseId"},
	{Place: "**/createTime"},
	{Place: "traceId"},
}
