package formats_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/formats"
)

// What a request says of a tool is found in every format.
func TestDefinitionsOfFormats(t *testing.T) {
	const description, schema = "Reads a file.", `{"type":"object","properties":{"path":{"type":"string"}}}`
	const about = `"description":"` + description + `"`
	full := call.Definition{Description: description, Schema: []byte(schema)}
	for name, tt := range map[string]struct {
		format, body string
		want         call.Definition
	}{
		"Messages":            {"anthropic", `{"tools":[{"name":"read_file",` + about + `,"input_schema":` + schema + `}]}`, full},
		"Messages, custom":    {"anthropic", `{"tools":[{"type":"custom","name":"read_file",` + about + `,"input_schema":` + schema + `}]}`, full},
		"Messages, provider":  {"anthropic", `{"tools":[{"type":"bash_20250124","name":"bash"}]}`, call.Definition{Provider: true}},
		"Messages, nothing":   {"anthropic", `{"tools":[{"name":"read_file"}]}`, call.Definition{}},
		"Messages, two texts": {"anthropic", `{"tools":[{"name":"read_file",` + about + `,"Description":"x","input_schema":` + schema + `}]}`, call.Definition{Schema: []byte(schema)}},
		"Chat":                {"openai-chat", `{"tools":[{"type":"function","function":{"name":"read_file",` + about + `,"parameters":` + schema + `}}]}`, full},
		"Chat, custom":        {"openai-chat", `{"tools":[{"type":"custom","custom":{"name":"read_file",` + about + `}}]}`, call.Definition{Description: description}},
		"Chat, old":           {"openai-chat", `{"functions":[{"name":"read_file",` + about + `,"parameters":` + schema + `}]}`, full},
		"Responses":           {"openai-responses", `{"tools":[{"type":"function","name":"read_file",` + about + `,"parameters":` + schema + `,"strict":true}]}`, full},
		"Responses, provider": {"openai-responses", `{"tools":[{"type":"local_shell"}]}`, call.Definition{Provider: true}},
		"Gemini":              {"gemini", `{"tools":[{"functionDeclarations":[{"name":"read_file",` + about + `,"parameters":` + schema + `}]}]}`, full},
		"Gemini, JSON Schema": {"gemini", `{"tools":[{"function_declarations":[{"name":"read_file",` + about + `,"parametersJsonSchema":` + schema + `}]}]}`, full},
		"Ollama":              {"ollama", `{"tools":[{"type":"function","function":{"name":"read_file",` + about + `,"parameters":` + schema + `}}]}`, full},
		"Bedrock":             {"bedrock", `{"toolConfig":{"tools":[{"toolSpec":{"name":"read_file",` + about + `,"inputSchema":{"json":` + schema + `}}}]}}`, full},
	} {
		t.Run(name, func(t *testing.T) {
			f, ok := formats.Named(tt.format)
			if !ok {
				t.Fatalf("no format %s", tt.format)
			}
			request, err := f.Requests.Read([]byte(tt.body))
			if err != nil || len(request.Offers) != 1 {
				t.Fatalf("%d offers, %v", len(request.Offers), err)
			}
			if diff := cmp.Diff(tt.want, request.Offers[0].Define()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
