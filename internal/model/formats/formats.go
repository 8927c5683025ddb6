// Package formats is the list of the wire formats that weir reads.
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

// All are the formats in which models are asked and respond. Where a response could be of several, the first counts.
func All() []dialect.Format { return slices.Clone(all) }

// ForDoor are the formats that a door reads: All, and ahead of them bodies that hold several responses of theirs.
func ForDoor() []dialect.Format {
	return slices.Insert(All(), 0, bundle.Format(all...))
}

// Named is the format of that name among All.
func Named(name string) (dialect.Format, bool) {
	for _, f := range all {
		if f.Name == name {
			return f, true
		}
	}
	return dialect.Format{}, false
}
