package weirtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/audit"
)

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.txtar")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoadRefusesWhatItWouldIgnore(t *testing.T) {
	for name, text := range map[string]string{
		"no prose":     "-- policy.yaml --\nversion: 1\n",
		"unknown file": "Prose.\n-- upstream.xml --\n<x/>\n",
		"file twice":   "Prose.\n-- script --\nabort\n-- script --\nabort\n",
	} {
		if _, err := load(write(t, text)); err == nil {
			t.Errorf("%s: loaded", name)
		}
	}
	if _, err := parseScript("abort\nsing\n"); err == nil {
		t.Error("an unknown act was taken")
	}
	if _, err := parseHead("200\nno header\n"); err == nil {
		t.Error("a line that is no header was taken")
	}
}

func TestFilesOfOneForm(t *testing.T) {
	s, err := load(write(t, "Prose.\n-- upstream.sse --\nx\n-- upstream.json --\n{}\n-- events.jsonl --\nboth\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]form{stream, whole}, s.forms()); diff != "" {
		t.Error(diff)
	}
	if !s.alike() {
		t.Error("forms that share their events are not alike")
	}
	s.archive.Files[2].Name = "events.sse.jsonl"
	if s.alike() || s.text("events.jsonl", stream) != "both\n" || s.text("events.jsonl", whole) != "" {
		t.Error("the file of one form is not its own")
	}
}

func TestUpdatePutsFilesInOrder(t *testing.T) {
	path := write(t, "Prose.\n-- events.jsonl --\nold\n-- client.sse --\ngone\n-- policy.yaml --\nversion: 1\n")
	s, err := load(path)
	if err != nil {
		t.Fatal(err)
	}
	s.set("events.jsonl", stream, []byte("new\n"))
	s.set("client.sse", none, nil)
	s.set("client.http", none, []byte("400\n"))
	if err := s.save(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := "Prose.\n-- policy.yaml --\nversion: 1\n-- client.http --\n400\n-- events.jsonl --\nnew\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestHeadStatesOnlyWhatIsAsked(t *testing.T) {
	h, err := parseHead("200\ncontent-type: x\nlocation: x\n:broken\n")
	if err != nil {
		t.Fatal(err)
	}
	got := h.filled("400", map[string][]string{"Content-Type": {"a/b"}, "Etag": {"e"}}, false).String()
	if want := "400\ncontent-type: a/b\nlocation: -\n"; got != want {
		t.Errorf("head is %q, want %q", got, want)
	}
}

func TestDelivered(t *testing.T) {
	r := record{events: []audit.Event{
		{Type: audit.TypeToolCall, WireID: "toolu_1"},
		{Type: audit.TypeToolCall, WireID: "toolu_2", Blocked: true},
	}}
	for body, fine := range map[string]bool{"toolu_1": true, "": false, "toolu_1 toolu_2": false} {
		if err := r.delivered([]byte(body)); (err == nil) != fine {
			t.Errorf("%q: %v", body, err)
		}
	}
}

func TestInventedIDsAreNamedAlike(t *testing.T) {
	got := string(withoutChance([]byte(`"req_` + strings.Repeat("0", 24) + `","msg_weir_` + strings.Repeat("A", 26) + `","call_weir_` + strings.Repeat("2", 26) +
		`","chatcmpl-weir-` + strings.Repeat("Z", 26) + `","req_up","msg_01"`)))
	if want := `"req_ID","msg_weir_ID","call_weir_ID","chatcmpl-weir-ID","req_up","msg_01"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
