package llm

import "net/http"

// An endpoint is a method and a clean path. {id} stands for one segment.
type endpoint struct{ method, path string }

// listed are the endpoints whose answers may pass although no format recognises them: they return JSON that holds no
// model output. Left out on purpose: batch results (lines of whole messages), file contents (made by tools, of any
// type), sessions and their events (calls in a form of their own).
var listed = []endpoint{
	{http.MethodGet, "/v1/models"},
	{http.MethodGet, "/v1/models/{id}"},
	{http.MethodPost, "/v1/messages/count_tokens"},
	{http.MethodPost, "/v1/messages/batches"},
	{http.MethodGet, "/v1/messages/batches"},
	{http.MethodGet, "/v1/messages/batches/{id}"},
	{http.MethodPost, "/v1/messages/batches/{id}/cancel"},
	{http.MethodDelete, "/v1/messages/batches/{id}"},
	{http.MethodPost, "/v1/files"},
	{http.MethodGet, "/v1/files"},
	{http.MethodGet, "/v1/files/{id}"},
	{http.MethodDelete, "/v1/files/{id}"},
	{http.MethodPost, "/v1/embeddings"},
	{http.MethodPost, "/v1/moderations"},
	{http.MethodGet, "/models"},
	{http.MethodGet, "/openai/models"},
	{http.MethodGet, "/v1/key"},
	{http.MethodGet, "/v1/credits"},
	{http.MethodPost, "/v1/rerank"},
	{http.MethodPost, "/v1/images/generations"},
	{http.MethodPost, "/v1/audio/transcriptions"},
	{http.MethodPost, "/v1/audio/translations"},
	{http.MethodPost, "/v1/batches"},
	{http.MethodGet, "/v1/batches"},
	{http.MethodGet, "/v1/batches/{id}"},
	{http.MethodPost, "/v1/batches/{id}/cancel"},
	{http.MethodGet, "/openai/v1/models"},
	{http.MethodPost, "/openai/v1/embeddings"},
	{http.MethodPost, "/openai/deployments/{id}/embeddings"},
	{http.MethodGet, "/v1beta/openai/models"},
	{http.MethodGet, "/v1beta/openai/models/{id}"},
	{http.MethodPost, "/v1beta/openai/embeddings"},
	{http.MethodGet, "/api/tags"},
	{http.MethodGet, "/api/ps"},
	{http.MethodGet, "/api/version"},
	{http.MethodPost, "/api/show"},
	{http.MethodPost, "/api/embed"},
}

// isListed says whether a request for a clean path is for a listed endpoint.
func isListed(method, path string) bool {
	for _, e := range listed {
		if e.method == method && matches(e.path, path) {
			return true
		}
	}
	return false
}

// matches compares segment by segment.
func matches(pattern, path string) bool {
	for pattern != "/" && path != "/" {
		var want, got string
		want, pattern = cutSegment(pattern)
		got, path = cutSegment(path)
		if want != got && want != "{id}" {
			return false
		}
	}
	return pattern == path
}
