package database

import (
	"regexp"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/sqltext"
	"github.com/weir-gate/weir/internal/text/truth"
)

// A method is how code with models changes all rows of a table, or the table.
type method struct {
	code      *regexp.Regexp
	statement sqltext.Statement
}

// methods are those of Active Record, Django, Eloquent, Ecto and SQLAlchemy.
var methods = []method{
	{
		regexp.MustCompile(`\b(?:delete_all|destroy_all)\b|\.all\(\)\.delete\(\)|\btable\([^)]*\)->delete\(|::query\(\)->delete\(|` +
			`\.query\([^)]*\)\.delete\(`),
		sqltext.Statement{Kind: "DELETE", NoWhere: true},
	},
	{regexp.MustCompile(`\bupdate_all\b|\.all\(\)\.update\(`), sqltext.Statement{Kind: "UPDATE", NoWhere: true}},
	{regexp.MustCompile(`(?i)(?:::|->|\.)truncate(?:_tables?)?\b`), sqltext.Statement{Kind: "TRUNCATE"}},
	{
		regexp.MustCompile(`\bdrop_all\b|\bdrop_table\b|dropAllTables|Schema::drop|dropIfExists|\bdrop_database\b`),
		sqltext.Statement{Kind: "DROP TABLE"},
	},
}

// narrowed matches code that says which rows.
var narrowed = regexp.MustCompile(`(?i)\bwhere\b|\.filter(?:_by)?\(|->where|\.limit\(|->take\(`)

// models adds what code with the models of an application does, if the command says that it is not a developer's own database: there
// the same is everyday work.
func (a *asked) models(outer *shell.Command) {
	if a.client.Models == "" || operandIn(a.line, strings.Fields(a.client.Models), first) == truth.No || a.local(outer) != truth.No {
		return
	}
	texts := make([]string, 0, len(a.command.Words)+len(a.command.Input))
	for _, w := range a.command.Words[1:] {
		texts = append(texts, w.Text)
	}
	for _, w := range a.command.Input {
		texts = append(texts, w.Text)
	}
	for _, text := range texts {
		if a.fuel -= len(text); a.fuel < 0 {
			a.unknown()
			return
		}
		where := narrowed.MatchString(text)
		for _, m := range methods {
			if m.code.MatchString(text) {
				found := m.statement
				found.NoWhere = found.NoWhere && !where
				a.statements = append(a.statements, found)
			}
		}
	}
}

// first reports the first operand.
func first(o program.Operand) bool { return o.First == 0 }
