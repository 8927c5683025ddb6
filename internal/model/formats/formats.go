// Package formats is the list of the formats that weir reads.
package formats

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
	"github.com/weir-gate/weir/internal/model/dialect/bedrock"
	"github.com/weir-gate/weir/internal/model/dialect/bundle"
	"github.com/weir-gate/weir/internal/model/dialect/gemini"
	"github.com/weir-gate/weir/internal/model/dialect/ollama"
	"github.com/weir-gate/weir/internal/model/dialect/openaichat"
	"github.com/weir-gate/weir/internal/model/dialect/openairesponses"
)

var all = []dialect.Format{
	anthropic.Format(),
	openaichat.Format(),
	openairesponses.Format(),
	gemini.Format(),
	ollama.Format(),
	bedrock.Format(),
}

// All returns the formats of requests to models and their responses. If a response could be in several formats, the first counts.
func All() []dialect.Format { return slices.Clone(all) }

// ForDoor returns the formats that a door reads: first bundles, which contain several responses, and then All.
func ForDoor() []dialect.Format {
	return slices.Insert(All(), 0, bundle.Format(all...))
}

// Named returns the format of that name among All.
func Named(name string) (dialect.Format, bool) {
	for _, f := range all {
		if f.Name == name {
			return f, true
		}
	}
	return dialect.Format{}, false
}
