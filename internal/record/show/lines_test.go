package show

import (
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recordtest"
	"github.com/weir-gate/weir/internal/text/inert"
)

// TestLinesAreOneLine writes every type of event, with nothing and with everything in it, in every way. What a model or a server chose
// writes nothing to a terminal.
func TestLinesAreOneLine(t *testing.T) {
	s := Style{Zone: time.UTC}
	for _, entry := range recordtest.EveryEvent(t) {
		e, err := entry.Event()
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"call": s.Call(e, nil), "event": s.Event(e, nil), "mcp": s.MCP(e, nil), "brief": s.Brief(e)} {
			if strings.ContainsAny(text, "\n\x1b") || strings.TrimSpace(text) == "" {
				t.Errorf("%s as %s: %q", e.Type, name, text)
			}
		}
		if text := s.Event(e, nil); !strings.HasPrefix(text, inert.Text(string(e.Type), 40)) {
			t.Errorf("%s: %q", e.Type, text)
		}
		var whole strings.Builder
		s.Whole(&whole, e)
		s.Story(&whole, []record.Event{e, e})
		if strings.ContainsRune(whole.String(), 0x1b) {
			t.Errorf("%s: %q", e.Type, whole.String())
		}
	}
}
