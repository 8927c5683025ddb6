package ollama_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/weirtest/fold"
)

// A table entry is a stream, and what the agent gets of it.
type edited struct {
	in, want []string
	policy   dialecttest.Policy
}

var streams = map[string]edited{
	"all": {
		in: []string{tools(rm), done}, want: []string{text(""), last(noticeFor("rm"))}, policy: refuse(false, "*"),
	},
	"after text": {
		in: []string{text("hi"), tools(rm), done}, want: []string{text("hi"), text(""), last("\n\n" + noticeFor("rm"))},
		policy: refuse(false, "*"),
	},
	"text beside the call": {
		in:   []string{said(`"content":"hi","tool_calls":[` + rm + `]`), done},
		want: []string{text("hi"), last("\n\n" + noticeFor("rm"))}, policy: refuse(false, "*"),
	},
	"text behind the call": {
		in: []string{tools(rm), text("hi"), done}, want: []string{text(""), text("hi"), last("\n\n" + noticeFor("rm"))},
		policy: refuse(false, "*"),
	},
	"thinking is no text": {
		in:   []string{said(`"content":"","thinking":"hm","tool_calls":[` + rm + `]`), done},
		want: []string{said(`"content":"","thinking":"hm"`), last(noticeFor("rm"))}, policy: refuse(false, "*"),
	},
	"text on the last line": {
		in: []string{tools(rm), last("hi")}, want: []string{text(""), last("hi\n\n" + noticeFor("rm"))}, policy: refuse(false, "*"),
	},
	"call on the last line": {
		in:   []string{strings.Replace(done, `"content":""`, `"content":"hi","tool_calls":[`+rm+`]`, 1)},
		want: []string{last("hi\n\n" + noticeFor("rm"))}, policy: refuse(false, "*"),
	},
	"one of two": {
		in: []string{tools(rm, ls), done}, want: []string{tools(ls), last(noticeFor("rm"))}, policy: refuse(false, "rm"),
	},
	"the other of two": {
		in: []string{tools(rm, ls), done}, want: []string{tools(rm), last(noticeFor("ls"))}, policy: refuse(false, "ls"),
	},
	"two, told in order": {
		in:     []string{tools(rm, ls), done},
		want:   []string{text(""), last(noticeFor("rm") + "\n\n" + noticeFor("ls"))},
		policy: refuse(false, "*"),
	},
	"two on two lines": {
		in:     []string{tools(rm), tools(ls), done},
		want:   []string{text(""), text(""), last(noticeFor("rm") + "\n\n" + noticeFor("ls"))},
		policy: refuse(false, "*"),
	},
	"numbered anew": {
		in:     []string{tools(numbered("a", "0", "rm", "{}"), numbered("b", "1", "ls", "{}")), tools(numbered("c", "2", "ls", "{}")), done},
		want:   []string{tools(numbered("b", "0", "ls", "{}")), tools(numbered("c", "1", "ls", "{}")), last(noticeFor("rm"))},
		policy: refuse(false, "rm"),
	},
	"numbers on the entry": {
		in:     []string{tools(rm, `{"index":1,`+ls[1:]), done},
		want:   []string{tools(`{"index":0,` + ls[1:]), last(noticeFor("rm"))},
		policy: refuse(false, "rm"),
	},
	"content null": {
		in:     []string{said(`"content":null,"tool_calls":[` + rm + `]`), done},
		want:   []string{text(""), last(noticeFor("rm"))},
		policy: refuse(false, "*"),
	},
	"no content": {
		in:     []string{said(`"tool_calls":[` + rm + `]`), done},
		want:   []string{text(""), last(noticeFor("rm"))},
		policy: refuse(false, "*"),
	},
	"other members stay": {
		in:     []string{said(`"tool_calls":[` + rm + `],"content":"hi","images":["aGk="]`), done},
		want:   []string{said(`"content":"hi","images":["aGk="]`), last("\n\n" + noticeFor("rm"))},
		policy: refuse(false, "*"),
	},
	"no last line": {
		in: []string{text("hi"), tools(rm)}, want: []string{text("hi"), text(""), text("\n\n" + noticeFor("rm"))},
		policy: refuse(false, "*"),
	},
	"a last line without a message": {
		in: []string{tools(rm), head + "," + usage}, want: []string{text(""), text(noticeFor("rm")), head + "," + usage},
		policy: refuse(false, "*"),
	},
	"an error": {
		in: []string{tools(rm), failure}, want: []string{text(""), text(noticeFor("rm")), failure}, policy: refuse(false, "*"),
	},
	"dropped": {
		in: []string{tools(rm, ls), done}, want: []string{tools(ls), done}, policy: refuse(true, "rm"),
	},
	"dropped, text": {
		in: []string{text("hi"), tools(rm), done}, want: []string{text("hi"), text(""), done}, policy: refuse(true, "rm"),
	},
	"dropped, text behind": {
		in: []string{tools(rm), last("hi")}, want: []string{text(""), last("hi")}, policy: refuse(true, "rm"),
	},
	"dropped, and nothing is left": {
		in: []string{tools(rm), done}, want: []string{text(""), last(noticeFor("rm"))}, policy: refuse(true, "rm"),
	},
	"dropped, and nothing is left to the end": {
		in: []string{tools(rm)}, want: []string{text(""), text(noticeFor("rm"))}, policy: refuse(true, "rm"),
	},
	"tokens of a refused call go": {
		in:     []string{tokens(tools(rm), "path"), tokens(text(""), "more of it"), tokens(done, "still of it")},
		want:   []string{noTokens(text("")), noTokens(text("")), noTokens(last(noticeFor("rm")))},
		policy: refuse(false, "*"),
	},
	"tokens ahead of a call are of the call": {
		in: []string{tokens(text(""), "rm"), tools(rm), done}, want: []string{noTokens(text("")), text(""), last(noticeFor("rm"))},
		policy: refuse(false, "*"),
	},
	"tokens of text stay": {
		in:     []string{tokens(text("hi"), "hi"), tokens(said(`"content":"","thinking":"hm"`), "hm"), tools(rm), done},
		want:   []string{tokens(text("hi"), "hi"), tokens(said(`"content":"","thinking":"hm"`), "hm"), text(""), last("\n\n" + noticeFor("rm"))},
		policy: refuse(false, "*"),
	},
	"tokens of a call that passes stay": {
		in: []string{tokens(tools(rm), "path"), done}, want: []string{tokens(tools(rm), "path"), done},
	},
	"of another type": {
		in:     []string{tools(`{"type":"future_call","name":"rm","input":"x"}`), done},
		want:   []string{text(""), last(noticeFor("future_call"))},
		policy: refuse(false, "rm"), // its name is another reading
	},
	"arguments as text become an object": {
		in: []string{tools(entry("rm", `"{\"path\": \"/\"}"`)), done}, want: []string{tools(entry("rm", `{"path": "/"}`)), done},
	},
	"no arguments": {
		in:   []string{tools(`{"function":{"name":"rm"}}`, `{"function":{"name":"rm","arguments":null}}`), done},
		want: []string{tools(entry("rm", "{}"), entry("rm", "{}")), done},
	},
	"empty text is no object": {
		in: []string{tools(entry("rm", `""`)), done}, want: []string{text(""), last(unreadable)},
	},
	"no name": {
		in:   []string{tools(`{"function":{"name":"","arguments":{}}}`), done},
		want: []string{text(""), last(`[weir] The call to "tool_call" was refused (malformed): It has no name. Do not retry it; continue without it or ask the user.`)},
	},
	"line ends stay": {
		in: []string{text("hi") + "\r", tools(rm) + "\r", done + "\r"}, want: []string{text("hi") + "\r", tools(rm) + "\r", done + "\r"},
	},
}

