package record

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 123456789, time.UTC)

// sealed puts e at the beginning of a chain named c.
func sealed(t testing.TB, e Event) Entry {
	t.Helper()
	u, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	entry, _ := Head{Chain: "c", Hash: Genesis}.Next(u)
	return entry
}

// TestJSON pins the shape: whoever reads the record depends on it.
func TestJSON(t *testing.T) {
	for _, test := range []struct {
		name  string
		event Event
		want  string
	}{
		{
			"everything",
			Event{
				ID: "evt_1", Time: noon, Type: Types.ToolCall,
				Actor:    call.Actor{Org: "acme", Team: "pay", Employee: "ann", Key: "ci", Session: "s1"},
				Exchange: call.Exchange{RequestID: "rq", ResponseID: "rs", Conversation: "cv", Provider: "p", Dialect: "d", Model: "m"},
				CallID:   "call_1", Within: "call_0", Surface: call.Response, Server: "files", Tool: "Bash", WireID: "toolu_1",
				Args:   jsontext.Value("{\"n\" : 1e400,\n\"s\":\"\\ud83d\\/\"} "),
				Ruling: Ruling{Verdict: "audit", WouldBe: "deny", Code: "tool_denied", Reason: "no", Rule: "r", PolicyVersion: "7"},
			},
			`{"v":1,"id":"evt_1","time":"2026-01-02T12:00:00.123456Z","type":"tool_call","session":"s1",` +
				`"actor":{"org":"acme","team":"pay","employee":"ann","key":"ci"},"request_id":"rq","response_id":"rs",` +
				`"conversation_id":"cv","call_id":"call_1","within":"call_0","dialect":"d","provider":"p","model":"m","surface":"response","server":"files",` +
				`"tool":"Bash","wire_id":"toolu_1","verdict":"audit","blocked":false,"would_be":"deny",` +
				`"code":"tool_denied","reason":"no","rule":"r","policy_version":"7",` +
				`"args":{"n":1e400,"s":"\ud83d\/"},"chain":"c","seq":1,"prev_hash":"` + Genesis + `","hash":"HASH"}`,
		},
		{
			"a response",
			Event{
				ID: "evt_2", Time: noon, Type: Types.ResponseDone,
				Detail: ResponseDone{Usage: call.Usage{Input: 1, Output: 2}, Released: 3, Refused: 4, Clean: true},
			},
			`{"v":1,"id":"evt_2","time":"2026-01-02T12:00:00.123456Z","type":"response_done","blocked":false,` +
				`"detail":{"usage":{"input_tokens":1,"output_tokens":2},"released":3,"refused":4,"clean":true},` +
				`"chain":"c","seq":1,"prev_hash":"` + Genesis + `","hash":"HASH"}`,
		},
		{
			"a warning",
			Event{ID: "evt_3", Time: noon, Type: Types.CallWarning, Detail: CallWarning{SizeBytes: 2, LimitBytes: 1}},
			`{"v":1,"id":"evt_3","time":"2026-01-02T12:00:00.123456Z","type":"tool_call_warning","blocked":false,` +
				`"detail":{"size_bytes":2,"limit_bytes":1},"chain":"c","seq":1,"prev_hash":"` + Genesis + `","hash":"HASH"}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := sealed(t, test.event)
			got, err := e.JSON()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Replace(test.want, "HASH", e.Hash, 1), string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestArgsThatAreNotOneValueAreNotRecorded(t *testing.T) {
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	for name, args := range map[string]string{
		"nothing":           "",
		"white space":       " ",
		"broken":            `{"a":`,
		"two values":        `{} {}`,
		"another member":    `{},"verdict":"allow"`,
		"the object closed": `1}`,
		"invalid UTF-8":     "\"\xff\"",
		"no-break space":    "\u00a0{}",
		"control character": "\"\n\"",
		"nested too deeply": deep,
	} {
		if _, err := (Event{Type: Types.ToolCall, Args: jsontext.Value(args)}).Encode(); err == nil {
			t.Errorf("%s: recorded", name)
		}
	}
}

// TestOddStrings has strings of the event itself that JSON or a database could not take as they are.
func TestOddStrings(t *testing.T) {
	e := sealed(t, Event{Type: Types.ToolCall, Tool: "a\xffb\x00c", Ruling: Ruling{Reason: "\xed\xa0\xbd"}})
	if !utf8.Valid(e.Text) {
		t.Error("the text is not valid UTF-8")
	}
	if want := "a\uFFFDb\uFFFDc"; e.Tool != want {
		t.Errorf("column tool %q, want %q", e.Tool, want)
	}
	got, err := e.Event()
	if err != nil {
		t.Fatal(err)
	}
	if want := "a\uFFFDb\x00c"; got.Tool != want {
		t.Errorf("tool %q, want %q", got.Tool, want)
	}
}

// TestEffects hands what is to be done with an event to the store, and leaves no trace of it in the event.
func TestEffects(t *testing.T) {
	e := Event{ID: "evt_1", Time: noon, Type: Types.Reread}
	u, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	want := Effects{Remember: &call.Remembered{Upstream: "openai", Ruling: call.Ruling{Code: "x"}}, Spend: []call.Spend{{Scope: "org", Micro: 5}}}
	u.With = want
	with, _ := Head{Chain: "c", Hash: Genesis}.Next(u)
	if diff := cmp.Diff(want, with.With); diff != "" {
		t.Errorf("to be done (-want +got):\n%s", diff)
	}
	if without := sealed(t, e); string(with.Text) != string(without.Text) || with.Hash != without.Hash {
		t.Errorf("recorded as %s and %s", with.Text, without.Text)
	}
}

// TestReadsWhatAnOlderVersionWrote has an event from before conversations and calls within calls were recorded.
func TestReadsWhatAnOlderVersionWrote(t *testing.T) {
	e := Entry{Text: []byte(`{"v":1,"id":"evt_1","time":"2026-01-02T12:00:00Z","type":"tool_call","response_id":"rs","call_id":"call_1",` +
		`"tool":"Bash","blocked":false,"args":{}}`)}
	got, err := e.Event()
	if err != nil {
		t.Fatal(err)
	}
	want := Event{
		ID: "evt_1", Time: noon.Truncate(time.Second), Type: Types.ToolCall, Exchange: call.Exchange{ResponseID: "rs"}, CallID: "call_1",
		Tool: "Bash", Args: jsontext.Value("{}"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadsWhatANewerVersionWrote(t *testing.T) {
	e := Entry{Text: []byte(`{"v":2,"type":"brand_new","tool":"x","more":[1],"detail":{"a":1}}`)}
	got, err := e.Event()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Event{Type: "brand_new", Tool: "x", Detail: unknownDetail(`{"a":1}`)}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again := sealed(t, got)
	if !bytes.Contains(again.Text, []byte(`"detail":{"a":1}`)) {
		t.Errorf("recorded again as %s", again.Text)
	}
}

func TestEntriesThatAreNotEvents(t *testing.T) {
	for _, text := range []string{"", "x", "[]", "1", `{"a":1`, `{"seq":"one"}`} {
		e := Entry{Text: []byte(text)}
		if _, err := e.Event(); err == nil {
			t.Errorf("%q was read as an event", text)
		}
		if got, err := e.JSON(); err == nil && text != `{"seq":"one"}` {
			t.Errorf("%q became %s", text, got)
		}
	}
}

// FuzzText says that an event that can be recorded comes back as it was, and that no other value of a member can be
// smuggled in by way of another.
func FuzzText(f *testing.F) {
	f.Add("Bash", "no", "toolu", `{"a":1}`)
	f.Add("", "\x00", "\"", `"\ud83d"`)
	f.Add("\xff", "\u2028", "\\", " [1e400 ,\t-0]\n")
	f.Add("a", "b", "c", `1,"tool":"x"`)
	f.Add("a", "b", "c", `{"a":1,"a":2}`)
	f.Fuzz(func(t *testing.T, tool, reason, wire, args string) {
		e := Event{
			ID: "evt", Time: noon.Truncate(time.Microsecond), Type: Types.ToolCall, Tool: tool, Ruling: Ruling{Reason: reason}, WireID: wire,
			Args: jsontext.Value(args),
		}
		u, err := e.Encode()
		if err != nil {
			if jsontext.Value(args).IsValid() && len(args) < 5000 {
				t.Fatalf("strict arguments were not recorded: %v", err)
			}
			return
		}
		entry, head := Head{Chain: "c", Hash: Genesis}.Next(u)
		got, err := entry.Event()
		if err != nil {
			t.Fatalf("%v in %s", err, entry.Text)
		}
		valid := func(s string) string { return string([]rune(s)) }
		e.Tool, e.Reason, e.WireID = valid(tool), valid(reason), valid(wire)
		e.Args = jsontext.Value(strings.Trim(args, " \t\r\n"))
		e.Head, e.PrevHash = Head{Chain: "c", Seq: 1, Hash: head.Hash}, Genesis
		if diff := cmp.Diff(e, got); diff != "" {
			t.Fatalf("(-recorded +read):\n%s", diff)
		}
		line, err := entry.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsAny(line, "\n\r") || !jsontext.Value(line).IsValid(lenient) {
			t.Fatalf("not one line of JSON: %q", line)
		}
	})
}
