package storetest

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// named are events with different names of actors, providers, models, requests and responses.
var named = []record.Event{
	{ID: "none", Time: at(0), Type: record.Types.ToolCall},
	{
		ID: "ann", Time: at(1), Type: record.Types.ToolCall, Actor: call.Actor{
			Org: "acme", Team: "core", Employee: "ann", Key: "k1",
			Session: "s1",
		},
		Exchange: call.Exchange{RequestID: "req_1", ResponseID: "msg_1", Provider: "anthropic", Model: "m1"},
		Surface:  call.Response, CallID: "call_1", Ruling: record.Ruling{Verdict: "allow"},
	},
	{
		ID: "bob", Time: at(2), Type: record.Types.ToolCall, Actor: call.Actor{
			Org: "acme", Team: "core", Employee: "bob", Key: "k2",
			Session: "s1",
		},
		Exchange: call.Exchange{RequestID: "req_2", ResponseID: "msg_1", Provider: "openai", Model: "m1"},
		Surface:  call.Inbound, Ruling: record.Ruling{
			Verdict: "deny", Blocked: true, Code: "tool_denied", Rule: "r1", Reason: "No.",
			WouldBe: "x",
		}, Within: "call_1",
	},
	{
		ID: "done", Time: at(3), Type: record.Types.ResponseDone, Actor: call.Actor{
			Org: "globex", Team: "web", Employee: "ann", Key: "k1",
			Session: "s2",
		},
		Exchange: call.Exchange{RequestID: "req_1", ResponseID: "msg_2", Provider: "anthropic", Model: "m2"},
		Detail: record.ResponseDone{
			Released: 1, Refused: 2, CostMicros: 5, Usage: call.Usage{Input: 6, Output: 7, CacheRead: 8, CacheCreation: 9},
			Timings: record.Timings{Started: at(2), UpstreamMicros: 10, HeldMicros: 11, JudgedMicros: 12, RecordedMicros: 13, TotalMicros: 14},
		},
	},
	{ID: "result", Time: at(4), Type: record.Types.ToolResult, CallID: "call_1", Detail: record.ToolResult{SizeBytes: 15, Failed: true}},
	{
		ID: "long", Time: at(5), Type: record.Types.ToolCall, Actor: call.Actor{Employee: strings.Repeat("é", 300)},
		Exchange: call.Exchange{Model: "\x00\xff"},
	},
}

// testNames finds events by these names.
func testNames(t *testing.T, b Backend) {
	appendAll(t, b, seal(t, named...))
	rows := entries(t, b, query.Filter{})
	yes := true
	for _, test := range []struct {
		name   string
		filter query.Filter
		want   string
	}{
		{"employee", query.Filter{Employee: "ann"}, "ann done"},
		{"employee has no glob", query.Filter{Employee: "a*"}, ""},
		{"employee has a case", query.Filter{Employee: "Ann"}, ""},
		{"team", query.Filter{Team: "core"}, "ann bob"},
		{"org", query.Filter{Org: "globex"}, "done"},
		{"key", query.Filter{Key: "k2"}, "bob"},
		{"provider", query.Filter{Provider: "anthropic"}, "ann done"},
		{"model", query.Filter{Model: "m1"}, "ann bob"},
		{"request", query.Filter{RequestID: "req_1"}, "ann done"},
		{"response", query.Filter{ResponseID: "msg_1"}, "ann bob"},
		{"surface", query.Filter{Surface: "inbound"}, "bob"},
		{"together", query.Filter{
			Employee: "ann", Team: "core", Org: "acme", Key: "k1", Session: "s1", Provider: "anthropic", Model: "m1",
			RequestID: "req_1",
		}, "ann"},
		{"not together", query.Filter{Employee: "ann", Team: "core", RequestID: "req_2"}, ""},
		{"blocked ones of a team", query.Filter{Team: "core", Blocked: &yes}, "bob"},
		{"newest of an employee", query.Filter{Employee: "ann", Limit: 1, Newest: true}, "done"},
		{"an employee's time", query.Filter{Employee: "ann", Since: at(2)}, "done"},
		{"long name", query.Filter{Employee: strings.Repeat("é", 300)}, "long"},
		{"odd name", query.Filter{Model: "\x00\xff"}, "long"},
		{"up to a row", query.Filter{UpToRow: rows[2].Row}, "none ann bob"},
		{"newest up to a row", query.Filter{UpToRow: rows[2].Row, Limit: 1, Newest: true}, "bob"},
		{"between rows", query.Filter{AfterRow: rows[0].Row, UpToRow: rows[3].Row, Org: "acme"}, "ann bob"},
	} {
		t.Run(test.name, func(t *testing.T) { found(t, b, test.filter, test.want) })
	}
}

// testTamperingNames changes each of the columns of names and numbers.
func testTamperingNames(t *testing.T, open func(t *testing.T) Backend) {
	texts := []string{
		"within", "surface", "would_be", "reason", "org", "team", "employee", "key", "provider", "model", "request_id", "response_id",
	}
	numbers := []string{
		"result_bytes", "calls", "input_tokens", "cache_tokens", "output_tokens", "cost_micros", "upstream_us", "held_us", "judged_us",
		"recorded_us", "total_us",
	}
	changes := map[string]string{"result_failed": "result_failed = TRUE"}
	for _, c := range texts {
		changes[c] = c + " = 'x" + c + "'"
	}
	for _, c := range numbers {
		changes[c] = c + " = " + c + " + 1"
	}
	b := open(t)
	one := seal(t, named...)
	appendAll(t, b, one)
	if err := b.Unlock(); err != nil {
		t.Fatal(err)
	}
	for column, change := range changes {
		if err := b.Exec("CREATE TABLE before AS SELECT * FROM events WHERE seq = 2"); err != nil {
			t.Fatal(err)
		}
		if err := b.Exec("UPDATE events SET " + change + " WHERE seq = 2"); err != nil {
			t.Fatal(err)
		}
		r := verified(t, b)
		if r.Found != 1 || !strings.Contains(r.Problems[0].String(), "the column "+column+" ") {
			t.Errorf("%s: found %v", change, r.Problems)
		}
		if err := b.Exec("UPDATE events SET " + column + " = (SELECT " + column + " FROM before) WHERE seq = 2"); err != nil {
			t.Fatal(err)
		}
		if err := b.Exec("DROP TABLE before"); err != nil {
			t.Fatal(err)
		}
	}
	if r := verified(t, b); r.Found != 0 {
		t.Errorf("as it was: found %v", r.Problems)
	}
}
