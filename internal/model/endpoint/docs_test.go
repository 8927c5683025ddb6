package endpoint

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write docs/endpoints.md")

const (
	docsFile  = "../../../docs/endpoints.md"
	docsIntro = `# Endpoints

What weir does with each endpoint of the model APIs it knows. This page is made from the tables in the code
(` + "`internal/model/endpoint`" + `); a test keeps it so.

| treatment | what happens |
| --- | --- |
| gated | The response is model output. It goes through the gate: calls are held, judged and recorded. A response that no format can read is refused. |
| passes | The response holds no model output. It passes, unless something in it has the shape of a call. |
| content | The response is a file or sound. JSON and lines of JSON go through the gate by their shape; other bytes pass, unless some reader of files could find a call in them. |
| refused | The request is not sent. It would lead to model output, or to a way around weir, in a form that weir cannot judge. |
| changes | The request changes the models of a model server. It is refused unless the upstream has ` + "`changes: true`" + `. |

**Other endpoints.** A request that no row takes in is sent. If its response has the shape of a format that weir knows, it
goes through the gate as that format. Any other response is refused.

**Other upstreams.** An upstream that you declare under a name of your own goes by all tables together. So do Amazon
Bedrock and Vertex AI.

**WebSockets.** A request for a protocol upgrade is answered with status 426. Clients that can do without fall back to
plain requests.

**Paths.** They are those after the upstream's address. ` + "`{id}`" + ` stands for one segment, ` + "`{version}`" + ` for one such as v1 or
v1beta. ` + "`**`" + ` stands for any number of segments, also none. Case and escaping make no difference, HEAD counts as GET,
and empty segments and a slash at the end count for nothing. A path that two servers could read in two ways is answered
with status 400: segments of two dots, or with dots or blanks at the end, backslashes, control and invisible
characters, double escapes.

**Several rows.** The most specific one holds: a path without ` + "`**`" + ` ahead of one with it, then the one with more segments
spelt out. Of equally specific ones it is the strictest.
`
)

func TestDocumentationIsCurrent(t *testing.T) {
	want := documentation()
	if *update {
		if err := os.WriteFile(docsFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/endpoints.md is out of date; run go test ./internal/model/endpoint -update (-code +page):\n%s", diff)
	}
}

func documentation() string {
	var b strings.Builder
	b.WriteString(docsIntro)
	for _, table := range Tables() {
		fmt.Fprintf(&b, "\n## %s\n\n`%s`", table.Name, table.Address)
		if !table.BuiltIn {
			b.WriteString(" (not built in: declare it, under any name)")
		}
		b.WriteString("\n\n| method | path | treatment | note |\n| --- | --- | --- | --- |\n")
		for _, r := range joined(table.Rows) {
			fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", strings.Replace(r.Method, anyMethod, "any", 1), r.Path, r.Treatment, r.Note)
		}
	}
	return b.String()
}

// joined has the rows that differ in nothing but their methods as one.
func joined(rows []Row) []Row {
	type key struct {
		path, note string
		treatment  Treatment
	}
	at := map[key]int{}
	var all []Row
	for _, r := range rows {
		k := key{r.Path, r.Note, r.Treatment}
		i, there := at[k]
		if !there {
			at[k] = len(all)
			all = append(all, r)
			continue
		}
		all[i].Method += ", " + r.Method
	}
	return all
}
