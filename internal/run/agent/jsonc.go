package agent

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/tailscale/hujson"

	"github.com/weir-gate/weir/internal/text/inert"
)

// maxConfig is how long a configuration file may be.
const maxConfig = 8 << 20

// A jsonFile is a configuration file in JSON, which may have comments and commas after the last member.
type jsonFile struct {
	path   string
	text   []byte
	values map[string]any
}

// readJSON reads a configuration file. nil: there is none.
func readJSON(path string) (*jsonFile, error) {
	text, err := readConfig(path)
	if text == nil || err != nil {
		return nil, err
	}
	return parseJSON(path, text)
}

// parseJSON parses the text of a configuration file, or configuration from elsewhere. A text of only white space is empty.
func parseJSON(path string, text []byte) (*jsonFile, error) {
	f := &jsonFile{path: path, text: text, values: map[string]any{}}
	if strings.TrimSpace(string(text)) == "" {
		return f, nil
	}
	standard, err := hujson.Standardize(append([]byte{}, text...))
	if err == nil {
		err = json.Unmarshal(standard, &f.values)
	}
	if err == nil && f.values == nil {
		err = errors.New("it is null")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: this is not a valid JSON object: %s; correct it, or move the file away", path,
			inert.Text(err.Error(), longest))
	}
	return f, nil
}

// readConfig reads a configuration file. nil: there is none.
func readConfig(path string) ([]byte, error) {
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

// replaced returns the file's text with some values replaced, and otherwise unchanged.
func (f *jsonFile) replaced(values []replacement) ([]byte, error) {
	tree, err := hujson.Parse(f.text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
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
		for _, key := range v.keys {
			path += "/" + escape.Replace(key)
		}
		patch = append(patch, operation{Op: "add", Path: path, Value: v.value})
	}
	text, err := json.Marshal(patch, json.Deterministic(true))
	if err == nil {
		err = tree.Patch(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: replace values: %w", f.path, err)
	}
	return tree.Pack(), nil
}

// A replacement is a new value for the setting at the keys.
type replacement struct {
	keys  []string
	value any
}

// at returns the value at the keys; nil: there is none.
func at(values map[string]any, keys ...string) any {
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

// object returns the object at the keys; nil: there is nothing. Anything else there is an error.
func (f *jsonFile) object(keys ...string) (map[string]any, error) {
	switch v := at(f.values, keys...).(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return v, nil
	default:
		return nil, f.odd("an object", keys...)
	}
}

// odd returns the error for a setting of the wrong type.
func (f *jsonFile) odd(wanted string, keys ...string) error {
	return fmt.Errorf("%s: %s is not %s; correct it", f.path, inert.Text(strings.Join(keys, "."), longest), wanted)
}

// words returns a list of strings; ok is false for anything else.
func words(v any) (list []string, ok bool) {
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
