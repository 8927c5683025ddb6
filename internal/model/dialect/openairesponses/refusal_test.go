package openairesponses_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/weirtest/fold"
)

// The ids of the messages that stand in the places of calls: made of the call's id, always the same.
const (
	rmNotice     = "msg_weir_74196fe72e4cdc135c1033e05a2e020c"
	lsNotice     = "msg_weir_1b68f83fa344ae7239a1f9c02e0733f9"
	sqlNotice    = "msg_weir_259d356229cfbf19fc3013d8e5fc4496"
	searchNotice = "msg_weir_ee92e8791c136a7cb12214b795cd0d74"
	shellNotice  = "msg_weir_ff1c85e81980ede002008d49e0a9492f"
)

// notice are the events that begin a notice, all with the number of the frame in whose place they stand; noticeDone ends it.
func notice(number, index int, id, text string) []string {
	begun := `{"id":"` + id + `","type":"message","status":"in_progress","role":"assistant","content":[]}`
	var frames []string
	for _, f := range append([]string{added(index, begun)}, says(index, id, text)...) {
		frames = append(frames, at(number, f))
	}
	return frames
}

func noticeDone(number, index int, id, text string) string {
	return at(number, done(index, told(id, text)))
}

// from gives frames their numbers, from first on.
func from(first int, frames ...string) []string {
	var all []string
	for i, f := range frames {
		all = append(all, at(first+i, f))
	}
	return all
}

var (
	search = []string{
		added(0, searchItem), event("response.web_search_call.in_progress", `"output_index":0,"item_id":"ws_1"`),
		event("response.web_search_call.completed", `"output_index":0,"item_id":"ws_1"`), done(0, searchItem),
	}
	rmText = noticeFor("rm")
	lsText = noticeFor("ls")
	rmTold = told(rmNotice, rmText)
	lsTold = told(lsNotice, lsText)
)

