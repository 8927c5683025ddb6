package weirtest

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/notation"
)

func TestWholeBodiesHaveNoLastLineEnd(t *testing.T) {
	if got := string(bodyOf([]byte("{}\n"), whole)); got != "{}" {
		t.Errorf("body is %q", got)
	}
	if got := string(textOf([]byte("{}"), whole)); got != "{}\n" {
		t.Errorf("text is %q", got)
	}
	if got := string(textOf(nil, whole)); got != "" {
		t.Errorf("text of no body is %q", got)
	}
}

func TestInventedIDsInBinaryStreams(t *testing.T) {
	r := reply{header: map[string][]string{"Content-Type": {contentTypes[parcels]}}}
	r.body = notation.Packets([]byte(`chunk {"id":"msg_weir_` + strings.Repeat("A", 26) + `"}` + "\n"))
	if got, want := string(notation.PacketsText(r.withoutChance())), `chunk {"id":"msg_weir_ID"}`+"\n"; got != want {
		t.Errorf("got %s", got)
	}
	if !strings.Contains(string(r.legible()), "msg_weir_") {
		t.Error("what a chunk holds is not found in it")
	}
}
