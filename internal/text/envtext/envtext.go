// Package envtext expands environment variables in texts of configuration files.
package envtext

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Expand replaces ${NAME} by the variable's value, and $${ by ${. Values are not expanded again. An error may name the variable,
// but never a value. It ends with how to fix it, after a semicolon.
func Expand(text string, env func(string) (string, bool)) (string, error) {
	var b strings.Builder
	for {
		i := strings.Index(text, "${")
		if i < 0 {
			b.WriteString(text)
			return b.String(), nil
		}
		if i > 0 && text[i-1] == '$' {
			b.WriteString(text[:i-1] + "${")
			text = text[i+2:]
			continue
		}
		name, rest, closed := strings.Cut(text[i+2:], "}")
		if !closed || !variable.MatchString(name) {
			return "", errors.New("a ${ does not begin the name of a variable; write ${NAME}, or $${ to mean ${ itself")
		}
		value, set := env(name)
		if !set {
			return "", fmt.Errorf("the variable %s is not set; set it before weir starts", name)
		}
		b.WriteString(text[:i] + value)
		text = rest
	}
}
