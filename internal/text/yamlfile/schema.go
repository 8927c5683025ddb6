package yamlfile

import (
	"fmt"
	"slices"
)

// A Schema is a JSON Schema (draft 2020-12) of a value, by its keywords. It is made from the same shapes and choices that the
// loader uses.
type Schema map[string]any

// Describe returns the schema with a description for people.
func (s Schema) Describe(text string) Schema {
	out := Schema{"description": text}
	for keyword, value := range s {
		out[keyword] = value
	}
	return out
}

// Schema describes a mapping of this shape. values must have a schema for exactly the keys of the shape. Otherwise it panics,
// because that is a programming error.
func (s Shape) Schema(values map[string]Schema) Schema {
	known := append(slices.Clone(s.Required), s.Optional...)
	for name := range values {
		if !slices.Contains(known, name) {
			panic(fmt.Sprintf("the shape has no key %q", name))
		}
	}
	properties := Schema{}
	for _, name := range known {
		value, ok := values[name]
		if !ok {
			panic(fmt.Sprintf("the values of the key %q are not described", name))
		}
		properties[name] = value
	}
	out := Schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(s.Required) > 0 {
		out["required"] = s.Required
	}
	return out
}

// Default returns the schema with what counts if the value is not given.
func (s Schema) Default(value any) Schema {
	out := Schema{"default": value}
	for keyword, value := range s {
		out[keyword] = value
	}
	return out
}

// Schema describes a word of the choice. Editors show the meaning of each word (enumDescriptions, which JSON Schema itself does not
// know). If there are meanings, each word must have one. Otherwise it panics, because that is a programming error.
func (c Choice) Schema() Schema {
	out := Schema{"enum": c.Words}
	if c.Meanings == nil {
		return out
	}
	meanings := make([]string, len(c.Words))
	for i, word := range c.Words {
		meanings[i] = c.Meanings[word]
		if meanings[i] == "" {
			panic(fmt.Sprintf("it is not said what %q means", word))
		}
	}
	out["enumDescriptions"] = meanings
	return out
}

// TextSchema describes a string that is not empty, as Report.String reads it.
func TextSchema() Schema { return Schema{"type": "string", "minLength": 1} }

// BoolSchema describes true and false.
func BoolSchema() Schema { return Schema{"type": "boolean"} }

// ListSchema describes a list that is not empty, as Report.List reads it.
func ListSchema(item Schema) Schema { return Schema{"type": "array", "minItems": 1, "items": item} }

// OneOrMoreSchema describes one such value or a list of them, as Report.OneOrMore reads it.
func OneOrMoreSchema(item Schema) Schema {
	return Schema{"anyOf": []Schema{item, ListSchema(item)}}
}

// RefSchema refers to a schema in $defs.
func RefSchema(name string) Schema { return Schema{"$ref": "#/$defs/" + name} }

// When returns a schema for a mapping: then applies if the key has one of the words, and otherwise applies if it does not.
func When(key string, words []string, then, otherwise Schema) Schema {
	out := Schema{
		"if": Schema{"properties": Schema{key: Schema{"enum": words}}, "required": []string{key}},
	}
	if then != nil {
		out["then"] = then
	}
	if otherwise != nil {
		out["else"] = otherwise
	}
	return out
}

// DocumentSchema returns the schema of a whole file.
func DocumentSchema(title string, root Schema, defs map[string]Schema) Schema {
	out := Schema{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
	for keyword, value := range root {
		out[keyword] = value
	}
	if len(defs) > 0 {
		out["$defs"] = defs
	}
	return out
}
