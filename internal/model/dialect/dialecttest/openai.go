package dialecttest

// OpenAITools are the names of the tools that a lenient reader finds in the lists of a request of an OpenAI API.
func OpenAITools(root any) []string {
	names := append(openAIList(field(root, "tools"), ""), openAIList(field(root, "functions"), "")...)
	for _, member := range []string{"input", "items"} {
		items, _ := field(root, member).([]any)
		for _, item := range items {
			if typ := field(item, "type"); typ == "additional_tools" || typ == "tool_search_output" {
				names = append(names, openAIList(field(item, "tools"), "")...)
			}
		}
	}
	return names
}

func field(v any, name string) any {
	object, _ := v.(map[string]any)
	return object[name]
}

// openAIList are the names of the tools of a list whose names all begin with a prefix.
func openAIList(list any, prefix string) []string {
	var names []string
	tools, _ := list.([]any)
	for _, tool := range tools {
		name, _ := field(tool, "name").(string)
		if field(tool, "type") == "namespace" {
			names = append(names, openAIList(field(tool, "tools"), prefix+name+".")...)
			continue
		}
		typ := field(tool, "type")
		if typ == "function" || typ == "custom" || typ == "mcp" {
			typ = nil // says nothing of which tool it is
		}
		for _, v := range []any{name, field(field(tool, "function"), "name"), field(field(tool, "custom"), "name"), typ} {
			if s, _ := v.(string); s != "" {
				names = append(names, prefix+s)
			}
		}
	}
	return names
}
