package anthropic

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// namesOf returns the names of the calls of a tool, and other spellings of the first name. The type is "" for a tool that the
// client defines; else the name may be "".
func namesOf(typ, name string, v strictjson.Value) (names, spellings []string) {
	if typ == "" {
		return []string{name}, nil
	}
	kind := undated(typ)
	set, isSet := strings.CutSuffix(kind, "_toolset")
	switch {
	case name != "":
		names = []string{name}
	case isSet && set != "":
		names = []string{set}
	default:
		names = []string{kind}
	}
	if isSet {
		names = append(names, memberNames(names[0], membersOf(set, v))...)
	}
	if kind == "code_execution" && typ != pythonOnly {
		names = append(names, "bash_code_execution", "text_editor_code_execution")
	}
	for _, s := range []string{typ, kind} {
		if s != names[0] && !slices.Contains(spellings, s) {
			spellings = append(spellings, s)
		}
	}
	return names, spellings
}

// pythonOnly is the first version of the tool that runs code. Later versions have a shell and an editor, whose calls have their own
// names.
const pythonOnly = "code_execution_20250522"

// undated returns a type without the date at its end, which identifies the version.
func undated(typ string) string {
	const date = len("_20250124")
	if len(typ) <= date || typ[len(typ)-date] != '_' {
		return typ
	}
	for _, c := range typ[len(typ)-date+1:] {
		if c < '0' || c > '9' {
			return typ
		}
	}
	return typ[:len(typ)-date]
}

// setMembers are the tools of the sets that the provider defines.
var setMembers = map[string][]string{
	"browser": {
		"close_tab", "double_click", "file_upload", "find", "form_input", "get_page_text", "hold_key", "hover",
		"javascript_exec", "key", "left_click", "left_click_drag", "left_mouse_down", "left_mouse_up", "list_tabs",
		"middle_click", "mouse_move", "navigate", "new_tab", "read_console", "read_network", "read_page", "right_click",
		"screenshot", "scroll", "scroll_to", "switch_tab", "triple_click", "type", "wait", "zoom",
	},
	"computer": {
		"cursor_position", "double_click", "hold_key", "key", "left_click", "left_click_drag", "left_mouse_down",
		"left_mouse_up", "middle_click", "mouse_move", "right_click", "screenshot", "scroll", "triple_click", "type", "wait", "zoom",
	},
}

// membersOf returns the tools of a set, without those that the request turns off. For an unknown set it returns the tools that the
// request names.
func membersOf(set string, v strictjson.Value) (left []string) {
	configs, _ := v.Member("configs")
	on, told := switches(configs)
	members := setMembers[set]
	if members == nil {
		members = told
	}
	for _, name := range members {
		if isOn, isTold := on[name]; isOn || !isTold {
			left = append(left, name)
		}
	}
	return left
}

// switches returns, for each tool with a configuration, whether it is on, and the names of these tools in order. If two
// configurations disagree, the tool is on.
func switches(configs strictjson.Value) (on map[string]bool, told []string) {
	on = map[string]bool{}
	for n, config := range configs.Members() {
		name, ok := n.Text()
		if !ok || name == "" || len(name) > dialect.MaxName {
			continue
		}
		if _, seen := on[name]; !seen {
			told = append(told, name)
		}
		on[name] = on[name] || !turnedOff(config)
	}
	return on, told
}

// turnedOff says whether the configuration of a tool clearly turns it off.
func turnedOff(config strictjson.Value) bool {
	enabled, err := config.Member("enabled")
	on, isBool := enabled.Bool()
	return err == nil && isBool && !on
}

// memberNames returns the names of the calls of a set's tools, as in a response: with the name of the set, and without.
func memberNames(set string, members []string) []string {
	names := make([]string, 0, 2*len(members))
	for _, m := range members {
		names = append(names, set+"."+m, m)
	}
	return names
}
