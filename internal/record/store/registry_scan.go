package store

import (
	"database/sql"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/mcp/registry"
)

// scanServer reads serverColumns.
func scanServer(rows *sql.Rows) (s registry.Server, err error) {
	var k string
	var first, last int64
	err = scanRegistry(rows, &k, &s.ID, &s.Type, &s.Addr, &s.Name, &s.Version, &first, &last)
	s.First, s.Last = fromMicros(first), fromMicros(last)
	return s, err
}

// scanTool reads toolColumns.
func scanTool(rows *sql.Rows) (t registry.Tool, err error) {
	var first, since, gone int64
	t.Definition, t.Hash, err = scanDefinition(rows, &first, &since, &gone)
	t.First, t.Since = fromMicros(first), fromMicros(since)
	if gone != 0 {
		t.Gone = fromMicros(gone)
	}
	return t, err
}

// scanPin reads pinColumns.
func scanPin(rows *sql.Rows) (p registry.Pin, err error) {
	var micros int64
	p.Definition, p.Hash, err = scanDefinition(rows, &p.By, &micros)
	p.Time = fromMicros(micros)
	return p, err
}

// scanDefinition reads definitionColumns, and the columns after them into rest.
func scanDefinition(rows *sql.Rows, rest ...any) (d registry.Definition, h registry.Hash, err error) {
	var serverKey, toolKey, hash string
	var input, output, annotations, meta, other string
	err = scanRegistry(rows, append([]any{
		&serverKey, &toolKey, &d.Server, &d.Name, &d.Title, &d.Description, &input, &output, &annotations, &meta, &other, &hash,
	}, rest...)...)
	if err == nil && (serverKey != key(d.Server) || toolKey != key(d.Name)) {
		err = fmt.Errorf("a row of the registry is under another key than its own: %s", changedStore)
	}
	d.InputSchema, d.OutputSchema, d.Annotations = jsonOrNil(input), jsonOrNil(output), jsonOrNil(annotations)
	d.Meta, d.Other = jsonOrNil(meta), jsonOrNil(other)
	return d, registry.Hash(hash), err
}

// changedStore says what a person can do about rows that weir did not write.
const changedStore = "something else changed the store; restore it from a backup"

// scanRegistry reads a row of texts and numbers. It unquotes the texts.
func scanRegistry(rows *sql.Rows, into ...any) error {
	odd, err := scanStrict(rows, into...)
	if err == nil && odd != "" {
		err = fmt.Errorf("the column %s of the registry holds a value of another kind than weir writes: %s", odd, changedStore)
	}
	for _, place := range into {
		if text, ok := place.(*string); ok && err == nil {
			*text, err = unquote(*text)
		}
	}
	return err
}

func jsonOrNil(text string) jsontext.Value {
	if text == "" {
		return nil
	}
	return jsontext.Value(text)
}

// microsOrZero is a time as it is stored; 0: the zero time.
func microsOrZero(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}
