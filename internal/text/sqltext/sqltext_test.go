package sqltext

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/text/truth"
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
	{"DROP TABLE", "DO $$begin drop table x; end$$"},
	{"DROP TABLE", "DO LANGUAGE plpgsql $f$begin execute $$drop table x$$; end$f$"},
	{"DROP TABLE", "EXECUTE $$drop table x$$"},
	{"DROP TABLE", "SELECT $ DROP TABLE x"},
	{"DROP TABLE", "DELIMITER $$\nSELECT 1$$DROP TABLE x$$"},
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
	{"KILL", "select pg_terminate_backend(pid) from pg_stat_activity"},
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
	{"DROP TABLE", "-- c\rDROP TABLE x"},
	{"DROP TABLE", "# c\rDROP TABLE x"},
	{"DROP TABLE", "SELECT 1 -- c\r; DROP TABLE x"},
	{"DROP TABLE", "-- c\u2028DROP TABLE x"},
	{"DELETE without WHERE", "DELETE FROM t -- \rWHERE id=1"},
	{"DELETE without WHERE", "DELETE FROM t WHERE id=1 -- \rOR 1=1"},
	{"DROP TABLE", "DROP TABLES x, y"},
	{"DROP VIEW", "DROP VIEWS x"},
	{"DROP DATABASE", "DROP DATABASES"},
	{"DROP TABLE", "SELECT 1; DROP TABLES x"},
	{"DROP TABLE", "EXEC sp_executesql N'DROP' + N' TABLE x'"},
	{"DROP TABLE", "sp_executesql N'DROP TABLE x'"},
	{"DROP TABLE", "EXEC ('DROP TABLE x') AT linked"},
	{"DROP TABLE", "EXEC @r = sp_executesql N'DROP TABLE x'"},
	{"DROP TABLE", "BEGIN EXECUTE IMMEDIATE 'DROP TABLE x'; END;"},
	{"DROP TABLE", "BEGIN EXECUTE IMMEDIATE q'[DROP TABLE x]'; END;"},
	{"DROP TABLE", "EXECUTE IMMEDIATE Q'{DROP TABLE x}'"},
	{"DROP TABLE", "EXECUTE IMMEDIATE nq'!DROP TABLE x!'"},
	{"DROP TABLE", "SELECT q'[it's; ]' FROM dual; DROP TABLE x"},
	{"DROP TABLE", "SELECT q'[']' FROM dual; DROP TABLE x; --'"},
	{"DROP TABLE", "SELECT q'<'>' FROM dual; DROP TABLE x"},
	{"DROP TABLE", "DROP DYNAMIC TABLE x"},
	{"DROP TABLE", "DROP ICEBERG TABLE x"},
	{"DROP TABLE", "DROP SNAPSHOT TABLE x"},
	{"DROP TABLE", "DROP EXTERNAL TABLE x"},
	{"DROP TABLE", "DROP VIRTUAL TABLE x"},
	{"DROP TABLE", "DROP HYBRID TABLE IF EXISTS x"},
	{"DROP TABLE", "DROP UNHEARD OF TABLE x"},
	{"DROP TABLE", "SELECT 1 DROP DYNAMIC TABLE x"},
	{"DROP TABLE", "DROP/*x*/DYNAMIC/*y*/TABLE x"},
	{"DROP VIEW", "DROP SECURE VIEW x"},
	{"CREATE TABLE", "CREATE DYNAMIC TABLE x AS SELECT 1"},
	{"DROP TABLE", "/*!50000 DROP*/ TABLE x"},
	{"DROP TABLE", "/*!50000DROP*//*!TABLE*/x"},
	{"DROP TABLE", "/*!99999 /* a */ DROP TABLE x */"},
	{"DROP TABLE", "/*!50000 SELECT 1; /* c */ DROP TABLE x */"},
	{"DROP TABLE", "/*! -- c\nDROP TABLE x */"},
	{"DROP TABLE", "SELECT $body$ ; $body$; DROP TABLE x"},
	{"DROP TABLE", "DO $do$ BEGIN EXECUTE $x$DROP TABLE x$x$; END $do$"},
	{"DROP TABLE", "DO LANGUAGE plpgsql $$ BEGIN DROP TABLE x; END $$"},
	{"DROP TABLE", "EXECUTE $$DROP TABLE x$$"},
	{"DROP TABLE", "DELIMITER $$\nDROP TABLE x$$\nDELIMITER ;"},
	{"DROP TABLE", "DELIMITER ;;\nDROP TABLE x;;"},
	{"DROP TABLE", "delimiter |\nSELECT 1|DROP TABLE x|"},
	{"DROP TABLE", "DELIMITER DONE\nSELECT 1 DONE DROP TABLE x DONE"},
	{"DELETE without WHERE", "DELIMITER //\nDELETE FROM t // SELECT 1 WHERE a=1 //"},
	{"DELETE without WHERE", "DELIMITER go\nDELETE FROM t go SELECT 1 FROM u WHERE a=1 go"},
	{"DELETE without WHERE", "DELETE FROM t\nGO\nSELECT 1 FROM u WHERE a=1"},
	{"DELETE without WHERE", "DELETE FROM t\n/\nSELECT 1 FROM u WHERE a=1"},
	{"DELETE without WHERE", "WITH x AS (SELECT 1 WHERE a=1) DELETE FROM t"},
	{"DELETE without WHERE", "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x WHERE a=1"},
	{"DELETE without WHERE", "WITH x AS (SELECT 1) DELETE t FROM t JOIN x ON 1=1"},
	{"DELETE without WHERE", "WITH x AS (SELECT 1) DELETE TOP (10) FROM t"},
	{"DELETE without WHERE", "WITH x AS (SELECT 1) DELETE x"},
	{"DELETE without WHERE", "DELETE FROM t WHERE TRUE"},
	{"DELETE without WHERE", "DELETE FROM t WHERE 1 IN (1)"},
	{"DELETE without WHERE", "DELETE FROM t WHERE 1 IN (0, 1, 2)"},
	{"DELETE without WHERE", "DELETE FROM t WHERE 1 BETWEEN 0 AND 2"},
	{"DELETE without WHERE", "DELETE FROM t WHERE id IS NOT NULL OR id IS NULL"},
	{"DELETE without WHERE", "DELETE FROM t WHERE TRUE IS TRUE"},
	{"DELETE without WHERE", "DELETE FROM t WHERE NOT NOT TRUE"},
	{"DELETE without WHERE", "DELETE FROM t WHERE -1"},
	{"DELETE without WHERE", "DELETE FROM t WHERE 1+1=2"},
	{"DELETE without WHERE", "DELETE FROM t WHERE EXISTS (SELECT 1)"},
	{"DELETE without WHERE", "DELETE FROM t WHERE COALESCE(NULL, TRUE)"},
	{"MERGE", "MERGE t USING s ON a=b WHEN MATCHED THEN DELETE"},
	{"MERGE", "WITH s AS (SELECT 1) MERGE t USING s ON a=b WHEN MATCHED THEN DELETE"},
	{"REPLACE", "REPLACE t VALUES (1)"},
	{"REPLACE", "REPLACE LOW_PRIORITY INTO t SET a=1"},
	{"write", "WITH s AS (SELECT 1) REPLACE INTO t SELECT * FROM s"},
	{"write", "EXPLAIN ANALYZE REPLACE INTO t VALUES (1)"},
	{"shell", `\copy t from program 'sh'`},
	{"shell", `\copy (select 1) to program 'sh'`},
	{"shell", "\\COPY t TO PROGRAM 'sh'"},
	{"shell", "SELECT 1;\r\\! id"},
	{"shell", "\\c x\r\\! id"},
	{"shell", "  \\!  id"},
	{"shell", "SELECT * FROM t \\g |sh"},
	{"shell", "SELECT 1;\nhost rm x"},
	{"shell", "SELECT 1;\n! rm x"},
	{"shell", "SELECT 1;\n!! rm x"},
	{"shell", "SELECT 1;\n:!! rm x"},
	{"file", "SELECT 1;\n@script.sql"},
	{"file", "SELECT 1;\n:r script.sql"},
	{"file", "SELECT 1;\nspool /x"},
	{"GRANT", "GRANT ALL ON t TO PUBLIC"},
	{"admin", "GRANT/**/ALL ON *.* TO a"},
	{"admin", "GRANT SELECT ON t TO PUBLIC"},
	{"admin", "GRANT SELECT ON t TO a WITH GRANT OPTION"},
	{"admin", "SELECT 1; alter user a superuser"},
	{"admin", "EXEC sp_addsrvrolemember 'a', 'sysadmin'"},
	{"file", "INSERT INTO FUNCTION s3('https://b/x', 'CSV') SELECT * FROM t"},
	{"file", "SELECT UTL_HTTP.REQUEST('http://a/') FROM dual"},
	{"REVOKE", "REVOKE ALL ON t FROM x"},
}

