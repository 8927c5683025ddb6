package docs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// testPath is where the schema describes a test of a condition.
const testPath = "$defs/condition/else"

// operatorTable is a table of operators: what their values are, and when they hold.
func (r *Reference) operatorTable(names []string, n *notes) (string, error) {
	test, err := r.at(testPath)
	if err != nil {
		return "", err
	}
	of := test.child("properties").child("operator")
	words, meanings := texts(of["enum"]), texts(of["enumDescriptions"])
	out := "| operator | value | holds when |\n|---|---|---|\n"
	for _, name := range names {
		at := slices.Index(words, name)
		if at < 0 {
			return "", fmt.Errorf("there is no operator %s", name)
		}
		cell, means := "`"+name+"`", meanings[at]
		r.operators[name] = true
		for _, form := range []string{"not_" + name, "surely_" + name} {
			if slices.Contains(words, form) && !slices.Contains(names, form) {
				r.operators[form] = true
				cell += " `" + form + "`"
			}
		}
		out += row(cell, valueOf(test, name), join(sentence(means), n.take(name)))
	}
	return out, nil
}

// valueOf says what the value of an operator is.
func valueOf(test node, operator string) string {
	if text, ok := valueSchema(test, operator)["description"].(string); ok {
		return strings.ReplaceAll(text, "|", `\|`)
	}
	return "none"
}

// valueSchema is the schema of the value of an operator; nil: it has none.
func valueSchema(test node, operator string) node {
	operator = strings.TrimPrefix(operator, "surely_")
	for _, demand := range test.nodes("allOf") {
		when := demand.child("if").child("properties").child("operator")
		if slices.Contains(texts(when["enum"]), operator) {
			return demand.child("then").child("properties").child("value")
		}
	}
	return nil
}

// isShown says whether a table has the keys at a path, or the same keys with the same values.
func (r *Reference) isShown(path string) bool {
	of, err := r.at(path)
	for other := range r.shown {
		same, _ := r.at(other)
		if err == nil && (other == path || reflect.DeepEqual(of.child("properties"), same.child("properties"))) {
			return true
		}
	}
	return false
}

// Missing returns what the schema has and no table showed.
func (r *Reference) Missing() (all []string) {
	test, err := r.at(testPath)
	if err != nil {
		return []string{err.Error()}
	}
	for _, word := range texts(test.child("properties").child("operator")["enum"]) {
		if !r.operators[word] {
			all = append(all, "the operator "+word)
		}
	}
	r.schema.mappings(".", func(path string) {
		if !r.isShown(path) {
			all = append(all, "the keys at "+path)
		}
	})
	slices.Sort(all)
	return all
}
