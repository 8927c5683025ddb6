package reading

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/database"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/sqltext"
	"github.com/weir-gate/weir/internal/text/truth"
)

// TestStatements gives statements to databases: each that changed something must be among those that are read in the text.
func TestStatements(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) { compareStatements(t, "sqlite", "shop.db") })
	t.Run("PostgreSQL", func(t *testing.T) { compareStatements(t, "psql", postgres, startPostgres(t)...) })
}

// compareStatements gives the statements of a dialect of SQL to its clients.
func compareStatements(t *testing.T, dialect, dump string, variables ...string) {
	statements, clients := lines(t, "testdata/"+dialect+".txt"), lines(t, "testdata/"+dialect+"-clients.txt")
	shapes := readShapes(t)
	jobs := make([]job, max(*cases/4, len(statements), len(clients)))
	kinds := make([]string, len(jobs))
	for i := range jobs {
		g := &generator{Rand: rand.New(rand.NewPCG(*seed, uint64(i))), shapes: shapes, bash: true}
		kind, statement, _ := strings.Cut(statements[i%len(statements)], " | ")
		text := g.around(layer{clients[i%len(clients)], same}, statement)
		for range g.IntN(*depth) {
			text = g.around(pick(g, g.layers), text)
		}
		jobs[i], kinds[i] = job{Shell: "bash", Text: text, Dump: dump}, kind
	}
	idle, certain, perhaps := 0, 0, 0
	for i, o := range observe(t, jobs, variables...) {
		if o.Before == o.After {
			idle++
			if testing.Verbose() {
				t.Logf("idle: %s\n\t%s", jobs[i].Text, o.Output)
			}
			continue
		}
		switch asks(t, jobs[i].Text, kinds[i]) {
		case truth.Yes:
			certain++
		case truth.Maybe:
			perhaps++
		default:
			t.Errorf("seed %d: %s\n%s is not found", *seed, jobs[i].Text, kinds[i])
		}
	}
	if idle*4 > len(jobs) {
		t.Errorf("%d of %d commands changed nothing: the templates or the sandbox are broken", idle, len(jobs))
	}
	t.Logf("seed %d: %d commands, %d of them changed nothing; statements read for certain %d, perhaps %d", *seed, len(jobs), idle, certain, perhaps)
}

// asks says whether a command in the text asks a database for a statement of the kind.
func asks(t *testing.T, text, kind string) truth.Value {
	t.Helper()
	kinds, err := sqltext.NewKinds([]string{kind})
	if err != nil {
		t.Fatal(err)
	}
	commands := shell.Read(text, shell.Start{Folders: []string{project}})
	answer := truth.No
	for _, request := range database.Find(commands, len(text)) {
		answer = max(answer, kinds.Are(request.Statements, request.Certain))
	}
	for _, c := range commands {
		if !c.Words[0].Known { // it could run anything
			answer = max(answer, truth.Maybe)
		}
	}
	return answer
}

// lines returns the lines of a file of templates.
func lines(t *testing.T, name string) (list []string) {
	t.Helper()
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' {
			list = append(list, strings.ReplaceAll(line, "↵", "\n"))
		}
	}
	return list
}
