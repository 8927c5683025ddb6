package show

import (
	"testing"

	"github.com/weir-gate/weir/internal/record"
)

func TestStylePaints(t *testing.T) {
	on := Style{Colours: true}
	for want, e := range map[string]record.Event{
		"\x1b[31mx\x1b[0m": {Ruling: record.Ruling{Blocked: true, Verdict: "deny"}},
		"\x1b[32mx\x1b[0m": {Ruling: record.Ruling{Verdict: "allow"}}, "\x1b[33mx\x1b[0m": {Ruling: record.Ruling{Verdict: "audit"}}, "x": {},
	} {
		if got := on.As(e, "x"); got != want {
			t.Errorf("%+v: %q, want %q", e, got, want)
		}
		if got := (Style{}).As(e, "x"); got != "x" {
			t.Errorf("%+v without colours: %q", e, got)
		}
	}
}
