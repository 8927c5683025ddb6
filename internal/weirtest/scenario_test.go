package weirtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
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
		"no prose":      "-- policy.yaml --\nversion: 1\n",
		"unknown file":  "Prose.\n-- upstream.xml --\n<x/>\n",
		"file twice":    "Prose.\n-- script --\nabort\n-- script --\nabort\n",
		"unknown act":   "Prose.\n-- 2/script --\nsing\n",
		"first by name": "Prose.\n-- 1/script --\nabort\n",
		"no number":     "Prose.\n-- 02/script --\nabort\n",
		"gap":           "Prose.\n-- 3/script --\nabort\n",
		"early loss":    "Prose.\n-- 2/script --\nlose the store\n",
		"idle config":   "Prose.\n-- 2/weir.yaml --\non_deny: drop\n",
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
	x := s.exchanges[0]
	if diff := cmp.Diff([]form{stream, whole}, x.forms()); diff != "" {
		t.Error(diff)
	}
	if len(x.alike()) != 2 {
		t.Error("forms that share their events are not alike")
	}
	s.archive.Files[2].Name = "events.sse.jsonl"
	if len(x.alike()) > 1 || x.text("events.jsonl", stream) != "both\n" || x.text("events.jsonl", whole) != "" {
		t.Error("the file of one form is not its own")
	}
}

func TestUpdatePutsFilesInOrder(t *testing.T) {
	path := write(t, "Prose.\n-- events.jsonl --\nold\n-- client.sse --\ngone\n-- policy.yaml --\nversion: 1\n")
	s, err := load(path)
	if err != nil {
		t.Fatal(err)
	}
	x := s.exchanges[0]
	x.set("events.jsonl", stream, []byte("new\n"))
	x.set("client.sse", none, nil)
	x.set("client.http", none, []byte("400\n"))
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

func TestExchangesFollowEachOther(t *testing.T) {
	s, err := load(write(t, "Prose.\n-- policy.yaml --\none\n-- upstream.sse --\nx\n-- upstream.json --\n{}\n"+
		"-- 2/upstream.json --\n{}\n-- 3/policy.yaml --\nthree\n-- 3/script --\nrestart\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range s.runs() {
		for _, p := range r.plays {
			got = append(got, p.String()+": "+strings.TrimSpace(p.inForce("policy.yaml")))
		}
	}
	want := []string{
		"upstream.sse: one", "2/upstream.json: one", "3/upstream.: three",
		"upstream.sse in pieces of 1: one", "2/upstream.json in pieces of 1: one", "3/upstream. in pieces of 1: three",
		"upstream.json: one", "2/upstream.json: one", "3/upstream.: three",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	s.exchanges[1].set("events.jsonl", whole, []byte("two\n"))
	if err := s.save(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range s.archive.Files {
		names = append(names, f.Name)
	}
	want = []string{"policy.yaml", "upstream.sse", "upstream.json", "2/upstream.json", "2/events.jsonl", "3/policy.yaml", "3/script"}
	if diff := cmp.Diff(want, names); diff != "" {
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
	r := written{events: []record.Event{
		{Type: record.Types.ToolCall, Surface: call.Response, WireID: "toolu_1"},
		{Type: record.Types.ToolCall, Surface: call.Response, WireID: "toolu_2", Ruling: record.Ruling{Blocked: true}},
	}}
	for body, fine := range map[string]bool{"toolu_1": true, "": false, "toolu_1 toolu_2": false} {
		if err := r.delivered([]byte(body)); (err == nil) != fine {
			t.Errorf("%q: %v", body, err)
		}
	}
}

func TestInventedIDsAreNamedAlike(t *testing.T) {
	chance := strings.Repeat("A", 26)
	for body, want := range map[string]string{
		`"req_` + strings.Repeat("0", 24) + `","call_` + strings.Repeat("v", 24) + `","req_up","call_01"`: `"req_ID","call_ID","req_up","call_01"`,
		`"msg_weir_` + chance + `","call_weir_` + chance + `","chatcmpl-weir-` + chance + `","msg_01"`:    `"msg_weir_ID","call_weir_ID","chatcmpl-weir-ID","msg_01"`,
		`"resp_weir_` + chance + `.resp_01","resp_01"`:                                                    `"resp_weir_ID.resp_01","resp_01"`,
	} {
		if got := string(withoutChance([]byte(body))); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	bodies := [][]byte{[]byte("resp_weir_" + strings.Repeat("B", 26)), []byte("resp_weir_" + chance + ".resp_01"), nil}
	if got, err := withChance([]byte("a resp_weir_ID.resp_01"), bodies); string(got) != "a resp_weir_"+chance+".resp_01" || err != nil {
		t.Errorf("the request has %s, %v", got, err)
	}
	if got, err := withChance([]byte("resp_weir_ID"), nil); err == nil {
		t.Errorf("an id was made up: %s", got)
	}
}

func TestKeysAreKeptSecret(t *testing.T) {
	s, err := load(write(t, "Prose.\n-- weir.yaml --\nclients:\n  - {key: anns-key, employee: ann}\n"))
	if err != nil {
		t.Fatal(err)
	}
	request := request{head: head{first: "POST /gemini/x?alt=sse&key=query-key", headers: []header{{"Authorization", "Bearer header-key"}}}}
	for text, fine := range map[string]bool{
		"path=/gemini/x": true, "key=anns": true, "anns-key": false, "?key=query-key": false, "header-key": false,
	} {
		for _, p := range []play{{log: text, record: &written{}}, {record: &written{text: []byte(text)}}} {
			p.exchange, p.request = s.exchanges[0], request
			if err := p.keptSecret(); (err == nil) != fine {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

func TestReplyTellsItsForm(t *testing.T) {
	for body, want := range map[string]form{
		"": none, "x": plain, "{}": whole, "{\"a\":[{}]}\n": whole, "[{}]": array, "{}\n{}\n": rows, "{} x": whole,
	} {
		if got := (reply{body: []byte(body)}).form(); got != want {
			t.Errorf("%q is taken for %q", body, got)
		}
	}
}
