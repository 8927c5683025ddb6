package mcp

import (
	"path/filepath"
	"slices"
)

// able are the capabilities that let a server ask its client.
var able = []string{"sampling", "elicitation", "roots"}

// everythingJob is what can be done with server-everything, and comes out alike each time.
func everythingJob() job {
	return job{
		Capabilities: able,
		Elicited:     map[string]any{"name": "Ann", "check": true, "integer": 7},
		Steps: []step{
			// A while after it was opened the server asks for roots, and says that it got them.
			{Do: "roots", Notes: 1},
			{Do: "list"},
			{Do: "ping"},
			{Do: "call", Name: "echo", Arguments: map[string]any{"message": "hello \u2028 \"world\" \U0001f600 </script>"}},
			{Do: "call", Name: "get-sum", Arguments: map[string]any{"a": 2, "b": 3.5}},
			{Do: "call", Name: "get-structured-content", Arguments: map[string]any{"location": "Chicago"}},
			{Do: "call", Name: "get-annotated-message", Arguments: map[string]any{"messageType": "error", "includeImage": true}},
			{Do: "call", Name: "get-tiny-image", Arguments: map[string]any{}},
			{Do: "call", Name: "get-resource-links", Arguments: map[string]any{"count": 2}},
			{Do: "call", Name: "trigger-long-running-operation", Arguments: map[string]any{"duration": 0.2, "steps": 4}, Progress: true, Notes: 4},
			{Do: "call", Name: "trigger-sampling-request", Arguments: map[string]any{"prompt": "say something", "maxTokens": 10}, Asks: 1},
			{Do: "call", Name: "trigger-elicitation-request", Arguments: map[string]any{}, Asks: 1},
			{Do: "call", Name: "get-sum", Arguments: map[string]any{"a": "two"}},
			{Do: "call", Name: "no-such-tool", Arguments: map[string]any{}},
			{Do: "prompts"},
			{Do: "prompt", Name: "simple-prompt"},
			{Do: "prompt", Name: "args-prompt", Arguments: map[string]any{"city": "Rome"}},
			{Do: "prompt", Name: "no-such-prompt"},
			{Do: "resources"},
			{Do: "templates"},
			{Do: "read", URI: "demo://resource/static/document/features.md"},
			{Do: "read", URI: "demo://no/such/resource"},
			{
				Do: "complete", Ref: map[string]any{"type": "ref/prompt", "name": "completable-prompt"},
				Argument: map[string]any{"name": "department", "value": "E"},
			},
			{Do: "call", Name: "get-roots-list", Arguments: map[string]any{}},
		},
	}
}

// plainJob is what also a server that cannot ask its client can do.
func plainJob() job {
	return job{Steps: []step{
		{Do: "list"},
		{Do: "ping"},
		{Do: "call", Name: "echo", Arguments: map[string]any{"message": "hello"}},
		{Do: "call", Name: "get-sum", Arguments: map[string]any{"a": 2, "b": 3.5}},
		{Do: "call", Name: "get-structured-content", Arguments: map[string]any{"location": "Chicago"}},
		{Do: "call", Name: "no-such-tool", Arguments: map[string]any{}},
	}}
}

// conformingJob is what can be done with the server of the Go SDK.
func conformingJob() job {
	return job{
		Capabilities: able,
		Elicited:     map[string]any{"username": "ann", "email": "ann@example.com", "response": "fine"},
		Steps: []step{
			{Do: "list"},
			{Do: "level", Name: "debug"},
			{Do: "call", Name: "test_simple_text"},
			{Do: "call", Name: "test_image_content"},
			{Do: "call", Name: "test_audio_content"},
			{Do: "call", Name: "test_embedded_resource"},
			{Do: "call", Name: "test_multiple_content_types"},
			{Do: "call", Name: "test_tool_with_logging", Notes: 3},
			{Do: "call", Name: "test_tool_with_progress", Progress: true, Notes: 3},
			{Do: "call", Name: "test_error_handling"},
			{Do: "call", Name: "test_sampling", Arguments: map[string]any{"prompt": "say something"}, Asks: 1},
			{Do: "call", Name: "test_elicitation", Arguments: map[string]any{"message": "who are you"}, Asks: 1},
			{Do: "prompts"},
			{Do: "prompt", Name: "test_simple_prompt"},
			{Do: "prompt", Name: "test_prompt_with_arguments", Arguments: map[string]any{"arg1": "one", "arg2": "two"}},
			{Do: "resources"},
			{Do: "templates"},
			{Do: "read", URI: "test://static-text"},
			{Do: "read", URI: "test://no-such-thing"},
		},
	}
}

// statelessJob is what can be done with the server of the Go SDK in the version without sessions, in which a server asks by its
// answers.
func statelessJob() job {
	return job{
		Version:      "2026-07-28",
		Capabilities: able,
		Elicited:     map[string]any{"name": "Ann", "ok": true, "color": "blue"},
		Steps: []step{
			{Do: "list"},
			{Do: "call", Name: "test_simple_text"},
			{Do: "call", Name: "test_x_mcp_header", Arguments: map[string]any{"region": "K\u00f6ln", "level": 3}},
			{Do: "call", Name: "test_tool_with_progress", Progress: true, Notes: 3},
			{Do: "call", Name: "test_error_handling"},
			{Do: "call", Name: "test_input_required_result_elicitation", Asks: 1},
			{Do: "call", Name: "test_input_required_result_sampling", Asks: 1},
			{Do: "call", Name: "test_input_required_result_list_roots"},
			{Do: "call", Name: "test_input_required_result_multiple_inputs", Asks: 2},
			{Do: "call", Name: "test_input_required_result_multi_round", Asks: 2},
			{Do: "call", Name: "test_input_required_result_request_state", Asks: 1},
			{Do: "prompt", Name: "test_simple_prompt"},
			{Do: "read", URI: "test://static-text"},
			{Do: "call", Name: "no-such-tool"},
		},
	}
}

// inVersion is a job in an older version of the protocol, without the steps that it does not know.
func (j job) inVersion(version string) job {
	j.Version = version
	if version < "2025-06-18" {
		j.Steps = slices.DeleteFunc(j.Steps, func(s step) bool { return s.Name == "test_elicitation" })
	}
	return j
}

// filesJob is work on the files of a folder. It can be done again.
func filesJob(dir string) job {
	file := filepath.Join(dir, "note.txt")
	return job{Steps: []step{
		{Do: "list"},
		{Do: "call", Name: "list_allowed_directories"},
		{Do: "call", Name: "write_file", Arguments: map[string]any{"path": file, "content": "one\ntwo\n"}},
		{Do: "call", Name: "read_text_file", Arguments: map[string]any{"path": file}},
		{Do: "call", Name: "edit_file", Arguments: map[string]any{
			"path":  file,
			"edits": []any{map[string]any{"oldText": "two", "newText": "three"}},
		}},
		{Do: "call", Name: "list_directory", Arguments: map[string]any{"path": dir}},
		{Do: "call", Name: "read_text_file", Arguments: map[string]any{"path": "/etc/hostname"}},
	}}
}
