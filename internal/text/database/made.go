package database

import (
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/sqltext"
)

// ownFiles removes what a client does to files of this machine that is a database itself: these are judged by their paths.
func (a *asked) ownFiles() {
	isFar := func(text string) bool { return strings.Contains(text, "://") }
	if a.client.Names != "duckdb" || slices.ContainsFunc(a.texts, isFar) {
		return
	}
	isFile := func(s sqltext.Statement) bool { return s.Kind == "FILE" }
	if len(a.statements) > 1 {
		a.statements = slices.DeleteFunc(a.statements, isFile)
	}
}

// madeStatement matches the beginning of a statement that a query makes for each row of a catalogue.
var madeStatement = regexp.MustCompile(`(?i)['"\x60(|\s](drop|truncate|delete)\s`)

// madeKinds are what such statements come to if they run: they are for all that the catalogue lists.
var madeKinds = map[string]sqltext.Statement{
	"drop": {Kind: "DROP SCHEMA"}, "truncate": {Kind: "TRUNCATE"}, "delete": {Kind: "DELETE", NoWhere: true},
}

// made adds the statements that another client makes and that this one reads.
func (a *asked) made() {
	const most = 16
	for n, from := range a.command.InputFrom {
		if n >= most || from >= len(a.commands) {
			return
		}
		by := &a.commands[from]
		if program.LookupClient(by.Words[0].Text) == nil {
			continue
		}
		for _, w := range by.Words[1:] {
			if a.fuel -= len(w.Text); a.fuel < 0 {
				a.unknown()
				return
			}
			if found := madeStatement.FindStringSubmatch(w.Text); found != nil {
				a.statements = append(a.statements, madeKinds[strings.ToLower(found[1])])
			}
		}
	}
}
