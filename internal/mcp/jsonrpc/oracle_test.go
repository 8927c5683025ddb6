package jsonrpc_test

import (
	"bytes"
	jsonv1 "encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// fields are a message as a reader that knows only its members sees it.
type fields struct {
	JSONRPC jsontext.Value `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Method  jsontext.Value `json:"method"`
	Params  jsontext.Value `json:"params"`
	Result  jsontext.Value `json:"result"`
	Error   jsontext.Value `json:"error"`
}

// lastWins reads a message as encoding/json does: any case, the last of two.
func lastWins(t testing.TB, text []byte) (f fields) {
	t.Helper()
	var raw struct {
		JSONRPC, ID, Method, Params, Result, Error jsonv1.RawMessage
	}
	expect.OK(t, jsonv1.Unmarshal(text, &raw), "encoding/json does not read %s", text)
	v := func(r jsonv1.RawMessage) jsontext.Value { return jsontext.Value(r) }
	return fields{v(raw.JSONRPC), v(raw.ID), v(raw.Method), v(raw.Params), v(raw.Result), v(raw.Error)}
}

// exact reads a message as go-json-experiment does: in small letters only.
func exact(t testing.TB, text []byte) (f fields) {
	t.Helper()
	expect.OK(t, json.Unmarshal(text, &f, lenient), "go-json-experiment does not read %s", text)
	return f
}

// acceptable says whether a text is one message as the package's documentation has it, with the means of jsontext alone. It is for
// texts that are not deep.
func acceptable(text []byte) bool {
	if !utf8.Valid(text) || !jsontext.Value(text).IsValid(lenient) {
		return false
	}
	var f fields
	if jsontext.Value(text).Kind() != '{' || json.Unmarshal(text, &f, lenient) != nil {
		return false
	}
	if !unambiguous(text, messageMembers...) || !isText(f.JSONRPC, func(s string) bool { return s == "2.0" }) {
		return false
	}
	kind := func(v jsontext.Value) jsontext.Kind {
		if v == nil {
			return 0
		}
		return v.Kind()
	}
	if f.Method != nil {
		return f.Result == nil && f.Error == nil && isText(f.Method, func(s string) bool { return s != "" }) &&
			(f.ID == nil || isID(f.ID)) && (kind(f.Params) == 0 || kind(f.Params) == 'n' || kind(f.Params) == '{')
	}
	if f.Params != nil || (f.Result == nil) == (f.Error == nil) {
		return false
	}
	if f.Result != nil {
		return kind(f.Result) == '{' && f.ID != nil && isID(f.ID)
	}
	var failure struct {
		Code    jsontext.Value `json:"code"`
		Message jsontext.Value `json:"message"`
	}
	return kind(f.Error) == '{' && json.Unmarshal(f.Error, &failure, lenient) == nil && (f.ID == nil || kind(f.ID) == 'n' || isID(f.ID)) &&
		unambiguous(f.Error, "code", "message", "data") && isText(failure.Message, func(string) bool { return true }) && isInteger(failure.Code)
}

// messageMembers are all that JSON-RPC names of a message.
var messageMembers = []string{"jsonrpc", "id", "method", "params", "result", "error"}

// namesOf are the names of an object's members.
func namesOf(object []byte) (names []string) {
	d := jsontext.NewDecoder(bytes.NewReader(object), lenient)
	_, _ = d.ReadToken()
	for d.PeekKind() == '"' {
		token, _ := d.ReadToken()
		names = append(names, token.String())
		_ = d.SkipValue()
	}
	return names
}

// unambiguous says whether an object has each of the names once at most, and in no other case.
func unambiguous(object []byte, names ...string) bool {
	d := jsontext.NewDecoder(bytes.NewReader(object), lenient)
	_, _ = d.ReadToken()
	seen := map[string]bool{}
	for d.PeekKind() == '"' {
		token, _ := d.ReadToken()
		name := token.String()
		for _, n := range names {
			if strings.EqualFold(n, name) && (n != name || seen[n]) {
				return false
			}
		}
		seen[name] = true
		_ = d.SkipValue()
	}
	return true
}

// isText says whether v is a string without lone surrogates that is as it should be.
func isText(v jsontext.Value, should func(string) bool) bool {
	var s string
	return v != nil && v.Kind() == '"' && json.Unmarshal(v, &s) == nil && should(s)
}

func isInteger(v jsontext.Value) bool {
	var n int64
	return v != nil && v.Kind() == '0' && jsonv1.Unmarshal(v, &n) == nil
}

// isID says whether an id comes back as it was from a reader that keeps numbers as doubles.
func isID(v jsontext.Value) bool {
	if v.Kind() != '0' {
		return isText(v, func(s string) bool { return len(s) <= 1024 })
	}
	var double float64
	if jsonv1.Unmarshal(v, &double) != nil || double > 1<<53-1 || double < -(1<<53-1) {
		return false
	}
	return fmt.Sprintf("%.0f", double) == string(v) && string(v) != "-0"
}

// checkMessage compares what this package makes of a text with what other readers do.
func checkMessage(t testing.TB, text []byte) {
	t.Helper()
	if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > 250 {
		return // perhaps too deep
	}
	messages, batch, err := jsonrpc.ParseBody(text)
	if batch {
		for _, m := range messages {
			checkMessage(t, m.Raw)
		}
		return
	}
	if jsontext.Value(bytes.TrimSpace(text)).Kind() == '[' {
		return // a batch with something bad in it
	}
	if want := acceptable(text); want != (err == nil) {
		t.Fatalf("%q: acceptable %v, but %v", text, want, err)
	}
	if err != nil {
		return
	}
	m := messages[0]
	if got := namesOf(m.Raw); slices.ContainsFunc(got, func(name string) bool { return !slices.Contains(messageMembers, name) }) {
		t.Fatalf("%s keeps the members %q", text, got)
	}
	if len(m.LeftOut) == 0 && !bytes.Equal(m.Raw, bytes.Trim(text, " \t\r\n")) {
		t.Fatalf("%s became %s", text, m.Raw)
	}
	if diff := cmp.Diff(exact(t, text), lastWins(t, text)); diff != "" {
		t.Fatalf("%s is read differently: %s", text, diff)
	}
	f := exact(t, text)
	if f.Params.Kind() == 'n' {
		f.Params = nil
	}
	if !bytes.Equal(f.Params, m.Params) || !bytes.Equal(f.Result, m.Result) || !bytes.Equal(f.Error, m.Error) {
		t.Fatalf("%s has %s, %s, %s", text, m.Params, m.Result, m.Error)
	}
	var id any
	expect.OK(t, json.Unmarshal([]byte(m.ID.String()), &id))
	var sent any
	if f.ID != nil {
		expect.OK(t, json.Unmarshal(f.ID, &sent))
	}
	if id != sent {
		t.Fatalf("%s has the id %v", text, id)
	}
}

// Members of all sorts, in any order and number, are accepted if and only if every reader reads them alike.
func TestAcceptedIsReadAlike(t *testing.T) {
	names := []string{
		`"jsonrpc"`, `"id"`, `"method"`, `"params"`, `"result"`, `"error"`, `"x"`, `"Method"`, `"ID"`, `"\u0069d"`, `"PARAMS"`, `"para\u006ds"`, "\"param\u017f\"", `"re\u017Fult"`,
	}
	values := []string{
		`"2.0"`, `1`, `"1"`, `-1`, `1.0`, `1e0`, `null`, `true`, `"m"`, `""`, `{}`, `{"a":1,"a":2}`, `[]`, `[1,{}]`, `"\ud800"`, `9007199254740993`,
		`{"code":1,"message":"m"}`, `{"code":1,"Code":1,"message":"m"}`, `{"code":"1","message":"m"}`, `{"code":-32603,"message":"\ud83d\ude00","data":null}`,
	}
	likely := map[string][]string{
		names[0]: {`"2.0"`}, names[1]: {`1`, `"a"`, `null`}, names[2]: {`"m"`}, names[3]: {`{}`}, names[4]: {`{}`}, names[5]: {`{"code":1,"message":""}`},
	}
	random := rand.New(rand.NewPCG(9, 9))
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	spaces := []string{"", "", "", " ", "\n", "\r\n\t"}
	accepted := 0
	for range 30_000 {
		var b strings.Builder
		b.WriteString(pick(spaces) + "{")
		for i, n := 0, random.IntN(6); i <= n; i++ {
			name := names[random.IntN(6)]
			if i == 0 {
				name = names[0]
			}
			if random.IntN(12) == 0 {
				name = pick(names)
			}
			list := values
			if random.IntN(6) > 0 && likely[name] != nil {
				list = likely[name]
			}
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString(pick(spaces) + name + pick(spaces) + ":" + pick(spaces) + pick(list) + pick(spaces))
		}
		b.WriteString("}" + pick(spaces))
		checkMessage(t, []byte(b.String()))
		if _, _, err := jsonrpc.ParseBody([]byte(b.String())); err == nil {
			accepted++
		}
	}
	if accepted < 1000 || accepted > 25_000 {
		t.Errorf("%d of 30000 were accepted: the mixture is not telling", accepted)
	}
}
