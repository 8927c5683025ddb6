package sqltext

import (
	"strings"
	"testing"
)

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
