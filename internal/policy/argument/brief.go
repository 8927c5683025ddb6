package argument

import (
	"fmt"
	"strings"
)

// maxShown is how many characters of a text are shown.
const maxShown = 80

// Describe formats a value for people.
func (v *Value) Describe() string {
	switch v.Kind {
	case '"':
		return Shorten(fmt.Sprintf("%q", Clip(v.Text)))
	case '0':
		return Shorten(Clip(v.Text))
	case '[':
		return fmt.Sprintf("array of %d", len(v.items))
	case '{':
		return fmt.Sprintf("object of %d", len(v.Members))
	default:
		return v.Kind.String()
	}
}

// Clip cuts a long text, so that quoting it stays cheap.
func Clip(s string) string {
	if len(s) > 4*maxShown {
		return strings.ToValidUTF8(s[:4*maxShown], "")
	}
	return s
}

// Shorten cuts a text to the length that is shown.
func Shorten(s string) string {
	if runes := []rune(s); len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return s
}
