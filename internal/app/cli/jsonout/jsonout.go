// Package jsonout writes JSON for programs. It has no control sequences for terminals.
package jsonout

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/text/inert"
)

// PrintLines prints values as JSON, one per line.
func PrintLines[T any](out io.Writer, all []T) error {
	for _, v := range all {
		text, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
		if err != nil {
			return fmt.Errorf("write JSON: %w", err)
		}
		if _, err := fmt.Fprintln(out, inert.JSON(string(text))); err != nil {
			return err
		}
	}
	return nil
}

// Print prints a value that may have foreign text in it.
func Print(out io.Writer, v any) error {
	text, err := json.Marshal(v, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Fprintln(out, inert.JSON(strings.TrimSuffix(line, "\n"))); err != nil {
			return err
		}
	}
	return nil
}
