package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/model/wire"
)

// responsesFormat is the OpenAI Responses API, with what it keeps.
var responsesFormat = format{
	name:  "openai-responses",
	named: true,
	kit:   &wire.Responses,
	modes: []mode{events, whole},
	endpoints: slices.Concat(
		[]endpoint{
			{path: "/v1/responses", builtIn: "openai"},
			{path: "/v1/responses/", builtIn: "openai"},
			{path: "//v1//responses", builtIn: "openai"},
			{path: "/v1/responses", builtIn: "xai"},
			{path: "/v1/responses", builtIn: "ollama"},
			{path: "/openai/v1/responses", builtIn: "groq", below: "/v1/responses"},
			{path: "/api/v1/responses", builtIn: "openrouter", below: "/v1/responses"},
			{path: "/api/v1/presets/p/responses", builtIn: "openrouter", below: "/v1/presets/p/responses"},
			{path: "/openai/responses?api-version=2025-04-01-preview", builtIn: "openai"},
			{path: "/backend-api/codex/responses", builtIn: "chatgpt", below: "/responses"},
			compaction(endpoint{path: "/backend-api/codex/responses/compact", builtIn: "chatgpt", below: "/responses/compact"}),
			{path: "/an/unknown/path"},
		},
		keptResponses("/v1"), keptResponses("/openai/v1"), keptResponses("/openai"),
		[]endpoint{
			{method: http.MethodGet, path: "/tenants/t/responses/{response}", query: map[mode]string{events: "stream=true"}},
			batchOutput("/v1/files/file-1/content", "openai", "").endpoint(&wire.Responses),
		},
	),
}

// keptResponses are the endpoints for what the API keeps, and for what it makes of that.
func keptResponses(prefix string) []endpoint {
	return []endpoint{
		{method: http.MethodGet, path: prefix + "/responses/{response}", builtIn: "openai", query: map[mode]string{events: "stream=true"}},
		{path: prefix + "/responses/{response}/cancel", builtIn: "openai", modes: []mode{whole}},
		listOfItems(http.MethodGet, prefix+"/responses/{response}/input_items"),
		listOfItems(http.MethodGet, prefix+"/conversations/{conversation}/items"),
		listOfItems(http.MethodPost, prefix+"/conversations/{conversation}/items"),
		listOfItems(http.MethodPost, prefix+"/conversations"),
		{
			method: http.MethodGet, path: prefix + "/conversations/{conversation}/items/{item}", builtIn: "openai", modes: []mode{whole},
			callOnly: true, body: func(t turn) string { return responseItems(t)[1] },
			messages: func(answer []byte) ([][]byte, error) { return [][]byte{responseOf("[" + string(answer) + "]")}, nil },
		},
		compaction(endpoint{path: prefix + "/responses/compact", builtIn: "openai"}),
	}
}

// compaction is an endpoint that makes one item of many.
func compaction(e endpoint) endpoint {
	e.modes = []mode{whole}
	e.body = func(t turn) string {
		return `{"id":"resp_` + t.id + `","object":"response.compaction","created_at":1762300000,"output":[` +
			strings.Join(responseItems(t), ",") + `],"usage":{"input_tokens":9,"output_tokens":` + fmt.Sprint(usage) + `,"total_tokens":40970}}`
	}
	e.messages = func(answer []byte) ([][]byte, error) {
		output, err := at("output")(answer)
		if err != nil || len(output) != 1 {
			return nil, fmt.Errorf("the answer has no output: %w", err)
		}
		return [][]byte{responseOf(string(output[0]))}, nil
	}
	return e
}

// listOfItems is an endpoint that lists the items of a turn.
func listOfItems(method, path string) endpoint {
	e := endpoint{method: method, path: path, builtIn: "openai", modes: []mode{whole}, messages: itemsListed}
	e.body = func(t turn) string {
		return `{"object":"list","data":[` + strings.Join(responseItems(t), ",") + `],"first_id":"msg_a` + t.id +
			`","last_id":"msg_b` + t.id + `","has_more":false}`
	}
	return e
}

// itemsListed is a list of items as the response that they could be the output of.
func itemsListed(answer []byte) ([][]byte, error) {
	var list struct {
		Object string         `json:"object"`
		Data   jsontext.Value `json:"data"`
	}
	if err := read(answer, &list); err != nil || list.Object != "list" {
		return nil, fmt.Errorf("the answer is no list: %w", err)
	}
	return [][]byte{responseOf(string(list.Data))}, nil
}

func responseOf(output string) []byte { return []byte(`{"object":"response","output":` + output + `}`) }

// responseItems are the items of a turn.
func responseItems(t turn) []string {
	found, err := at("output", "*")([]byte(wire.Responses.Whole(t.said())))
	if err != nil {
		panic(err) // kits write JSON
	}
	var list []string
	for _, item := range found {
		list = append(list, string(item))
	}
	return list
}
