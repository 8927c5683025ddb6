package sqltext

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func kinds(t testing.TB, names ...string) *Kinds {
	t.Helper()
	k, err := NewKinds(names)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Each of these texts has a statement of the kind for some database.
var evasions = []struct{ kind, text string }{
	{"DROP TABLE", "DROP TABLE x"},
	{"DROP TABLE", "drop table x;"},
	{"DROP TABLE", "DrOp\tTaBlE\nx"},
	{"DROP TABLE", "/* c */ DROP TABLE x"},
	{"DROP TABLE", "DROP/**/TABLE/**/x"},
	{"DROP TABLE", "-- hello\nDROP TABLE x"},
	{"DROP TABLE", "# hello\nDROP TABLE x"},
	{"DROP TABLE", "--\nDROP TABLE x"},
	{"DROP TABLE", "SELECT 1; DROP TABLE x"},
	{"DROP TABLE", ";;DROP TABLE x"},
	{"DROP TABLE", "SELECT ';'; DROP TABLE x"},
	{"DROP TABLE", "SELECT 'it''s'; DROP TABLE x"},
	{"DROP TABLE", `SELECT 'a\'; DROP TABLE x; --'`},
	{"DROP TABLE", `SELECT "a\"; DROP TABLE x; --"`},
	{"DROP TABLE", "SELECT $$ ; $$; DROP TABLE x"},
	{"DROP TABLE", "SELECT $a$ $$ $a$; DROP TABLE x"},
	{"DROP TABLE", "SELECT `;`; DROP TABLE x"},
	{"DROP TABLE", "SELECT [;]; DROP TABLE x"},
	{"DROP TABLE", "SELECT 1 --; \n; DROP TABLE x"},
	{"DROP TABLE", "SELECT 1 /* ; */; DROP TABLE x"},
	{"DROP TABLE", "/* /* */ DROP TABLE x; /* */ */"},
	{"DROP TABLE", "/* /* */ */ DROP TABLE x"},
	{"DROP TABLE", "/*!50000 DROP TABLE x */"},
	{"DROP TABLE", "/*! DROP */ /*!TABLE*/ x"},
	{"DROP TABLE", "/*M!100100 DROP TABLE x */"},
	{"DROP TABLE", "DROP /*!32302 TABLE*/ x"},
	{"DROP TABLE", "DROP TEMPORARY TABLE x"},
	{"DROP TABLE", "DROP FOREIGN TABLE x"},
	{"DROP TABLE", "drop table if exists x cascade"},
	{"DROP TABLE", "BEGIN; DROP TABLE x; COMMIT"},
	{"DROP TABLE", "DO $$ BEGIN DROP TABLE x; END $$"},
	{"DROP TABLE", "DO $$ BEGIN EXECUTE 'DROP TABLE x'; END $$"},
	{"DROP TABLE", "DO 'BEGIN DROP TABLE x; END'"},
	{"DROP TABLE", "EXECUTE 'DROP TABLE x'"},
	{"DROP TABLE", "EXECUTE IMMEDIATE 'DROP TABLE x'"},
	{"DROP TABLE", "EXECUTE IMMEDIATE 'DR' || 'OP TABLE x'"},
	{"DROP TABLE", "EXEC('DROP TABLE x')"},
	{"DROP TABLE", "EXEC ('DR' + 'OP TABLE x')"},
	{"DROP TABLE", "EXEC sp_executesql N'DROP TABLE x'"},
	{"DROP TABLE", "PREPARE p FROM 'DROP TABLE x'; EXECUTE p"},
	{"DROP TABLE", "EXEC(@sql)"},
	{"DROP TABLE", "EXECUTE IMMEDIATE @s"},
	{"DROP TABLE", "EXECUTE p"},
	{"DROP TABLE", "EXECUTE format('DROP %s', x)"},
	{"DROP TABLE", "SELECT 1 DROP TABLE x"},
	{"DROP TABLE", "SELECT 1\nDROP TABLE x\nGO"},
	{"DROP TABLE", "IF EXISTS (SELECT 1) DROP TABLE x"},
	{"DROP TABLE", "IF 1=1 BEGIN DROP TABLE x END"},
	{"DROP TABLE", "DELIMITER //\nDROP TABLE x//"},
	{"DROP TABLE", "\ufeffDROP TABLE x"},
	{"DROP TABLE", "DROP\u00a0TABLE x"},
	{"DROP TABLE", "```sql\nDROP TABLE x;\n```"},
	{"DROP TABLE", "\\x\nDROP TABLE x"},
	{"DROP TABLE", "CREATE FUNCTION f() RETURNS void AS $$ DROP TABLE x $$ LANGUAGE sql"},
	{"DROP TABLE", "SELECT E'\\''; DROP TABLE x"},
	{"DROP TABLE", "SELECT U&'x'; DROP TABLE x"},
	{"DROP TABLE", "SELECT 1 \\gexec"},
	{"DROP TABLE", "SELECT dblink('x', 'DROP TABLE y')"},
	{"DROP TABLE", "SELECT query_to_xml('drop table x', true, true, '')"},
	{"DROP TABLE", "DROP TABLE \"a;b\", c"},
	{"DROP", "DROP x"},
	{"DROP DATABASE", "DROP DATABASE d"},
	{"DROP DATABASE", "drop database if exists d with (force)"},
	{"DROP SCHEMA", "DROP SCHEMA public CASCADE"},
	{"DROP VIEW", "DROP MATERIALIZED VIEW v"},
	{"DROP INDEX", "DROP INDEX CONCURRENTLY i"},
	{"DROP", "DROP OWNED BY x"},
	{"DROP", "DROP USER x"},
	{"ddl", "CREATE OR REPLACE VIEW v AS SELECT 1"},
	{"ddl", "CREATE UNIQUE INDEX i ON t (a)"},
	{"ddl", "ALTER TABLE t DROP COLUMN c"},
	{"ddl", "RENAME TABLE a TO b"},
	{"ddl", "CREATE TEMP TABLE t AS SELECT 1"},
	{"TRUNCATE", "TRUNCATE t"},
	{"TRUNCATE", "TRUNCATE TABLE t"},
	{"write", "TRUNCATE t"},
	{"write", "SELECT * INTO t2 FROM t"},
	{"write", "CREATE TABLE t AS SELECT 1"},
	{"write", "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x"},
	{"write", "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x"},
	{"write", "WITH x AS (SELECT 1) DELETE FROM t WHERE a IN (SELECT * FROM x)"},
	{"write", "WITH x AS (UPDATE t SET a=1 RETURNING *) SELECT * FROM x"},
	{"write", "WITH RECURSIVE x(a) AS (SELECT 1) UPDATE t SET a=2"},
	{"write", "REPLACE INTO t VALUES (1)"},
	{"write", "MERGE INTO t USING s ON a=b WHEN MATCHED THEN DELETE"},
	{"write", "COPY t FROM STDIN"},
	{"write", "COPY t (a, b) FROM '/x'"},
	{"write", "LOAD DATA INFILE 'x' INTO TABLE t"},
	{"write", "INSERT IGNORE INTO t VALUES (1)"},
	{"write", "INSERT OR REPLACE INTO t VALUES (1)"},
	{"DELETE", "EXPLAIN ANALYZE DELETE FROM t"},
	{"DELETE", "EXPLAIN (ANALYZE, BUFFERS) DELETE FROM t"},
	{"DELETE", "EXPLAIN (ANALYZE true) DELETE FROM t"},
	{"DELETE", "PREPARE p AS DELETE FROM t"},
	{"DELETE", "PREPARE p (int) AS DELETE FROM t"},
	{"DELETE", "DELETE t FROM t JOIN u ON 1=1"},
	{"DELETE", "DELETE t"},
	{"DELETE", "(DELETE FROM t)"},
	{"DELETE", "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM u; END"},
	{"DELETE", "CREATE RULE r AS ON INSERT TO t DO ALSO DELETE FROM u"},
	{"DELETE without WHERE", "DELETE FROM t"},
	{"DELETE without WHERE", "DELETE FROM t;"},
	{"DELETE without WHERE", "DELETE FROM t WHERE 1=1"},
	{"DELETE without WHERE", "DELETE FROM t WHERE true"},
	{"DELETE without WHERE", "DELETE FROM t WHERE 1"},
	{"DELETE without WHERE", "DELETE FROM t WHERE (1=1)"},
	{"DELETE without WHERE", "DELETE FROM t WHERE 'a'='a'"},
	{"DELETE without WHERE", "DELETE FROM t WHERE id=5 OR 1=1"},
	{"DELETE without WHERE", "DELETE FROM t WHERE id=id"},
	{"DELETE without WHERE", "DELETE FROM t WHERE t.id = t.id"},
	{"DELETE without WHERE", "DELETE FROM t WHERE NOT false"},
	{"DELETE without WHERE", "DELETE FROM t WHERE NOT (1=2)"},
	{"DELETE without WHERE", "DELETE FROM t WHERE 1<2"},
	{"DELETE without WHERE", "DELETE FROM t WHERE 2>1 AND 3=3"},
	{"DELETE without WHERE", "DELETE FROM t WHERE name LIKE '%'"},
	{"DELETE without WHERE", "DELETE FROM t -- WHERE id=1"},
	{"DELETE without WHERE", "DELETE FROM t /* WHERE id=1 */"},
	{"DELETE without WHERE", "DELETE FROM t LIMIT 1000"},
	{"DELETE without WHERE", "DELETE FROM t RETURNING *"},
	{"DELETE without WHERE", "DELETE FROM t USING (SELECT 1 WHERE true) x"},
	{"DELETE without WHERE", "DELETE FROM t WHERE ((id=1) OR (1))"},
	{"DELETE without WHERE", "SELECT 1; delete from t"},
	{"UPDATE without WHERE", "UPDATE t SET a=1"},
	{"UPDATE without WHERE", "UPDATE t SET a=(SELECT b FROM u WHERE c=1)"},
	{"UPDATE without WHERE", "UPDATE t SET a='WHERE'"},
	{"UPDATE without WHERE", "UPDATE t SET a=1 WHERE 1=1"},
	{"UPDATE without WHERE", "UPDATE ONLY t SET a=1 WHERE 1<>2"},
	{"UPDATE without WHERE", "UPDATE t SET \"where\"=1"},
	{"UPDATE without WHERE", "WITH x AS (SELECT 1 WHERE true) UPDATE t SET a=1"},
	{"shell", `\! rm -rf /`},
	{"shell", `SELECT 1 \! id`},
	{"shell", `\!id`},
	{"shell", `\copy t to program 'sh'`},
	{"shell", ".shell id"},
	{"shell", ".system id"},
	{"shell", "SELECT 1;\n.shell id"},
	{"shell", "COPY t TO PROGRAM 'sh'"},
	{"shell", "COPY (SELECT 1) TO PROGRAM 'sh'"},
	{"shell", "COPY t FROM PROGRAM 'curl x'"},
	{"shell", "EXEC xp_cmdshell 'dir'"},
	{"shell", "EXEC master..xp_cmdshell 'dir'"},
	{"shell", "EXEC master.dbo.[xp_cmdshell] 'dir'"},
	{"shell", "SELECT load_extension('x')"},
	{"shell", "SELECT sys_exec('id')"},
	{"shell", "system id"},
	{"shell", `\o | sh`},
	{"shell", ".output |sh"},
	{"file", "SELECT * FROM t INTO OUTFILE '/x'"},
	{"file", "SELECT 'x' INTO DUMPFILE '/x'"},
	{"file", "SELECT LOAD_FILE('/etc/passwd')"},
	{"file", "SELECT pg_read_file('/etc/passwd')"},
	{"file", "COPY t TO '/x'"},
	{"file", "COPY t FROM '/x'"},
	{"file", `\copy t to '/x'`},
	{"file", `\i x.sql`},
	{"file", ".read x.sql"},
	{"file", "ATTACH DATABASE '/x' AS y"},
	{"file", "SELECT lo_import('/x')"},
	{"file", "SELECT writefile('x', y)"},
	{"file", "BACKUP DATABASE d TO DISK='x'"},
	{"DROP TABLE", `SELECT 1 \; DROP TABLE x`},
	{"DELETE", `SELECT 1\gDELETE FROM t`},
	{"DROP TABLE", `\x \\ DROP TABLE x`},
	{"shell", `\x \! id`},
	{"shell", "\\set x `id`"},
	{"DELETE", `\copy (DELETE FROM t RETURNING *) to x`},
	{"DELETE without WHERE", "DELETE FROM t \\g\nSELECT 1 WHERE a=1"},
	{"DROP TABLE", "SELECT a\n.b; DROP TABLE x"},
	{"DROP TABLE", "EXEC sys.[sp_executesql] N'DROP TABLE x'"},
	{"DROP TABLE", "EXEC sp_executesql @stmt = N'DROP TABLE x'"},
	{"DELETE", "BEGIN DELETE t; END"},
	{"DELETE", "IF a THEN DELETE t; END IF"},
	{"TRUNCATE", "DO $$ BEGIN TRUNCATE x; END $$"},
	{"TRUNCATE", "DO $$ BEGIN IF true THEN TRUNCATE x; END IF; END $$"},
	{"DROP TABLE", "SET @s='DROP TABLE x'; PREPARE p FROM @s; EXECUTE p"},
	{"GRANT", "GRANT ALL ON t TO PUBLIC"},
	{"REVOKE", "REVOKE ALL ON t FROM x"},
}

func TestEvasions(t *testing.T) {
	for _, tt := range evasions {
		if got := Is(tt.text, kinds(t, tt.kind)); got == No {
			s, clear := Statements(tt.text)
			t.Errorf("%s: %q is not found: %v, clear %v", tt.kind, tt.text, s, clear)
		}
	}
	if len(evasions) < 100 {
		t.Errorf("only %d evasions", len(evasions))
	}
}

func TestLookAlikes(t *testing.T) {
	changes := kinds(t, "write", "ddl", "shell", "file", "GRANT", "REVOKE", "EXEC", "EXECUTE")
	texts := []string{
		"", " ", ";", "hello", "SELECT 'DROP TABLE x'", "SELECT 1 -- DROP TABLE x", "SELECT 1 /* DROP TABLE x */", "SELECT 1 -- ; DROP TABLE x", "SELECT ';DROP TABLE x'", `SELECT "DROP TABLE x"`, "SELECT `DROP TABLE x`",
		"SELECT delete_at FROM t", "SELECT drop_date, update_count FROM inserts", `SELECT * FROM "update"`, "SELECT * FROM `delete`", "SELECT * FROM t WHERE a='it''s; DROP TABLE x'", "SELECT 1 FOR UPDATE", "SELECT * FROM t FOR UPDATE SKIP LOCKED",
		"SELECT * FROM t FOR NO KEY UPDATE", "EXPLAIN DELETE FROM t", "EXPLAIN UPDATE t SET a=1", "EXPLAIN SELECT 1", "EXPLAIN ANALYZE SELECT 1", "SHOW CREATE TABLE t", "SHOW TABLES", "DESCRIBE t", "WITH x AS (SELECT 1) SELECT * FROM x",
		"WITH deleted AS (SELECT 1) SELECT * FROM deleted", "SELECT REPLACE(a, 'b', 'c') FROM t", "SELECT TRUNCATE(1.5, 1)", "SELECT INSERT('a', 1, 2, 'b')", "VALUES (1)", "TABLE t", "BEGIN; SELECT 1; COMMIT", "SELECT \"create\" FROM t", "SELECT copy FROM t",
		"SELECT * FROM information_schema.tables WHERE table_name='drop'", "SELECT 1 WHERE 'DELETE FROM t'=a", "SELECT count(*) FROM deletes", "select $1::text", "SELECT :name, ?, @v, $2", "SELECT 0x1F, 1e5, .5, 1.5", "SELECT a.drop FROM a", "SELECT $$DROP TABLE x$$::text AS s",
		"I want to drop the table", "Please delete from the list", "The update is set", "drops", "deleted", "updates; inserts; drops", "created table", "{\"drop\": \"table\"}", "let x = 1; x = 2", "console.log('DROP TABLE x')", "echo hello; ls", "a;b;c", "https://x/?q=drop+table", "x DROP",
		"PRAGMA table_info(t)", "SELECT sql FROM sqlite_master", "SELECT E'\\'; DROP TABLE x;' AS a", "SET search_path TO x", "USE db", "SELECT CASE WHEN a THEN b ELSE c END FROM t", "SELECT * FROM t INTO @v", "SELECT * FROM [drop table]", "ANALYZE t", "VACUUM", ".tables", ".schema t",
		`\d t`, `\dt`, "SELECT U&'d\\0061t' FROM t", "SELECT N'DROP TABLE x'", "SELECT privilege FROM grants", "COMMIT", "ROLLBACK TO SAVEPOINT x",
	}
	for _, text := range texts {
		if got := Is(text, changes); got != No && !doubtful(text) {
			s, clear := Statements(text)
			t.Errorf("%q: %v: %v, clear %v", text, got, s, clear)
		}
	}
	if len(texts) < 60 {
		t.Errorf("only %d look-alikes", len(texts))
	}
}

// doubtful are texts that one of the databases does read as a change.
func doubtful(text string) bool {
	switch text {
	case "SELECT E'\\'; DROP TABLE x;' AS a", "SELECT $$DROP TABLE x$$::text AS s":
		return true
	}
	return false
}

func TestWhere(t *testing.T) {
	bare := kinds(t, "DELETE without WHERE", "UPDATE without WHERE")
	for _, text := range []string{
		"DELETE FROM t WHERE id=1", "DELETE FROM t WHERE id=1 AND 1=1", "DELETE FROM t WHERE id IN (SELECT id FROM u)", "DELETE FROM t WHERE a LIKE 'x%'", "DELETE FROM t WHERE a IS NULL", "DELETE FROM t WHERE NOT a", "DELETE FROM t WHERE 1=2",
		"DELETE FROM t WHERE false", "DELETE FROM t WHERE 0", "DELETE FROM t WHERE a=b", "DELETE FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a=t.a)", "DELETE FROM t WHERE CURRENT OF c", "UPDATE t SET a=1 WHERE id=$1", "UPDATE t SET a=1, b=2 WHERE id=? LIMIT 1",
		"UPDATE t SET a=1 FROM u WHERE t.a=u.a", "WITH x AS (SELECT 1) DELETE FROM t WHERE id=1", "INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b=1", "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE b=1", "MERGE INTO t USING s ON a=b WHEN MATCHED THEN UPDATE SET c=1",
		"CREATE TABLE t (a int REFERENCES u ON DELETE CASCADE ON UPDATE SET NULL)", "DELETE FROM t WHERE (a=1 OR b=2) AND c=3", "DELETE FROM t WHERE 'a'='b'",
	} {
		if got := Is(text, bare); got != No {
			s, clear := Statements(text)
			t.Errorf("%q: %v: %v, clear %v", text, got, s, clear)
		}
	}
}

func TestStatements(t *testing.T) {
	for text, want := range map[string][]Statement{
		"SELECT 1":                                                 {{Kind: "SELECT"}},
		"SELECT 1; DROP TABLE x;":                                  {{Kind: "SELECT"}, {Kind: "DROP TABLE"}},
		"DELETE FROM t":                                            {{Kind: "DELETE", NoWhere: true}},
		"UPDATE t SET a=1 WHERE b=2":                               {{Kind: "UPDATE"}},
		"EXPLAIN ANALYZE DELETE FROM t":                            {{Kind: "EXPLAIN"}, {Kind: "DELETE", NoWhere: true}},
		"CREATE UNIQUE INDEX i ON t (a)":                           {{Kind: "CREATE INDEX"}},
		"create or replace view v as select 1":                     {{Kind: "CREATE VIEW"}},
		"WITH x AS (DELETE FROM t WHERE a=1 RETURNING *) SELECT 1": {{Kind: "DELETE"}},
		"ALTER TABLE t DROP COLUMN c":                              {{Kind: "ALTER TABLE"}},
		"GRANT DELETE ON t TO x":                                   {{Kind: "GRANT"}},
		"DO $$ BEGIN UPDATE t SET a=1; END $$":                     {{Kind: "DO"}, {Kind: "BEGIN"}, {Kind: "UPDATE", NoWhere: true}, {Kind: "END"}},
		"no sql at all":                                            nil,
	} {
		got, _ := Statements(text)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestIs(t *testing.T) {
	for _, tt := range []struct {
		text, kind string
		want       Answer
	}{
		{"SELECT 1", "read", Yes},
		{"SELECT 1; SELECT 2", "read", Yes},
		{"BEGIN; SELECT 1; COMMIT;", "read", Yes},
		{"SELECT 1; DELETE FROM t", "read", Maybe},
		{"SELECT * INTO x FROM t", "read", Maybe},
		{"SELECT * INTO x FROM t", "write", Yes},
		{"DROP TABLE x", "DROP", Yes},
		{"DROP TABLE x", "drop  table", Yes},
		{"DROP TABLE x", "DROP DATABASE", No},
		{"DROP TABLE x", "ddl", Yes},
		{"CREATE TABLE x AS SELECT 1", "CREATE TABLE", Yes},
		{`SELECT 'a\'; DROP TABLE x; --'`, "DROP", Maybe},
		{"EXEC(@x)", "DROP", Maybe},
		{"COPY t FROM STDIN", "COPY", Yes},
		{"COPY t TO STDOUT", "write", No},
		{"WITH x AS (SELECT 1) SELECT 2", "SELECT", Yes},
		{"DELETE FROM t WHERE a=1", "DELETE without WHERE", No},
		{"DELETE FROM t", "DELETE without WHERE", Yes},
	} {
		if got := Is(tt.text, kinds(t, tt.kind)); got != tt.want {
			s, clear := Statements(tt.text)
			t.Errorf("%q is %s: %v, want %v (%v, clear %v)", tt.text, tt.kind, got, tt.want, s, clear)
		}
	}
}

func TestWrongKinds(t *testing.T) {
	for _, name := range []string{"", "DORP", "DROP TABEL", "INSERT without WHERE", "SELECT TABLE", "with", "DROP TABLE x", "without where"} {
		if _, err := NewKinds([]string{name}); err == nil || !strings.Contains(err.Error(), "DELETE") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// What is too deep or too long to be read could be anything.
func TestBounds(t *testing.T) {
	drop := kinds(t, "DROP TABLE")
	for name, text := range map[string]string{
		"explain":    strings.Repeat("EXPLAIN ANALYZE ", 100) + "DROP TABLE x",
		"prepare":    strings.Repeat("PREPARE a AS ", 100) + "DROP TABLE x",
		"tokens":     "INSERT INTO t VALUES (" + strings.Repeat("1,", maxTokens) + "1); DROP TABLE x",
		"statements": strings.Repeat("SELECT 1;", maxStatements+1) + "DROP TABLE x",
	} {
		if got := Is(text, drop); got != Maybe {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func FuzzStatements(f *testing.F) {
	for _, tt := range evasions {
		f.Add(tt.text)
	}
	drop := kinds(f, "DROP TABLE")
	f.Fuzz(func(t *testing.T, text string) {
		Statements(text)
		// A statement in front is found whatever follows.
		if Is("DROP TABLE x;\n"+text, drop) == No {
			t.Error("the statement in front is lost")
		}
		if Is("SELECT 1;\n/*a*/ drop/**/table y;"+text, drop) == No {
			t.Error("the second statement is lost")
		}
	})
}

func BenchmarkIs(b *testing.B) {
	write := kinds(b, "write", "ddl", "DELETE without WHERE")
	for name, piece := range map[string]string{
		"queries": "SELECT a, b FROM t WHERE c = 'x' AND d = 5;\n", "one": "a, ", "deletes": "DELETE FROM t ", "updates": "UPDATE ", "parens": "(", "brackets": "[", "quotes": "'a", "dollars": "$a$", "comments": "/*", "where": "DELETE FROM t WHERE ((",
		"or": "OR 1=2 ", "exec": "EXEC('x'+", "explain": "EXPLAIN ANALYZE ", "prepare": "PREPARE a AS ", "meta": "\\a ", "drop": "DROP ", "metas": `\a\\`, "begin": "BEGIN DELETE a ", "do": "DO '",
	} {
		for size, label := range map[int]string{1 << 10: "1KiB", 1 << 20: "1MiB", 8 << 20: "8MiB"} {
			text := strings.Repeat(piece, size/len(piece))
			b.Run(name+"/"+label, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					Is(text, write)
				}
			})
		}
	}
}
