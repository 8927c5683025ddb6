package openairesponses_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/openairesponses"
	"github.com/weir-gate/weir/internal/weirtest/fold"
)

const broken = "[weir] The rest of this response was refused (malformed): a frame is not strict JSON. " +
	"Nothing after this point was delivered; tell the user."

// stopNotice is the id of the message with which weir ends resp_1.
const stopNotice = "msg_weir_6a51b9f2d3b2c3d8e4f5a6b7c8d9e0f1"

var (
	stopID    = regexp.MustCompile(`msg_weir_[0-9a-f]{32}`)
	stopUsage = `"usage":{"input_tokens":0,"input_tokens_details":{"cached_tokens":0},"output_tokens":0,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":0}`
)

// stopped are the frames with which weir ends a stream: number and index are the next ones, items what the agent has. The
// response keeps its id: clients check that it stays the same.
func stopped(number, index int, items ...string) []string {
	end := strings.Replace(ended(append(items, told(stopNotice, broken))...), `"usage":null`, stopUsage+`,"incomplete_details":null`, 1)
	return flat(notice(number, index, stopNotice, broken), noticeDone(number+1, index, stopNotice, broken), at(number+2, end))
}

// stops are streams that break off, in every phase.
var stops = map[string]struct {
	in, want []string
	policy   dialecttest.Policy
	odd      string // as in a Fixture
}{
	"after the beginning": {
		in:   flat(created, "{"),
		want: flat(at(0, created), stopped(1, 0)),
	},
	"after text": {
		in:   flat(created, hi(0), "{"),
		want: flat(at(0, created), from(1, hi(0)...), stopped(7, 1, hiItem)),
	},
	"in a call": {
		in:   flat(created, hi(0), rmCall(1)[:3], "{"),
		want: flat(at(0, created), from(1, hi(0)...), stopped(10, 1, hiItem)),
	},
	"after a call": {
		in:   flat(created, rmCall(0), "{"),
		want: flat(at(0, created), from(1, rmCall(0)...), stopped(6, 1, rmItem)),
	},
	"after a refused call": {
		in:     flat(created, rmCall(0), "{"),
		want:   flat(at(0, created), notice(1, 0, rmNotice, rmText), noticeDone(5, 0, rmNotice, rmText), stopped(6, 1, rmTold)),
		policy: refuse(false, "*"),
	},
	"in a refused call": {
		in:     flat(created, rmCall(0)[:3], "{"),
		want:   flat(at(0, created), notice(1, 0, rmNotice, rmText), noticeDone(4, 0, rmNotice, rmText), stopped(5, 1, rmTold)),
		policy: refuse(false, "*"),
	},
	"after a dropped call": {
		in:     flat(created, rmCall(0), "{"),
		want:   flat(at(0, created), stopped(6, 0)),
		policy: refuse(true, "*"),
	},
	"after a search": {
		in:   flat(created, search, "{"),
		want: flat(at(0, created), from(1, search...), stopped(5, 1, searchItem)),
	},
	"after the end": {
		in:   flat(created, rmCall(0), ended(rmItem), "{"),
		want: flat(at(0, created), from(1, rmCall(0)...), at(6, ended(rmItem))),
	},
	"after the marker": {
		in:   flat(created, "[DONE]", "{"),
		want: flat(at(0, created), "[DONE]"),
		odd:  marked,
	},
	"after an error": {
		in:   flat(created, event("error", `"code":"x","message":"x","param":null`), "{"),
		want: flat(at(0, created), at(1, event("error", `"code":"x","message":"x","param":null`))),
	},
}

// TestStop checks that what the agent has then comes to an end that every client accepts.
func TestStop(t *testing.T) {
	for name, tt := range stops {
		t.Run(name, func(t *testing.T) {
			r := pass(stream(tt.in...), false, tt.policy)
			if diff := cmp.Diff(wire(own(tt.want...)...), plainStop(string(r.Out))); diff != "" {
				t.Errorf("what the agent gets (-want +got):\n%s", diff)
			}
			if ended := dialecttest.CheckForm(t, &fold.Responses, r.Out, framingOf(false), tt.odd); !ended && tt.odd == "" {
				t.Errorf("it does not come to its end:\n%s", r.Out)
			}
		})
	}
}

