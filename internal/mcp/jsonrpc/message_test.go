package jsonrpc_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// facts are what a test compares of a message.
type facts struct {
	Raw                           string
	Kind                          jsonrpc.Kind
	ID, Method, Params, Res, Fail string
}

func factsOf(m *jsonrpc.Message) facts {
	return facts{string(m.Raw), m.Kind, m.ID.String(), m.Method, string(m.Params), string(m.Result), string(m.Error)}
}

// one parses a body that is one message.
func one(t testing.TB, text string) *jsonrpc.Message {
	t.Helper()
	messages, batch, err := jsonrpc.ParseBody([]byte(text))
	if err != nil || batch || len(messages) != 1 {
		t.Fatalf("ParseBody(%s) = %d messages, %v, %v", text, len(messages), batch, err)
	}
	return messages[0]
}

// refusal parses a body that is refused.
func refusal(t testing.TB, text string) *jsonrpc.Refused {
	t.Helper()
	messages, _, err := jsonrpc.ParseBody([]byte(text))
	var refused *jsonrpc.Refused
	if !errors.As(err, &refused) || messages != nil {
		t.Fatalf("ParseBody(%s) = %v, %v, want it refused", text, messages, err)
	}
	return refused
}

// What JSON-RPC does not name is left out of a message, of every kind, alone and in an array. The rest stays byte for byte.
func TestMessageLeavesOut(t *testing.T) {
	tests := map[string]struct {
		text, want string
		leftOut    []string
	}{
		"request": {
			`{"jsonrpc":"2.0","_meta":{"a":1}, "id":1,"method":"tools/call","params":{"name":"n" },"arguments":{"b":2}}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"n" }}`,
			[]string{"_meta", "arguments"},
		},
		"notification":     {`{"x":1,"x":2,"jsonrpc":"2.0","method":"n"}`, `{"jsonrpc":"2.0","method":"n"}`, []string{"x", "x"}},
		"result":           {`{"jsonrpc":"2.0","id":1,"result":{} ,"extra":"do it"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`, []string{"extra"}},
		"error":            {`{"jsonrpc":"2.0","data":[],"error":{"code":1,"message":""}}`, `{"jsonrpc":"2.0","error":{"code":1,"message":""}}`, []string{"data"}},
		"escaped and kept": {`{"jsonrpc":"2.0","m\u0065thod":"n"}`, `{"jsonrpc":"2.0","m\u0065thod":"n"}`, nil},
		"hidden":           {`{"jsonrpc":"2.0","method":"n","\u202eid":1}`, `{"jsonrpc":"2.0","method":"n"}`, []string{`"\u202eid"`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			batch, _, err := jsonrpc.ParseBody([]byte("[" + tt.text + "]"))
			expect.OK(t, err)
			for _, m := range []*jsonrpc.Message{one(t, tt.text), batch[0]} {
				if string(m.Raw) != tt.want || !slices.Equal(m.LeftOut, tt.leftOut) {
					t.Errorf("got %s without %q", m.Raw, m.LeftOut)
				}
			}
		})
	}
	var many strings.Builder
	for i := range 40 {
		fmt.Fprintf(&many, `,"%s%d":1`, strings.Repeat("x", 100), i)
	}
	m := one(t, `{"jsonrpc":"2.0","method":"n"`+many.String()+`}`)
	if string(m.Raw) != `{"jsonrpc":"2.0","method":"n"}` || len(m.LeftOut) != 16 || len(m.LeftOut[0]) > 70 {
		t.Errorf("got %s without %q", m.Raw, m.LeftOut)
	}
}