// refusals are streams with what becomes of them.
var refusals = map[string]struct {
	in     []string
	want   []string // with numbers
	policy dialecttest.Policy
	odd    string // as in a Fixture
}{
	"all": {
		in:     flat(created, rmCall(0), ended(rmItem)),
		want:   flat(at(0, created), notice(1, 0, rmNotice, rmText), noticeDone(5, 0, rmNotice, rmText), at(6, ended(rmTold))),
		policy: refuse(false, "*"),
	},
	"one of two": {
		in: flat(created, rmCall(0), lsCall(1), ended(rmItem, lsItem)),
		want: flat(at(0, created), notice(1, 0, rmNotice, rmText), noticeDone(5, 0, rmNotice, rmText), from(6, lsCall(1)...),
			at(8, ended(rmTold, lsItem))),
		policy: refuse(false, "rm"),
	},
	"the other of two": {
		in:     flat(created, rmCall(0), lsCall(1), ended(rmItem, lsItem)),
		want:   flat(at(0, created), from(1, rmCall(0)...), notice(6, 1, lsNotice, lsText), noticeDone(7, 1, lsNotice, lsText), at(8, ended(rmItem, lsTold))),
		policy: refuse(false, "ls"),
	},
	"between texts": {
		odd: sameID,
		in:  flat(created, hi(0), rmCall(1), hi(2), ended(hiItem, rmItem, hiItem)),
		want: flat(at(0, created), from(1, hi(0)...), notice(7, 1, rmNotice, rmText), noticeDone(11, 1, rmNotice, rmText), from(12, hi(2)...),
			at(18, ended(hiItem, rmTold, hiItem))),
		policy: refuse(false, "*"),
	},
	"interleaved": {
		in: flat(created, rmCall(0)[:2], added(1, lsBegun), rmCall(0)[2:], done(1, lsItem), ended(rmItem, lsItem)),
		want: flat(at(0, created), notice(1, 0, rmNotice, rmText), at(3, added(1, lsBegun)), noticeDone(6, 0, rmNotice, rmText),
			at(7, done(1, lsItem)), at(8, ended(rmTold, lsItem))),
		policy: refuse(false, "rm"),
	},
	"dropped, later ones renumbered": {
		in:   flat(created, rmCall(0), lsCall(1), hi(2), ended(rmItem, lsItem, hiItem)),
		want: flat(at(0, created), from(6, lsCall(0)...), from(8, hi(1)...), at(14, ended(lsItem, hiItem))),

		policy: refuse(true, "rm"),
	},
	"dropped, all": {
		in:     flat(created, rmCall(0), ended(rmItem)),
		want:   flat(at(0, created), at(6, ended())),
		policy: refuse(true, "*"),
	},
	"dropped, the one after reasoning stays": {
		in: flat(created, alone(`{"id":"rs_1","type":"reasoning","summary":[]}`)[1:3], rmCall(1), ended(`{"id":"rs_1","type":"reasoning","summary":[]}`, rmItem)),
		want: flat(at(0, created), from(1, alone(`{"id":"rs_1","type":"reasoning","summary":[]}`)[1:3]...), notice(3, 1, rmNotice, rmText),
			noticeDone(7, 1, rmNotice, rmText), at(8, ended(`{"id":"rs_1","type":"reasoning","summary":[]}`, rmTold))),
		policy: refuse(true, "*"),
	},
	"search": {
		in: flat(created, search, hi(1), ended(searchItem, hiItem)),
		want: flat(at(0, created), notice(1, 0, searchNotice, noticeFor("web_search")), noticeDone(4, 0, searchNotice, noticeFor("web_search")),
			from(5, hi(1)...), at(11, ended(told(searchNotice, noticeFor("web_search")), hiItem))),
		policy: refuse(false, "web_search"),
	},
	"search, dropped": {
		in:     flat(created, search, hi(1), ended(searchItem, hiItem)),
		want:   flat(at(0, created), from(5, hi(0)...), at(11, ended(hiItem))),
		policy: refuse(true, "web_search"),
	},
	"done only": {
		in:     flat(created, done(0, rmItem), ended(rmItem)),
		want:   flat(at(0, created), notice(1, 0, rmNotice, rmText), noticeDone(1, 0, rmNotice, rmText), at(2, ended(rmTold))),
		policy: refuse(false, "*"),
	},
	"only at the end": {
		odd:    unlike,
		in:     flat(created, ended(rmItem, hiItem)),
		want:   flat(at(0, created), at(1, ended(rmTold, hiItem))),
		policy: refuse(false, "*"),
	},
	"no item done": {
		in:     flat(created, rmCall(0)[:4], ended(rmItem)),
		want:   flat(at(0, created), notice(1, 0, rmNotice, rmText), noticeDone(5, 0, rmNotice, rmText), at(5, ended(rmTold))),
		policy: refuse(false, "*"),
	},
	"the response begins with an item": {
		in:     flat(life("created", response("in_progress", hiItem)), rmCall(0), ended(rmItem)),
		want:   flat(at(0, created), notice(1, 0, rmNotice, rmText), noticeDone(5, 0, rmNotice, rmText), at(6, ended(rmTold))),
		policy: refuse(false, "*"),
	},
	"an error ends it": {
		in:     flat(created, rmCall(0)[:3], event("error", `"code":"x","message":"x","param":null`)),
		want:   flat(at(0, created), at(4, event("error", `"code":"x","message":"x","param":null`))),
		policy: dialecttest.AllowAll(),
	},
	"resumed in a refused call": {
		odd:    resumed,
		in:     flat(rmCall(2)[2:], ended(hiItem, hiItem, rmItem)),
		want:   flat(noticeDone(2, 2, rmNotice, rmText), at(3, ended(hiItem, hiItem, rmTold))),
		policy: refuse(false, "*"),
	},
	"resumed before a refused call": {
		odd:    resumed,
		in:     flat(rmCall(2), ended(hiItem, hiItem, rmItem)),
		want:   flat(notice(0, 2, rmNotice, rmText), noticeDone(4, 2, rmNotice, rmText), at(5, ended(hiItem, hiItem, rmTold))),
		policy: refuse(false, "*"),
	},

	// Allowed, but not as it came.
	"index gap": {
		in:     flat(created, rmCall(5), ended(rmItem)),
		want:   flat(at(0, created), from(1, rmCall(0)...), at(6, ended(rmItem))),
		policy: dialecttest.AllowAll(),
	},
	"done without added": {
		in:     flat(created, done(0, rmItem), ended(rmItem)),
		want:   flat(at(0, created), at(1, added(0, rmBegun)), at(1, argsDelta(0, "fc_1", `{\"p\":1}`)), at(1, argsDone(0, "fc_1", `{\"p\":1}`)), at(1, done(0, rmItem)), at(2, ended(rmItem))),
		policy: dialecttest.AllowAll(),
	},
	"a character in pieces": {
		in: flat(created, added(0, rmBegun), argsDelta(0, "fc_1", `{\"p\":\"\ud83d`), argsDelta(0, "fc_1", `\ude00\"}`),
			done(0, strings.Replace(rmItem, `1}`, `\"😀\"}`, 1)), ended(strings.Replace(rmItem, `1}`, `\"😀\"}`, 1))),
		want: flat(at(0, created), at(1, added(0, rmBegun)), at(4, argsDelta(0, "fc_1", `{\"p\":\"😀\"}`)), at(4, argsDone(0, "fc_1", `{\"p\":\"😀\"}`)),
			at(4, done(0, strings.Replace(rmItem, `1}`, `\"😀\"}`, 1))), at(5, ended(strings.Replace(rmItem, `1}`, `\"😀\"}`, 1)))),
		policy: dialecttest.AllowAll(),
	},
	"cut short": {
		odd: unlike,
		in:  flat(created, rmCall(0)[:2], life("incomplete", response("incomplete"))),
		want: flat(at(0, created), notice(1, 0, rmNotice, cutShort), noticeDone(3, 0, rmNotice, cutShort),
			at(3, life("incomplete", response("incomplete")))),
		policy: dialecttest.AllowAll(),
	},
}