// plainStop gives the message with which weir ends a response the id that the table has.
func plainStop(out string) string {
	known := map[string]bool{rmNotice: true, lsNotice: true}
	return stopID.ReplaceAllStringFunc(out, func(id string) string {
		if known[id] {
			return id
		}
		return stopNotice
	})
}

// When the agent has nothing yet, the response gets an id of weir's own: the provider may keep calls of it that nobody saw.
func TestStopAtTheFirstFrame(t *testing.T) {
	r := pass(stream(life("created", response("in_progress", rmItem))), false, dialecttest.AllowAll())
	if strings.Contains(string(r.Out), "resp_1") || strings.Count(string(r.Out), `"id":"resp_weir_`) != 2 {
		t.Errorf("what the agent gets:\n%s", r.Out)
	}
	dialecttest.CheckEnded(t, &fold.Responses, r.Out, framingOf(false))
}

// A message that is under way when weir ends the response is ended with what it has said.
func TestStopInText(t *testing.T) {
	item := strings.Replace(hiItem, "completed", "incomplete", 1)
	for said := 1; said < 5; said++ {
		r := pass(stream(flat(created, hi(0)[:said], "{")...), false, dialecttest.AllowAll())
		want := item
		if said < 3 {
			want = strings.Replace(item, `"text":"hi"`, `"text":""`, 1)
		}
		if said < 2 {
			want = strings.Replace(hiBegun, "in_progress", "incomplete", 1)
		}
		if !strings.Contains(string(r.Out), want) {
			t.Errorf("after %d frames the message is not ended as %s:\n%s", said, want, r.Out)
		}
		dialecttest.CheckEnded(t, &fold.Responses, r.Out, framingOf(false))
	}
}

// A stream that goes on in the middle is ended after the items that the client has.
func TestStopResumed(t *testing.T) {
	for name, frames := range map[string][]string{
		"in text":    flat(hi(3)[2:5], "{"),
		"in a call":  flat(rmCall(3)[2:4], "{"),
		"after text": flat(hi(3)[2:], "{"),
	} {
		r := pass(numbered(20, frames...), false, dialecttest.AllowAll())
		if !strings.Contains(string(r.Out), `"output_index":4,"item":{"id":"msg_weir_`) && name != "in a call" {
			t.Errorf("%s: the notice is not at 4:\n%s", name, r.Out)
		}
		if strings.Contains(string(r.Out), `"output_index":0`) {
			t.Errorf("%s: the notice stands where another item is:\n%s", name, r.Out)
		}
	}
}

// Before anything came weir makes up the whole response, with an id that keeps the one before.
func TestStopAtOnce(t *testing.T) {
	invented := regexp.MustCompile(`resp_weir_[A-Z2-7]{26}(\.resp_0)?`)
	for _, previous := range []string{"", "resp_0"} {
		for _, whole := range []bool{false, true} {
			d := openairesponses.Format().New(dialect.Options{Whole: whole, Previous: previous, MaxArguments: 1 << 20})
			var out []byte
			for _, f := range d.Stop(broken) {
				out = append(out, "event: "+string(f.Type)+"\ndata: "+string(f.Data)+"\n\n"...)
			}
			ids := invented.FindAllString(string(out), -1)
			if len(ids) == 0 || ids[0] != ids[len(ids)-1] || strings.HasSuffix(ids[0], ".resp_0") != (previous != "") {
				t.Errorf("whole %v: the ids are %v", whole, ids)
			}
			body := out
			if whole {
				body = []byte(strings.TrimSuffix(strings.TrimPrefix(string(out), "event: \ndata: "), "\n\n"))
			}
			dialecttest.CheckEnded(t, &fold.Responses, body, framingOf(whole))
			if !openairesponses.Format().Recognises(frame.Frame{Data: []byte(dataOf(out))}) {
				t.Errorf("whole %v: not recognised:\n%s", whole, out)
			}
		}
	}
}

