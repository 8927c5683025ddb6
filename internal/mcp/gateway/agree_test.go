package gateway

import (
	"fmt"
	"net/http"
	"net/textproto"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/streamable"
	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// parsed is one message.
func parsed(t testing.TB, text string) *jsonrpc.Message {
	t.Helper()
	messages, _, err := jsonrpc.ParseBody([]byte(text))
	expect.OK(t, err)
	return messages[0]
}

const (
	metaOf2026   = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	statelessAsk = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":{"n":7,"deep":{"on":true},"s":" é","list":["x"],"f":1.5,"big":123456789012345678901},` + metaOf2026 + `}}`
)

func TestAgree(t *testing.T) {
	good := map[string]string{headerVersion: versionStateless, headerMethod: "tools/call", headerName: "run"}
	with := func(more ...string) http.Header {
		h := http.Header{}
		for name, value := range good {
			h.Set(name, value)
		}
		for i := 0; i < len(more); i += 2 {
			h.Del(more[i])
			if more[i+1] != "" {
				h[textproto.CanonicalMIMEHeaderKey(more[i])] = strings.Split(more[i+1], "|")
			}
		}
		return h
	}
	noMeta := strings.Replace(statelessAsk, ","+metaOf2026, "", 1)
	for name, tt := range map[string]struct {
		header http.Header
		body   string
		code   jsonrpc.Code // 0: they agree
	}{
		"all there":                 {with(), statelessAsk, 0},
		"name in base64":            {with(headerName, "=?base64?cnVu?="), statelessAsk, 0},
		"method in base64":          {with(headerMethod, "=?base64?dG9vbHMvY2FsbA==?="), statelessAsk, 0},
		"no method":                 {with(headerMethod, ""), statelessAsk, -32020},
		"another method":            {with(headerMethod, "tools/list"), statelessAsk, -32020},
		"method in another case":    {with(headerMethod, "Tools/Call"), statelessAsk, -32020},
		"method twice":              {with(headerMethod, "tools/call|tools/call"), statelessAsk, -32020},
		"no name":                   {with(headerName, ""), statelessAsk, -32020},
		"another name":              {with(headerName, "walk"), statelessAsk, -32020},
		"name of nothing":           {with(headerMethod, "tools/list"), `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + metaOf2026 + `}}`, -32020},
		"loose base64":              {with(headerName, "=?base64?cnVu\n?="), statelessAsk, -32020},
		"base64 in another case":    {with(headerName, "=?BASE64?cnVu?="), statelessAsk, -32020},
		"base64 with loose bits":    {with(headerName, "=?base64?cnV?="), statelessAsk, -32020},
		"version only in header":    {with(), noMeta, -32602},
		"version only in body":      {with(headerVersion, ""), statelessAsk, -32020},
		"another version":           {with(headerVersion, "2025-11-25"), statelessAsk, -32020},
		"version is no text":        {with(), strings.Replace(statelessAsk, `"2026-07-28"`, "1", 1), -32020},
		"version twice":             {with(), strings.Replace(statelessAsk, metaOf2026, `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/protocolVersion":"x"}`, 1), -32600},
		"two names":                 {with(), strings.Replace(statelessAsk, `"name":"run"`, `"name":"run","Name":"walk"`, 1), -32020},
		"resource":                  {with(headerMethod, "resources/read", headerName, "file:///a"), `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a",` + metaOf2026 + `}}`, 0},
		"another resource":          {with(headerMethod, "resources/read", headerName, "file:///a"), `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///b",` + metaOf2026 + `}}`, -32020},
		"notification":              {with(headerMethod, "notifications/x", headerName, ""), `{"jsonrpc":"2.0","method":"notifications/x"}`, 0},
		"number":                    {with("Mcp-Param-N", "7"), statelessAsk, 0},
		"deep":                      {with("Mcp-Param-On", "true"), statelessAsk, 0},
		"text in base64":            {with("Mcp-Param-S", "=?base64?IMOp?="), statelessAsk, 0},
		"large number":              {with("Mcp-Param-Big", "123456789012345678901"), statelessAsk, 0},
		"number in another form":    {with("Mcp-Param-N", "7.0"), statelessAsk, -32020},
		"no argument":               {with("Mcp-Param-N", "8"), statelessAsk, -32020},
		"in a list":                 {with("Mcp-Param-N", "x"), statelessAsk, -32020},
		"param twice":               {with("Mcp-Param-N", "7|7"), statelessAsk, -32020},
		"param of no call":          {with("Mcp-Param-N", "7", headerMethod, "tools/list", headerName, ""), `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"arguments":{"n":7},` + metaOf2026 + `}}`, -32020},
		"underscore":                {with("Mcp_Method", "tools/list"), statelessAsk, -32020},
		"older, without headers":    {http.Header{headerVersion: {"2025-11-25"}}, noMeta, 0},
		"older, with a header":      {http.Header{headerVersion: {"2025-11-25"}, headerMethod: {"tools/list"}}, noMeta, -32020},
		"older, with a name":        {http.Header{headerName: {"walk"}}, noMeta, -32020},
		"older, with an argument":   {http.Header{"Mcp-Param-N": {"8"}}, noMeta, -32020},
		"answer":                    {http.Header{}, `{"jsonrpc":"2.0","id":1,"result":{}}`, 0},
		"answer with a method":      {http.Header{headerMethod: {"tools/call"}}, `{"jsonrpc":"2.0","id":1,"result":{}}`, -32020},
		"params that are not there": {with(headerMethod, "ping", headerName, "", headerVersion, "2025-06-18"), `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 0},
	} {
		f := agree(tt.header, parsed(t, tt.body), newParamTable())
		if got := f; (got == nil) != (tt.code == 0) || got != nil && got.code != tt.code {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// Nobody has so many arguments mirrored.
func TestTooManyParams(t *testing.T) {
	h := http.Header{}
	for i := range maxToolParams + 1 {
		h[fmt.Sprintf("Mcp-Param-%d", i)] = []string{"7"}
	}
	if agreeParams(h, parsed(t, statelessAsk), newParamTable()) == nil {
		t.Error("they are all looked at")
	}
	delete(h, "Mcp-Param-0")
	if f := agreeParams(h, parsed(t, statelessAsk), newParamTable()); f != nil {
		t.Errorf("%+v", f)
	}
}

// A tool's definition says which argument a header mirrors.
func TestParamTable(t *testing.T) {
	params := newParamTable()
	params.learn(parsed(t, `{"jsonrpc":"2.0","id":1,"result":{"tools":[
		{"name":"run","inputSchema":{"properties":{"n":{"x-mcp-header":"Count"},"deep":{"properties":{"on":{"x-mcp-header":"On"}}},"s":{"x-mcp-header":""}}}},
		{"name":7}, {"inputSchema":{}}, 5, {"name":"twice","name":"x","inputSchema":{}}]}}`))
	params.learn(parsed(t, `{"jsonrpc":"2.0","id":1,"result":{"tools":5}}`))
	ask := parsed(t, statelessAsk)
	for _, tt := range []struct {
		header, text string
		want         []paramPath
	}{
		{"Count", "7", []paramPath{{"n"}}},
		{"COUNT", "7", []paramPath{{"n"}}},
		{"Count", "8", nil},
		{"Count", "true", nil}, // another argument has it
		{"On", "true", []paramPath{{"deep", "on"}}},
		{"Other", "7", nil},
		{"S", " é", nil},
	} {
		expect.NoDiff(t, cmp.Diff(tt.want, params.mirrored(ask, tt.header, tt.text)), "%s: %q", tt.header, tt.text)
	}
	expect.Equal(t, len(params.tools), 1, "learned %v", params.tools)
	for i := range 2 * maxParamTools {
		params.learn(parsed(t, `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t`+strings.Repeat("x", i%7)+string(rune('a'+i%26))+string(rune(0x4e00+i))+`","inputSchema":{}}]}}`))
	}
	expect.Equal(t, len(params.tools), maxParamTools, "%d tools are remembered", len(params.tools))
}

// Rewritten arguments are rewritten in the headers, wherever it could be them.
func TestMirror(t *testing.T) {
	before := parsed(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":{"a":"secret","b":"secret","c":"gone","d":"\u00e9"}}}`)
	after := parsed(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":{"a":"secret","b":"[r\u00e9dacted]","d":"\u00e9"}}}`)
	h := http.Header{"Mcp-Param-A": {"secret"}, "Mcp-Param-C": {"gone"}, "Mcp-Param-D": {"=?base64?w6k=?="}, headerName: {"run"}, headerMethod: {"tools/call"}}
	mirror(h, before, after, newParamTable())
	want := http.Header{"Mcp-Param-A": {"=?base64?W3LDqWRhY3RlZF0=?="}, "Mcp-Param-D": {"=?base64?w6k=?="}, headerName: {"run"}, headerMethod: {"tools/call"}}
	expect.Same(t, want, h)
	unmirror(h)
	expect.Equal(t, len(h), 0, "%v is left", h)
}

// Headers that agree with a body name nothing that is not in it, and rewriting leaves nothing of what was rewritten.
func FuzzAgree(f *testing.F) {
	f.Add(statelessAsk, "tools/call", "run", "N", "7")
	f.Add(statelessAsk, "=?base64?dG9vbHMvY2FsbA==?=", "run", "S", "=?base64?IMOp?=")
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"p"}}`, "prompts/get", "p", "", "")
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":"s","b":{"a":"s"}}}}`, "tools/call", "x", "A", "s")
	f.Fuzz(func(t *testing.T, body, method, name, param, value string) {
		messages, batch, err := jsonrpc.ParseBody([]byte(body))
		if err != nil || batch {
			return
		}
		m := messages[0]
		h := http.Header{headerMethod: {method}, headerName: {name}}
		if param != "" {
			h[http.CanonicalHeaderKey(streamable.PrefixParam+param)] = []string{value}
		}
		if version, _ := versionIn(m); version != "" {
			h.Set(headerVersion, version)
		}
		params := newParamTable()
		if agree(h, m, params) != nil {
			return
		}
		if got, _ := streamable.DecodeValue(method); got != m.Method {
			t.Errorf("method %q for %q", method, m.Method)
		}
		decoded, _ := streamable.DecodeValue(name)
		if nameText, _ := m.ParamText("name"); decoded != nameText {
			if uri, _ := m.ParamText("uri"); decoded != uri {
				t.Errorf("name %q", name)
			}
		}
		secret, _ := streamable.DecodeValue(value)
		if param == "" || !utf8.ValidString(secret) {
			return
		}
		replaced, err := m.Set([]byte(`{"other":"thing"}`), "params", "arguments")
		if err != nil {
			return
		}
		mirror(h, m, replaced, params)
		if got := h.Get(streamable.PrefixParam + param); got != "" && got != "thing" {
			t.Errorf("%q is left of %q", got, secret)
		}
	})
}

// versionIn is the version in a message's _meta.
func versionIn(m *jsonrpc.Message) (string, error) {
	meta, err := m.Param("_meta")
	if err != nil {
		return "", err
	}
	v, err := meta.Member(streamable.MetaVersion)
	if err != nil || v.Kind() != strictjson.String {
		return "", err
	}
	text, _ := v.Text()
	return text, nil
}
