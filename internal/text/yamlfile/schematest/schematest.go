// Package schematest checks values against JSON Schemas in tests, for the keywords that weir's schemas use.
package schematest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A Checker checks values against one schema.
type Checker struct{ root map[string]any }

// New parses a schema from its JSON, as other programs will.
func New(schema yamlfile.Schema) (*Checker, error) {
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, fmt.Errorf("write schema: %w", err)
	}
	c := &Checker{}
	if err := json.Unmarshal(text, &c.root); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	return c, nil
}

// Check says why a value does not fit; nil: it fits.
func (c *Checker) Check(value []byte) error {
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return fmt.Errorf("read value: %w", err)
	}
	return c.check(c.root, v, "")
}

// CheckFile is Check for a YAML file.
func (c *Checker) CheckFile(name string, data []byte) error {
	root, report := yamlfile.Parse(name, data)
	if root == nil {
		return report.Err()
	}
	return c.Check(root.JSON())
}

// check applies every keyword of a schema. An unknown keyword is an error, so that none is ignored.
func (c *Checker) check(schema, v any, at string) error {
	if fits, isBool := schema.(bool); isBool {
		if !fits {
			return fmt.Errorf("%s: nothing may stand here", at)
		}
		return nil
	}
	s, ok := schema.(map[string]any)
	if !ok {
		return fmt.Errorf("%s: this is no schema: %v", at, schema)
	}
	for keyword, want := range s {
		apply, known := keywords[keyword]
		if !known {
			return fmt.Errorf("%s: the keyword %s is not known", at, keyword)
		}
		if apply == nil {
			continue
		}
		if err := apply(c, s, want, v, at); err != nil {
			return err
		}
	}
	return nil
}

// A keyword checks a value by one keyword of a schema.
type keyword func(c *Checker, s map[string]any, want, v any, at string) error

// keywords are the known keywords; nil: the keyword does not restrict the value, or is handled with another one.
var keywords map[string]keyword

func init() {
	keywords = map[string]keyword{
		"$schema": nil, "$defs": nil, "title": nil, "description": nil, "default": nil, "enumDescriptions": nil, "then": nil, "else": nil,
		"$ref": ref, "type": typed, "enum": enum, "const": constant, "pattern": pattern, "minLength": length, "maxLength": length,
		"minItems": count, "minProperties": count, "exclusiveMinimum": bound, "minimum": bound, "maximum": bound, "items": items,
		"properties": properties, "required": required, "additionalProperties": additional, "propertyNames": names,
		"anyOf": anyOf, "allOf": allOf, "not": not, "if": conditional,
	}
}

func ref(c *Checker, _ map[string]any, want, v any, at string) error {
	name, ok := strings.CutPrefix(want.(string), "#/$defs/")
	defs, _ := c.root["$defs"].(map[string]any)
	if !ok || defs[name] == nil {
		return fmt.Errorf("%s: the reference %v leads nowhere", at, want)
	}
	return c.check(defs[name], v, at)
}

func typed(_ *Checker, _ map[string]any, want, v any, at string) error {
	is := "null"
	switch v := v.(type) {
	case bool:
		is = "boolean"
	case string:
		is = "string"
	case float64:
		if is = "number"; v == float64(int64(v)) && want == "integer" {
			is = "integer"
		}
	case []any:
		is = "array"
	case map[string]any:
		is = "object"
	}
	if list, several := want.([]any); several && slices.Contains(list, any(is)) || want == is {
		return nil
	}
	return fmt.Errorf("%s: it is of type %s, not %v", at, is, want)
}

func enum(_ *Checker, _ map[string]any, want, v any, at string) error {
	for _, w := range want.([]any) {
		if w == v {
			return nil
		}
	}
	return fmt.Errorf("%s: %v is none of %v", at, v, want)
}

func constant(_ *Checker, _ map[string]any, want, v any, at string) error {
	if want != v {
		return fmt.Errorf("%s: %v is not %v", at, v, want)
	}
	return nil
}

func pattern(_ *Checker, _ map[string]any, want, v any, at string) error {
	if text, ok := v.(string); ok && !regexp.MustCompile(want.(string)).MatchString(text) {
		return fmt.Errorf("%s: %q does not match %v", at, text, want)
	}
	return nil
}

func length(_ *Checker, s map[string]any, _, v any, at string) error {
	text, ok := v.(string)
	least, hasLeast := s["minLength"].(float64)
	most, hasMost := s["maxLength"].(float64)
	if n := float64(utf8.RuneCountInString(text)); ok && (hasLeast && n < least || hasMost && n > most) {
		return fmt.Errorf("%s: %v characters are too few or too many", at, n)
	}
	return nil
}

func count(_ *Checker, s map[string]any, _, v any, at string) error {
	n, least := 0, 0.0
	switch v := v.(type) {
	case []any:
		n = len(v)
		least, _ = s["minItems"].(float64)
	case map[string]any:
		n = len(v)
		least, _ = s["minProperties"].(float64)
	}
	if float64(n) < least {
		return fmt.Errorf("%s: %d are too few", at, n)
	}
	return nil
}

func bound(_ *Checker, s map[string]any, _, v any, at string) error {
	n, ok := v.(float64)
	if !ok {
		return nil
	}
	above, hasAbove := s["exclusiveMinimum"].(float64)
	least, hasLeast := s["minimum"].(float64)
	most, hasMost := s["maximum"].(float64)
	if hasAbove && n <= above || hasLeast && n < least || hasMost && n > most {
		return fmt.Errorf("%s: %v is out of bounds", at, n)
	}
	return nil
}
