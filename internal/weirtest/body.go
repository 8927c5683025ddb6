package weirtest

import (
	"bytes"

	"github.com/weir-gate/weir/internal/weirtest/notation"
)

// bodyOf returns the bytes of a body in a form.
func bodyOf(text []byte, f form) []byte {
	if f == parcels {
		return notation.Packets(text)
	}
	if f == whole || f == array {
		text = bytes.TrimSuffix(text, []byte("\n"))
	}
	return notation.Bytes(text)
}

// textOf writes a body of a form for a scenario.
func textOf(body []byte, f form) []byte {
	if f == parcels {
		return notation.PacketsText(body)
	}
	if (f == whole || f == array) && len(body) > 0 {
		body = append(bytes.Clone(body), '\n')
	}
	return notation.Text(body)
}
