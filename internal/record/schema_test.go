package record_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recordtest"
	"github.com/weir-gate/weir/internal/text/yamlfile/schematest"
)

// lenient reads what is recorded: arguments may have repeated names and lone surrogates.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

var update = flag.Bool("update", false, "rewrite docs/event.schema.json and testdata/events.txt")

const schemaFile = "../../docs/event.schema.json"

// TestPublishedSchema keeps the file for readers equal to what weir prints.
func TestPublishedSchema(t *testing.T) {
	want, err := json.Marshal(record.Schema(), json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is not up to date; run go test ./internal/record -update (-want +got):\n%s", schemaFile, diff)
	}
}

func newSchemaChecker(t testing.TB) *schematest.Checker {
	t.Helper()
	c, err := schematest.New(record.Schema())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// whatDiffers are members that the scenarios leave out because they differ from run to run.
var whatDiffers = map[string]string{
	"v": "1", "id": `"evt_1"`, "time": `"2026-01-02T03:04:05.678901Z"`, "chain": `"chain_1"`, "seq": "1",
	"prev_hash": `"` + record.Genesis + `"`, "hash": `"` + record.Genesis + `"`,
}

// TestScenariosFitTheSchema checks the record of every scenario.
func TestScenariosFitTheSchema(t *testing.T) {
	files, err := filepath.Glob("../../testdata/scenarios/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	checker := newSchemaChecker(t)
	checked, seen := 0, map[string]bool{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range archive.Files {
			if !strings.HasPrefix(filepath.Base(part.Name), "events.jsonl") {
				continue
			}
			for line := range bytes.Lines(part.Data) {
				if !bytes.HasPrefix(line, []byte("{")) {
					continue // it says that there are none
				}
				checked++
				event := map[string]jsontext.Value{}
				if err := json.Unmarshal(line, &event, lenient); err != nil {
					t.Fatalf("%s: %v", file, err)
				}
				delete(event, "args")    // any value may stand there, also such as no checker reads
				delete(event, "answers") // the scenarios' own word for the exchange that a result belongs to
				for name, value := range whatDiffers {
					if _, there := event[name]; !there {
						event[name] = jsontext.Value(value)
					}
				}
				seen[string(event["type"])] = true
				whole, err := json.Marshal(event, lenient)
				if err != nil {
					t.Fatal(err)
				}
				if err := checker.Check(whole); err != nil {
					t.Errorf("%s: %s: %v", file, part.Name, err)
				}
			}
		}
	}
	if checked < 500 || len(seen) < 5 {
		t.Errorf("only %d events of %d types were found", checked, len(seen))
	}
}

func TestEventsFitTheSchema(t *testing.T) {
	checker := newSchemaChecker(t)
	for _, e := range recordtest.EveryEvent(t) {
		line, err := e.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if err := checker.Check(line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		for what, change := range map[string]func(map[string]any){
			"a member that is not known": func(m map[string]any) { m["extra"] = 1 },
			"no chain":                   func(m map[string]any) { delete(m, "chain") },
			"no hash":                    func(m map[string]any) { delete(m, "hash") },
			"another version":            func(m map[string]any) { m["v"] = 2 },
			"another type":               func(m map[string]any) { m["type"] = "x" },
			"blocked as text":            func(m map[string]any) { m["blocked"] = "false" },
			"another time":               func(m map[string]any) { m["time"] = "yesterday" },
			"another detail":             func(m map[string]any) { m["detail"] = map[string]any{"extra": 1} },
		} {
			var event map[string]any
			if err := json.Unmarshal(line, &event); err != nil {
				t.Fatal(err)
			}
			change(event)
			changed, err := json.Marshal(event)
			if err != nil {
				t.Fatal(err)
			}
			if checker.Check(changed) == nil {
				t.Errorf("%s fits: %s", what, changed)
			}
		}
	}
}