func TestMessage(t *testing.T) {
	const deep = 254 // and the two of the message itself
	tests := map[string]struct {
		text string
		want facts
	}{
		"request": {
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`,
			facts{Kind: jsonrpc.Request, ID: "1", Method: "tools/call", Params: `{"name":"x"}`},
		},
		"request without params": {`{"jsonrpc":"2.0","id":"a","method":"ping"}`, facts{Kind: jsonrpc.Request, ID: `"a"`, Method: "ping"}},
		"null params":            {`{"jsonrpc":"2.0","id":0,"method":"ping","params":null}`, facts{Kind: jsonrpc.Request, ID: "0", Method: "ping"}},
		"escaped names": {
			`{"\u006asonrpc":"\u0032.0","\u0069d":"\u0031","meth\u006fd":"p\u0069ng"}`,
			facts{Kind: jsonrpc.Request, ID: `"1"`, Method: "ping"},
		},
		"negative id":  {`{"jsonrpc":"2.0","id":-7,"method":"ping"}`, facts{Kind: jsonrpc.Request, ID: "-7", Method: "ping"}},
		"largest id":   {`{"jsonrpc":"2.0","id":9007199254740991,"method":"ping"}`, facts{Kind: jsonrpc.Request, ID: "9007199254740991", Method: "ping"}},
		"empty id":     {`{"jsonrpc":"2.0","id":"","method":"ping"}`, facts{Kind: jsonrpc.Request, ID: `""`, Method: "ping"}},
		"notification": {`{"jsonrpc":"2.0","method":"n"}`, facts{Kind: jsonrpc.Notification, ID: "null", Method: "n"}},
		"result":       {`{"result":{},"jsonrpc":"2.0","id":1}`, facts{Kind: jsonrpc.Response, ID: "1", Res: "{}"}},
		"error": {
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`,
			facts{Kind: jsonrpc.Response, ID: "1", Fail: `{"code":-32601,"message":"no"}`},
		},
		"error for nobody": {
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}`,
			facts{Kind: jsonrpc.Response, ID: "null", Fail: `{"code":-32700,"message":""}`},
		},
		"error without id": {
			`{"jsonrpc":"2.0","error":{"code":-32700,"message":""}}`,
			facts{Kind: jsonrpc.Response, ID: "null", Fail: `{"code":-32700,"message":""}`},
		},
		"deep": {
			`{"jsonrpc":"2.0","id":1,"result":{"a":` + nested(deep) + `}}`,
			facts{Kind: jsonrpc.Response, ID: "1", Res: `{"a":` + nested(deep) + `}`},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.want.Raw = tt.text
			expect.Same(t, tt.want, factsOf(one(t, " \r\n"+tt.text+"\t\n")))
		})
	}
}

// nested is an array in arrays.
func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

func TestRefused(t *testing.T) {
	const (
		parse   = jsonrpc.CodeParse
		invalid = jsonrpc.CodeInvalidRequest
	)
	tests := map[string]struct {
		text   string
		code   jsonrpc.Code
		kind   jsonrpc.Kind
		id     string
		reason string
	}{
		"nothing":         {``, parse, 0, "null", "unexpected end"},
		"white space":     {" \n", parse, 0, "null", "unexpected end"},
		"half":            {`{"jsonrpc":"2.0","id":1,"method":"m"`, parse, 0, "1", "unexpected end"},
		"BOM":             {"\ufeff" + `{"jsonrpc":"2.0","method":"m"}`, parse, 0, "null", "unexpected byte"},
		"invalid UTF-8":   {`{"jsonrpc":"2.0","id":1,"result":{"a":"` + "\xff" + `"}}`, parse, jsonrpc.Response, "1", "invalid utf-8"},
		"control":         {`{"jsonrpc":"2.0","id":1,"result":{"a":"` + "\t" + `"}}`, parse, jsonrpc.Response, "1", "control character"},
		"two":             {`{"jsonrpc":"2.0","method":"m"} {"jsonrpc":"2.0","method":"m"}`, parse, jsonrpc.Notification, "null", "more than one value"},
		"number":          {`5`, invalid, 0, "null", "not an object"},
		"too deep":        {`{"jsonrpc":"2.0","result":{"a":` + nested(255) + `},"id":"x"}`, invalid, jsonrpc.Response, `"x"`, "too deep"},
		"far too deep":    {`{"jsonrpc":"2.0","result":{"a":` + nested(9999) + `},"id":"x"}`, invalid, jsonrpc.Response, `"x"`, "too deep"},
		"no version":      {`{"id":1,"method":"m"}`, invalid, jsonrpc.Request, "1", "jsonrpc"},
		"version 1":       {`{"jsonrpc":"1.0","id":1,"method":"m"}`, invalid, jsonrpc.Request, "1", "jsonrpc"},
		"version number":  {`{"jsonrpc":2.0,"id":1,"method":"m"}`, invalid, jsonrpc.Request, "1", "jsonrpc"},
		"nothing to do":   {`{"jsonrpc":"2.0","id":1}`, invalid, 0, "1", "no method"},
		"mixed":           {`{"jsonrpc":"2.0","id":1,"method":"m","result":{}}`, invalid, 0, "1", "more than one kind"},
		"null result too": {`{"jsonrpc":"2.0","id":1,"method":"m","result":null}`, invalid, 0, "1", "more than one kind"},
		"both":            {`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""},"result":{}}`, invalid, jsonrpc.Response, "1", "more than one kind"},
		"null error too":  {`{"jsonrpc":"2.0","id":1,"error":null,"result":{}}`, invalid, jsonrpc.Response, "1", "more than one kind"},
		"params in answer": {
			`{"jsonrpc":"2.0","id":1,"params":{},"result":{}}`, invalid, jsonrpc.Response, "1", "more than one kind",
		},
		"method twice":     {`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}`, invalid, jsonrpc.Request, "1", "twice"},
		"method escaped":   {`{"jsonrpc":"2.0","id":1,"method":"ping","m\u0065thod":"tools/call"}`, invalid, jsonrpc.Request, "1", "twice"},
		"method in case":   {`{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call"}`, invalid, jsonrpc.Request, "1", "twice"},
		"only other case":  {`{"jsonrpc":"2.0","id":1,"METHOD":"tools/call"}`, invalid, jsonrpc.Request, "1", "twice"},
		"params in case":   {`{"jsonrpc":"2.0","id":1,"method":"m","params":{},"Params":{}}`, invalid, jsonrpc.Request, "1", "twice"},
		"params long s":    {`{"jsonrpc":"2.0","id":1,"method":"m","params":{},"param` + "\u017f" + `":{}}`, invalid, jsonrpc.Request, "1", "twice"},
		"result twice":     {`{"jsonrpc":"2.0","id":1,"result":{},"result":{}}`, invalid, jsonrpc.Response, "1", "twice"},
		"version twice":    {`{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"result":{}}`, invalid, jsonrpc.Response, "1", "twice"},
		"id twice":         {`{"jsonrpc":"2.0","id":1,"id":1,"method":"m"}`, invalid, jsonrpc.Request, "null", "twice"},
		"id in case":       {`{"jsonrpc":"2.0","ID":1,"id":2,"method":"m"}`, invalid, jsonrpc.Request, "null", "twice"},
		"id only in case":  {`{"jsonrpc":"2.0","ID":1,"method":"m"}`, invalid, jsonrpc.Request, "null", "twice"},
		"id null":          {`{"jsonrpc":"2.0","id":null,"method":"m"}`, invalid, jsonrpc.Request, "null", "id is null"},
		"id null, result":  {`{"jsonrpc":"2.0","id":null,"result":{}}`, invalid, jsonrpc.Response, "null", "id is null"},
		"no id, result":    {`{"jsonrpc":"2.0","result":{}}`, invalid, jsonrpc.Response, "null", "without an id"},
		"id 1.0":           {`{"jsonrpc":"2.0","id":1.0,"method":"m"}`, invalid, jsonrpc.Request, "null", "only integers"},
		"id 1e0":           {`{"jsonrpc":"2.0","id":1e0,"method":"m"}`, invalid, jsonrpc.Request, "null", "only integers"},
		"id 1.5":           {`{"jsonrpc":"2.0","id":1.5,"method":"m"}`, invalid, jsonrpc.Request, "null", "only integers"},
		"id -0":            {`{"jsonrpc":"2.0","id":-0,"method":"m"}`, invalid, jsonrpc.Request, "null", "only integers"},
		"id beyond double": {`{"jsonrpc":"2.0","id":9007199254740992,"method":"m"}`, invalid, jsonrpc.Request, "null", "53 bits"},
		"id of many bits":  {`{"jsonrpc":"2.0","id":99999999999999999999999,"method":"m"}`, invalid, jsonrpc.Request, "null", "53 bits"},
		"id true":          {`{"jsonrpc":"2.0","id":true,"method":"m"}`, invalid, jsonrpc.Request, "null", "neither"},
		"id object":        {`{"jsonrpc":"2.0","id":{"id":1},"method":"m"}`, invalid, jsonrpc.Request, "null", "neither"},
		"id array":         {`{"jsonrpc":"2.0","id":[1],"method":"m"}`, invalid, jsonrpc.Request, "null", "neither"},
		"id half a pair":   {`{"jsonrpc":"2.0","id":"\ud800","method":"m"}`, invalid, jsonrpc.Request, "null", "surrogate"},
		"id long":          {`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 1025) + `","method":"m"}`, invalid, jsonrpc.Request, "null", "1024"},
		"method number":    {`{"jsonrpc":"2.0","id":1,"method":1}`, invalid, jsonrpc.Request, "1", "method"},
		"method empty":     {`{"jsonrpc":"2.0","id":1,"method":""}`, invalid, jsonrpc.Request, "1", "method"},
		"method no text":   {`{"jsonrpc":"2.0","id":1,"method":"\udc00"}`, invalid, jsonrpc.Request, "1", "method"},
		"params array":     {`{"jsonrpc":"2.0","id":1,"method":"m","params":[]}`, invalid, jsonrpc.Request, "1", "params"},
		"result null":      {`{"jsonrpc":"2.0","id":1,"result":null}`, invalid, jsonrpc.Response, "1", "result"},
		"result text":      {`{"jsonrpc":"2.0","id":1,"result":""}`, invalid, jsonrpc.Response, "1", "result"},
		"error text":       {`{"jsonrpc":"2.0","id":1,"error":""}`, invalid, jsonrpc.Response, "1", "error"},
		"error no code":    {`{"jsonrpc":"2.0","id":1,"error":{"message":""}}`, invalid, jsonrpc.Response, "1", "error"},
		"error code 1.5":   {`{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":""}}`, invalid, jsonrpc.Response, "1", "error"},
		"error code twice": {`{"jsonrpc":"2.0","id":1,"error":{"code":1,"Code":1,"message":""}}`, invalid, jsonrpc.Response, "1", "twice"},
		"empty array":      {`[]`, invalid, 0, "null", "empty array"},
		"large array":      {`[` + strings.Repeat(`{"jsonrpc":"2.0","method":"m"},`, 1000) + `{}]`, invalid, 0, "null", "1000"},
		"array in array":   {`[[{"jsonrpc":"2.0","method":"m"}]]`, invalid, 0, "null", "not an object"},
		"id twice in array": {
			`[{"jsonrpc":"2.0","id":1,"method":"m"},{"jsonrpc":"2.0","id":1,"method":"m"}]`, invalid, jsonrpc.Request, "null", "same array",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := refusal(t, tt.text)
			if got.Code != tt.code || got.Kind != tt.kind || got.ID.String() != tt.id || !strings.Contains(got.Error(), tt.reason) {
				t.Errorf("code %d, kind %d, id %s, %q; want %d, %d, %s, %q", got.Code, got.Kind, got.ID, got.Error(), tt.code, tt.kind, tt.id, tt.reason)
			}
		})
	}
}

