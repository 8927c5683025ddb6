package endpoint

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect/ollama"
)

func ollamaRows() []Row {
	return slices.Concat(
		offering(ollama.Name, gated(ollama.Name, post, "/api/chat")),
		gated(ollama.Name, post, "/api/generate"),
		noted("at any depth", offering(ollama.Name, gated(ollama.Name, post, "**/api/chat"))),
		noted("at any depth", gated(ollama.Name, post, "**/api/generate")),
		noted("says that the server runs", content(get, "/")),
		passes(get, "/api/tags", "/api/ps", "/api/version", "/api/status"),
		noted("says whether a blob is there", passes(get, "/api/blobs/{id}")),
		passes(post, "/api/show", "/api/embed", "/api/embeddings", "/api/me"),
		changes(post, "**/api/pull", "**/api/push", "**/api/create", "**/api/copy"),
		changes("POST DELETE", "**/api/delete"),
		changes("POST PUT", "**/api/blobs/{id}"),
		messagesRows("/v1"),
		below(
			"/v1",
			chatTurn("/chat/completions"),
			textTurn("/completions"),
			responsesTurns(),
			passes(get, "/models", "/models/{id}"),
			passes(post, "/embeddings", "/images/generations", "/images/edits"),
			content(post, "/audio/transcriptions"),
		),
		noted("at any depth", openaiAnywhere()),
	)
}
