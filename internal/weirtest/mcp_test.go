package weirtest

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestScriptedServer checks which line of a script is about a message.
func TestScriptedServer(t *testing.T) {
	acts, err := parseActs(`{"server":"other"}
{"on":"tools/call","name":"a","result":{"n":1}}
{"on":"tools/call","name":"a","result":{"n":2},"first":["noise"],"then":[{"x":1}]}
{"on":"tools/call","error":{"code":1}}
{"on":"vendor/x","silent":true}
`)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	for _, m := range []wireMessage{
		askedFor("1", "tools/call", "a"), askedFor("2", "tools/call", "a"), askedFor("3", "tools/call", "a"), askedFor("4", "tools/call", "b"),
		askedFor("5", "ping", ""), askedFor("6", "vendor/x", ""), askedFor("7", "vendor/y", ""), askedFor("", "ping", ""),
	} {
		perform(&got, actOn(acts, m), m)
	}
	want := `{"jsonrpc":"2.0","id":1,"result":{"n":1}}
noise
{"jsonrpc":"2.0","id":2,"result":{"n":2}}
{"x":1}
{"jsonrpc":"2.0","id":3,"error":{"code":1}}
{"jsonrpc":"2.0","id":4,"error":{"code":1}}
{"jsonrpc":"2.0","id":5,"result":{}}
{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no such method"}}
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
	if _, err := parseActs(`{"on":"ping","anser":{}}` + "\n"); err == nil {
		t.Error("a script with an unknown member is taken")
	}
}

func askedFor(id, method, name string) (m wireMessage) {
	if id != "" {
		m.ID = []byte(id)
	}
	m.Method, m.Params.Name = method, name
	return m
}

// TestScriptedClient checks that what a client gets is in the order in which its script asks for it.
func TestScriptedClient(t *testing.T) {
	var sent bytes.Buffer
	c := newMCPClient(nopCloser{&sent}, strings.NewReader(`{"id":"2","result":{}}
{"method":"z"}
{"method":"y","id":1}
[{"id":3,"result":{}},{"id":2,"result":{}}]
{"method":"a"}
`))
	unordered, err := c.follow(`{"send":"no message"}
{"send":{"id":2}}
{"await":"y"}
{"wait":2}
{"unordered":true}
{"jsonrpc":"2.0","id":"2","method":"ping"}
{"jsonrpc":"2.0","method":"notifications/x"}
`)
	if err != nil || !unordered {
		t.Fatalf("unordered is %v, and the error %v", unordered, err)
	}
	want := []string{
		`{"method":"y","id":1}`, `[{"id":3,"result":{}},{"id":2,"result":{}}]`, `{"id":"2","result":{}}`, `{"method":"a"}`, `{"method":"z"}`,
	}
	if diff := cmp.Diff(want, c.all()); diff != "" {
		t.Error(diff)
	}
	wantSent := "no message\n{\"id\":2}\n{\"jsonrpc\":\"2.0\",\"id\":\"2\",\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n"
	if diff := cmp.Diff(wantSent, sent.String()); diff != "" {
		t.Error(diff)
	}
	if _, err := newMCPClient(nopCloser{&sent}, strings.NewReader("")).follow(`{"wait":1}` + "\n"); err == nil {
		t.Error("what never comes is waited for without an error")
	}
}

type nopCloser struct{ io.Writer }

// Close implements io.Closer.
func (nopCloser) Close() error { return nil }

// TestKindsOfScenarios checks that a scenario has the files of its kind only.
func TestKindsOfScenarios(t *testing.T) {
	for text, ok := range map[string]bool{
		"P.\n-- client.jsonl --\n-- client.out.jsonl --\n-- 2/client.jsonl --\n": true,
		"P.\n-- client.jsonl --\n-- upstream.sse --\n":                           false,
		"P.\n-- server.jsonl --\n":                                               false,
		"P.\n-- client.out.jsonl --\n":                                           false,
		"P.\n-- client.jsonl --\n-- client.sse.jsonl --\n":                       false,
	} {
		if _, err := load(write(t, text)); (err == nil) != ok {
			t.Errorf("%q: error %v", text, err)
		}
	}
	if got := sortedArray(`[{"id":2}, {"id":1}]`); got != `[{"id":1},{"id":2}]` {
		t.Error(got)
	}
}
