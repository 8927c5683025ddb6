package endpoint

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
	"github.com/weir-gate/weir/internal/model/dialect/gemini"
	"github.com/weir-gate/weir/internal/model/dialect/openaichat"
)

const (
	interactions = "interactions call tools in a form that weir cannot judge yet"
	hostedAgents = "hosted agents run tools out of sight, in a form that weir cannot judge yet"
	webhooks     = "webhooks have results sent elsewhere, around weir"
)

func geminiRows() []Row {
	return slices.Concat(
		googleTurns(),
		codeAssistRows(),
		below("/{version}", geminiModels(), geminiBatches(), geminiFiles(), geminiStores(), cachedContents()),
		geminiTransfers(),
		below("/{version}/openai",
			chatTurn("/chat/completions"), modelsAndFiles(), batches(),
			passes(post, "/embeddings", "/images/generations", "/images/edits", "/videos"),
			passes(get, "/videos/{id}"),
			content(get, "/videos/{id}/content"),
			content(post, "/audio/speech"),
		),
		googleRefused(),
		refused("it hands out a key for live sessions, which would go around weir", "**/{version}/auth_tokens/**", "**/{version}/authTokens/**"),
		refused(hostedAgents, "/{version}/agents/**", "/{version}/environments/**",
			"/{version}/triggers/**", "/upload/{version}/environments/**"),
		refused("credentials give hosted agents ways to tools that weir does not see", "/{version}/credentials/**"),
		refused(webhooks, "/{version}/webhooks/**"),
	)
}

// googleTurns are identified by their verb, for models, tuned models and endpoints alike. They match any method, because Google's
// servers let a header change the method.
func googleTurns() []Row {
	return slices.Concat(
		noted("at any depth", offering(gemini.Name, gated(gemini.Name, anyMethod, "**/{id}:generateContent", "**/{id}:streamGenerateContent"))),
		noted("at any depth", offering(gemini.Name, quiet(gated(gemini.Name, anyMethod, "**/{id}:batchGenerateContent")))),
		noted("at any depth", offering(gemini.Name, passes(post, "**/{id}:countTokens", "**/{id}:computeTokens"))),
		noted("at any depth", passes(post, "**/{id}:embedContent", "**/{id}:batchEmbedContents", "**/{id}:asyncBatchEmbedContent")),
	)
}

// codeAssistUpstreamRows are the rows of the upstream that is used with a Google login.
func codeAssistUpstreamRows() []Row {
	return slices.Concat(codeAssistRows(), googleTurns(), googleRefused())
}

// codeAssistRows are the endpoints of the server behind Gemini CLI with a Google login.
func codeAssistRows() []Row {
	return slices.Concat(
		noted("Code Assist", offering(gemini.Name, gated(gemini.Name, anyMethod,
			"**/v1internal:generateContent", "**/v1internal:streamGenerateContent"))),
		noted("Code Assist", offering(gemini.Name, passes(post, "**/v1internal:countTokens"))),
		noted("Code Assist", passes(
			getPost,
			"**/v1internal:loadCodeAssist", "**/v1internal:onboardUser", "**/v1internal:fetchAdminControls",
			"**/v1internal:retrieveUserQuota", "**/v1internal:getCodeAssistGlobalUserSetting",
			"**/v1internal:setCodeAssistGlobalUserSetting", "**/v1internal:listExperiments",
			"**/v1internal:recordCodeAssistMetrics",
		)),
		noted("Code Assist", passes(get, "/v1internal/operations/{id}")),
	)
}

func geminiModels() []Row {
	return slices.Concat(
		passes(get, "/models", "/models/{id}"),
		noted("images", passes(post, "/models/{id}:predict")),
		noted("videos", passes(post, "/models/{id}:predictLongRunning")),
		passes(get, "/models/{id}/operations"),
		quiet(gated(gemini.Name, get, "/models/{id}/operations/{id}")),
		passes(getPost, "/tunedModels"),
		passes(get+" "+patch+" "+del, "/tunedModels/{id}"),
		passes(getPost, "/tunedModels/{id}/permissions"),
		passes(get+" "+patch+" "+del, "/tunedModels/{id}/permissions/{id}"),
		passes(get, "/tunedModels/{id}/operations", "/tunedModels/{id}/operations/{id}"),
	)
}

// geminiBatches are the endpoints of batches: their results are in the responses.
func geminiBatches() []Row {
	return slices.Concat(
		noted("results of batches", quiet(gated(gemini.Name, get, "/batches", "/batches/{id}", "/operations", "/operations/{id}"))),
		passes(del, "/batches/{id}", "/operations/{id}"),
		passes(post, "/batches/{id}:cancel", "/operations/{id}:cancel"),
		quiet(gated(gemini.Name, patch, "/batches/{id}:updateGenerateContentBatch", "/batches/{id}:updateEmbedContentBatch")),
	)
}

func geminiFiles() []Row {
	return slices.Concat(
		passes(getPost, "/files"),
		passes(post, "/files:register"),
		passes(getDel, "/files/{id}"),
		noted("results of batches among others", content(get, "/files/{id}:download")),
		passes(get, "/generatedFiles", "/generatedFiles/{id}"),
		content(get, "/generatedFiles/{id}:download"),
	)
}

