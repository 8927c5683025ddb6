package jsonrpc_test

import (
	"errors"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/strictjson"
)

func TestBuild(t *testing.T) {
	must := func(m *jsonrpc.Message, err error) *jsonrpc.Message {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	tests := map[string]struct {
		got  *jsonrpc.Message
		want string
	}{
		"answer":       {must(jsonrpc.Answer(jsonrpc.IntID(1), jsontext.Value(`{"a":1}`))), `{"jsonrpc":"2.0","id":1,"result":{"a":1}}`},
		"ask":          {must(jsonrpc.Ask(jsonrpc.TextID("a\"\n"), "tools/list", jsontext.Value(`{}`))), `{"jsonrpc":"2.0","id":"a\"\n","method":"tools/list","params":{}}`},
		"ask nothing":  {must(jsonrpc.Ask(jsonrpc.IntID(2), "ping", nil)), `{"jsonrpc":"2.0","id":2,"method":"ping"}`},
		"notify":       {must(jsonrpc.Notify("a\u2028b", nil)), `{"jsonrpc":"2.0","method":"a\u2028b"}`},
		"fail":         {jsonrpc.Fail(jsonrpc.IntID(1), jsonrpc.CodeInternal, `no "x"`, nil), `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no \"x\""}}`},
		"fail nobody":  {jsonrpc.Fail(jsonrpc.ID{}, jsonrpc.CodeParse, "", nil), `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}`},
		"fail, data":   {jsonrpc.Fail(jsonrpc.IntID(1), -1, "m", jsontext.Value(`[1]`)), `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m","data":[1]}}`},
		"not UTF-8":    {jsonrpc.Fail(jsonrpc.IntID(1), -1, "\xff", nil), `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"` + "\ufffd" + `"}}`},
		"empty answer": {must(jsonrpc.Answer(jsonrpc.TextID(""), jsontext.Value(`{}`))), `{"jsonrpc":"2.0","id":"","result":{}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(factsOf(one(t, tt.want)), factsOf(tt.got)); diff != "" {
				t.Error(diff)
			}
		})
	}
	code, message := tests["fail"].got.Failure()
	if code != jsonrpc.CodeInternal || message != `no "x"` {
		t.Errorf("failed with %d, %s", code, message)
	}
	if code, message := tests["answer"].got.Failure(); code != 0 || message != "" {
		t.Errorf("an answer failed with %d, %s", code, message)
	}
}

// What is not one value of its place cannot smuggle in another member.
func TestBuildRefuses(t *testing.T) {
	for _, text := range []string{``, `1`, `null`, `[]`, `{`, `{}}`, `{},"id":2`, `{},"x":1`, `{} {}`} {
		if m, err := jsonrpc.Answer(jsonrpc.IntID(1), jsontext.Value(text)); err == nil {
			t.Errorf("answer with %s is %s", text, m.Raw)
		}
	}
	if m, err := jsonrpc.Answer(jsonrpc.ID{}, jsontext.Value(`{}`)); err == nil {
		t.Errorf("answer to nobody is %s", m.Raw)
	}
	if m, err := jsonrpc.Ask(jsonrpc.IntID(1), "", nil); err == nil {
		t.Errorf("request without a method is %s", m.Raw)
	}
	defer func() {
		if recover() == nil {
			t.Error("data that are not JSON went out")
		}
	}()
	jsonrpc.Fail(jsonrpc.IntID(1), -1, "m", jsontext.Value(`{`))
}

func TestRewrite(t *testing.T) {
	const call = `{ "jsonrpc":"2.0",   "id":"\u0061","method":"tools/call","params" : {"name":"n", "argument\u0073":{"a":1 },"_meta":{}} }`
	tests := map[string]struct {
		in   string
		with jsonrpc.Replacement
		want string
	}{
		"nothing":   {call, jsonrpc.Replacement{}, call},
		"arguments": {call, jsonrpc.Replacement{Arguments: jsontext.Value(`{"b":2}`)}, `{ "jsonrpc":"2.0",   "id":"\u0061","method":"tools/call","params" : {"name":"n", "argument\u0073":{"b":2},"_meta":{}} }`},
		"params":    {call, jsonrpc.Replacement{Params: jsontext.Value(`{}`)}, `{ "jsonrpc":"2.0",   "id":"\u0061","method":"tools/call","params" : {} }`},
		"new arguments": {
			`{"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"n"}}`,
			jsonrpc.Replacement{Arguments: jsontext.Value(`{}`)},
			`{"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"n","arguments":{}}}`,
		},
		"new params": {note, jsonrpc.Replacement{Params: jsontext.Value(`{}`)}, `{"jsonrpc":"2.0","method":"n","params":{}}`},
		"result": {
			`{"result":{"a":[]},"jsonrpc":"2.0","id":1 }`,
			jsonrpc.Replacement{Result: jsontext.Value(`{"b":0}`)},
			`{"result":{"b":0},"jsonrpc":"2.0","id":1 }`,
		},
		"params and arguments":   {call, jsonrpc.Replacement{Params: jsontext.Value(`{}`), Arguments: jsontext.Value(`{}`)}, ""},
		"arguments without room": {note, jsonrpc.Replacement{Arguments: jsontext.Value(`{}`)}, ""},
		"result of a call":       {call, jsonrpc.Replacement{Result: jsontext.Value(`{}`)}, ""},
		"result of an error":     {`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}`, jsonrpc.Replacement{Result: jsontext.Value(`{}`)}, ""},
		"params of an answer":    {`{"jsonrpc":"2.0","id":1,"result":{}}`, jsonrpc.Replacement{Params: jsontext.Value(`{}`)}, ""},
		"params no object":       {call, jsonrpc.Replacement{Params: jsontext.Value(`1`)}, ""},
		"params not JSON":        {call, jsonrpc.Replacement{Params: jsontext.Value(`{`)}, ""},
		"a second method":        {call, jsonrpc.Replacement{Params: jsontext.Value(`{},"method":"x"`)}, ""},
		"arguments twice":        {`{"jsonrpc":"2.0","id":1,"method":"m","params":{"arguments":{},"Arguments":{}}}`, jsonrpc.Replacement{Arguments: jsontext.Value(`{}`)}, ""},
		"a second name":          {call, jsonrpc.Replacement{Arguments: jsontext.Value(`{},"x":"y"`)}, ""},
		"arguments not JSON":     {call, jsonrpc.Replacement{Arguments: jsontext.Value(`{"a"}`)}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m := one(t, tt.in)
			before := factsOf(m)
			got, err := m.Rewrite(tt.with)
			if (err != nil) != (tt.want == "") {
				t.Fatalf("error %v", err)
			}
			if diff := cmp.Diff(before, factsOf(m)); diff != "" {
				t.Errorf("the message itself changed: %s", diff)
			}
			if err != nil {
				return
			}
			if diff := cmp.Diff(factsOf(one(t, tt.want)), factsOf(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEdit(t *testing.T) {
	messages, _, err := jsonrpc.ParseBody([]byte(`[{"jsonrpc":"2.0","id":1,"result":{"tools":[ {"name":"a"}, {"name":"b"} ],"nextCursor":"c"}}]`))
	if err != nil {
		t.Fatal(err)
	}
	m := messages[0]
	tools, err := m.ResultMember("tools")
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Edit(tools.RemoveElems(func(_ int, tool strictjson.Value) bool {
		name, _ := tool.Member("name")
		return name.Is("a")
	})...)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"tools":[ {"name":"b"} ],"nextCursor":"c"}`; string(got.Result) != want || got.Batch != m.Batch || m.Batch == nil {
		t.Errorf("result %s, batch %p; want %s, %p", got.Result, got.Batch, want, m.Batch)
	}
	call := one(t, ping)
	method, err := call.Root().Member("method")
	if err != nil {
		t.Fatal(err)
	}
	if other, err := call.Edit(method.Replace([]byte(`"tools/call"`))); err == nil {
		t.Errorf("the method became that of %s", other.Raw)
	}
	var refused *jsonrpc.Refused
	if _, err := call.Edit(method.Replace([]byte(`1`))); !errors.As(err, &refused) {
		t.Errorf("no message: %v", err)
	}
}
