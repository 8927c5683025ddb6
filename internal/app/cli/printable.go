package cli

import "github.com/weir-gate/weir/internal/text/inert"

// printable is text of strangers on one line, at most limit characters of it.
func printable(s string, limit int) string { return inert.Text(s, limit) }

// inertJSON is a line of JSON that a terminal or a web page obeys nothing of.
func inertJSON(line string) string { return inert.JSON(line) }
