package llm

import (
	"net/http"
	"strings"
)

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
	{http.MethodGet, "/v1beta/models"},
	{http.MethodGet, "/v1beta/models/{id}"},
	{http.MethodGet, "/v1alpha/models"},
	{http.MethodGet, "/v1alpha/models/{id}"},
	{http.MethodGet, "/v1beta/files"},
	{http.MethodGet, "/v1beta/files/{id}"},
	{http.MethodDelete, "/v1beta/files/{id}"},
	{http.MethodGet, "/v1beta/cachedContents"},
	{http.MethodPost, "/v1beta/cachedContents"},
	{http.MethodGet, "/v1beta/cachedContents/{id}"},
	{http.MethodPatch, "/v1beta/cachedContents/{id}"},
	{http.MethodDelete, "/v1beta/cachedContents/{id}"},
	{http.MethodGet, "/api/tags"},
	{http.MethodGet, "/api/ps"},
	{http.MethodGet, "/api/version"},
	{http.MethodPost, "/api/show"},
	{http.MethodPost, "/api/embed"},
	{http.MethodPost, "/api/embeddings"},
}

// storedPrefixes are the paths below which an API keeps responses and conversations.
var storedPrefixes = []string{"/v1", "/openai/v1", "/openai"}

// aboutStored are the endpoints below those that speak of what is kept, or of nothing: lists may be empty.
var aboutStored = []endpoint{
	{http.MethodPost, "/responses/input_tokens"},
	{http.MethodDelete, "/responses/{id}"},
	{http.MethodGet, "/responses/{id}/input_items"},
	{http.MethodPost, "/conversations"},
	{http.MethodGet, "/conversations/{id}"},
	{http.MethodPost, "/conversations/{id}"},
	{http.MethodDelete, "/conversations/{id}"},
	{http.MethodPost, "/conversations/{id}/items"},
	{http.MethodGet, "/conversations/{id}/items"},
	{http.MethodDelete, "/conversations/{id}/items/{id}"},
}

// verbs end the paths of endpoints of Google's APIs whose answers hold no model output.
var verbs = map[string]bool{
	"countTokens": true, "embedContent": true, "batchEmbedContents": true, "computeTokens": true,
	"loadCodeAssist": true, "onboardUser": true, "fetchAdminControls": true, "retrieveUserQuota": true,
	"getCodeAssistGlobalUserSetting": true, "setCodeAssistGlobalUserSetting": true, "listExperiments": true,
	"recordCodeAssistMetrics": true,
}

// changing are the endpoints with which a model server's models are changed. No agent needs them to ask a model.
var changing = []endpoint{
	{http.MethodPost, "/api/pull"},
	{http.MethodPost, "/api/push"},
	{http.MethodPost, "/api/create"},
	{http.MethodPost, "/api/copy"},
	{http.MethodDelete, "/api/delete"},
	{http.MethodPost, "/api/delete"},
	{http.MethodPost, "/api/blobs/{id}"},
	{http.MethodPut, "/api/blobs/{id}"},
}

// isListed says whether a request for a clean path is for a listed endpoint.
func isListed(method, path string) bool {
	if isAmong(listed, method, path) {
		return true
	}
	if _, verb, ok := strings.Cut(path[strings.LastIndexByte(path, '/')+1:], ":"); ok && verbs[verb] {
		return true
	}
	for _, prefix := range storedPrefixes {
		if below, ok := strings.CutPrefix(path, prefix); ok && isAmong(aboutStored, method, below) {
			return true
		}
	}
	return false
}

func isAmong(endpoints []endpoint, method, path string) bool {
	for _, e := range endpoints {
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
