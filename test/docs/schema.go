package docs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A node is a part of a JSON Schema.
type node map[string]any

func (n node) child(name string) node {
	child, _ := n[name].(map[string]any)
	return child
}

func (n node) nodes(name string) (all []node) {
	list, _ := n[name].([]any)
	for _, item := range list {
		if item, ok := item.(map[string]any); ok {
			all = append(all, item)
		}
	}
	return all
}

func texts(list any) (all []string) {
	items, _ := list.([]any)
	for _, item := range items {
		all = append(all, fmt.Sprint(item))
	}
	return all
}

// words is the schema of one word, where there may be several.
func (n node) words() node {
	for of := range n.each() {
		if _, ok := of["enum"]; ok {
			return of
		}
	}
	return n
}

// each visits the schema and what one value may be instead.
func (n node) each() func(func(node) bool) {
	return func(visit func(node) bool) {
		if !visit(n) {
			return
		}
		for _, one := range n.nodes("anyOf") {
			for of := range one.each() {
				if !visit(of) {
					return
				}
			}
		}
	}
}

// mappings visits the paths of all schemas of mappings with keys.
func (n node) mappings(path string, visit func(path string)) {
	if _, ok := n["properties"]; ok {
		visit(path)
	}
	for _, keyword := range []string{"properties", "$defs", "items", "additionalProperties", "then", "else"} {
		below := n.child(keyword)
		if keyword == "properties" || keyword == "$defs" {
			for _, name := range slices.Sorted(maps.Keys(below)) {
				below.child(name).mappings(under(path, keyword+"/"+name), visit)
			}
			continue
		}
		// What then and else say of keys that are described above them is a demand, not a description.
		if below["type"] == "object" {
			below.mappings(under(path, keyword), visit)
		}
	}
}

func under(path, name string) string {
	if path == "." {
		return name
	}
	return path + "/" + name
}

// named says where the page describes what a schema refers to.
var named = map[string]string{
	"#/$defs/rule":      "[rule](#rules)",
	"#/$defs/change":    "[rule](#rules)",
	"#/$defs/exception": "[exception](#exceptions)",
	"#/$defs/condition": "[condition](#conditions)",
	"#/$defs/who":       "[who](#who)",
}

// mostWords is how many words a cell lists.
const mostWords = 7

// describe says in words what a value of the schema is.
func (n node) describe() string {
	if ref, ok := n["$ref"].(string); ok {
		return named[ref]
	}
	if value, ok := n["const"]; ok {
		return "`" + fmt.Sprint(value) + "`"
	}
	if words := texts(n["enum"]); len(words) > 0 {
		if len(words) > mostWords {
			return "a word"
		}
		return "`" + strings.Join(words, "`, `") + "`"
	}
	if of := n.nodes("anyOf"); len(of) > 1 && n["properties"] == nil {
		if of[1]["type"] == "array" {
			return of[0].describe() + ", or a list"
		}
		return of[0].describe()
	}
	switch n["type"] {
	case "boolean":
		return "`true`, `false`"
	case "integer", "number":
		return "number"
	case "array":
		if n["items"] == nil {
			return "list"
		}
		return "list of " + plural(n.child("items").describe())
	case "object":
		return "mapping"
	default:
		return "text"
	}
}

func plural(what string) string {
	if what == "mapping" || what == "text" {
		return what + "s"
	}
	return what
}
