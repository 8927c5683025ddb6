package price

import (
	"regexp"
	"slices"
	"strings"
)

// These match parts of names that say where a model runs, not which model it is.
var (
	// Amazon Bedrock has a region and a vendor before the name, and a version after it, such as us.anthropic.claude-x-v1:0.
	bedrockStart = regexp.MustCompile(`^(?:(?:us|us-gov|eu|apac|jp|au|ca|sa|me|af|global)\.)?` +
		`(?:ai21|amazon|anthropic|cohere|deepseek|google|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|xai|writer|zai)\.`)
	bedrockEnd = regexp.MustCompile(`(?:-v?[0-9])?(?::[0-9a-z]+)*$`)
	// Google Vertex has a date after an at sign, or a word for the newest.
	vertexEnd = regexp.MustCompile(`@(?:default|latest)$`)
	// Routers have a variant after a colon, and vendors a word for the newest.
	variantEnd = regexp.MustCompile(`(?:-latest)?(?::[a-z]+)?$`)
)

// namesOf returns the names under which a model is looked up, in lower case: as written, without the part up to its last slash,
// which routers and clouds add, and without the parts that say where it runs.
func namesOf(model string) []string {
	model = strings.ToLower(model)
	names := []string{model}
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	short := model[strings.LastIndexByte(model, '/')+1:]
	add(short)
	if start := bedrockStart.FindString(short); start != "" {
		short = short[len(start):]
		add(short)
		short = bedrockEnd.ReplaceAllString(short, "")
		add(short)
	}
	short = strings.Replace(vertexEnd.ReplaceAllString(short, ""), "@", "-", 1)
	add(short)
	add(variantEnd.ReplaceAllString(short, ""))
	return names
}