func TestRefusedWrapsItsCause(t *testing.T) {
	expect.Is(t, refusal(t, `{`), strictjson.ErrSyntax, "is not a syntax error")
	expect.Is(t, refusal(t, nested(300)), strictjson.ErrBounds, "is not an error of bounds")
}

// No id is another, and an id is the same in any spelling.
func TestIDsAreComparable(t *testing.T) {
	id := func(text string) jsonrpc.ID { return one(t, `{"jsonrpc":"2.0","method":"m","id":`+text+`}`).ID }
	for _, same := range [][2]string{{`"a"`, `"\u0061"`}, {`"/"`, `"\/"`}, {`"<"`, `"\u003c"`}, {`"😀"`, `"\ud83d\ude00"`}, {`"é"`, `"\u00E9"`}} {
		expect.Equal(t, id(same[0]), id(same[1]), "%s is not %s", same[0], same[1])
	}
	ids := map[jsonrpc.ID]string{{}: "none"}
	for _, text := range []string{`1`, `"1"`, `-1`, `10`, `0`, `""`, `"null"`, `"1\u0000"`, `" 1"`, `"A"`, `"a"`} {
		if other, is := ids[id(text)]; is {
			t.Errorf("%s is %s", text, other)
		}
		ids[id(text)] = text
	}
	if id(`7`) != jsonrpc.IntID(7) || id(`"7"`) != jsonrpc.TextID("7") || id(`7`).IsZero() || !(jsonrpc.ID{}).IsZero() {
		t.Error("an id that is made is not the same as one that is read")
	}
}

