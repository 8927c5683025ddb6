package endpoint

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
	"github.com/weir-gate/weir/internal/model/dialect/bedrock"
)

const bedrockAgents = "agents, flows and knowledge bases call models and tools in a form that weir cannot judge"

func bedrockRows() []Row {
	return slices.Concat(
		noted("at any depth", offering(bedrock.Name, gated(bedrock.Name, post, "**/model/{id}/converse", "**/model/{id}/converse-stream"))),
		noted("at any depth; Claude's own format is read, responses of others pass if no call is in them",
			offering(anthropic.Name, quiet(gated(anthropic.Name, post, "**/model/{id}/invoke", "**/model/{id}/invoke-with-response-stream")))),
		offering(bedrock.Name, passes(post, "/model/{id}/count-tokens")),
		passes(post, "/guardrail/{id}/version/{id}/apply", "/guardrail-checks/invoke"),
		passes(get, "/foundation-models", "/foundation-models/{id}", "/inference-profiles", "/inference-profiles/{id}"),
		below("/openai/v1", chatTurn("/chat/completions"), responsesTurns(), responsesStored(), passes(get, "/models", "/models/{id}")),
		below("/v1", chatTurn("/chat/completions"), responsesTurns(), responsesStored(), passes(get, "/models", "/models/{id}")),
		messagesRows("/anthropic/v1"),
		noted("at any depth", openaiAnywhere()),
		refused(liveSessions, "**/model/{id}/invoke-with-bidirectional-stream/**"),
		refused("asynchronous invocations write model output to storage, around weir",
			"**/async-invoke/**", "**/model-invocation-job/**", "**/model-invocation-jobs/**"),
		refused(bedrockAgents,
			"/agents/**", "/sessions/**", "**/flows/**", "**/knowledgebases/**", "**/retrieveAndGenerate", "**/retrieveAndGenerateStream",
			"**/agenticRetrieveStream", "**/generateQuery", "**/optimize-prompt"),
		refused("agents in AgentCore run tools out of sight, in a form that weir cannot judge",
			"**/runtimes/{id}/**", "**/invocations/**", "/harnesses/**", "**/code-interpreters/**", "**/browsers/{id}/sessions/**"),
	)
}
