package keeping

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// An outputShape is what outputs of any type may have.
type outputShape struct {
	Output  jsontext.Value   `json:"output"`
	Status  string           `json:"status"`
	Approve *bool            `json:"approve"`
	Tools   []jsontext.Value `json:"tools"`
}

// A shellOutput is one command's.
type shellOutput struct {
	Stdout  *string `json:"stdout"`
	Stderr  *string `json:"stderr"`
	Outcome struct {
		Type string `json:"type"`
		Exit *int   `json:"exit_code"`
	} `json:"outcome"`
}

// checkOutput says what is wrong with the shape of an output.
func checkOutput(it *item) *Fault {
	var o outputShape
	if err := json.Unmarshal(it.raw, &o); err != nil {
		return badRequest("input", "Invalid "+words(it.Type)+".")
	}
	kind := o.Output.Kind()
	good := kind == '"' || kind == '['
	switch it.Type {
	case "shell_call_output":
		good = goodShellOutput(o.Output)
	case "local_shell_call_output":
		good = kind == '"'
	case "apply_patch_call_output":
		good = (o.Status == "completed" || o.Status == "failed") && (kind == '"' || kind == 0)
	case "computer_call_output":
		good = goodScreenshot(o.Output)
	case "tool_search_output":
		good = o.Tools != nil
	case "mcp_approval_response":
		good = o.Approve != nil
	}
	if !good {
		return badRequest("input", "Invalid output of a "+words(it.Type)+": "+string(it.raw))
	}
	return nil
}

func goodShellOutput(v jsontext.Value) bool {
	var list []shellOutput
	if v.Kind() != '[' || json.Unmarshal(v, &list) != nil {
		return false
	}
	for _, o := range list {
		if o.Stdout == nil || o.Stderr == nil || (o.Outcome.Type != "timeout" && (o.Outcome.Type != "exit" || o.Outcome.Exit == nil)) {
			return false
		}
	}
	return len(list) > 0
}

func goodScreenshot(v jsontext.Value) bool {
	var shot struct {
		Type  string `json:"type"`
		Image string `json:"image_url"`
		File  string `json:"file_id"`
	}
	return v.Kind() == '{' && json.Unmarshal(v, &shot) == nil && shot.Type == "computer_screenshot" && (shot.Image != "" || shot.File != "")
}