func TestParams(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`
	tests := map[string]struct {
		params                          string
		name, arguments, meta           string
		nameErr, argumentsErr, metaFail bool
	}{
		"plain":             {params: `{"name":"x","arguments":{"a":1},"_meta":{"t":2}}`, name: "x", arguments: `{"a":1}`, meta: `{"t":2}`},
		"escaped":           {params: `{"n\u0061me":"\u0078","\u0061rguments":{},"\u005fmeta":1}`, name: "x", arguments: `{}`, meta: "1"},
		"missing":           {params: `{}`},
		"null params":       {params: `null`},
		"name twice":        {params: `{"name":"x","name":"y"}`, nameErr: true},
		"name in case":      {params: `{"name":"x","NAME":"y"}`, nameErr: true},
		"name number":       {params: `{"name":1}`, nameErr: true},
		"name no text":      {params: `{"name":"\ud800"}`, nameErr: true},
		"arguments twice":   {params: `{"arguments":{},"argument\u0073":{}}`, argumentsErr: true},
		"arguments null":    {params: `{"arguments":null}`, argumentsErr: true},
		"arguments array":   {params: `{"arguments":[]}`, argumentsErr: true},
		"argument twice":    {params: `{"arguments":{"a":{"b":1,"B":2}}}`, argumentsErr: true},
		"argument, no text": {params: `{"arguments":{"a":"\udc00"}}`, argumentsErr: true},
		"meta in case":      {params: `{"_meta":1,"_Meta":2}`, metaFail: true},
		"nested":            {params: `{"x":{"name":"y","arguments":{},"_meta":1}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m := one(t, call+tt.params+`}`)
			got, err := m.ParamText("name")
			expect.Equal(t, got, tt.name, "name %q, %v", got, err)
			expect.Equal(t, err != nil, tt.nameErr, "name %q, %v", got, err)
			arguments, err := m.Arguments()
			expect.Equal(t, string(arguments), tt.arguments, "arguments %s, %v", arguments, err)
			expect.Equal(t, err != nil, tt.argumentsErr, "arguments %s, %v", arguments, err)
			meta, err := m.Param("_meta")
			expect.Equal(t, string(meta.Raw()), tt.meta, "meta %s, %v", meta.Raw(), err)
			expect.Equal(t, errors.Is(err, strictjson.ErrAmbiguous), tt.metaFail, "meta %s, %v", meta.Raw(), err)
		})
	}
}

func TestResultMember(t *testing.T) {
	m := one(t, `{"jsonrpc":"2.0","id":1,"result":{"tools":[1],"x":1,"X":2}}`)
	tools, err := m.ResultMember("tools")
	if err != nil || string(tools.Raw()) != "[1]" {
		t.Errorf("tools %s, %v", tools.Raw(), err)
	}
	if _, err := m.ResultMember("x"); !errors.Is(err, strictjson.ErrAmbiguous) {
		t.Errorf("x is there in two cases: %v", err)
	}
}
