package main

import (
	"net/http"

	"github.com/weir-gate/weir/internal/model/wire"
)

// geminiFormat is the Gemini generateContent API, plain or in the wrapper of Code Assist.
var geminiFormat = format{
	name:  "gemini",
	kit:   &wire.Gemini,
	modes: []mode{events, array, whole},
	endpoints: []endpoint{
		generates("/v1beta/models/gemini-3:{verb}", "gemini"),
		generates("/v1beta/models/gemini-3:{verb}/", "gemini"),
		generates("//v1beta//models/gemini-3:{verb}", "gemini"),
		generates("/v1beta/models/gemini-3%3A{verb}", "gemini"),
		generates("/v1/models/gemini-3:{verb}", "gemini"),
		generates("/v1alpha/models/gemini-3:{verb}", "gemini"),
		generates("/v1beta/tunedModels/mine:{verb}", "gemini"),
		generates("/v1/projects/p/locations/l/publishers/google/models/gemini-3:{verb}", ""),
		generates("/v1beta1/projects/p/locations/l/endpoints/7:{verb}", ""),
		generates("/v1/publishers/google/models/gemini-3:{verb}", ""),
		codeAssist(),
		{path: "/an/unknown/path", modes: []mode{events, whole}},
		batchDownload.endpoint(&wire.Gemini),
		batchOperation("/v1beta/batches/b-1", "gemini").endpoint(&wire.Gemini),
		batchOperation("/v1beta/operations/o-1", "gemini").endpoint(&wire.Gemini),
		batchOperation("/v1beta/models/gemini-3/operations/o-1", "gemini").endpoint(&wire.Gemini),
		batchOperation("/v1/projects/p/locations/l/operations/o-1", "").endpoint(&wire.Gemini),
		batchOperations("/v1beta/batches").endpoint(&wire.Gemini),
		batchOperations("/v1beta/operations").endpoint(&wire.Gemini),
		batchOperation("/v1beta/models/gemini-3:batchGenerateContent", "gemini").of(http.MethodPost).endpoint(&wire.Gemini),
		batchOperation("/v1beta/batches/b-1:updateGenerateContentBatch", "gemini").of(http.MethodPatch).endpoint(&wire.Gemini),
		batchOperation("/v1beta/batches/b-1:updateEmbedContentBatch", "gemini").of(http.MethodPatch).endpoint(&wire.Gemini),
		batchOperation("/v1/projects/p/locations/l/publishers/google/models/m:fetchPredictOperation", "").
			of(http.MethodPost).endpoint(&wire.Gemini),
		batchOperation("/v1/projects/p/locations/l/endpoints/7:fetchPredictOperation", "").of(http.MethodPost).endpoint(&wire.Gemini),
	},
}

// generates is an endpoint of which verb and query say what is wanted.
func generates(path, builtIn string) endpoint {
	return endpoint{
		path: path, builtIn: builtIn,
		verbs: map[mode]string{events: "streamGenerateContent", array: "streamGenerateContent", whole: "generateContent"},
		query: map[mode]string{events: "alt=sse"},
	}
}

// codeAssist is the endpoint that wraps each element.
func codeAssist() endpoint {
	e := generates("/v1internal:{verb}", "codeassist")
	wrap := func(data string) string { return `{"response":` + data + `,"traceId":"t-1"}` }
	e.stream = func(t turn) []piece {
		list := played(&wire.Gemini, t)
		for i := range list {
			list[i].data = wrap(list[i].data)
		}
		return list
	}
	e.body = func(t turn) string { return wrap(wire.Gemini.Whole(t.said())) }
	return e
}
