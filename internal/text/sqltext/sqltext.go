// Package sqltext finds the statements in SQL text.
package sqltext

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// A Statement is one thing that a text asks of a database.
type Statement struct {
	// Kind is the verb in upper case, with the kind of object where the verb has one: SELECT, DROP TABLE. SHELL means running a
	// program, FILE reaching a file or a host outside of the database, ADMIN giving rights over all of a server, OTHER an unknown
	// statement. "" means that the text is computed while it runs, so it could be anything.
	Kind string
	// NoWhere says that a DELETE or UPDATE has no WHERE, or one that is always true.
	NoWhere bool
}

// Statements returns the statements of the text in order of appearance, including those inside others: what EXPLAIN ANALYZE runs,
// common table expressions that change data, the literal text of EXECUTE and DO. Text that is no SQL has none.
//
// Databases differ in quoting and comments, so the text is parsed as PostgreSQL, as MySQL, as SQLite and SQL Server, and as Oracle
// would. If these find different statements, or one is not sure, certain is false, and all statements are returned. The same holds
// if only some of them take a character for the end of a line.
func Statements(text string) (statements []Statement, certain bool) {
	text = unfence(text)
	breaks := []bool{false}
	if strings.ContainsAny(strings.ReplaceAll(text, "\r\n", "\n"), anyBreaks[1:]) {
		breaks = []bool{false, true}
	}
	certain = true
	var tokens []token
	for i, d := range dialects {
		for j, anyBreak := range breaks {
			d.anyBreak = anyBreak
			r := reader{dialect: d, certain: true, tokens: tokens}
			more, sure := r.whole(text)
			tokens = r.tokens
			certain = certain && sure
			switch {
			case i == 0 && j == 0:
				statements = more
			case !alike(statements, more):
				certain = false
				statements = merge(statements, more)
			}
		}
	}
	return statements, certain
}

// whole parses a text and returns its statements; none if it is no SQL.
func (r *reader) whole(text string) (statements []Statement, certain bool) {
	r.text(text)
	if !r.known {
		return nil, true
	}
	return r.statements, r.certain
}

// alike says whether two readings have the same statements, however often.
func alike(a, b []Statement) bool {
	return slices.Equal(a, b) || len(merge(distinct(a), b)) == len(distinct(a)) && len(merge(distinct(b), a)) == len(distinct(b))
}

func distinct(list []Statement) []Statement { return merge(nil, list) }

// merge appends the statements that the list does not have yet.
func merge(list, more []Statement) []Statement {
	seen := make(map[Statement]struct{})
	for _, s := range list {
		seen[s] = struct{}{}
	}
	for _, s := range more {
		if _, ok := seen[s]; !ok {
			seen[s] = struct{}{}
			list = append(list, s)
		}
	}
	return list
}

// unfence removes the marks around a Markdown code block.
func unfence(text string) string {
	inner, ok := strings.CutPrefix(strings.TrimSpace(text), "```")
	if !ok {
		return text
	}
	_, inner, _ = strings.Cut(inner, "\n")
	return strings.TrimSuffix(inner, "```")
}

// Is says of the statements of a text what Are says.
func Is(text string, kinds *Kinds) truth.Value {
	statements, certain := Statements(text)
	return kinds.Are(statements, certain)
}

// Are says whether statements are of these kinds: Yes if all are, except transaction control, No if none is.
func (k *Kinds) Are(statements []Statement, certain bool) truth.Value {
	in, out, maybe := 0, 0, 0
	for _, s := range statements {
		switch k.match(s) {
		case truth.Maybe:
			maybe++
		case truth.Yes:
			in++
		default:
			if !isFrame(s.Kind) {
				out++
			}
		}
	}
	switch {
	case in+maybe == 0:
		return truth.No
	case certain && out+maybe == 0:
		return truth.Yes
	default:
		return truth.Maybe
	}
}

// Have says whether one of the statements is surely of these kinds.
func (k *Kinds) Have(statements []Statement) bool {
	return slices.ContainsFunc(statements, func(s Statement) bool { return k.match(s) == truth.Yes })
}

// isFrame reports statements that do nothing alone.
func isFrame(kind string) bool {
	switch kind {
	case "BEGIN", "START", "COMMIT", "ROLLBACK", "END", "SAVEPOINT", "RELEASE", "GO", "DELIMITER":
		return true
	}
	return false
}
