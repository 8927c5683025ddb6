package condition

import (
	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/database"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/sqltext"
	"github.com/weir-gate/weir/internal/text/truth"
)

// A statementsTest says whether a command gives statements of certain kinds to a certain sort of database.
type statementsTest func(kinds *sqltext.Kinds, r database.Request) truth.Value

func anyDatabase(kinds *sqltext.Kinds, r database.Request) truth.Value {
	return kinds.Are(r.Statements, r.Certain)
}

// remote is for databases that are not on this machine.
func remote(kinds *sqltext.Kinds, r database.Request) truth.Value {
	switch r.Local {
	case truth.Yes:
		return truth.No
	case truth.Maybe:
		return min(kinds.Are(r.Statements, r.Certain), truth.Maybe)
	default:
		return kinds.Are(r.Statements, r.Certain)
	}
}

// surelyRemote is the same where the text shows the statement, or surely a database that is not on this machine.
func surelyRemote(kinds *sqltext.Kinds, r database.Request) truth.Value {
	if r.Local == truth.Yes || r.Local == truth.Maybe && !kinds.Have(r.Statements) || kinds.Are(r.Statements, r.Certain) == truth.No {
		return truth.No
	}
	return truth.Yes
}

// lasting is for databases that are not for tests or development, and for what reaches out of any. Only statements that the text shows
// count.
func lasting(kinds *sqltext.Kinds, r database.Request) truth.Value {
	for _, s := range r.Statements {
		one := []sqltext.Statement{s}
		if kinds.Have(one) && (!r.Disposable || reaching.Have(one)) {
			return truth.Yes
		}
	}
	return truth.No
}

// reaching are the kinds of statements that change more than a database.
var reaching = func() *sqltext.Kinds {
	kinds, err := sqltext.NewKinds([]string{"shell", "file", "admin"})
	if err != nil {
		panic(err)
	}
	return kinds
}()

// statementTest looks for the statements that commands give to databases.
func statementTest(test statementsTest) func(kinds []string) (typedTest, error) {
	return func(kinds []string) (typedTest, error) {
		set, err := sqltext.NewKinds(kinds)
		return func(f *Facts, v *argument.Value) answer {
			var parts []truth.Value
			for _, r := range f.requestsOf(v) {
				parts = append(parts, test(set, r))
			}
			if len(parts) == 0 {
				return nothing
			}
			return all(parts)
		}, err
	}
}

// requestsOf are what the commands of a value ask of databases. They are found once for all conditions.
func (f *Facts) requestsOf(v *argument.Value) []database.Request {
	f.forget()
	found, known := f.requests[v]
	if !known {
		if f.requests == nil {
			f.requests = map[*argument.Value][]database.Request{}
		}
		commands := f.commandsOf(v)
		f.work.spend(sqlPerByte * shell.Size(commands))
		found = database.Find(commands, v.TextSize())
		f.requests[v] = found
	}
	return found
}
