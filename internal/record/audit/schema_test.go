package audit

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/weir-gate/weir/internal/text/yamlfile/schematest"
)

var update = flag.Bool("update", false, "rewrite docs/event.schema.json")

const schemaFile = "../../../docs/event.schema.json"

// TestPublishedSchema keeps the file for readers equal to what weir prints.
func TestPublishedSchema(t *testing.T) {
	want, err := json.Marshal(Schema(), json.Deterministic(true), jsontext.WithIndent("  "))
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
		t.Errorf("%s is not up to date; run go test ./internal/record/audit -update (-want +got):\n%s", schemaFile, diff)
	}
}

func newSchemaChecker(t testing.TB) *schematest.Checker {
	t.Helper()
	c, err := schematest.New(Schema())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// whatDiffers are members that the scenarios leave out because they differ from run to run.
var whatDiffers = map[string]string{
	"v": "1", "id": `"evt_1"`, "time": `"2026-01-02T03:04:05.678901Z"`, "chain": `"chain_1"`, "seq": "1",
	"prev_hash": `"` + Genesis + `"`, "hash": `"` + Genesis + `"`,
}

// TestScenariosFitTheSchema checks the record of every scenario.
func TestScenariosFitTheSchema(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/scenarios/*.txtar")
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

// fill sets every field to something that is not zero.
func fill(v reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[jsontext.Value]():
		v.SetBytes([]byte(`{"a":[1,"<b>",null]}`))
	case v.Kind() == reflect.String:
		v.SetString("x")
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(7)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case v.Type() == reflect.TypeOf(whenFilled):
		v.Set(reflect.ValueOf(whenFilled))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}

// everyEvent are events of all types: one with everything that it can have, and one with nothing.
func everyEvent(t testing.TB) []Entry {
	t.Helper()
	m := &memory{}
	r := NewRecorder(Config{Store: m})
	for _, typ := range types {
		r.Record(Event{Type: typ}, nil)
		full := Event{}
		fill(reflect.ValueOf(&full.Actor).Elem())
		fill(reflect.ValueOf(&full.Exchange).Elem())
		full.Time, full.Type, full.Args = whenFilled, typ, jsontext.Value(`{"cmd":"=1+1 <b>\u001b[2J"}`)
		full.Trace, full.Span, full.ParentSpan, full.Unsampled = "t", "s", "p", true
		full.CallID, full.Within, full.Surface, full.Server, full.Tool, full.WireID = "call_1", "call_0", "response", "srv", "Bash", "toolu_1"
		full.Verdict, full.WouldBe, full.Code, full.Reason, full.Rule, full.PolicyVersion = "audit", "deny", "tool_denied", "because", "no-bash", "sha256:1"
		if of, ok := details[typ]; ok {
			d := reflect.New(of).Elem()
			fill(d)
			full.Detail, _ = d.Interface().(Detail)
		}
		for _, blocked := range []bool{false, true} {
			full.Blocked = blocked
			r.Record(full, func(err error) {
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return m.entries
}

func TestEventsFitTheSchema(t *testing.T) {
	checker := newSchemaChecker(t)
	for _, e := range everyEvent(t) {
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

// TestDetailsAgree holds the types of details that are read to those that are described.
func TestDetailsAgree(t *testing.T) {
	for _, typ := range types {
		d, err := readDetail(typ, jsontext.Value("{}"))
		want, ok := details[typ]
		if got := reflect.TypeOf(d); err != nil || ok && got != want || !ok && got != reflect.TypeFor[UnknownDetail]() {
			t.Errorf("%s: read as %v, described as %v, %v", typ, got, want, err)
		}
	}
}

// TestEveryMemberIsDescribed, and nothing else.
func TestEveryMemberIsDescribed(t *testing.T) {
	used := map[string]bool{}
	var walk func(of reflect.Type)
	walk = func(of reflect.Type) {
		if of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.Struct {
			walk(of.Elem())
		}
		if of.Kind() != reflect.Struct || of == reflect.TypeOf(whenFilled) {
			return
		}
		for f := range of.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			key := defName(of) + "." + name
			if descriptions[key] == "" && key != "actor.session" && key != "actor.session_derived" {
				t.Errorf("%s is not described", key)
			}
			used[key] = true
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[text]())
	for _, of := range details {
		walk(of)
	}
	for key := range descriptions {
		if !used[key] {
			t.Errorf("%s is described, and is not there", key)
		}
	}
}
