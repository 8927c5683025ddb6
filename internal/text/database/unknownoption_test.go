package database

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
)

// madeUp are options that no program has.
var madeUp = [][]string{{"--zz"}, {"--zz", "v"}, {"--zz=v"}, {"-~", "v"}, {"--zz-y", "-v"}, {"--zz", "v", "--zy", "w"}}

// kindsOf are the kinds of the statements that a command line gives to databases.
func kindsOf(argv []string) map[string]bool {
	out := map[string]bool{}
	for _, r := range Find(shell.ReadArgv(argv, shell.Start{}), 1<<10) {
		for _, s := range r.Statements {
			out[fmt.Sprint(s)] = true
		}
	}
	return out
}

// samples are a statement of each language.
var samples = map[program.Language]string{
	program.SQL: "DROP TABLE users", program.Redis: "FLUSHALL", program.Mongo: "db.users.drop()",
}

// askingLines are lines of a client that ask something of a database.
func askingLines(c *program.Client) (out [][]string) {
	name := strings.Fields(c.Names)[0]
	with := func(words ...string) { out = append(out, append([]string{name}, words...)) }
	statement := samples[c.Language]
	for word := range strings.FieldsSeq(c.Options) {
		names, ok := strings.CutSuffix(word, ";")
		if !ok {
			continue
		}
		for option := range strings.SplitSeq(names, ",") {
			dashes := "--"
			if len(option) == 1 || c.Style&program.Dashed != 0 {
				dashes = "-"
			}
			with(dashes+option, statement)
		}
	}
	if c.Statements > 0 && c.Language != "" {
		words := slices.Repeat([]string{"x"}, c.Statements-1)
		with(append(words, strings.Fields(statement)...)...)
		with(append(words, statement)...)
	}
	for task := range strings.Lines(c.Tasks) {
		words, _, _ := strings.Cut(task, "=")
		var line []string
		for word := range strings.FieldsSeq(words) {
			first, _, _ := strings.Cut(strings.TrimLeft(word, "~-"), "|")
			switch first = strings.ReplaceAll(first, "*", "x"); {
			case strings.HasPrefix(word, "!"):
			case !strings.HasPrefix(word, "-"):
				line = append(line, first)
			case len(first) == 1 || c.Style&program.Dashed != 0:
				line = append(line, "-"+first, "x")
			default:
				line = append(line, "--"+first, "x")
			}
		}
		with(line...)
	}
	return out
}

// What a client asks of a database is found with options that are not known, before each of its first words.
func TestUnknownOptionsHideNoStatement(t *testing.T) {
	tested := 0
	for _, name := range program.Names() {
		client := program.LookupClient(name)
		if client == nil {
			continue
		}
		for _, line := range askingLines(client) {
			line[0] = name
			asked := kindsOf(line)
			if len(asked) > 0 {
				tested++
			}
			for at := 1; at < len(line); at++ {
				if strings.HasPrefix(line[at-1], "-") {
					break // it is the value of an option
				}
				for _, option := range madeUp {
					with := slices.Insert(slices.Clone(line), at, option...)
					found := kindsOf(with)
					for kind := range asked {
						if !found[kind] {
							t.Errorf("%q: %s is not found", with, kind)
						}
					}
				}
			}
		}
	}
	if tested < 150 {
		t.Errorf("only %d lines", tested)
	}
}
