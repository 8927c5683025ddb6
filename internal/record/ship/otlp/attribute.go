package otlp

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
)

// Bounds of texts, in bytes. Texts from the wire have no other bound.
const (
	maxText    = 256
	maxReason  = 1024
	maxContent = 64 << 10
)

// attributes are the attributes of a span, a log record or a resource. Empty texts are left out.
type attributes []*commonpb.KeyValue

// text adds a short text.
func (a *attributes) text(key, value string) {
	if value = clean(value, maxText); value != "" {
		a.exact(key, value)
	}
}

// exact adds a text that is clean already.
func (a *attributes) exact(key, value string) {
	a.add(key, &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: value}})
}

func (a *attributes) number(key string, value int64) {
	a.add(key, &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: value}})
}

// count adds a number unless it is 0.
func (a *attributes) count(key string, value int64) {
	if value != 0 {
		a.number(key, value)
	}
}

func (a *attributes) decimal(key string, value float64) {
	a.add(key, &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: value}})
}

func (a *attributes) flag(key string, value bool) {
	a.add(key, &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: value}})
}

func (a *attributes) add(key string, value *commonpb.AnyValue) {
	*a = append(*a, &commonpb.KeyValue{Key: key, Value: value})
}

// ellipsis marks a truncated text.
const ellipsis = "…"

// clean makes a text fit to be shown and sent: valid UTF-8, without control and format characters, and at most limit bytes long. A
// truncated text ends with an ellipsis.
func clean(s string, limit int) string {
	if len(s) > 4*limit {
		s = s[:4*limit] // the rest would be cut off in any case
	}
	s = strings.Map(func(r rune) rune {
		if r != ' ' && !unicode.IsGraphic(r) || r == utf8.RuneError {
			return unicode.ReplacementChar
		}
		return r
	}, s)
	if len(s) <= limit {
		return s
	}
	end := limit - len(ellipsis)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + ellipsis
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
