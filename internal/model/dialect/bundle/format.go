// Package bundle parses and edits bodies that contain whole responses of other formats: results of batches, stored completions and
// their messages.
package bundle

import (
	"net/http"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/openaierror"
)

// Name is the format's name in events and configuration.
const Name = "bundle"

// Format returns the format for doors. inner are the formats of the responses in bundles; they are tried in the given order.
//
// No request asks for a bundle: only the response shows that it is one. So Asks always returns Nothing, and there is neither Wants
// nor Authorise, which are for formats that requests ask for. The shape of a bundle is more specific than the shapes of the
// responses in it, so a door must try this format before the others.
func Format(inner ...dialect.Format) dialect.Format {
	return dialect.Format{
		Name:       Name,
		Recognises: recognises,
		New:        func(o dialect.Options) dialect.Dialect { return newEditor(inner, o) },
		Asks:       func(*http.Request, string) dialect.Ask { return dialect.Nothing },
		Streams:    []frame.Framing{frame.Rows},
		Error:      openaierror.Render,
	}
}
