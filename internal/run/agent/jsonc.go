package agent

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/tailscale/hujson"

	"github.com/weir-gate/weir/internal/text/inert"
)

// maxConfig is how long a configuration file may be.
const maxConfig = 8 << 20

// A JSONFile is a configuration file in JSON, which may have comments and commas after the last member.
type JSONFile struct {
	Path   string
	text   []byte
	Values map[string]any
}

// ReadJSON reads a configuration file. nil: there is none.
func ReadJSON(path string) (*JSONFile, error) {
	text, err := ReadFile(path)
	if text == nil || err != nil {
		return nil, err
	}
	return ParseJSON(path, text)
}

// ParseJSON parses the text of a configuration file, or configuration from elsewhere. A text of only white space is empty.
func ParseJSON(path string, text []byte) (*JSONFile, error) {
	f := &JSONFile{Path: path, text: text, Values: map[string]any{}}
	if strings.TrimSpace(string(text)) == "" {
		return f, nil
	}
	standard, err := hujson.Standardize(append([]byte{}, text...))
	if err == nil {
		err = json.Unmarshal(standard, &f.Values)
	}
	if err == nil && f.Values == nil {
		err = errors.New("it is null")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: this is not a valid JSON object: %s; correct it, or move the file away", path,
			inert.Text(err.Error(), longest))
	}
	return f, nil
}

// ReadFile reads a configuration file. nil: there is none.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read settings: %w; make the file readable, or move it away", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: this is not a regular file; move it away", path) // reading a pipe could block forever
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read settings: %w; make the file readable, or move it away", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", path, err)
	case len(text) > maxConfig:
		return nil, fmt.Errorf("%s: the file has more than %d bytes; make it shorter", path, maxConfig)
	case text == nil:
		text = []byte{}
	}
	return text, nil
}

// Replaced returns the file's text with some values replaced, and otherwise unchanged.
func (f *JSONFile) Replaced(values []Replacement) ([]byte, error) {
	tree, err := hujson.Parse(f.text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	type operation struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value"`
	}
	var patch []operation
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	for _, v := range values {
		path := ""
		for _, key := range v.Keys {
			path += "/" + escape.Replace(key)
		}
		patch = append(patch, operation{Op: "add", Path: path, Value: v.Value})
	}
	text, err := json.Marshal(patch, json.Deterministic(true))
	if err == nil {
		err = tree.Patch(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: replace values: %w", f.Path, err)
	}
	return tree.Pack(), nil
}

// A Replacement is a new value for the setting at the keys.
type Replacement struct {
	Keys  []string
	Value any
}

// At returns the value at the keys; nil: there is none.
func At(values map[string]any, keys ...string) any {
	var v any = values
	for _, key := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

// Object returns the object at the keys; nil: there is nothing. Anything else there is an error.
func (f *JSONFile) Object(keys ...string) (map[string]any, error) {
	switch v := At(f.Values, keys...).(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return v, nil
	default:
		return nil, f.Odd("an object", keys...)
	}
}

// Odd returns the error for a setting of the wrong type.
func (f *JSONFile) Odd(wanted string, keys ...string) error {
	return fmt.Errorf("%s: %s is not %s; correct it", f.Path, inert.Text(strings.Join(keys, "."), longest), wanted)
}

// Words returns a list of strings; ok is false for anything else.
func Words(v any) (list []string, ok bool) {
	items, ok := v.([]any)
	if !ok {
		return nil, v == nil
	}
	for _, item := range items {
		s, ok := item.(string)
		if !ok {
			return nil, false
		}
		list = append(list, s)
	}
	return list, true
}

// Nested returns a map with the value below the keys.
func Nested(value any, keys ...string) map[string]any {
	for _, key := range slices.Backward(keys) {
		value = map[string]any{key: value}
	}
	m, _ := value.(map[string]any)
	return m
}

// Merged returns an object merged with another, which overrides it.
func Merged(under, over map[string]any) map[string]any {
	m := maps.Clone(under)
	if m == nil {
		m = map[string]any{}
	}
	for k, v := range over {
		a, isMap := m[k].(map[string]any)
		b, both := v.(map[string]any)
		if isMap && both {
			v = Merged(a, b)
		}
		m[k] = v
	}
	return m
}

// Within returns the replacement in a file that sets the value at the keys. Missing objects on the way are created.
func (f *JSONFile) Within(value any, keys ...string) Replacement {
	n := 1
	for n < len(keys) {
		if _, ok := At(f.Values, keys[:n]...).(map[string]any); !ok {
			break
		}
		n++
	}
	if n < len(keys) {
		value = Nested(value, keys[n:]...)
	}
	return Replacement{Keys: keys[:n], Value: value}
}
