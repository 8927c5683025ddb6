package store

import (
	"bytes"
	"database/sql"
	"fmt"
	"strconv"

	"github.com/weir-gate/weir/internal/record"
)

// SQLite accepts values of any type in any column. An event with a blob instead of a text looks the same, but no query finds it. So
// values that are read back must also have the type that weir writes.

// scanStrict scans a row. odd names the first column whose value has another type than its destination, "" if there is none. The
// destination then has the nearest value.
func scanStrict(rows *sql.Rows, into ...any) (odd string, err error) {
	cells, places := make([]strictCell, len(into)), make([]any, len(into))
	for i := range into {
		cells[i].into = into[i]
		places[i] = &cells[i]
	}
	if err := rows.Scan(places...); err != nil {
		return "", err
	}
	for i := range cells {
		if !cells[i].odd {
			continue
		}
		names, err := rows.Columns()
		if err != nil {
			return "", err
		}
		return names[i], nil
	}
	return "", nil
}

// A blob is bytes that are not text.
type blob []byte

// A strictCell scans a value into a destination.
type strictCell struct {
	into any
	odd  bool // the value had another type
}

// Scan implements sql.Scanner.
func (c *strictCell) Scan(value any) error {
	ok := false
	switch into := c.into.(type) {
	case *string:
		*into, ok = textOf(value)
	case *record.Type:
		var text string
		text, ok = textOf(value)
		*into = record.Type(text)
	case *[]byte:
		var text string
		text, ok = textOf(value)
		*into = []byte(text)
	case *blob:
		var b []byte
		b, ok = value.([]byte)
		*into = bytes.Clone(b)
	case *int64:
		*into, ok = numberOf(value)
	case *bool:
		*into, ok = truthOf(value)
	case sql.Scanner:
		ok = into.Scan(value) == nil
	default:
		return fmt.Errorf("no place for values is a %T", into)
	}
	c.odd = !ok
	return nil
}

func textOf(value any) (text string, ok bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case []byte:
		return string(v), false
	case nil:
		return "", false
	}
	return fmt.Sprint(value), false
}

func numberOf(value any) (n int64, ok bool) {
	switch v := value.(type) {
	case int64:
		return v, true
	case float64:
		return int64(v), false
	}
	text, _ := textOf(value)
	n, _ = strconv.ParseInt(text, 10, 64) // else it is 0
	return n, false
}

func truthOf(value any) (b, ok bool) {
	switch v := value.(type) {
	case bool:
		return v, true
	case int64: // as SQLite has it
		return v != 0, v == 0 || v == 1
	}
	return false, false
}

// garbledRow is the error for a row with a column of another type.
func garbledRow(row int64, column string) error {
	return fmt.Errorf("row %d: the column %s holds a value of another kind than weir writes: something else changed the store; run weir "+
		"audit verify", row, column)
}
