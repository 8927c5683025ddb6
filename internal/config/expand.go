package config

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// expand replaces ${NAME} by the variable's value, and $${ by ${.
func expand(text string, env func(string) (string, bool)) (string, error) {
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
