package setup

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/text/inert"
)

// A plainNumber is the text of a JSON number that is not an int64: it must not lose digits in weir.
type plainNumber string

// canonical returns a value in the types that the parsers of both formats return: string, bool, int64, float64, []any,
// map[string]any.
func canonical(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, int64, plainNumber:
		return v, nil
	case string:
		if !utf8.ValidString(v) {
			return nil, errors.New("a text is not valid UTF-8")
		}
		return v, nil
	}
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32:
		return r.Int(), nil
	case reflect.Float32, reflect.Float64:
		const exact = 1 << 53 // above it a float cannot hold every integer
		switch f := r.Float(); {
		case math.IsNaN(f), math.IsInf(f, 0):
		case f == math.Trunc(f) && math.Abs(f) < exact:
			return int64(f), nil // in JSON there is no difference
		default:
			return f, nil
		}
	case reflect.Slice:
		return canonicalList(r)
	case reflect.Map:
		return canonicalMap(r)
	}
	return nil, fmt.Errorf("a setting cannot be of type %T", v)
}

func canonicalList(r reflect.Value) (any, error) {
	list := make([]any, r.Len())
	for i := range list {
		element, err := canonical(r.Index(i).Interface())
		if err != nil {
			return nil, err
		}
		list[i] = element
	}
	return list, nil
}

func canonicalMap(r reflect.Value) (any, error) {
	all := make(map[string]any, r.Len())
	for it := r.MapRange(); it.Next(); {
		if it.Key().Kind() != reflect.String || !utf8.ValidString(it.Key().String()) {
			return nil, errors.New("the key of a setting is not a valid text")
		}
		element, err := canonical(it.Value().Interface())
		if err != nil {
			return nil, err
		}
		all[it.Key().String()] = element
	}
	return all, nil
}

// same says that two canonical values are equal.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key, v := range a {
			if w, ok := b[key]; !ok || !same(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case float64:
		if text, ok := b.(plainNumber); ok {
			return same(text, a)
		}
		b, ok := b.(float64)
		return ok && (a == b || math.IsNaN(a) && math.IsNaN(b)) // a TOML file may have nan
	case plainNumber:
		if f, ok := b.(float64); ok {
			parsed, err := strconv.ParseFloat(string(a), 64)
			return err == nil && parsed == f
		}
	}
	return reflect.DeepEqual(a, b)
}

// lookup finds the value at a path.
func lookup(root map[string]any, path []string) (any, bool) {
	var v any = root
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = m[key]; !ok {
			return nil, false
		}
	}
	return v, true
}

// with returns a copy of root with one value changed.
func with(root map[string]any, s step) (map[string]any, error) { return withIn(root, s, 0) }

func withIn(m map[string]any, s step, at int) (map[string]any, error) {
	changed := make(map[string]any, len(m)+1)
	for key, v := range m {
		changed[key] = v
	}
	key := s.path[at]
	if at == len(s.path)-1 {
		delete(changed, key)
		if !s.remove {
			changed[key] = s.value
		}
		return changed, nil
	}
	inner, found := m[key]
	if !found && s.remove {
		return changed, nil
	}
	table, ok := inner.(map[string]any)
	if found && !ok {
		return nil, notATable(s.path[:at+1])
	}
	below, err := withIn(table, s, at+1)
	if err != nil {
		return nil, err
	}
	changed[key] = below
	return changed, nil
}

func notATable(path []string) error {
	return fmt.Errorf("%s holds a value, not settings; remove it or rename it", pathText(path))
}

// withoutEmpty returns a map without the empty maps in it: some tables of TOML exist only as long as they have a key.
func withoutEmpty(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for key, v := range m {
		if inner, ok := v.(map[string]any); ok {
			below := withoutEmpty(inner)
			if len(below) == 0 {
				continue
			}
			v = below
		}
		out[key] = v
	}
	return out
}

// sortedKeys returns the sorted keys of a map, those of plain values first.
func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		_, aMap := m[a].(map[string]any)
		_, bMap := m[b].(map[string]any)
		if aMap != bMap {
			if bMap {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return keys
}

// pathText returns a path as text for a message.
func pathText(path []string) string {
	const most = 64
	parts := make([]string, len(path))
	for i, key := range path {
		parts[i] = inert.Name(key, most)
	}
	return strings.Join(parts, ".")
}

// hasPrefix says that path begins with prefix, or equals it.
func hasPrefix(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}
