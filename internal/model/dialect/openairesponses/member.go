package openairesponses

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// frameMembers are the documented members of a frame about one call.
var frameMembers = dialect.Documented{
	"type", "sequence_number", "output_index", "item_id", "item", "delta", "arguments", "input", "name", "obfuscation",
}

// itemMembers are the documented members of items that are calls.
var itemMembers = documented(map[string][]string{
	"function_call":        {"name", "namespace", "arguments"},
	"custom_tool_call":     {"name", "namespace", "input"},
	"mcp_approval_request": {"server_label", "name", "arguments"},
	"shell_call":           {"action", "environment"},
	"local_shell_call":     {"action"},
	"apply_patch_call":     {"operation"},
	"computer_call":        {"action", "actions", "pending_safety_checks"},
	"tool_search_call":     {"arguments", "execution"},

	"mcp_call":              {"server_label", "name", "arguments", "approval_request_id", "error", "output"},
	"web_search_call":       {"action", "results"},
	"file_search_call":      {"queries", "results"},
	"code_interpreter_call": {"code", "container_id", "outputs"},
	"image_generation_call": {
		"result", "action", "background", "error", "output_format", "quality", "revised_prompt", "size", "svg_usage",
	},
	"mcp_list_tools": {"server_label", "tools", "error"},
	"program":        {"code", "fingerprint"},
})

// documented adds the members that all items may have.
func documented(own map[string][]string) map[string]dialect.Documented {
	all := map[string]dialect.Documented{}
	for typ, names := range own {
		all[typ] = slices.Concat([]string{"type", "id", "call_id", "status", "caller", "async", "created_by"}, names)
	}
	return all
}

// siftItem leaves out the undocumented members of a call. A call of an unknown type is not changed: all of it is judged.
func (d *editor) siftItem(v strictjson.Value, it *item) {
	if known, ok := itemMembers[it.typ]; ok && it.slot != nil {
		d.Sieve.Sift(v, it.slot, known)
	}
}

// siftFrame leaves out the undocumented members of a frame about a call.
func (d *editor) siftFrame(root strictjson.Value, it *item) {
	if it.slot != nil {
		d.Sieve.Sift(root, it.slot, frameMembers)
	}
}
