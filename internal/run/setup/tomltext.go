package setup

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// tomlKey returns one part of a key, in quotes if it needs them.
func tomlKey(key string) string {
	plain := key != "" && strings.IndexFunc(key, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_')
	}) < 0
	if plain {
		return key
	}
	return tomlString(key)
}

// tomlString returns a text in quotes.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// renderTOML returns the text of a value on one line.
func renderTOML(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return tomlString(v), nil
	case bool:
		return strconv.FormatBool(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return tomlFloat(v), nil
	case time.Time:
		return v.Format(time.RFC3339Nano), nil
	case toml.LocalDate, toml.LocalTime, toml.LocalDateTime:
		return fmt.Sprint(v), nil
	case []any:
		parts := make([]string, len(v))
		for i, element := range v {
			text, err := renderTOML(element)
			if err != nil {
				return "", err
			}
			parts[i] = text
		}
		return "[" + strings.Join(parts, ", ") + "]", nil
	case map[string]any:
		return tomlInline(v)
	case nil:
		return "", errors.New("TOML has no null")
	}
	return "", fmt.Errorf("TOML has no %T", v)
}

func tomlInline(m map[string]any) (string, error) {
	if len(m) == 0 {
		return "{}", nil
	}
	parts := make([]string, 0, len(m))
	for _, key := range sortedKeys(m) {
		text, err := renderTOML(m[key])
		if err != nil {
			return "", err
		}
		parts = append(parts, tomlKey(key)+" = "+text)
	}
	return "{ " + strings.Join(parts, ", ") + " }", nil
}

// tomlFloat returns a number that parsers read as a float, even if it is whole.
func tomlFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strings.Replace(strconv.FormatFloat(f, 'g', -1, 64), "I", "i", 1)
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}