func TestEvasions(t *testing.T) {
	for _, tt := range evasions {
		if got := Is(tt.text, kinds(t, tt.kind)); got == No {
			s, certain := Statements(tt.text)
			t.Errorf("%s: %q is not found: %v, clear %v", tt.kind, tt.text, s, certain)
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
		"SELECT * FROM information_schema.tables WHERE table_name='drop'", "SELECT 1 WHERE 'DELETE FROM t'=a", "SELECT count(*) FROM deletes", "select $1::text", "SELECT :name, ?, @v, $2", "SELECT 0x1F, 1e5, .5, 1.5", "SELECT a.drop FROM a", "SELECT $$DROP TABLE x$$::text AS s", "SELECT $$drop table x$$", "SELECT $f$drop table x$f$",
		"I want to drop the table", "Please delete from the list", "The update is set", "drops", "deleted", "updates; inserts; drops", "created table", "{\"drop\": \"table\"}", "let x = 1; x = 2", "console.log('DROP TABLE x')", "echo hello; ls", "a;b;c", "https://x/?q=drop+table", "x DROP",
		"PRAGMA table_info(t)", "SELECT sql FROM sqlite_master", "SELECT E'\\'; DROP TABLE x;' AS a", "SET search_path TO x", "USE db", "SELECT CASE WHEN a THEN b ELSE c END FROM t", "SELECT * FROM t INTO @v", "SELECT * FROM [drop table]", "ANALYZE t", "VACUUM", ".tables", ".schema t",
		`\d t`, `\dt`, "SELECT U&'d\\0061t' FROM t", "SELECT N'DROP TABLE x'", "SELECT privilege FROM grants", "COMMIT", "ROLLBACK TO SAVEPOINT x",
		"SELECT 1 -- c\r\n", "SELECT 1 -- DROP TABLE x\r\nFROM t", "SELECT q'[DROP TABLE x]' AS q", "SELECT q FROM t WHERE q='x'", "SELECT a\n/\nb FROM t", "SELECT 1\nGO\nSELECT 2\nGO", "SELECT 1\nGO 5", "host rm x", "! important", "@ann look at this",
		"SELECT @@version", "SELECT tables FROM t", "SHOW INDEXES FROM t", "WITH x AS (SELECT 1) SELECT (a) AS merge FROM x", "WITH x AS (SELECT 1) SELECT REPLACE(a, 'b', 'c') FROM x", "DELIMITER //\nSELECT 1//", "go", "the host is down", "SELECT sp_name FROM sp_table",
	}
	for _, text := range texts {
		if got := Is(text, changes); got != No && !doubtful(text) {
			s, certain := Statements(text)
			t.Errorf("%q: %v: %v, clear %v", text, got, s, certain)
		}
	}
	if len(texts) < 60 {
		t.Errorf("only %d look-alikes", len(texts))
	}
}

// doubtful are texts that one of the databases does read as a change.
func doubtful(text string) bool {
	switch text {
	case "SELECT E'\\'; DROP TABLE x;' AS a":
		return true
	}
	return false
}

func TestStatements(t *testing.T) {
	for text, want := range map[string][]Statement{
		"SELECT 1":                                                           {{Kind: "SELECT"}},
		"SELECT 1; DROP TABLE x;":                                            {{Kind: "SELECT"}, {Kind: "DROP TABLE"}},
		"DELETE FROM t":                                                      {{Kind: "DELETE", NoWhere: true}},
		"UPDATE t SET a=1 WHERE b=2":                                         {{Kind: "UPDATE"}},
		"EXPLAIN ANALYZE DELETE FROM t":                                      {{Kind: "EXPLAIN"}, {Kind: "DELETE", NoWhere: true}},
		"CREATE UNIQUE INDEX i ON t (a)":                                     {{Kind: "CREATE INDEX"}},
		"create or replace view v as select 1":                               {{Kind: "CREATE VIEW"}},
		"WITH x AS (DELETE FROM t WHERE a=1 RETURNING *) SELECT 1":           {{Kind: "DELETE"}},
		"ALTER TABLE t DROP COLUMN c":                                        {{Kind: "ALTER TABLE DROP"}},
		"alter table t drop c, drop constraint d":                            {{Kind: "ALTER TABLE DROP"}},
		"ALTER TABLE t ADD COLUMN c int, DROP PARTITION p1":                  {{Kind: "ALTER TABLE DROP"}},
		"ALTER TABLE t ALTER COLUMN c DROP NOT NULL":                         {{Kind: "ALTER TABLE"}},
		"ALTER TABLE t DROP CONSTRAINT c":                                    {{Kind: "ALTER TABLE"}},
		"ALTER TABLE t ADD COLUMN c int":                                     {{Kind: "ALTER TABLE"}},
		"ALTER TABLE t DISABLE ROW LEVEL SECURITY":                           {{Kind: "ALTER TABLE DISABLE"}},
		"select pg_terminate_backend(pid) from pg_stat_activity":             {{Kind: "KILL"}, {Kind: "SELECT"}},
		"select 'pg_terminate_backend'":                                      {{Kind: "SELECT"}},
		"GRANT DELETE ON t TO x":                                             {{Kind: "GRANT"}},
		"DO $$ BEGIN UPDATE t SET a=1; END $$":                               {{Kind: "DO"}, {Kind: "BEGIN"}, {Kind: "UPDATE", NoWhere: true}, {Kind: "END"}},
		"no sql at all":                                                      nil,
		"MERGE INTO t USING s ON a=b WHEN MATCHED THEN DELETE":               {{Kind: "DELETE"}, {Kind: "MERGE"}},
		"MERGE INTO t USING s ON 1=0 WHEN NOT MATCHED BY SOURCE THEN DELETE": {{Kind: "DELETE", NoWhere: true}, {Kind: "MERGE"}},
		"DROP DYNAMIC TABLE x":                                               {{Kind: "DROP TABLE"}},
		"DROP TABLES a, b":                                                   {{Kind: "DROP TABLE"}},
		"WITH x AS (SELECT 1) DELETE x":                                      {{Kind: "DELETE", NoWhere: true}},
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
		want       truth.Value
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
		{"-- c\rDROP TABLE x", "DROP TABLE", Maybe},
		{"-- c\r\nDROP TABLE x", "DROP TABLE", Yes},
		{"DROP TABLES x", "DROP TABLE", Yes},
		{"DROP DYNAMIC TABLE x", "DROP TABLE", Yes},
		{"DROP UNHEARD TABLE x", "DROP TABLE", Maybe},
		{"DROP UNHEARD x", "DROP TABLE", No},
		{"SELECT 1\nGO\nSELECT 2", "read", Yes},
		{"SELECT 'q'", "read", Yes},
	} {
		if got := Is(tt.text, kinds(t, tt.kind)); got != tt.want {
			s, certain := Statements(tt.text)
			t.Errorf("%q is %s: %v, want %v (%v, clear %v)", tt.text, tt.kind, got, tt.want, s, certain)
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
