package main

import (
	"net/http"
	"strings"
)

// geminiFormat is the Gemini generateContent API, plain or in the wrapper of Code Assist.
var geminiFormat = format{
	name:    "gemini",
	modes:   []mode{events, array, whole},
	stream:  streamElements,
	body:    wholeElement,
	request: func(mode) string { return `{"contents":[{"role":"user","parts":[{"text":"Go on."}]}]}` },
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
		batchDownload.endpoint(wholeElement),
		batchOperation("/v1beta/batches/b-1", "gemini").endpoint(wholeElement),
		batchOperation("/v1beta/operations/o-1", "gemini").endpoint(wholeElement),
		batchOperation("/v1beta/models/gemini-3/operations/o-1", "gemini").endpoint(wholeElement),
		batchOperation("/v1/projects/p/locations/l/operations/o-1", "").endpoint(wholeElement),
		batchOperations("/v1beta/batches").endpoint(wholeElement),
		batchOperations("/v1beta/operations").endpoint(wholeElement),
		batchOperation("/v1beta/models/gemini-3:batchGenerateContent", "gemini").of(http.MethodPost).endpoint(wholeElement),
		batchOperation("/v1beta/batches/b-1:updateGenerateContentBatch", "gemini").of(http.MethodPatch).endpoint(wholeElement),
		batchOperation("/v1beta/batches/b-1:updateEmbedContentBatch", "gemini").of(http.MethodPatch).endpoint(wholeElement),
		batchOperation("/v1/projects/p/locations/l/publishers/google/models/m:fetchPredictOperation", "").of(http.MethodPost).endpoint(wholeElement),
		batchOperation("/v1/projects/p/locations/l/endpoints/7:fetchPredictOperation", "").of(http.MethodPost).endpoint(wholeElement),
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
		list := streamElements(t)
		for i := range list {
			list[i].data = wrap(list[i].data)
		}
		return list
	}
	e.body = func(t turn) string { return wrap(wholeElement(t)) }
	return e
}

const elementTail = `"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":` + usage + `},"modelVersion":"gemini-3","responseId":"r-`

func element(t turn, parts, more string) string {
	return `{"candidates":[{"content":{"parts":[` + parts + `],"role":"model"},` + more + `"index":0}],` + elementTail + t.id + `"}`
}

func textParts(pieces []string) []string {
	var list []string
	for _, p := range pieces {
		list = append(list, `{"text":`+quote(p)+`}`)
	}
	return list
}

func callPart(t turn) string {
	return `{"functionCall":{"name":` + quote(t.tool) + `,"args":` + t.arguments() + `}}`
}

func streamElements(t turn) []piece {
	parts := append(textParts(t.before), callPart(t))
	parts = append(parts, textParts(t.after)...)
	var list []piece
	for i, p := range parts {
		more := ""
		if i == len(parts)-1 {
			more = `"finishReason":"STOP",`
		}
		list = append(list, piece{data: element(t, p, more)})
	}
	return list
}

func wholeElement(t turn) string {
	parts := append(textParts([]string{t.textBefore()}), callPart(t))
	return element(t, strings.Join(append(parts, textParts([]string{t.textAfter()})...), ","), `"finishReason":"STOP",`)
}
