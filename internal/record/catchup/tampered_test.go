package catchup

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/home/hometest"
	"github.com/weir-gate/weir/internal/record/kept/kepttest"
	"github.com/weir-gate/weir/internal/record/verify"
)

// TestTampered: a record that somebody changed can be read and verified.
func TestTampered(t *testing.T) {
	for name, change := range map[string]string{
		"changed":  "UPDATE events SET text = replace(text, 'Bash', 'Read') WHERE seq = 2",
		"shorter":  "UPDATE events SET text = 'x' WHERE seq = 2",
		"removed":  "DELETE FROM events WHERE seq = 2",
		"cut off":  "DELETE FROM events WHERE seq > 2",
		"all gone": "DELETE FROM events",
	} {
		t.Run(name, func(t *testing.T) {
			url := "sqlite://" + filepath.Join(t.TempDir(), "weir.db")
			call := record.Event{Type: record.Types.ToolCall, Tool: "Bash"}
			if err := hometest.Record(t.Context(), url, "", call, call, call, call); err != nil {
				t.Fatal(err)
			}
			if err := kepttest.Tamper(t.Context(), url, kepttest.Change{Query: change}); err != nil {
				t.Fatal(err)
			}
			r, err := Open(t.Context(), Config{URL: url, Within: time.Millisecond, Say: func(text string) { t.Log(text) }})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close() // nothing was written
			report, err := verify.Check{Record: r}.Run(t.Context())
			if err != nil || report.Found == 0 {
				t.Errorf("%+v, %v", report, err)
			}
		})
	}
}