const unreadable = `[weir] The call to "rm" was refused (args_unreadable): Its arguments are not one strict JSON object. ` +
	"Do not retry it; continue without it or ask the user."

// tokens is a line with log probabilities.
func tokens(line, token string) string {
	return strings.Replace(line, `"done":`, `"logprobs":[{"token":`+quote(token)+`}],"done":`, 1)
}

func noTokens(line string) string {
	return strings.Replace(line, `"done":`, `"logprobs":[],"done":`, 1)
}

func TestEditedStreams(t *testing.T) {
	for name, tt := range streams {
		t.Run(name, func(t *testing.T) {
			r := pass(lines(tt.in...), false, tt.policy)
			dialecttest.CheckOut(t, string(lines(tt.want...)), r)
			dialecttest.CheckForm(t, &fold.Ollama, r.Out, frame.Rows, "")
			if r.Err != nil || r.Outcome().Code != "" {
				t.Errorf("Pass: %v, outcome %+v", r.Err, r.Outcome())
			}
		})
	}
}

func TestEditedBodies(t *testing.T) {
	body := func(members string) string { return head + `,"message":{"role":"assistant",` + members + `},` + usage }
	tests := map[string]struct {
		in, want string
		policy   dialecttest.Policy
	}{
		"all":             {body(`"content":"","tool_calls":[` + rm + `]`), last(noticeFor("rm")), refuse(false, "*")},
		"after text":      {body(`"content":"hi","tool_calls":[` + rm + `]`), last("hi\n\n" + noticeFor("rm")), refuse(false, "*")},
		"one of two":      {body(`"content":"hi","tool_calls":[` + rm + `,` + ls + `]`), body(`"content":` + quote("hi\n\n"+noticeFor("rm")) + `,"tool_calls":[` + ls + `]`), refuse(false, "rm")},
		"dropped":         {body(`"content":"hi","tool_calls":[` + rm + `]`), last("hi"), refuse(true, "*")},
		"nothing is left": {body(`"content":"","tool_calls":[` + rm + `]`), last(noticeFor("rm")), refuse(true, "*")},
		"tokens":          {tokens(body(`"content":"hi","tool_calls":[`+rm+`]`), "path"), noTokens(last("hi\n\n" + noticeFor("rm"))), refuse(false, "*")},
		"white space":     {"\n " + body(`"content":"hi"`) + "\n", "\n " + body(`"content":"hi"`) + "\n", refuse(false, "*")},
		"an error":        {failure, failure, refuse(false, "*")},
		"not over":        {text("hi"), text("hi"), refuse(false, "*")},
	}
	for name, tt := range tests {
		r := pass([]byte(tt.in), true, tt.policy)
		if diff := cmp.Diff(tt.want, string(r.Out)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Arguments past the bound refuse the call, and only that.
func TestOversizeArguments(t *testing.T) {
	large := entry("rm", `{"path":"`+strings.Repeat("x", 1<<20)+`"}`)
	r := pass(lines(tools(large, ls), done), false, dialecttest.AllowAll())
	want := lines(tools(ls), last(`[weir] The call to "rm" was refused (args_oversize): Its arguments are larger than weir's bound. `+
		"Do not retry it; continue without it or ask the user."))
	if diff := cmp.Diff(string(want), string(r.Out)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, e := range r.Events {
		if e.Ruling.Code == call.CodeArgsOversize && len(e.Call.Args) > 1<<20+16 { // quotes are escaped
			t.Errorf("%d bytes of arguments are kept", len(e.Call.Args))
		}
	}
}

// Nothing of a call passes in a place where no client of this format looks for one: clients of others might.
func TestNothingPassesBesideTheCalls(t *testing.T) {
	const secret = "only-in-the-arguments"
	calls := `[{"function":{"name":"rm","arguments":{"a":"` + secret + `"}}}]`
	single := `{"name":"rm","arguments":"` + secret + `"}`
	for _, line := range []string{
		head + `,"tool_calls":` + calls + `,"done":false}`,
		head + `,"message":{"role":"assistant","content":"x"},"tool_calls":` + calls + `,"done":false}`,
		head + `,"message":{"role":"assistant","content":"x"},"function_call":` + single + `,"done":false}`,
		head + `,"message":{"role":"assistant","content":"x"},"messages":[{"tool_calls":` + calls + `}],"done":false}`,
		head + `,"response":"x","toolUse":` + single + `,"done":false}`,
		head + `,"message":"x","tool_calls":` + calls + `,"done":false}`,
		said(`"content":"x","toolCalls":` + calls),
		said(`"content":"x","functionCall":` + single),
		said(`"content":"x","tool_calls":null,"functionCall":` + single),
		said(`"content":"x","extra":{"deep":[{"tool_calls":` + calls + `}]}`),
		tools(`{"function":{"name":"ls","arguments":{}},"functionCall":` + single + `}`),
		tools(`{"function":{"name":"ls","arguments":{},"tool_calls":` + calls + `}}`),
		tools(`{"function":{"name":"ls","arguments":{},"parameters":"` + secret + `"}}`),
		tools(`{"function":{"name":"ls","arguments":{}},"Arguments":"` + secret + `"}`),
	} {
		for name, in := range map[string][]string{"at once": {line, done}, "later": {text("hi"), line, done}} {
			if out := string(pass(lines(in...), false, dialecttest.AllowAll()).Out); strings.Contains(out, secret) {
				t.Errorf("%s: %s\n%s", name, line, out)
			}
		}
		if out := string(pass([]byte(line), true, dialecttest.AllowAll()).Out); strings.Contains(out, secret) {
			t.Errorf("whole: %s\n%s", line, out)
		}
	}
}