const cutShort = `[weir] The call to "rm" was refused (cut_short): The response ended before the call was complete. ` +
	"Do not retry it; continue without it or ask the user."

func TestRefusedInStream(t *testing.T) {
	format := subject(t)
	for name, tt := range refusals {
		t.Run(name, func(t *testing.T) {
			r := pass(stream(tt.in...), false, tt.policy)
			dialecttest.CheckOut(t, wire(own(tt.want...)...), r)
			format.CheckJudged(t, r, frame.Events)
			dialecttest.CheckForm(t, &fold.Responses, r.Out, frame.Events, tt.odd)
		})
	}
}

// What the judge is asked about.
func TestReadings(t *testing.T) {
	fc := func(more string) string { return strings.Replace(rmItem, `"name"`, more+`"name"`, 1) }
	tests := map[string]struct {
		item string
		want call.Call
	}{
		"function":         {rmItem, call.Call{WireID: "call_1", Tool: "rm", Args: []byte(`{"p":1}`)}},
		"namespace":        {fc(`"namespace":"fs",`), call.Call{WireID: "call_1", Tool: "fs.rm", Readings: call.Readings{Spellings: []string{"rm", "fs__rm", "fs/rm"}}, Args: []byte(`{"p":1}`)}},
		"server":           {fc(`"namespace":"mcp__fs",`), call.Call{WireID: "call_1", Server: "fs", Tool: "rm", Args: []byte(`{"p":1}`)}},
		"custom":           {sqlItem, call.Call{WireID: "call_3", Tool: "sql", Args: []byte(`{"input":"select 1"}`)}},
		"approval":         {`{"id":"mr_1","type":"mcp_approval_request","server_label":"fs","name":"rm","arguments":"{}"}`, call.Call{WireID: "mr_1", Server: "fs", Tool: "rm", Args: []byte(`{}`), Delivery: call.Delivery{Fixed: true}}},
		"search":           {searchItem, call.Call{WireID: "ws_1", Tool: "web_search", Args: []byte(`{"type":"search","query":"q"}`), Delivery: call.Delivery{Ran: true, Fixed: true}}},
		"container shell":  {`{"id":"s","type":"shell_call","call_id":"c","environment":{"type":"container_auto"},"action":{"commands":["ls"]}}`, call.Call{WireID: "c", Tool: "shell", Args: []byte(`{"commands":["ls"]}`), Delivery: call.Delivery{Fixed: true}}},
		"server's search":  {`{"id":"s","type":"tool_search_call","call_id":null,"execution":"server","arguments":{"q":1}}`, call.Call{WireID: "s", Tool: "tool_search", Args: []byte(`{"q":1}`), Delivery: call.Delivery{Fixed: true}}},
		"unknown":          {`{"id":"x_1","type":"future_call","what":1.0}`, call.Call{WireID: "x_1", Tool: "future_call", Args: []byte(`{"id":"x_1","type":"future_call","what":1.0}`), Delivery: call.Delivery{Fixed: true}}},
		"unknown, a name":  {`{"id":"x_1","type":"future_call","name":"rm"}`, call.Call{WireID: "x_1", Tool: "future_call", Readings: call.Readings{Aliases: []string{"rm"}}, Args: []byte(`{"id":"x_1","type":"future_call","name":"rm"}`), Delivery: call.Delivery{Fixed: true}}},
		"search, in words": {strings.Replace(searchItem, `{"type":"search","query":"q"}`, `"not JSON"`, 1), call.Call{WireID: "ws_1", Tool: "web_search", Args: []byte(`{"arguments":"not JSON"}`), Delivery: call.Delivery{Ran: true, Fixed: true}}},
		"wrapper": {
			strings.NewReplacer(`"rm"`, `"parallel"`, `{\"p\":1}`, `{\"tool_uses\":[{\"recipient_name\":\"functions.rm\",\"parameters\":{\"p\":1}},{\"recipient_name\":\"functions.ls\",\"parameters\":{}}]}`).Replace(rmItem),
			call.Call{
				WireID: "call_1", Tool: "parallel", Args: []byte(`{"tool_uses":[{"recipient_name":"functions.rm","parameters":{"p":1}},{"recipient_name":"functions.ls","parameters":{}}]}`),
				Inner: []call.Inner{{Tool: "rm", Args: []byte(`{"p":1}`)}, {Tool: "ls", Args: []byte(`{}`)}},
			},
		},
		"no wrapper": {
			strings.NewReplacer(`"rm"`, `"parallel"`, `{\"p\":1}`, `{\"tool_uses\":[{\"recipient_name\":\"rm\",\"parameters\":{}}]}`).Replace(rmItem),
			call.Call{WireID: "call_1", Tool: "parallel", Args: []byte(`{"tool_uses":[{"recipient_name":"rm","parameters":{}}]}`)},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for where, r := range map[string]dialecttest.Result{
				"stream": pass(stream(alone(tt.item)...), false, dialecttest.AllowAll()),
				"body":   pass([]byte(response("completed", tt.item)), true, dialecttest.AllowAll()),
			} {
				want, got := tt.want, r.Events[0].Call
				want.Surface, want.Notice = call.Response, got.Notice
				want.Exchange = call.Exchange{Dialect: "openai-responses", ResponseID: "resp_1", Model: "m"}
				if want.Aliases == nil {
					want.Aliases = []string{}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: the judge is asked about (-want +got):\n%s", where, diff)
				}
			}
		})
	}
}