// dataOf is the data of the first event.
func dataOf(out []byte) string {
	_, rest, _ := strings.Cut(string(out), "data: ")
	data, _, _ := strings.Cut(rest, "\n")
	return data
}

// A body that is refused keeps its shape, and what is known of the response.
func TestStopBody(t *testing.T) {
	tests := map[string]struct{ body, want string }{
		"response": {response("completed", `"x"`), `{"id":"resp_weir_`},
		"list":     {list(`"x"`), `{"object":"list","data":[{"id":"msg_weir_`},
		"item":     {strings.Replace(rmItem, `"rm"`, `7`, 1), `{"id":"msg_weir_`},
	}
	for name, tt := range tests {
		r := pass([]byte(tt.body), true, dialecttest.AllowAll())
		if !strings.HasPrefix(string(r.Out), tt.want) || !strings.Contains(string(r.Out), "[weir] The rest of this response was refused (malformed)") {
			t.Errorf("%s: the body is %s", name, r.Out)
		}
	}
}

func TestKeepAlive(t *testing.T) {
	f, ok := openairesponses.Format().New(dialect.Options{}).KeepAlive()
	out := frame.NewSSE(strings.NewReader(""), 0).Append(nil, f)
	if want := ": hold\n\n"; !ok || string(out) != want {
		t.Errorf("a stream shows life by %q (%v), want %q", out, ok, want)
	}
	d := openairesponses.Format().New(dialect.Options{})
	in, err := frame.NewSSE(strings.NewReader(wire(at(0, created))), 0).Next()
	if err != nil {
		t.Fatal(err)
	}
	reading, err := d.Scan(in)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Rewrite(in, reading); err != nil {
		t.Fatal(err)
	}
	f, ok = d.KeepAlive()
	out = frame.NewSSE(strings.NewReader(""), 0).Append(nil, f)
	if want := "event: keepalive\ndata: {\"type\":\"keepalive\"}\n\n"; !ok || string(out) != want {
		t.Errorf("a stream that has begun shows life by %q (%v), want %q", out, ok, want)
	}
	d.Stop("It ends.")
	if f, _ := d.KeepAlive(); len(f.Data) > 0 {
		t.Errorf("after its end a stream shows life by %s", f.Data)
	}
	if _, ok := openairesponses.Format().New(dialect.Options{Whole: true}).KeepAlive(); ok {
		t.Error("a body shows life")
	}
}

// turn is what comes, without its number, and what goes out at once because of it.
type turn struct{ in, want string }

// checkSteps leads a stream through the gate frame by frame.
func checkSteps(t *testing.T, p dialecttest.Policy, turns []turn) {
	t.Helper()
	var steps []dialecttest.Step
	for i, s := range turns {
		steps = append(steps, dialecttest.Step{In: wire(at(i, s.in)), Want: s.want})
	}
	dialecttest.CheckSteps(t, openairesponses.Format(), p, steps)
}

// What the provider does not keep is refused at once, and holds nothing; what it keeps is refused when that is recorded.
func TestEarlyRefusal(t *testing.T) {
	checkSteps(t, refuse(false, "rm"), []turn{
		{created, wire(at(0, created))},
		{added(0, rmBegun), wire(own(notice(1, 0, rmNotice, rmText)...)...)},
		{argsDelta(0, "fc_1", `{\"p\"`), ""},
		{added(1, hiBegun), wire(at(6, added(1, hiBegun)))},
		{argsDelta(0, "fc_1", `:1}`), ""},
		{done(0, rmItem), wire(noticeDone(7, 0, rmNotice, rmText))},
		{ended(rmItem), wire(at(8, ended(rmTold)))},
	})
	// A keepalive has a number too, so it waits for its turn.
	kept := life("created", stored("true", "in_progress"))
	checkSteps(t, refuse(false, "rm"), []turn{
		{kept, wire(at(0, kept))},
		{added(0, rmBegun), ""},
		{argsDelta(0, "fc_1", `{\"p\":1}`), ""},
		{event("keepalive"), ""},
		{done(0, rmItem), wire(own(flat(notice(1, 0, rmNotice, rmText), at(3, event("keepalive")), noticeDone(4, 0, rmNotice, rmText))...)...)},
		{ended(rmItem), wire(at(8, ended(rmTold)))},
	})
}

