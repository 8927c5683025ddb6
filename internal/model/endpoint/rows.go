package endpoint

import (
	"net/http"
	"slices"
	"strings"
)

// Helpers for writing the tables. Each function returns one row for each path and method; several methods are given in one text,
// separated by blanks.

const (
	get     = http.MethodGet
	post    = http.MethodPost
	del     = http.MethodDelete
	patch   = http.MethodPatch
	getPost = get + " " + post
	getDel  = get + " " + del
	// all are the methods that read, change and remove a stored thing.
	all = get + " " + post + " " + del
)

func rowsOf(r Row, methods string, paths []string) []Row {
	var rows []Row
	for _, path := range paths {
		for method := range strings.FieldsSeq(methods) {
			r.Method, r.Path = method, path
			rows = append(rows, r)
		}
	}
	return rows
}

func passes(methods string, paths ...string) []Row {
	return rowsOf(Row{Treatment: Passes}, methods, paths)
}

func content(methods string, paths ...string) []Row {
	return rowsOf(Row{Treatment: Content}, methods, paths)
}

func changes(methods string, paths ...string) []Row {
	return rowsOf(Row{Treatment: Changes}, methods, paths)
}

func gated(format, methods string, paths ...string) []Row {
	return rowsOf(Row{Treatment: Gated, Format: format}, methods, paths)
}

// refused matches every method: weir does not send any request to an endpoint that it cannot judge.
func refused(note string, paths ...string) []Row {
	return rowsOf(Row{Treatment: Refused, Note: note}, anyMethod, paths)
}

// offering marks rows whose requests may declare tools, in a format.
func offering(format string, rows []Row) []Row {
	for i := range rows {
		rows[i].Format, rows[i].Offers = format, true
	}
	return rows
}

// quiet marks gated rows whose responses may have no model output at all.
func quiet(rows []Row) []Row {
	for i := range rows {
		rows[i].Quiet = true
	}
	return rows
}

// noted gives rows a remark.
func noted(note string, rows []Row) []Row {
	for i := range rows {
		rows[i].Note = note
	}
	return rows
}

// below puts rows below a prefix. Rows that match at any depth are not changed.
func below(prefix string, groups ...[]Row) []Row {
	rows := slices.Concat(groups...)
	for i, r := range rows {
		if !strings.HasPrefix(r.Path, anySegments) {
			rows[i].Path = prefix + r.Path
		}
	}
	return rows
}
