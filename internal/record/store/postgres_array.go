package store

import (
	"fmt"
	"strings"
)

// unnested is an insert of many rows.
func unnested(insert string, rows [][]any) statement {
	before, rest, _ := strings.Cut(insert, "VALUES (")
	_, after, _ := strings.Cut(rest, ")")
	return statement{before + "SELECT * FROM unnest(" + arrayMarks(rows[0]) + ")" + after, arrays(rows)}
}

// arrays turns rows of values into one array for each column, which is how many rows are sent at once. There is one row at
// least, and all have values of the same types.
func arrays(rows [][]any) []any {
	columns := make([]any, len(rows[0]))
	for i := range columns {
		switch rows[0][i].(type) {
		case string:
			columns[i] = array[string](rows, i)
		case int64:
			columns[i] = array[int64](rows, i)
		case bool:
			columns[i] = array[bool](rows, i)
		case []byte:
			columns[i] = array[[]byte](rows, i)
		default:
			panic(fmt.Sprintf("store: no array of %T", rows[0][i])) // only the types above are stored
		}
	}
	return columns
}

func array[T any](rows [][]any, column int) []T {
	all := make([]T, len(rows))
	for i, row := range rows {
		all[i] = row[column].(T)
	}
	return all
}

// arrayMarks are parameters for the arrays of rows such as this one.
func arrayMarks(row []any) string {
	marks := make([]string, len(row))
	for i, value := range row {
		switch value.(type) {
		case string:
			marks[i] = "?::text[]"
		case int64:
			marks[i] = "?::bigint[]"
		case bool:
			marks[i] = "?::boolean[]"
		default:
			marks[i] = "?::bytea[]"
		}
	}
	return strings.Join(marks, ", ")
}
