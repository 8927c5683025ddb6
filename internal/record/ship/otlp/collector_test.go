package otlp

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/port"
)

const (
	someTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	someSpan  = "00f067aa0ba902b7"
)

// collector starts the receiver of the OpenTelemetry Collector and returns its address and what it prints.
func collector(t *testing.T) (address string, lines *bufio.Scanner) {
	t.Helper()
	program := need.GoProgram(t, "testdata/collector", "./receiver", "OTLP with the OpenTelemetry Collector")
	address = port.Reserve(t)             // the receiver takes an address, and does not tell one
	cmd := exec.Command(program, address) // it ends when its input does
	var complaints strings.Builder
	cmd.Stderr = &complaints
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the collector: %v\n%s", err, complaints.String())
		}
	})
	lines = bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<20)
	if !lines.Scan() || lines.Text() != "ready" {
		t.Fatalf("the collector says %q", lines.Text())
	}
	return address, lines
}

// otlpJSON is as much of OTLP/JSON as the test looks at.
type otlpJSON struct {
	ResourceSpans []struct {
		SchemaURL  string `json:"schemaUrl"`
		ScopeSpans []struct {
			Spans []struct {
				TraceID, SpanID, ParentSpanID, Name string
				Kind                                int
				StartTimeUnixNano                   string
				Attributes                          []jsonAttribute
			}
		}
	}
	ResourceLogs []struct {
		ScopeLogs []struct {
			LogRecords []struct {
				TraceID, SpanID, EventName, SeverityText string
				Body                                     struct{ StringValue string }
				Attributes                               []jsonAttribute
			}
		}
	}
}

type jsonAttribute struct {
	Key   string
	Value struct{ StringValue, IntValue string }
}

// The collector reads what weir sends as it was meant.
func TestCollector(t *testing.T) {
	at, lines := collector(t)
	e, err := New(Config{Endpoint: address(t, "http://"+at), Traces: true, Logs: true, Content: true, Version: "1.2.3", Upstreams: upstreams})
	if err != nil {
		t.Fatal(err)
	}
	e.Stored([]record.Event{callEvent(), doneEvent()})
	if err := e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got otlpJSON
	for range 2 { // one line each, in any order
		if !lines.Scan() {
			t.Fatalf("the collector says no more: %v", lines.Err())
		}
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
	}
	spans, records := got.ResourceSpans[0].ScopeSpans[0].Spans, got.ResourceLogs[0].ScopeLogs[0].LogRecords
	if len(spans) != 2 || len(records) != 2 || got.ResourceSpans[0].SchemaURL != schemaURL {
		t.Fatalf("it read %+v", got)
	}
	value := func(list []jsonAttribute, key string) string {
		for _, a := range list {
			if a.Key == key {
				return a.Value.StringValue + a.Value.IntValue
			}
		}
		return ""
	}
	if diff := cmp.Diff([]string{
		someTrace, "a1a2a3a4a5a6a7a8", "execute_tool Bash", "1", `{"command":"rm -rf /"}`, "args_denied",
		someTrace, "a1a2a3a4a5a6a7a8", someSpan, "chat claude-x", "3", "4310", "1772366400123456000",
		someTrace, spans[0].SpanID, "weir.tool_call", "WARN", "tool_call Bash: deny (args_denied)", "deny",
	}, []string{
		spans[0].TraceID, spans[0].ParentSpanID, spans[0].Name, string(rune('0' + spans[0].Kind)),
		value(spans[0].Attributes, "gen_ai.tool.call.arguments"), value(spans[0].Attributes, "error.type"),
		spans[1].TraceID, spans[1].SpanID, spans[1].ParentSpanID, spans[1].Name, string(rune('0' + spans[1].Kind)),
		value(spans[1].Attributes, "gen_ai.usage.input_tokens"), spans[1].StartTimeUnixNano,
		records[0].TraceID, records[0].SpanID, records[0].EventName, records[0].SeverityText, records[0].Body.StringValue,
		value(records[0].Attributes, "weir.verdict"),
	}); diff != "" {
		t.Error(diff)
	}
}
