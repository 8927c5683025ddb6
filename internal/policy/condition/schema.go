package condition

import (
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Schema describes a condition: a block or a test.
func Schema() yamlfile.Schema {
	parts := map[string]yamlfile.Schema{}
	var named []yamlfile.Schema
	for _, block := range blocks {
		parts[block] = yamlfile.ListSchema(yamlfile.RefSchema("condition")).Describe(blockMeanings[block])
	}
	for key, of := range circumstanceSchemas() {
		parts[key] = of
	}
	for _, key := range blockKeys {
		named = append(named, yamlfile.Schema{"required": []string{key}})
	}
	return yamlfile.Schema{
		"type": "object",
		"if":   yamlfile.Schema{"anyOf": named},
		"then": blockShape.Schema(parts),
		"else": testSchema(),
	}
}

var blockMeanings = map[string]string{blockAny: "One of them holds.", blockAll: "All of them hold.", blockNone: "Not one of them holds."}

// testSchema describes one test: what its value may be depends on the operator.
func testSchema() yamlfile.Schema {
	out := testShape.Schema(map[string]yamlfile.Schema{
		"operator": operatorWords.Schema().Describe("How values are compared."),
		"param_path": yamlfile.OneOrMoreSchema(yamlfile.TextSchema()).Describe(
			"What is compared: a.b.c, items[*].path, **.path, or $ for all arguments. Operators of commands look where commands stand without it."),
		"value": yamlfile.Schema{}.Describe("What it is compared with."),
	})
	var demands []yamlfile.Schema
	for _, op := range operators {
		if op.negated {
			continue
		}
		words := []string{op.name}
		if !op.plain {
			words = append(words, "not_"+op.name)
		}
		demands = append(demands, yamlfile.When("operator", words, op.demands(), nil))
	}
	out["allOf"] = demands
	return out
}

// demands is what an operator requires of the test that uses it.
func (op operator) demands() yamlfile.Schema {
	value := op.value.Describe(op.meaning().value)
	switch op.kind {
	case opExists:
		return yamlfile.Schema{"required": []string{"param_path"}, "properties": yamlfile.Schema{"value": false}}
	case opExpr:
		return yamlfile.Schema{"required": []string{"value"}, "properties": yamlfile.Schema{"param_path": false, "value": value}}
	}
	required := []string{"param_path", "value"}
	if op.usual != nil {
		required = required[1:]
	}
	return yamlfile.Schema{"required": required, "properties": yamlfile.Schema{"value": value}}
}
