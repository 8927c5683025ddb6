package registry

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func TestDiff(t *testing.T) {
	for _, tt := range []struct{ before, after, want string }{
		{`{"name":"x"}`, `{ "name": "\u0078" }`, ""},
		{`{"name":"x"}`, `{"name":"x","description":"New."}`, "added /description\n  after   \"New.\"\n"},
		{`{"name":"x","title":"T"}`, `{"name":"x"}`, "removed /title\n  before  \"T\"\n"},
		{
			`{"name":"x","description":"Reads a file from disk."}`,
			`{"name":"x","description":"Reads a secret file."}`,
			"changed /description\n  same    Reads a \n  added   secret \n  same    file\n  removed  from disk\n  same    .\n",
		},
		{
			`{"name":"x","inputSchema":{"properties":{"a/b~c":{"type":"string"},"old":{}},"required":["a","b","c"]}}`,
			`{"name":"x","inputSchema":{"properties":{"a/b~c":{"type":"number"},"new":true},"required":["a","c"]}}`,
			"changed /inputSchema/properties/a~1b~0c/type\n  removed string\n  added   number\n" +
				"added /inputSchema/properties/new\n  after   true\n" +
				"removed /inputSchema/properties/old\n  before  {}\n" +
				"removed /inputSchema/required/1\n  before  \"b\"\n",
		},
		{`{"name":"x","inputSchema":{"enum":[1,2]}}`, `{"name":"x","inputSchema":{"enum":[1,3,2]}}`, "added /inputSchema/enum/1\n  after   3\n"},
		{`{"name":"x","inputSchema":{"a":[]}}`, `{"name":"x","inputSchema":{"a":{}}}`, "changed /inputSchema/a\n  before  []\n  after   {}\n"},
		{`{"name":"x","inputSchema":true}`, `{"name":"x","inputSchema":{}}`, "changed /inputSchema\n  before  true\n  after   {}\n"},
		{`{"name":"x","annotations":{"max":1}}`, `{"name":"x","annotations":{"max":1.5}}`, "changed /annotations/max\n  before  1\n  after   1.5\n"},
		{
			`{"name":"x","_meta":{"v":1},"icons":[]}`, `{"name":"x","_meta":{"v":2},"execution":{}}`,
			"changed (not part of the hash) /_meta/v\n  before  1\n  after   2\n" +
				"added (not part of the hash) /execution\n  after   {}\n" +
				"removed (not part of the hash) /icons\n  before  []\n",
		},
		// Nothing of a server's can pass for a line of weir's.
		{
			`{"name":"x","description":"a b"}`, `{"name":"x","description":"a b\nremoved\u001b[2J\u202e"}`,
			"changed /description\n  same    a b\n  added   \\nremoved\\x1b[2J\\u202e\n",
		},
		{`{"name":"x"}`, `{"name":"x","\nadded":1}`, "added (not part of the hash) /\\nadded\n  after   1\n"},
	} {
		differences := Diff(read(t, tt.before), read(t, tt.after))
		var b strings.Builder
		expect.OK(t, WriteDifferences(&b, differences))
		expect.NoDiff(t, cmp.Diff(tt.want, b.String()), "%s → %s", tt.before, tt.after)
		text, err := json.Marshal(differences)
		expect.OK(t, err)
		var again []Difference
		expect.OK(t, json.Unmarshal(text, &again))
		if len(differences) > 0 {
			expect.NoDiff(t, cmp.Diff(differences, again), "as JSON (-before +after)")
		}
	}
}

// There is a difference just where the hash, or what is noted, differs.
func TestDiffAndHashAgree(t *testing.T) {
	r := randomJSON{rand.New(rand.NewPCG(5, 6))}
	for range 3000 {
		var both [2]Definition
		for i := range both {
			var b strings.Builder
			r.write(&b, map[string]any{"name": "x", "inputSchema": map[string]any{"v": r.value(2)}, "annotations": map[string]any{"v": r.value(0)}})
			both[i] = read(t, b.String())
		}
		if differ := len(Diff(both[0], both[1])) > 0; differ != (both[0].Hash() != both[1].Hash()) {
			t.Fatalf("%s %s: differ is %v", both[0].entry(), both[1].entry(), differ)
		}
	}
}

// Words put together are the texts that were compared, and runs that stayed and that did not take turns.
func checkWords(t *testing.T, before, after string) {
	t.Helper()
	var was, is strings.Builder
	words := compareWords(before, after)
	for i, w := range words {
		was.WriteString(w.Same + w.Removed)
		is.WriteString(w.Same + w.Added)
		stayed := w.Same != ""
		if stayed == (w.Removed+w.Added != "") || i > 0 && stayed == (words[i-1].Same != "") {
			t.Fatalf("%q → %q: %+v", before, after, words)
		}
	}
	if was.String() != before || is.String() != after {
		t.Fatalf("%q → %q: %+v", before, after, words)
	}
}

func FuzzWords(f *testing.F) {
	f.Add("Reads a file from disk.", "Reads a secret file.")
	f.Add("", "a")
	f.Add("a a a a", "a a")
	f.Add("é\u0301 \xff", "\xfe")
	f.Fuzz(checkWords)
}

// Long texts are compared in bounded time: what is between the first and the last difference is one.
func TestLongTexts(t *testing.T) {
	long := func(word string) string {
		var b strings.Builder
		for i := range 20_000 {
			fmt.Fprintf(&b, "%s%d ", word, i)
		}
		return "same " + b.String() + "end"
	}
	checkWords(t, long("a"), long("b"))
	checkWords(t, "x", long("b"))
	expect.Equal(t, len(compareWords(long("a"), long("b"))), 3, "runs")
}
