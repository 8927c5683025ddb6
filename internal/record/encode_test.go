package record

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
)

// marshalled is the text that package json makes of an event by reflection: the form that the record has had from the beginning. What
// Encode writes by hand is compared with it.
func marshalled(e Event) ([]byte, error) {
	x := e.Exchange
	t := Text{
		V: version, ID: e.ID, Time: e.Time.UTC().Truncate(time.Microsecond), Type: e.Type,
		Session: e.Actor.Session, Derived: e.Actor.SessionDerived, Actor: e.Actor,
		RequestID: x.RequestID, ResponseID: x.ResponseID, Conversation: x.Conversation,
		Dialect: x.Dialect, Provider: x.Provider, Model: x.Model,
		Trace: x.Trace.ID, Span: x.Trace.Span, ParentSpan: x.Trace.Parent, Unsampled: x.Trace.Unsampled,
		CallID: e.CallID, Within: e.Within, Surface: e.Surface, Server: e.Server, Tool: e.Tool, WireID: e.WireID,
		MCP: e.MCP, Ruling: e.Ruling,
	}
	t.Actor.Session, t.Actor.SessionDerived = "", false
	switch d := e.Detail.(type) {
	case nil:
	case unknownDetail:
		t.Detail = jsontext.Value(d)
	default:
		detail, err := json.Marshal(d, lenient)
		if err != nil {
			return nil, err
		}
		t.Detail = detail
	}
	b, err := json.Marshal(t, lenient)
	if err != nil || e.Args == nil {
		return bytes.TrimSuffix(b, []byte("}")), err
	}
	return append(append(bytes.TrimSuffix(b, []byte("}")), `,"args":`...), bytes.Trim(e.Args, " \t\r\n")...), nil
}

// oddTexts are texts that are hard to write, or that look like parts of JSON.
var oddTexts = []string{
	"", "Bash", "a\xffb", "\xed\xa0\xbd\xff\xfe", "\x00\x01\x1f\x7f", "\"\\/\b\f\n\r\t", "\u2028\u2029<&>'", "é日本\U0001F600", `","blocked":true,"x":"`,
	strings.Repeat("long ", 200),
}

// scatter fills a value with odd contents, and leaves parts of it empty.
func scatter(rnd *rand.Rand, more string, v reflect.Value) {
	if rnd.IntN(3) == 0 {
		return
	}
	switch v.Interface().(type) {
	case time.Time:
		zone := time.FixedZone("", (rnd.IntN(27)-13)*1800)
		v.Set(reflect.ValueOf(time.Unix(rnd.Int64N(4e9), rnd.Int64N(1e9)).In(zone)))
		return
	case jsontext.Value:
		v.Set(reflect.ValueOf(jsontext.Value([]string{`{"a": [1, 2.50 ],"a":"\u00e9\/"}`, "null", " \"\\ud83d\" ", "1e400"}[rnd.IntN(4)])))
		return
	}
	switch v.Kind() {
	case reflect.String:
		all := append([]string{more}, oddTexts...)
		v.SetString(all[rnd.IntN(len(all))])
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt([]int64{1, -1, 1 << 40, rnd.Int64()}[rnd.IntN(4)])
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rnd.IntN(3), 3))
		for i := range v.Len() {
			scatter(rnd, more, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			scatter(rnd, more, v.Field(i))
		}
	}
}

// scattered is an event of a random type with random members.
func scattered(seed uint64, more string) Event {
	rnd := rand.New(rand.NewPCG(seed, 1))
	kind := kinds[rnd.IntN(len(kinds))]
	e := Event{Type: kind.Type, Time: noon.Add(time.Duration(rnd.Int64N(1e15)))}
	for _, part := range []any{
		&e.ID, &e.Actor, &e.Exchange.RequestID, &e.Exchange.ResponseID, &e.Exchange.Conversation, &e.Exchange.Dialect, &e.Exchange.Provider,
		&e.Exchange.Model, &e.Exchange.Trace, &e.CallID, &e.Within, &e.Surface, &e.Server, &e.Tool, &e.WireID, &e.MCP, &e.Ruling,
	} {
		scatter(rnd, more, reflect.ValueOf(part).Elem())
	}
	if kind.detail.of != nil && rnd.IntN(4) > 0 {
		d := reflect.New(kind.detail.of).Elem()
		scatter(rnd, more, d)
		e.Detail, _ = d.Interface().(Detail)
	}
	return e
}

// FuzzEncode says that what is written by hand is what reflection writes, to the byte, and has the columns that its text has.
func FuzzEncode(f *testing.F) {
	for seed := range uint64(400) {
		f.Add(seed, "", "")
	}
	f.Add(uint64(7), "\xc3", `{"a":1}`)
	f.Add(uint64(8), "x", " [1, \"\\ud800\"]\n")
	f.Add(uint64(9), "x", `1,"tool":"x"`)
	f.Fuzz(func(t *testing.T, seed uint64, more, args string) {
		e := scattered(seed, more)
		if args != "" {
			e.Args = jsontext.Value(args)
		}
		u, err := e.Encode()
		want, wantErr := marshalled(e)
		if wantErr != nil && err == nil {
			t.Fatalf("encoded, where reflection says %v", wantErr)
		}
		if err != nil {
			if wantErr == nil && (args == "" || jsontext.Value(args).IsValid() && len(args) < 5000) {
				t.Fatalf("not encoded: %v", err)
			}
			return
		}
		if diff := cmp.Diff(string(want), string(u.text)); diff != "" {
			t.Fatalf("(-reflection +by hand):\n%s", diff)
		}
		entry, _ := Head{Chain: "c", Hash: Genesis}.Next(u)
		said, err := entry.Parse()
		if err != nil {
			t.Fatal(err)
		}
		columns := said.Columns()
		columns.Hash = entry.Hash
		if diff := cmp.Diff(columns, entry.Columns); diff != "" {
			t.Fatalf("columns (-of the text +of the event):\n%s", diff)
		}
	})
}

// usualCall is a call of a shell as a session of weir run has it.
func usualCall() Event {
	return Event{
		ID: NewID(), Time: noon, Type: Types.ToolCall, Actor: call.Actor{Org: "acme", Team: "pay", Employee: "ann@acme.example", Session: "ses_1"},
		Exchange: call.Exchange{
			RequestID: "req_01jd8y", ResponseID: "msg_01jd8y", Provider: "anthropic", Dialect: "anthropic", Model: "claude-opus-4-1",
			Trace: call.Trace{ID: "4bf92f3577b34da6a3ce929d0e0e4736", Span: "00f067aa0ba902b7"},
		},
		CallID: "call_01jd8y", Surface: call.Response, Tool: "Bash", WireID: "toolu_01A09q90qw90lq917835lq9",
		Args:   jsontext.Value(`{"command":"go test ./internal/record/... -run TestJSON -count=1","description":"Run the tests of the record"}`),
		Ruling: Ruling{Verdict: "allow", PolicyVersion: "sha256:0123456789abcdef"},
	}
}

// BenchmarkEncode measures an event's way to its sealed text, beside what reflection takes for the text alone.
func BenchmarkEncode(b *testing.B) {
	e := usualCall()
	head := Head{Chain: "chain_x", Hash: Genesis}
	b.Run("by hand and sealed", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			u, err := e.Encode()
			if err != nil {
				b.Fatal(err)
			}
			_, head = head.Next(u)
		}
	})
	b.Run("by reflection", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := marshalled(e); err != nil {
				b.Fatal(err)
			}
		}
	})
}
