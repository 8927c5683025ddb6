package strictjson

import (
	"strings"
	"testing"
	"unsafe"
)

// The cost of a document is at least what its tape takes.
func TestCost(t *testing.T) {
	for name, doc := range map[string]string{
		"number":   `1`,
		"numbers":  "[" + strings.Repeat("1,", 100_000) + "1]",
		"members":  "{" + strings.Repeat(`"":{},`, 100_000) + `"":[]}`,
		"deep":     strings.Repeat(`[{"a":`, 100) + "1" + strings.Repeat("}]", 100),
		"too many": "[" + strings.Repeat("1,", 1_500_000) + "1]",
		"text":     `"` + strings.Repeat("a", 1000) + `"`,
	} {
		var d Doc
		_ = d.Parse([]byte(doc))
		if took := len(d.nodes[:cap(d.nodes)]) * int(unsafe.Sizeof(node{})); took > Cost([]byte(doc))*5/4+1<<10 {
			t.Errorf("%s: the tape takes %d bytes, its cost is %d", name, took, Cost([]byte(doc)))
		}
	}
	if got := Cost([]byte(`"` + strings.Repeat("a", 1<<20) + `"`)); got != nodeCost {
		t.Errorf("a long text costs %d", got)
	}
}
