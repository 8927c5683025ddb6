// Package bundle reads and edits answers that hold whole responses of other formats: results of batches, stored
// completions and their messages.
package bundle

import (
	"net/http"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/openaierror"
)

// Name is the format's name in events and configuration.
const Name = "bundle"

// Format returns the format for doors, around the formats of the responses that bundles may hold. They are tried in the
// given order.
//
// Requests ask for something of an API and not for a bundle: only an answer shows that it is one. So Asks knows of nothing,
// and there is neither Wants nor Authorise, which are for formats that are asked for. As the shape of a bundle says more
// than the shapes of what is in it, a door looks for it ahead of the others.
func Format(inner ...dialect.Format) dialect.Format {
	return dialect.Format{
		Name:       Name,
		Recognises: recognises,
		New:        func(o dialect.Options) dialect.Dialect { return newResponse(inner, o) },
		Asks:       func(*http.Request, string) dialect.Ask { return dialect.Nothing },
		Streams:    []frame.Framing{frame.Rows},
		Error:      openaierror.Render,
	}
}
