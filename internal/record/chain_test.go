package record

import "testing"

func TestFollows(t *testing.T) {
	head := NewChain()
	for _, args := range []string{`{}`, `{"a":",\"prev_hash\":\"x\"}"}`, `"},\"prev_hash\":\""`} {
		u, err := (Event{ID: "evt", Type: Types.ToolCall, Args: []byte(args)}).Encode()
		if err != nil {
			t.Fatal(err)
		}
		before := head
		var e Entry
		e, head = head.Next(u)
		if got, ok := e.Follows(); !ok || got != before {
			t.Errorf("args %s: follows %+v, %v; want %+v", args, got, ok, before)
		}
	}
	for _, text := range []string{"", "{}", `{"prev_hash":"x"}`, `{"a":1,"prev_hash":"x" }`, `,"prev_hash":"`, `,"prev_hash":"}`} {
		if got, ok := (Entry{Text: []byte(text), Columns: Columns{Head: Head{Seq: 1}}}).Follows(); ok {
			t.Errorf("%s follows %+v", text, got)
		}
	}
}
