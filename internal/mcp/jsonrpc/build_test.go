package jsonrpc_test

import (
	"errors"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func TestBuild(t *testing.T) {
	tests := map[string]struct {
		got  *jsonrpc.Message
		want string
	}{
		"answer":         {jsonrpc.NewResponse(jsonrpc.IntID(1), jsontext.Value(`{"a":1}`)), `{"jsonrpc":"2.0","id":1,"result":{"a":1}}`},
		"ask":            {jsonrpc.NewRequest(jsonrpc.TextID("a\"\n"), "tools/list", jsontext.Value(`{}`)), `{"jsonrpc":"2.0","id":"a\"\n","method":"tools/list","params":{}}`},
		"ask nothing":    {jsonrpc.NewRequest(jsonrpc.IntID(2), "ping", nil), `{"jsonrpc":"2.0","id":2,"method":"ping"}`},
		"notify":         {jsonrpc.NewNotification("a\u2028b", nil), `{"jsonrpc":"2.0","method":"a\u2028b"}`},
		"fail":           {jsonrpc.NewError(jsonrpc.IntID(1), jsonrpc.CodeInternal, `no "x"`, nil), `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no \"x\""}}`},
		"fail nobody":    {jsonrpc.NewError(jsonrpc.ID{}, jsonrpc.CodeParse, "", nil), `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}`},
		"fail, data":     {jsonrpc.NewError(jsonrpc.IntID(1), -1, "m", jsontext.Value(`[1]`)), `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m","data":[1]}}`},
		"not UTF-8":      {jsonrpc.NewError(jsonrpc.IntID(1), -1, "\xff", nil), `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"` + "\ufffd" + `"}}`},
		"empty response": {jsonrpc.NewResponse(jsonrpc.TextID(""), jsontext.Value(`{}`)), `{"jsonrpc":"2.0","id":"","result":{}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			expect.Same(t, factsOf(one(t, tt.want)), factsOf(tt.got))
		})
	}
	code, message := tests["fail"].got.Failure()
	expect.Equal(t, code, jsonrpc.CodeInternal, "failed with %d, %s", code, message)
	expect.Equal(t, message, `no "x"`, "failed with %d, %s", code, message)
	if code, message := tests["answer"].got.Failure(); code != 0 || message != "" {
		t.Errorf("a response failed with %d, %s", code, message)
	}
}

// What is not one value of its place cannot smuggle in another member.
func TestBuildPanics(t *testing.T) {
	for _, text := range []string{``, `1`, `null`, `[]`, `{`, `{}}`, `{},"id":2`, `{},"x":1`, `{} {}`} {
		panics(t, func() *jsonrpc.Message { return jsonrpc.NewResponse(jsonrpc.IntID(1), jsontext.Value(text)) })
		panics(t, func() *jsonrpc.Message { return jsonrpc.NewNotification("n", jsontext.Value(text)) })
	}
	panics(t, func() *jsonrpc.Message { return jsonrpc.NewResponse(jsonrpc.IntID(1), nil) })
	panics(t, func() *jsonrpc.Message { return jsonrpc.NewResponse(jsonrpc.ID{}, jsontext.Value(`{}`)) })
	panics(t, func() *jsonrpc.Message { return jsonrpc.NewRequest(jsonrpc.IntID(1), "", nil) })
	panics(t, func() *jsonrpc.Message { return jsonrpc.NewError(jsonrpc.IntID(1), -1, "m", jsontext.Value(`{`)) })
}

func panics(t *testing.T, build func() *jsonrpc.Message) {
	t.Helper()
	defer func() { _ = recover() }()
	t.Errorf("%s went out", build().Raw)
}

func TestSet(t *testing.T) {
	const call = `{ "jsonrpc":"2.0",   "id":"\u0061","method":"tools/call","params" : {"name":"n", "argument\u0073":{"a":1 },"_meta":{}} }`
	const before = `{ "jsonrpc":"2.0",   "id":"\u0061","method":"tools/call","params" : `
	arguments, params, result := []string{"params", "arguments"}, []string{"params"}, []string{"result"}
	tests := map[string]struct {
		in   string
		at   []string
		with string
		want string
	}{
		"arguments": {call, arguments, `{"b":2}`, before + `{"name":"n", "argument\u0073":{"b":2},"_meta":{}} }`},
		"params":    {call, params, `{}`, before + `{} }`},
		"new arguments": {
			`{"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"n"}}`, arguments, `{}`,
			`{"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"n","arguments":{}}}`,
		},
		"new params": {note, params, `{}`, `{"jsonrpc":"2.0","method":"n","params":{}}`},
		"result": {
			`{"result":{"a":[]},"jsonrpc":"2.0","id":1 }`, result, `{"b":0}`, `{"result":{"b":0},"jsonrpc":"2.0","id":1 }`,
		},
		"arguments without room": {note, arguments, `{}`, ""},
		"result of a call":       {call, result, `{}`, ""},
		"result of an error":     {`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}`, result, `{}`, ""},
		"params of a response":   {`{"jsonrpc":"2.0","id":1,"result":{}}`, params, `{}`, ""},
		"params no object":       {call, params, `1`, ""},
		"params not JSON":        {call, params, `{`, ""},
		"a second method":        {call, params, `{},"method":"x"`, ""},
		"arguments twice":        {`{"jsonrpc":"2.0","id":1,"method":"m","params":{"arguments":{},"Arguments":{}}}`, arguments, `{}`, ""},
		"a second name":          {call, arguments, `{},"x":"y"`, ""},
		"arguments not JSON":     {call, arguments, `{"a"}`, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m := one(t, tt.in)
			before := factsOf(m)
			got, err := m.Set(jsontext.Value(tt.with), tt.at...)
			if (err != nil) != (tt.want == "") {
				t.Fatalf("error %v", err)
			}
			expect.NoDiff(t, cmp.Diff(before, factsOf(m)), "the message itself changed")
			if err != nil {
				return
			}
			expect.Same(t, factsOf(one(t, tt.want)), factsOf(got))
		})
	}
}

func TestEdit(t *testing.T) {
	messages, _, err := jsonrpc.ParseBody([]byte(`[{"jsonrpc":"2.0","id":1,"result":{"tools":[ {"name":"a"}, {"name":"b"} ],"nextCursor":"c"}}]`))
	expect.OK(t, err)
	m := messages[0]
	tools, err := m.ResultMember("tools")
	expect.OK(t, err)
	got, err := m.Edit(tools.RemoveElems(func(_ int, tool strictjson.Value) bool {
		name, _ := tool.Member("name")
		return name.Is("a")
	})...)
	expect.OK(t, err)
	if want := `{"tools":[ {"name":"b"} ],"nextCursor":"c"}`; string(got.Result) != want || got.Batch != m.Batch || m.Batch == nil {
		t.Errorf("result %s, batch %p; want %s, %p", got.Result, got.Batch, want, m.Batch)
	}
	call := one(t, ping)
	method, err := call.Root().Member("method")
	expect.OK(t, err)
	if other, err := call.Edit(method.Replace([]byte(`"tools/call"`))); err == nil {
		t.Errorf("the method became that of %s", other.Raw)
	}
	var refused *jsonrpc.Refused
	if _, err := call.Edit(method.Replace([]byte(`1`))); !errors.As(err, &refused) {
		t.Errorf("no message: %v", err)
	}
}
