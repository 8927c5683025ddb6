package dialect_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
)

func TestAccepts(t *testing.T) {
	tests := map[string]struct {
		slot dialect.Slot
		args string
		want bool
	}{
		"an object":           {dialect.Slot{}, `{"p":"x"}`, true},
		"no member":           {dialect.Slot{}, `{}`, true},
		"fixed":               {dialect.Slot{Arguments: dialect.Arguments{Fixed: true}}, `{"p":"x"}`, false},
		"nothing":             {dialect.Slot{}, ``, false},
		"no object":           {dialect.Slot{}, `"x"`, false},
		"half an object":      {dialect.Slot{}, `{"p":`, false},
		"a name twice":        {dialect.Slot{}, `{"p":1,"P":2}`, false},
		"half a character":    {dialect.Slot{}, `{"p":"\ud83d"}`, false},
		"a text":              {dialect.Slot{Arguments: dialect.Arguments{FreeText: true}}, `{"input":"x"}`, true},
		"an empty text":       {dialect.Slot{Arguments: dialect.Arguments{FreeText: true}}, `{"input":""}`, true},
		"no text":             {dialect.Slot{Arguments: dialect.Arguments{FreeText: true}}, `{}`, false},
		"a text that is none": {dialect.Slot{Arguments: dialect.Arguments{FreeText: true}}, `{"input":1}`, false},
		"more than a text":    {dialect.Slot{Arguments: dialect.Arguments{FreeText: true}}, `{"input":"x","p":1}`, false},
		"another text":        {dialect.Slot{Arguments: dialect.Arguments{FreeText: true}}, `{"text":"x"}`, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := tt.slot.Accepts([]byte(tt.args)); got != tt.want {
				t.Errorf("Accepts(%s) = %v, want %v", tt.args, got, tt.want)
			}
		})
	}
}

func TestSent(t *testing.T) {
	tests := map[string]struct {
		ruling             *call.Ruling
		sent               string
		replaced, withheld bool
	}{
		"not ruled": {nil, `{"input":"a"}`, false, false},
		"released":  {&call.Ruling{Released: true}, `{"input":"a"}`, false, false},
		"replaced":  {&call.Ruling{Released: true, Args: []byte(`{"input":"b"}`)}, `{"input":"b"}`, true, true},
		"refused":   {&call.Ruling{}, `{"input":"a"}`, false, true},
		"refused, with arguments": {
			&call.Ruling{Args: []byte(`{"input":"b"}`)}, `{"input":"a"}`, false, true,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := dialect.Slot{
				Progress:  dialect.Progress{Ruling: tt.ruling},
				Arguments: dialect.Arguments{Args: dialect.FreeTextArguments([]byte("a")), FreeText: true},
			}
			if string(s.Sent()) != tt.sent || s.Replaced() != tt.replaced || s.Withheld() != tt.withheld {
				t.Errorf("sent %s, replaced %v, withheld %v; want %+v", s.Sent(), s.Replaced(), s.Withheld(), tt)
			}
			if got := string(dialect.FreeTextArguments([]byte(s.SentText()))); got != tt.sent {
				t.Errorf("sent the text %q, want that of %s", s.SentText(), tt.sent)
			}
		})
	}
	var none *dialect.Slot
	if none.Replaced() || none.Withheld() {
		t.Error("what is no call is replaced or withheld")
	}
}