// Some servers give an item another id when it is done. That is the one by which the provider wants it answered.
func TestIDOfTheLastWord(t *testing.T) {
	request := func(id string) string {
		return `{"id":"` + id + `","type":"mcp_approval_request","server_label":"fs","name":"rm","arguments":"{}"}`
	}
	in := stream(flat(created, added(0, request("mr_1")), done(0, request("mr_2")), ended(request("mr_2")))...)
	r := pass(in, false, dialecttest.AllowAll())
	again := pass([]byte(response("completed", request("mr_2"))), true, dialecttest.AllowAll())
	got, want := r.Events[0].Call, again.Events[0].Call
	if got.WireID != "mr_2" || got.Notice != want.Notice {
		t.Errorf("the judge is asked about %q with notice %q, want %q and %q", got.WireID, got.Notice, want.WireID, want.Notice)
	}
	refusedAtOnce := pass(stream(flat(life("created", stored("true", "in_progress")), added(0, request("mr_1")), done(0, request("mr_2")),
		life("completed", stored("true", "completed", request("mr_2"))))...), false, refuse(false, "*"))
	dialecttest.CheckEnded(t, &fold.Responses, refusedAtOnce.Out, frame.Events)
	if !strings.Contains(string(refusedAtOnce.Out), want.Notice) {
		t.Errorf("not told as %s:\n%s", want.Notice, refusedAtOnce.Out)
	}
}

// The same call has the same notice wherever it is read again, whoever cuts the response in pieces.
func TestNoticesAreTheSameEverywhere(t *testing.T) {
	for name, in := range map[string]string{
		"stream":       string(stream(flat(created, rmCall(0), ended(rmItem))...)),
		"resumed":      string(stream(flat(rmCall(3)[3:], ended(hiItem, hiItem, hiItem, rmItem))...)),
		"only the end": string(stream(ended(rmItem))),
		"body":         response("completed", rmItem),
		"list":         list(hiItem, rmItem),
		"item":         rmItem,
	} {
		out := string(pass([]byte(in), !strings.Contains(in, "data:"), refuse(false, "*")).Out)
		if !strings.Contains(out, rmTold) {
			t.Errorf("%s: %s", name, out)
		}
	}
}