// geminiStores are the endpoints of stores for searching.
func geminiStores() []Row {
	return slices.Concat(
		passes(getPost, "/fileSearchStores", "/corpora"),
		passes(getDel, "/fileSearchStores/{id}", "/fileSearchStores/{id}/documents/{id}", "/corpora/{id}", "/corpora/{id}/documents/{id}"),
		passes(patch, "/corpora/{id}", "/corpora/{id}/documents/{id}"),
		passes(getPost, "/corpora/{id}/documents", "/corpora/{id}/documents/{id}/chunks"),
		passes(get, "/fileSearchStores/{id}/documents", "/fileSearchStores/{id}/operations/{id}",
			"/fileSearchStores/{id}/upload/operations/{id}"),
		passes(post, "/fileSearchStores/{id}:importFile", "/fileSearchStores/{id}:uploadToFileSearchStore", "/corpora/{id}:query"),
	)
}

// cachedContents are the endpoints of cached contents. These may have tools, which later requests do not name again.
func cachedContents() []Row {
	return slices.Concat(
		passes(get, "/cachedContents"),
		offering(gemini.Name, passes(post, "/cachedContents")),
		passes(getDel, "/cachedContents/{id}"),
		offering(gemini.Name, passes(patch, "/cachedContents/{id}")),
	)
}

func geminiTransfers() []Row {
	return slices.Concat(
		passes("POST PUT", "/upload/{version}/files", "/upload/{version}/fileSearchStores/{id}:uploadToFileSearchStore"),
		noted("results of batches among others", content(get, "/download/{version}/files/{id}:download", "/download/{version}/{id}:download")),
	)
}

// googleRefused are the refused endpoints that both of Google's model APIs have.
func googleRefused() []Row {
	return slices.Concat(
		refused(liveSessions, "/ws/**", "**/{id}:bidiGenerateContent"),
		refused(interactions, "**/{version}/interactions/**"),
	)
}

// inLocation is the path prefix of a project's resources in Vertex AI.
const inLocation = "/{version}/projects/{id}/locations/{id}"

func vertexRows() []Row {
	return slices.Concat(
		googleTurns(),
		codeAssistRows(),
		vertexPublishers(),
		vertexEndpoints(),
		below(
			inLocation,
			cachedContents(),
			quiet(gated(gemini.Name, get, "/operations/{id}")),
			passes(getPost, "/tuningJobs"),
			passes(get, "/tuningJobs/{id}", "/batchPredictionJobs", "/batchPredictionJobs/{id}"),
			passes(post, "/tuningJobs/{id}:cancel", "/batchPredictionJobs/{id}:cancel"),
			passes(del, "/batchPredictionJobs/{id}"),
			refused("batch predictions write model output to storage, around weir", "/batchPredictionJobs"),
			refused(interactions, "/interactions/**"),
			refused(hostedAgents, "/agents/**", "/environments/**", "/triggers/**"),
		),
		googleRefused(),
		refused(hostedAgents, "**/reasoningEngines/**", "**/agentEngines/**"),
		refused("it predicts in a form that weir cannot judge",
			"**/{id}:serverStreamingPredict", "**/{id}:streamingPredict", "**/{id}:streamingRawPredict", "**/{id}:directPredict",
			"**/{id}:directRawPredict", "**/{id}:streamDirectPredict", "**/{id}:streamDirectRawPredict", "**/{id}:explain"),
	)
}

// vertexPublishers are the endpoints of models of Google and others, below a project and without one.
func vertexPublishers() []Row {
	return slices.Concat(
		passes(get, "/{version}/publishers/{id}/models", "/{version}/publishers/{id}/models/{id}",
			inLocation+"/publishers/{id}/models", inLocation+"/publishers/{id}/models/{id}"),
		noted("Claude", offering(anthropic.Name, gated(anthropic.Name, anyMethod,
			"**/publishers/anthropic/models/{id}:rawPredict", "**/publishers/anthropic/models/{id}:streamRawPredict"))),
		noted("Claude; its count-tokens is a model of its own", offering(anthropic.Name, passes(post,
			"**/publishers/anthropic/models/count-tokens:rawPredict"))),
		noted("models of other makers", offering(openaichat.Name, gated(openaichat.Name, anyMethod,
			"**/publishers/{id}/models/{id}:rawPredict", "**/publishers/{id}/models/{id}:streamRawPredict"))),
		noted("images, embeddings and the like", passes(post,
			"**/publishers/{id}/models/{id}:predict", "**/publishers/{id}/models/{id}:predictLongRunning")),
		quiet(gated(gemini.Name, post, "**/publishers/{id}/models/{id}:fetchPredictOperation")),
	)
}

// vertexEndpoints are the endpoints of models that a project runs itself, and the OpenAI-compatible endpoints of others.
func vertexEndpoints() []Row {
	return slices.Concat(
		noted("at any depth", chatTurn("**/endpoints/openapi/chat/completions", "**/endpoints/{id}/chat/completions")),
		below(inLocation,
			passes(get, "/endpoints", "/endpoints/{id}", "/endpoints/openapi/models"),
			passes(post, "/endpoints/openapi/embeddings"),
		),
		noted("a project's own models", offering(openaichat.Name, gated(openaichat.Name, anyMethod,
			"**/endpoints/{id}:rawPredict", "**/endpoints/{id}:streamRawPredict"))),
		noted("a project's own models", offering(openaichat.Name, quiet(gated(openaichat.Name, anyMethod, "**/endpoints/{id}:predict")))),
		quiet(gated(gemini.Name, post, "**/endpoints/{id}:fetchPredictOperation")),
		passes(post, "**/endpoints/{id}:predictLongRunning"),
	)
}