// A call goes out when it is done, not at the end of the response; text and reasoning never wait.
func TestCallsAreNotHeldToTheEnd(t *testing.T) {
	checkSteps(t, dialecttest.AllowAll(), []turn{
		{created, wire(at(0, created))},
		{added(0, hiBegun), wire(at(1, added(0, hiBegun)))},
		{says(0, "msg_1", "hi")[0], wire(at(2, says(0, "msg_1", "hi")[0]))},
		{done(0, hiItem), wire(at(3, done(0, hiItem)))},
		{added(1, rmBegun), ""},
		{argsDelta(1, "fc_1", `{\"p\":1}`), ""},
		{argsDone(1, "fc_1", `{\"p\":1}`), ""},
		{done(1, rmItem), wire(at(4, added(1, rmBegun)), at(5, argsDelta(1, "fc_1", `{\"p\":1}`)), at(6, argsDone(1, "fc_1", `{\"p\":1}`)), at(7, done(1, rmItem)))},
		{ended(hiItem, rmItem), wire(at(8, ended(hiItem, rmItem)))},
	})
}

// What is not a text is ended too: the model's own refusal, reasoning, several parts.
func TestStopInOtherItems(t *testing.T) {
	at := func(part int) string {
		return `"item_id":"msg_1","output_index":0,"content_index":` + string(rune('0'+part))
	}
	refusal := event("response.content_part.added", at(0), `"part":{"type":"refusal","refusal":""}`)
	thought := `{"id":"rs_1","type":"reasoning","summary":[]}`
	for name, tt := range map[string]struct {
		in   []string
		want string
	}{
		"refusal": {
			flat(created, hi(0)[0], refusal, event("response.refusal.delta", at(0), `"delta":"no"`)),
			`"status":"incomplete","role":"assistant","content":[{"type":"refusal","refusal":"no"}]}`,
		},
		"second part": {
			flat(created, hi(0)[:5], strings.Replace(hi(0)[1], `"content_index":0`, `"content_index":1`, 1), event("response.output_text.delta", at(1), `"delta":"ho"`)),
			`"text":"hi"},{"type":"output_text","annotations":[],"logprobs":[],"text":"ho"}]}`,
		},
		"reasoning": {flat(created, added(0, thought)), thought},
	} {
		r := pass(stream(append(tt.in, "{")...), false, dialecttest.AllowAll())
		if strings.Count(string(r.Out), tt.want) < 2 {
			t.Errorf("%s: not ended as %s:\n%s", name, tt.want, r.Out)
		}
		dialecttest.CheckEnded(t, &fold.Responses, r.Out, framingOf(false))
	}
}

// Of a very long text not all is kept. Weir then says nothing of it that is not so.
func TestStopInLongText(t *testing.T) {
	long := strings.Repeat("x", 1<<17)
	delta := strings.Replace(hi(0)[2], `"delta":"hi"`, `"delta":"`+long+`"`, 1)
	r := pass(stream(flat(created, hi(0)[:2], delta, delta, delta, delta, "{")...), false, dialecttest.AllowAll())
	said := 0
	for _, e := range dialecttest.Framings()[0].Events(r.Out) {
		tree, err := dialecttest.ParseTree([]byte(e.Data))
		if err != nil {
			t.Fatal(err)
		}
		switch tree.Get("type").Text {
		case "response.output_text.delta":
			if tree.Get("item_id").Text == "msg_1" {
				said += len(tree.Get("delta").Text)
			}
		case "response.output_text.done":
			if got := len(tree.Get("text").Text); tree.Get("item_id").Text == "msg_1" && got != said {
				t.Errorf("%d bytes were said, and ended as %d", said, got)
			}
		}
	}
	if _, err := fold.Responses.Fold(r.Out, fold.Events); !errors.Is(err, fold.ErrUnlike) {
		t.Errorf("the last response has all of the text, or another form: %v", err)
	}
}
