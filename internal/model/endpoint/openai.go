package endpoint

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect/openaichat"
	"github.com/weir-gate/weir/internal/model/dialect/openairesponses"
)

const (
	liveSessions = "live sessions speak a protocol that weir cannot judge yet"
	assistants   = "assistants store their threads and call tools in a form that weir cannot judge"
)

func openaiRows() []Row {
	return slices.Concat(
		below("/v1", openaiTurns(), openaiStored(), openaiData(), openaiMedia(), openaiTraining()),
		azureRows(),
		noted("at any depth", openaiAnywhere()),
		openaiRefused(),
	)
}

// chatgptRows are the endpoints behind Codex with a ChatGPT login. Its address has no version.
func chatgptRows() []Row {
	return slices.Concat(
		responsesTurns(),
		passes(get, "/models"),
		noted("at any depth", openaiAnywhere()),
		openaiRefused(),
	)
}

// chatTurn returns rows of endpoints for chat completions.
func chatTurn(paths ...string) []Row {
	return offering(openaichat.Name, gated(openaichat.Name, post, paths...))
}

// textTurn returns rows of endpoints for text completions. Their requests have no tools.
func textTurn(paths ...string) []Row {
	return gated(openaichat.Name, post, paths...)
}

// openaiAnywhere are the turns that are identified by the end of their path, whatever a gateway puts before it.
func openaiAnywhere() []Row {
	return slices.Concat(
		chatTurn("**/chat/completions"),
		offering(openairesponses.Name, gated(openairesponses.Name, post, "**/responses")),
		gated(openairesponses.Name, get, "**/responses/{id}"),
	)
}

// openaiTurns are the endpoints that ask a model.
func openaiTurns() []Row {
	return slices.Concat(
		chatTurn("/chat/completions"),
		textTurn("/completions"),
		responsesTurns(),
	)
}

// responsesTurns are the endpoints that make responses.
func responsesTurns() []Row {
	return slices.Concat(
		offering(openairesponses.Name, gated(openairesponses.Name, post, "/responses", "/responses/compact")),
		offering(openairesponses.Name, passes(post, "/responses/input_tokens")),
	)
}

// openaiStored are the endpoints of stored earlier turns.
func openaiStored() []Row {
	return slices.Concat(
		noted("stored completions", quiet(gated(openaichat.Name, get, "/chat/completions", "/chat/completions/{id}/messages"))),
		noted("stored completions", gated(openaichat.Name, getPost, "/chat/completions/{id}")),
		passes(del, "/chat/completions/{id}"),
		responsesStored(),
	)
}

// responsesStored are the endpoints of stored responses and conversations. Lists of items may be empty.
func responsesStored() []Row {
	return slices.Concat(
		gated(openairesponses.Name, get, "/responses/{id}"),
		gated(openairesponses.Name, post, "/responses/{id}/cancel"),
		passes(del, "/responses/{id}"),
		quiet(gated(openairesponses.Name, get, "/responses/{id}/input_items", "/conversations/{id}/items")),
		gated(openairesponses.Name, get, "/conversations/{id}/items/{id}"),
		offering(openairesponses.Name, quiet(gated(openairesponses.Name, post, "/conversations/{id}/items"))),
		offering(openairesponses.Name, quiet(gated(openairesponses.Name, post, "/conversations"))),
		passes(all, "/conversations/{id}"),
		passes(del, "/conversations/{id}/items/{id}"),
	)
}

// openaiData are the endpoints of models, files and stores for searching.
func openaiData() []Row {
	return slices.Concat(
		modelsAndFiles(),
		passes(del, "/models/{id}"),
		batches(),
		passes(post, "/uploads", "/uploads/{id}/parts", "/uploads/{id}/complete", "/uploads/{id}/cancel"),
		passes(post, "/embeddings", "/moderations"),
		passes(getPost, "/vector_stores", "/vector_stores/{id}/files"),
		passes(all, "/vector_stores/{id}", "/vector_stores/{id}/files/{id}"),
		passes(post, "/vector_stores/{id}/search", "/vector_stores/{id}/file_batches", "/vector_stores/{id}/file_batches/{id}/cancel"),
		passes(get, "/vector_stores/{id}/file_batches/{id}", "/vector_stores/{id}/file_batches/{id}/files"),
		content(get, "/vector_stores/{id}/files/{id}/content"),
		passes(getPost, "/containers", "/containers/{id}/files"),
		passes(getDel, "/containers/{id}", "/containers/{id}/files/{id}"),
		noted("files that tools made", content(get, "/containers/{id}/files/{id}/content")),
		passes(getPost, "/skills", "/skills/{id}/versions"),
		passes(all, "/skills/{id}"),
		passes(getDel, "/skills/{id}/versions/{id}"),
		content(get, "/skills/{id}/content", "/skills/{id}/versions/{id}/content"),
	)
}

