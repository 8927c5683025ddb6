package sqltext

import (
	"slices"
	"testing"

	"github.com/weir-gate/weir/internal/text/truth"
)

// What functions and procedures do counts as a statement that does the same, so that a SELECT with them is not only one.
func TestFunctionsWithEffects(t *testing.T) {
	for text, kind := range map[string]string{
		"SELECT setval('s', 1)":                               "ALTER SEQUENCE",
		"SELECT pg_catalog.setval('s', 1)":                    "ALTER SEQUENCE",
		"SELECT set_config('a.b', 'c', false)":                "SET",
		"SELECT pg_promote()":                                 "ALTER SYSTEM",
		"SELECT pg_reload_conf()":                             "ALTER SYSTEM",
		"EXEC sp_configure 'xp_cmdshell', 1":                  "ALTER SYSTEM",
		"SELECT pg_create_physical_replication_slot('x')":     "ALTER SYSTEM",
		"SELECT pg_terminate_backend(1)":                      "KILL",
		"SELECT lo_export(1, '/x')":                           "FILE",
		"SELECT lo_import('/x')":                              "FILE",
		"SELECT lo_unlink(1)":                                 "DELETE",
		"SELECT pg_read_file('/x')":                           "FILE",
		`SELECT "pg_read_file"('/x')`:                         "FILE",
		"SELECT pg_file_unlink('/x')":                         "FILE",
		"SELECT load_file('/x')":                              "FILE",
		"SELECT writefile('x', y)":                            "FILE",
		"SELECT 1 INTO OUTFILE '/x'":                          "FILE",
		"ATTACH 'x.db' AS y":                                  "FILE",
		"SELECT dblink_connect('host=a')":                     "FILE",
		"SELECT http_get('http://x')":                         "FILE",
		"SELECT load_extension('x')":                          "SHELL",
		"SELECT edit(a, 'vi') FROM t":                         "SHELL",
		"EXEC xp_cmdshell 'dir'":                              "SHELL",
		"EXEC sp_execute_external_script @language=N'Python'": "SHELL",
		"COPY t TO PROGRAM 'sh'":                              "SHELL",
		"SELECT dblink_exec('host=a', 'q')":                   anything,
		"WITH a AS (SELECT setval('s', 1)) SELECT * FROM a":   "ALTER SEQUENCE",
		"SELECT * FROM t WHERE a = (SELECT pg_promote())":     "ALTER SYSTEM",
		"EXPLAIN ANALYZE SELECT setval('s', 1)":               "ALTER SEQUENCE",
	} {
		statements, _ := Statements(text)
		if !slices.ContainsFunc(statements, func(s Statement) bool { return s.Kind == kind }) {
			t.Errorf("%s: %v, want %q", text, statements, kind)
		}
		if Is(text, kinds(t, "read")) == truth.Yes {
			t.Errorf("%s only reads", text)
		}
	}
	for _, text := range []string{
		"SELECT nextval('s')", "SELECT edit, setval FROM t", "SELECT currval('s')", "SELECT current_setting('a')",
		"SELECT a AS http_get FROM t", "SELECT pg_size_pretty(pg_database_size('x'))", "SELECT 'pg_promote()'",
	} {
		if Is(text, kinds(t, "read")) != truth.Yes {
			statements, _ := Statements(text)
			t.Errorf("%s does not only read: %v", text, statements)
		}
	}
}
