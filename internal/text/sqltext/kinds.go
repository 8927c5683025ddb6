package sqltext

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// Kinds are the kinds of statements that a policy names.
type Kinds struct {
	names map[string]bool // a verb, or a verb and an object
	bare  map[string]bool // DELETE and UPDATE without WHERE
}

// groups are names for several kinds.
var groups = map[string][]string{
	"READ": {"SELECT", "VALUES", "TABLE", "SHOW", "DESCRIBE", "DESC", "EXPLAIN"},
	"WRITE": {
		"INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "UPSERT", "TRUNCATE", "SELECT INTO", "COPY FROM", "LOAD", "IMPORT", "BULK",
		"RESTORE", "CREATE TABLE AS",
	},
	"DDL": {"CREATE", "ALTER", "DROP", "TRUNCATE", "RENAME", "COMMENT", "SELECT INTO", "UNDROP", "FLASHBACK"},
}

// NewKinds compiles names of kinds: a verb (DROP), a verb and its object (DROP TABLE), DELETE without WHERE, UPDATE without WHERE,
// ALTER TABLE DROP (columns and partitions), ALTER TABLE DISABLE (triggers and row level security),
// shell (running a program), file (files and hosts outside of the database), admin (rights over a whole server), or one of the groups
// read, write (data) and ddl (the objects that hold data). Case does not count.
func NewKinds(names []string) (*Kinds, error) {
	k := &Kinds{names: map[string]bool{}, bare: map[string]bool{}}
	for _, name := range names {
		if err := k.add(name); err != nil {
			return nil, err
		}
	}
	return k, nil
}

func (k *Kinds) add(name string) error {
	words := strings.Fields(strings.ToUpper(name))
	plain := strings.Join(words, " ")
	if group, ok := groups[plain]; ok {
		for _, kind := range group {
			k.names[kind] = true
		}
		return nil
	}
	if verb, ok := strings.CutSuffix(plain, " WITHOUT WHERE"); ok {
		if verb != "DELETE" && verb != "UPDATE" {
			return fmt.Errorf("statement kind %q cannot be: only DELETE and UPDATE can be without WHERE", name)
		}
		k.bare[verb] = true
		return nil
	}
	switch {
	case plain == "SHELL" || plain == "FILE" || plain == "ADMIN" || plain == "SELECT INTO" || plain == "COPY FROM" || plain == "COPY TO",
		plain == "ALTER TABLE DROP" || plain == "ALTER TABLE DISABLE":
	case len(words) == 1 && verbs[plain] && plain != "WITH":
	case len(words) == 2 && takesObject(words[0]) && objects[words[1]]:
	default:
		return fmt.Errorf("statement kind %q is not known: write a verb such as DROP, a verb and an object such as DROP TABLE, "+
			"DELETE without WHERE, or one of read, write, ddl, shell, file, admin", name)
	}
	k.names[plain] = true
	return nil
}

// match says whether a statement is of one of the kinds.
func (k *Kinds) match(s Statement) truth.Value {
	if s.Kind == "" {
		return truth.Maybe
	}
	if k.names[s.Kind] || s.NoWhere && k.bare[s.Kind] {
		return truth.Yes
	}
	// Longer kinds belong to shorter ones: CREATE TABLE AS to CREATE TABLE and CREATE.
	for kind := s.Kind; ; {
		space := strings.LastIndexByte(kind, ' ')
		if space < 0 {
			return truth.No
		}
		if kind = kind[:space]; k.names[kind] {
			break
		}
	}
	if s.Kind == "SELECT INTO" {
		return truth.Maybe // a SELECT, but one that writes
	}
	return truth.Yes
}

func takesObject(verb string) bool { return verb == "CREATE" || verb == "ALTER" || verb == "DROP" }
