package policycmd

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/policy/study"
)

func TestJUnitEscapesWhatItIsGiven(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.xml")
	hostile := "a<b>&\"c\" ]]> \x00\x1b\ufffe\u202e é"
	err := writeJUnit(path, []suite{{file: "x&y.yaml", results: []study.CaseResult{
		{Case: study.Case{Name: hostile, Line: 3}, Problem: hostile},
		{Case: study.Case{Name: "fine", Line: 4}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got junitReport
	if err := xml.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	shown := "a<b>&\"c\" ]]> \\x00\\x1b\\ufffe\\u202e é"
	want := junitReport{
		XMLName: xml.Name{Local: "testsuites"}, Name: "weir policy test", Tests: 2, Failures: 1,
		Suites: []junitSuite{{Name: "x&y.yaml", Tests: 2, Failures: 1, Cases: []junitCase{
			{
				Name: shown, Class: "x&y.yaml", File: "x&y.yaml", Line: 3,
				Failure: &junitFailure{Message: shown, Text: "x&y.yaml:3: " + shown},
			},
			{Name: "fine", Class: "x&y.yaml", File: "x&y.yaml", Line: 4},
		}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}
