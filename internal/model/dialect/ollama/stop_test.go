package ollama_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/ollama"
	"github.com/weir-gate/weir/internal/weirtest/fold"
)

const broken = "[weir] The rest of this response was refused (malformed): a frame is not strict JSON. " +
	"Nothing after this point was delivered; tell the user."

// TestStop breaks streams in every phase: what the agent has then comes to an end that every client accepts.
func TestStop(t *testing.T) {
	// stopped is the last line as weir writes it: nothing was counted.
	stopped := func(s string) string {
		return strings.NewReplacer(`_count":7`, `_count":0`, `_count":3`, `_count":0`).Replace(last(s))
	}
	tests := map[string]edited{
		"in the text":   {in: []string{text("hi"), "{"}, want: []string{text("hi"), stopped("\n\n" + broken)}},
		"without text":  {in: []string{text(""), "{"}, want: []string{text(""), stopped(broken)}},
		"after a call":  {in: []string{tools(rm), "{"}, want: []string{tools(rm), stopped(broken)}},
		"after the end": {in: []string{text("hi"), done, "{"}, want: []string{text("hi"), done}},
		"after an error": {
			in: []string{text("hi"), failure, "{"}, want: []string{text("hi"), failure},
		},
		"after a refused call": {
			in: []string{tools(rm), "{"}, want: []string{text(""), stopped(noticeFor("rm") + "\n\n" + broken)}, policy: refuse(false, "*"),
		},
		"after a dropped call": {
			in: []string{tools(rm), "{"}, want: []string{text(""), stopped(broken)}, policy: refuse(true, "*"),
		},
		"in an answer": {
			in:   []string{generated("hi"), "{"},
			want: []string{generated("hi"), strings.Replace(stopped("\n\n"+broken), `"message":{"role":"assistant","content":`+quote("\n\n"+broken)+`}`, `"response":`+quote("\n\n"+broken), 1)},
		},
		"text of the line that broke it does not count": {
			in:   []string{text(""), said(`"content":"hi","tool_calls":[1]`)},
			want: []string{text(""), stopped(strings.Replace(broken, "a frame is not strict JSON", "a call is not an object", 1))},
		},
		"a last line that broke it": {
			in:   []string{text("hi"), strings.Replace(done, `"content":""`, `"content":"","tool_calls":[1]`, 1)},
			want: []string{text("hi"), last("\n\n" + strings.Replace(broken, "a frame is not strict JSON", "a call is not an object", 1))},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass(lines(tt.in...), false, tt.policy)
			dialecttest.CheckOut(t, string(lines(tt.want...)), r)
			dialecttest.CheckEnded(t, &fold.Ollama, r.Out, framingOf(false))
		})
	}
}

// Before anything came weir makes up the whole response. It does not know yet what was asked for, so it answers both ways.
func TestStopAtOnce(t *testing.T) {
	want := `{"model":"unknown","created_at":"1970-01-01T00:00:00Z","message":{"role":"assistant","content":` + quote(broken) +
		`},"response":` + quote(broken) + `,"done":true,"done_reason":"stop","prompt_eval_count":0,"eval_count":0}`
	for _, whole := range []bool{false, true} {
		r := pass([]byte("{\n"), whole, dialecttest.AllowAll())
		if diff := cmp.Diff(want, strings.TrimSuffix(string(r.Out), "\n")); diff != "" {
			t.Errorf("whole %v (-want +got):\n%s", whole, diff)
		}
	}
}

// A body that is refused keeps what is known of the response.
func TestStopBody(t *testing.T) {
	in := strings.Replace(done, `"content":""`, `"content":"hi","tool_calls":[1]`, 1)
	want := last(strings.Replace(broken, "a frame is not strict JSON", "a call is not an object", 1))
	if diff := cmp.Diff(want, string(pass([]byte(in), true, dialecttest.AllowAll()).Out)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A sign of life is a line of the kind that the stream has, without text.
func TestKeepAlive(t *testing.T) {
	tests := map[string]string{
		text("hi"):      text(""),
		generated("hi"): generated(""),
	}
	for in, want := range tests {
		d := ollama.Format().New(dialect.Options{MaxArguments: 1 << 20})
		if _, err := d.Scan(frame.Frame{Data: []byte(in), Plain: true}); err != nil {
			t.Fatal(err)
		}
		f, ok := d.KeepAlive()
		if got := frame.NewLines(strings.NewReader(""), 0).Append(nil, f); !ok || string(got) != want+"\n" {
			t.Errorf("after %s: a stream shows life by %q (%v), want %q", in, got, ok, want)
		}
	}
	if _, ok := ollama.Format().New(dialect.Options{Whole: true}).KeepAlive(); ok {
		t.Error("a body shows life")
	}
}

// Text that was read but has no room to be held does not reach the agent: nothing is ahead of the notice.
func TestStopForWantOfRoom(t *testing.T) {
	in := strings.Replace(done, `"content":""`, `"content":"hi","tool_calls":[`+rm+`]`, 1)
	src := &frame.Source{R: strings.NewReader(in)}
	out := &kept{}
	err := gate.New(gate.Config{Judge: &dialecttest.Judge{}}).Pass(t.Context(), gate.Passage{
		Dialect: ollama.Format().New(dialect.Options{Whole: true, MaxArguments: 1 << 20}),
		Source:  src, In: frame.NewBody(src, 0), Out: out, Account: budget.New(budget.Config{Total: 1}).Open("someone"),
	})
	want := last("[weir] The rest of this response was refused (over_budget): it takes more memory than weir has for it (bounds.held_client). " +
		"Nothing after this point was delivered; tell the user.")
	if diff := cmp.Diff(want, out.String()); diff != "" || err != nil {
		t.Errorf("Pass: %v (-want +got):\n%s", err, diff)
	}
}

// kept keeps what is written to it.
type kept struct{ strings.Builder }

func (*kept) Flush() error { return nil }
