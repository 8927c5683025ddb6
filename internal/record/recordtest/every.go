package recordtest

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// When is the time of the events of EveryEvent.
var When = time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC)

// EveryEvent returns three events of each type, in a chain: one with only the required members, and two with all members, of which
// the second was refused.
func EveryEvent(t testing.TB) []record.Entry {
	t.Helper()
	var all []record.Entry
	head := record.Head{Chain: "chain_every", Hash: record.Genesis}
	add := func(e record.Event) {
		e.ID, e.Time = fmt.Sprint("evt_", len(all)+1), When
		u, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		var entry record.Entry
		entry, head = head.Next(u)
		entry.Row = int64(len(all) + 1)
		all = append(all, entry)
	}
	for _, name := range record.Types.Names() {
		typ := record.Type(name)
		add(record.Event{Type: typ})
		full := record.Event{
			Type: typ, Args: jsontext.Value(`{"cmd":"=1+1 <b>\u001b[2J"}`), Detail: filledDetail(t, typ),
			Actor: call.Actor{Org: "acme", Team: "pay", Employee: "ann", Key: "ci", Session: "s1", SessionDerived: true},
			Exchange: call.Exchange{
				RequestID: "req_1", ResponseID: "msg_1", Provider: "p1", Dialect: "d1", Model: "m1", Conversation: "conv_1", Reread: true,
				Trace: call.Trace{ID: "t1", Span: "span1", Parent: "parent1", Unsampled: true},
			},
			CallID: "call_1", Within: "call_0", Surface: call.Response, Server: "srv", Tool: "Bash", WireID: "toolu_1",
			MCP: record.MCP{
				ServerType: "http", ServerAddr: "https://srv.example", ToolHash: "sha256:2", RPCID: "7",
				Registry: record.RegistryMark{Revision: 3, Digest: "sha256:3"},
			},
			Ruling: record.Ruling{
				Verdict: "audit", WouldBe: "deny", Code: "tool_denied", Reason: "because", Rule: "no-bash",
				PolicyVersion: "sha256:1",
			},
		}
		for _, blocked := range []bool{false, true} {
			full.Blocked = blocked
			add(full)
		}
	}
	return all
}

// filledDetail is the detail of an event of a type, with all members set; nil: there is none.
func filledDetail(t testing.TB, typ record.Type) record.Detail {
	t.Helper()
	empty, err := record.Text{Type: typ, Detail: jsontext.Value("{}")}.ReadDetail()
	if err != nil {
		t.Fatal(err)
	}
	if reflect.TypeOf(empty).Kind() != reflect.Struct { // it is not parsed: this type has none
		return nil
	}
	d := reflect.New(reflect.TypeOf(empty)).Elem()
	fill(d)
	detail, _ := d.Interface().(record.Detail)
	return detail
}

// fill sets every field to a value that is not zero.
func fill(v reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[jsontext.Value]():
		v.SetBytes([]byte(`{"a":[1,"<b>",null]}`))
	case v.Kind() == reflect.String:
		v.SetString("x")
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(7)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case v.Type() == reflect.TypeOf(When):
		v.Set(reflect.ValueOf(When))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}
