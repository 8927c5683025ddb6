package show

import (
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recordtest"
)

// TestEveryKindIsTold: each type of event has its telling, and no other; what only some have is said in the line.
func TestEveryKindIsTold(t *testing.T) {
	for _, name := range record.Types.Names() {
		told, ok := tellings[record.Type(name)]
		if !ok {
			t.Errorf("nothing tells how %s reads", name)
		}
		if k := record.Type(name).Kind(); (k.MCP || k.OnlyMCP) && told.word == "" {
			t.Errorf("%s is in lists about MCP servers, and has no word there", name)
		}
	}
	for typ := range tellings {
		if !typ.Known() {
			t.Errorf("%s is told of, and is not recorded", typ)
		}
	}
	style, bare := Style{Zone: time.UTC}, map[record.Type]string{}
	for _, entry := range recordtest.EveryEvent(t) {
		e, err := entry.Event()
		if err != nil {
			t.Fatal(err)
		}
		line := style.Event(e, nil)
		if e.Detail == nil && e.Tool == "" {
			bare[e.Type] = line
		} else if line == bare[e.Type] || strings.ContainsAny(line, "\n\x1b") {
			t.Errorf("%s: %q", e.Type, line)
		}
	}
}
