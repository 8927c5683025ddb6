package loadtest

import (
	"fmt"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/program"
)

// Settings are the configuration of a weir in front of the model at a URL, under which every call has one verdict.
func Settings(upstream, verdict string) string {
	return fmt.Sprintf("upstreams: {anthropic: {url: %q}}\npolicy: {version: 1, default: %s}\n", upstream, verdict)
}

// A Record is a call as the store has it.
type Record struct {
	WireID  string         `json:"wire_id"`
	Args    jsontext.Value `json:"args"`
	Blocked bool           `json:"blocked"`
	Code    string         `json:"code"`
	Line    string         `json:"-"` // all that is recorded of it
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Record) UnmarshalJSON(text []byte) error {
	type members Record
	r.Line = string(text)
	return json.Unmarshal(text, (*members)(r))
}

// Records verifies the record and returns all calls in it, by wire id. One that was withdrawn after it was recorded counts as refused.
func Records(t testing.TB, in program.Install) map[string][]Record {
	t.Helper()
	in.Verify(t)
	records := map[string][]Record{}
	for _, r := range program.List[Record](t, in, "calls") {
		records[r.WireID] = append(records[r.WireID], r)
	}
	for _, w := range program.List[Record](t, in, "events", "--type", "tool_call_withdrawn") {
		list := records[w.WireID]
		if len(list) != 1 {
			t.Fatalf("call %s was withdrawn, and is recorded %d times", w.WireID, len(list))
		}
		list[0].Blocked, list[0].Code = true, w.Code
	}
	return records
}
