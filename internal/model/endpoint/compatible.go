package endpoint

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
	"github.com/weir-gate/weir/internal/model/dialect/openaichat"
	"github.com/weir-gate/weir/internal/model/dialect/openairesponses"
)

func xaiRows() []Row {
	return slices.Concat(
		messagesRows("/v1"),
		below(
			"/v1",
			noted("deferred ones respond with an id", quiet(chatTurn("/chat/completions"))),
			gated(openaichat.Name, get, "/chat/deferred-completion/{id}"),
			textTurn("/completions"),
			responsesTurns(), responsesStored(), modelsAndFiles(), batches(),
			noted("requests of a batch", offering(openaichat.Name, passes(post, "/batches/{id}/requests"))),
			noted("requests and results of a batch", quiet(gated(openaichat.Name, get, "/batches/{id}/requests", "/batches/{id}/results"))),
			noted("text completions, which know no tools", quiet(gated("", post, "/complete"))),
			passes(get, "/api-key", "/language-models", "/language-models/{id}", "/embedding-models", "/embedding-models/{id}",
				"/image-generation-models", "/image-generation-models/{id}", "/video-generation-models", "/video-generation-models/{id}"),
			passes(post, "/embeddings", "/tokenize-text", "/documents/search", "/images/generations", "/images/edits"),
			passes(post, "/videos/generations", "/videos/edits", "/videos/extensions", "/stt"),
			passes(get, "/videos/{id}", "/tts/voices", "/tts/voices/{id}"),
			content(post, "/tts"),
		),
		noted("at any depth", openaiAnywhere()),
		openaiRefused(),
	)
}

func groqRows() []Row {
	return slices.Concat(
		below(
			"/v1",
			chatTurn("/chat/completions"),
			responsesTurns(), modelsAndFiles(), batches(),
			passes(del, "/models/{id}"),
			passes(getPost, "/fine_tunings"),
			passes(getDel, "/fine_tunings/{id}"),
			passes(post, "/embeddings"),
			content(post, "/audio/transcriptions", "/audio/translations"),
			content(post, "/audio/speech"),
		),
		noted("at any depth", openaiAnywhere()),
		openaiRefused(),
	)
}

func deepseekRows() []Row {
	var rows []Row
	for _, prefix := range []string{"", "/v1", "/beta"} {
		rows = append(rows, below(
			prefix,
			chatTurn("/chat/completions"),
			textTurn("/completions"),
			passes(get, "/models", "/models/{id}", "/user/balance"),
		)...)
	}
	return slices.Concat(
		rows,
		messagesRows("/anthropic/v1"),
		below("/anthropic/v1", passes(get, "/models", "/models/{id}")),
		noted("at any depth", openaiAnywhere()),
		openaiRefused(),
	)
}

const keys = "it makes or shows keys with which weir could be gone around"

func openrouterRows() []Row {
	return slices.Concat(
		messagesRows("/v1"),
		below(
			"/v1",
			chatTurn("/chat/completions", "/presets/{id}/chat/completions"),
			textTurn("/completions"),
			responsesTurns(),
			offering(openairesponses.Name, gated(openairesponses.Name, post, "/presets/{id}/responses")),
			offering(anthropic.Name, gated(anthropic.Name, post, "/presets/{id}/messages")),
			noted("earlier responses of a model", quiet(gated(openaichat.Name, get, "/generation/content"))),
			passes(get, "/generation"),
			passes(post, "/generation/feedback"),
			modelsAndFiles(),
			passes(get, "/models/count", "/models/user", "/models/{id}/{id}", "/models/{id}/{id}/endpoints", "/model/{id}/{id}"),
			passes(get, "/embeddings/models", "/images/models", "/images/models/{id}/{id}/endpoints", "/videos/models"),
			passes(get, "/endpoints/zdr", "/providers", "/key", "/credits", "/activity"),
			passes(post, "/embeddings", "/rerank", "/images", "/images/generations", "/videos"),
			content(post, "/audio/transcriptions"),
			passes(get, "/videos/{id}"),
			content(get, "/videos/{id}/content"),
			content(post, "/audio/speech"),
			passes(get, "/containers/{id}/files", "/containers/{id}/files/{id}"),
			passes(post, "/containers/{id}/files/{id}/promote"),
			noted("files that tools made", content(get, "/containers/{id}/files/{id}/content")),
		),
		refused(keys, "**/v1/keys/**", "**/v1/auth/keys/**", "**/v1/oauth/token/**", "**/v1/byok/**"),
		refused(hostedAgents, "**/v1/interns/**", "**/v1/interns/{id}/chat/completions", "**/v1/vault/**"),
		noted("at any depth", openaiAnywhere()),
		openaiRefused(),
	)
}

func mistralRows() []Row {
	return slices.Concat(
		below(
			"/v1",
			chatTurn("/chat/completions", "/agents/completions"),
			textTurn("/fim/completions"),
			modelsAndFiles(),
			passes(del, "/models/{id}"),
			passes(post, "/embeddings", "/moderations", "/chat/moderations", "/classifications", "/chat/classifications", "/ocr"),
			content(post, "/audio/transcriptions"),
			content(post, "/audio/speech"),
			passes(getPost, "/audio/voices"),
			passes(get+" "+patch+" "+del, "/audio/voices/{id}"),
			content(get, "/audio/voices/{id}/sample"),
			noted("requests may stand in the batch", offering(openaichat.Name, passes(post, "/batch/jobs"))),
			passes(get, "/batch/jobs"),
			noted("results may be in the response", quiet(gated(openaichat.Name, get, "/batch/jobs/{id}"))),
			passes(post, "/batch/jobs/{id}/cancel"),
			passes(del, "/batch/jobs/{id}"),
			passes(getPost, "/fine_tuning/jobs"),
			passes(get, "/fine_tuning/jobs/{id}"),
			passes(post, "/fine_tuning/jobs/{id}/cancel", "/fine_tuning/jobs/{id}/start"),
			passes(patch, "/fine_tuning/models/{id}"),
			passes("POST DELETE", "/fine_tuning/models/{id}/archive"),
		),
		refused("it hands out an address at which a file can be read around weir",
			"**/v1/files/{id}/url", "**/v1/libraries/{id}/documents/{id}/signed-url",
			"**/v1/libraries/{id}/documents/{id}/extracted-text-signed-url"),
		refused("conversations call tools in a form that weir cannot judge yet", "**/v1/conversations/**"),
		refused(hostedAgents, "**/v1/agents/**", "**/v1/workflows/**"),
		refused("connectors call tools, and hold the credentials for them, out of sight of weir", "**/v1/connectors/**"),
		refused("it hands out a key for live sessions, which would go around weir", "**/v1/client/sessions/**"),
		noted("at any depth", openaiAnywhere()),
		openaiRefused(),
	)
}
