package endpoint

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/model/formats"
)

// everyTable returns the tables with their names, and the one of all of them.
func everyTable() map[string]*Table {
	all := map[string]*Table{"all": Of("")}
	tables := Tables()
	for i := range tables {
		all[tables[i].Name] = &tables[i]
	}
	return all
}

func TestUpstreams(t *testing.T) {
	seen := map[string]bool{}
	for _, table := range Tables() {
		if _, known := formats.Named(table.Format); known != table.BuiltIn {
			t.Errorf("%s, built in: %v, speaks %q", table.Name, table.BuiltIn, table.Format)
		}
		if found := Of(table.Name); table.BuiltIn && found.Upstream != table.Upstream || seen[table.Name] {
			t.Errorf("the table of %s is that of %+v, or is there twice", table.Name, found.Upstream)
		}
		seen[table.Name] = true
	}
}

func TestOtherUpstreamsHaveAllRows(t *testing.T) {
	union := Of("my-gateway")
	if union != Of("") || union != Of("bedrock") || union != Of("vertex") || union.Name != "" {
		t.Fatal("upstreams that are not built in do not share the table of all")
	}
	has := map[string]bool{}
	for _, r := range union.Rows {
		has[r.Method+" "+parse(r.Path).String()] = true
	}
	for _, table := range Tables() {
		for _, r := range table.Rows {
			if !has[r.Method+" "+parse(r.Path).String()] {
				t.Errorf("%s %s of %s is not in the table of all", r.Method, r.Path, table.Name)
			}
		}
	}
}

func TestRowsAreWellFormed(t *testing.T) {
	methods := map[string]bool{"*": true, "GET": true, "POST": true, "PUT": true, "PATCH": true, "DELETE": true}
	for name, table := range everyTable() {
		seen := map[string]bool{}
		for _, r := range table.Rows {
			at := name + ": " + r.Method + " " + r.Path
			key := r.Method + " " + parse(r.Path).String()
			if seen[key] {
				t.Errorf("%s stands there twice", at)
			}
			seen[key] = true
			if _, known := formats.Named(r.Format); !methods[r.Method] || !known && r.Format != "" {
				t.Errorf("%s: method or format %q is not known", at, r.Format)
			}
			if r.Offers && r.Format == "" {
				t.Errorf("%s offers tools in no format", at)
			}
			if r.Quiet && r.Treatment != Gated {
				t.Errorf("%s is quiet and not gated", at)
			}
			if r.Treatment == Refused && (r.Note == "" || r.Method != anyMethod || r.Format != "") {
				t.Errorf("%s is refused without a reason, or not for every method", at)
			}
			if strings.HasSuffix(r.Note, ".") || strings.ContainsAny(r.Note, "|\n") {
				t.Errorf("%s has the note %q, which does not fit into a sentence or a table", at, r.Note)
			}
			if p := parse(r.Path); p.below && r.Treatment != Refused {
				t.Errorf("%s takes in paths that nobody has looked at", at)
			}
		}
	}
}

// A row that passes or holds content may be found at any depth by its verb alone: Google's have no other mark.
func TestPassingRowsAreRooted(t *testing.T) {
	for name, table := range everyTable() {
		for _, r := range table.Rows {
			last := r.Path[strings.LastIndexByte(r.Path, '/')+1:]
			if (r.Treatment == Passes || r.Treatment == Content) && parse(r.Path).anywhere && !strings.Contains(last, ":") {
				t.Errorf("%s: %s %s passes at any depth", name, r.Method, r.Path)
			}
		}
	}
}

func TestTreatmentNames(t *testing.T) {
	var got []string
	for i := range Changes + 2 {
		got = append(got, i.String())
	}
	if diff := cmp.Diff([]string{"gated", "passes", "content", "refused", "changes", "unknown"}, got); diff != "" {
		t.Error(diff)
	}
}

// In the table of all upstreams, a row of one API may stand ahead of a stricter one of another. Those that do are known:
// what they let pass is looked at for the shape of a call.
func TestWhatIsLaxerAmongAll(t *testing.T) {
	known := map[string]bool{ // OpenAI keeps conversations there; at Mistral, a conversation is a turn
		"POST /v1/conversations": true, "GET /v1/conversations/{id}": true, "POST /v1/conversations/{id}": true, "DELETE /v1/conversations/{id}": true,
	}
	for _, table := range Tables() {
		for _, r := range table.Rows {
			methods := []string{r.Method}
			if r.Method == anyMethod {
				methods = []string{"GET", "POST", "PUT", "PATCH", "DELETE"}
			}
			for _, method := range methods {
				for _, path := range examples(r.Path) {
					own, _ := table.Find(method, path)
					got, ok := Of("").Find(method, path)
					if !ok || laxity(got) > laxity(own) && !known[got.Method+" "+got.Path] {
						t.Errorf("%s %s is %v at %s (%s) and %v among all (%s)", method, path, own.Treatment, table.Name, own.Path, got.Treatment, got.Path)
					}
				}
			}
		}
	}
}

// laxity orders rows by what they let pass that no format has read.
func laxity(r Row) int {
	switch {
	case r.Treatment == Content:
		return 3
	case r.Treatment == Passes || r.Quiet:
		return 2
	case r.Treatment == Gated:
		return 1
	}
	return 0
}
