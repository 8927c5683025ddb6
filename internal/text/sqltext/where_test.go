package sqltext

import (
	"testing"
)

func TestWhere(t *testing.T) {
	bare := kinds(t, "DELETE without WHERE", "UPDATE without WHERE")
	for _, text := range []string{
		"DELETE FROM t WHERE id=1", "DELETE FROM t WHERE id=1 AND 1=1", "DELETE FROM t WHERE id IN (SELECT id FROM u)", "DELETE FROM t WHERE a LIKE 'x%'", "DELETE FROM t WHERE a IS NULL", "DELETE FROM t WHERE NOT a", "DELETE FROM t WHERE 1=2",
		"DELETE FROM t WHERE false", "DELETE FROM t WHERE 0", "DELETE FROM t WHERE a=b", "DELETE FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a=t.a)", "DELETE FROM t WHERE CURRENT OF c", "UPDATE t SET a=1 WHERE id=$1", "UPDATE t SET a=1, b=2 WHERE id=? LIMIT 1",
		"UPDATE t SET a=1 FROM u WHERE t.a=u.a", "WITH x AS (SELECT 1) DELETE FROM t WHERE id=1", "INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b=1", "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE b=1", "MERGE INTO t USING s ON a=b WHEN MATCHED THEN UPDATE SET c=1",
		"CREATE TABLE t (a int REFERENCES u ON DELETE CASCADE ON UPDATE SET NULL)", "DELETE FROM t WHERE (a=1 OR b=2) AND c=3", "DELETE FROM t WHERE 'a'='b'",
		"DELETE FROM t WHERE 1=0", "DELETE FROM t WHERE NOT (a=1)", "DELETE FROM t WHERE a=1 OR a<>2", "DELETE FROM t WHERE a IS NULL OR b IS NOT NULL", "DELETE FROM t WHERE id=?", "DELETE FROM t WHERE id=:id", "DELETE FROM t WHERE id=@id", "DELETE FROM t WHERE ? > 3",
		"DELETE FROM t WHERE a BETWEEN 1 AND 2", "DELETE FROM t WHERE 5 IN (a, b)", "DELETE FROM t WHERE \"id\" = 5", "DELETE FROM t WHERE lower(name) = 'x'", "DELETE FROM t WHERE a::int = 1", "DELETE FROM t WHERE CAST(a AS int) = 1", "DELETE FROM t WHERE NULL", "DELETE FROM t WHERE a=1 AND TRUE",
		"MERGE INTO t USING s ON t.a=s.a WHEN MATCHED THEN DELETE", "DELETE FROM t WHERE a=1\nGO\nSELECT 1",
	} {
		if got := Is(text, bare); got != No {
			s, certain := Statements(text)
			t.Errorf("%q: %v: %v, clear %v", text, got, s, certain)
		}
	}
}