// modelsAndFiles are the endpoints of models and files that most compatible servers have.
func modelsAndFiles() []Row {
	return slices.Concat(
		passes(get, "/models", "/models/{id}"),
		passes(getPost, "/files"),
		passes(getDel, "/files/{id}"),
		noted("results of batches among others", content(get, "/files/{id}/content")),
	)
}

// batches are the endpoints of batches. Their requests and results are files.
func batches() []Row {
	return slices.Concat(
		passes(getPost, "/batches"),
		passes(get, "/batches/{id}"),
		passes(post, "/batches/{id}/cancel"),
	)
}

// openaiMedia are the endpoints of images, sound and videos.
func openaiMedia() []Row {
	return slices.Concat(
		passes(post, "/images/generations", "/images/edits", "/images/variations"),
		content(post, "/audio/speech"),
		content(post, "/audio/transcriptions", "/audio/translations"),
		passes(getPost, "/audio/voices", "/audio/voice_consents"),
		passes(all, "/audio/voice_consents/{id}"),
		passes(getPost, "/videos"),
		passes(getDel, "/videos/{id}"),
		content(get, "/videos/{id}/content"),
		passes(post, "/videos/{id}/remix", "/videos/edits", "/videos/extensions", "/videos/characters"),
		passes(get, "/videos/characters/{id}"),
	)
}

// openaiTraining are the endpoints that train and measure models.
func openaiTraining() []Row {
	return slices.Concat(
		passes(getPost, "/fine_tuning/jobs"),
		passes(get, "/fine_tuning/jobs/{id}", "/fine_tuning/jobs/{id}/events", "/fine_tuning/jobs/{id}/checkpoints"),
		passes(post, "/fine_tuning/jobs/{id}/cancel", "/fine_tuning/jobs/{id}/pause", "/fine_tuning/jobs/{id}/resume"),
		passes(getPost, "/fine_tuning/checkpoints/{id}/permissions"),
		passes(del, "/fine_tuning/checkpoints/{id}/permissions/{id}"),
		passes(post, "/fine_tuning/alpha/graders/run", "/fine_tuning/alpha/graders/validate"),
		passes(getPost, "/evals", "/evals/{id}/runs"),
		passes(all, "/evals/{id}", "/evals/{id}/runs/{id}"),
		noted("responses of models in an evaluation", quiet(gated(openaichat.Name, get,
			"/evals/{id}/runs/{id}/output_items", "/evals/{id}/runs/{id}/output_items/{id}"))),
	)
}

// azureRows are the rows for the forms in which Azure offers this API: below /openai/v1, below /openai with a version in the query,
// and by deployment.
func azureRows() []Row {
	common := func() []Row {
		return slices.Concat(
			responsesTurns(), responsesStored(), modelsAndFiles(), batches(),
			passes(getPost, "/fine_tuning/jobs"),
			passes(get, "/fine_tuning/jobs/{id}", "/fine_tuning/jobs/{id}/events", "/fine_tuning/jobs/{id}/checkpoints"),
			passes(post, "/fine_tuning/jobs/{id}/cancel"),
		)
	}
	return slices.Concat(
		below(
			"/openai/v1", common(), chatTurn("/chat/completions"), textTurn("/completions"),
			passes(post, "/embeddings", "/images/generations", "/images/edits"),
			content(post, "/audio/transcriptions", "/audio/translations"),
			content(post, "/audio/speech"),
		),
		below("/openai", common()),
		below(
			"/openai/deployments/{id}",
			chatTurn("/chat/completions", "/extensions/chat/completions"),
			textTurn("/completions"),
			passes(post, "/embeddings", "/images/generations", "/images/edits"),
			content(post, "/audio/transcriptions", "/audio/translations"),
			content(post, "/audio/speech"),
		),
	)
}

// openaiRefused are the refused endpoints, at any depth: gateways and Azure have them below their own prefixes.
func openaiRefused() []Row {
	return slices.Concat(
		refused(liveSessions, "**/realtime/**"),
		refused("it hands out a key for live sessions, which would go around weir",
			"**/realtime/client_secrets/**", "**/realtime/sessions/**", "**/realtime/transcription_sessions/**",
			"**/realtimeapi/sessions/**"),
		refused(assistants, "**/assistants/**", "**/threads/**"),
		refused("ChatKit runs workflows and hands out keys for them, which would go around weir", "**/chatkit/**"),
	)
}
