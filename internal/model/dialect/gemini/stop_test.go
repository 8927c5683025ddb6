package gemini_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/gemini"
	"github.com/weir-gate/weir/internal/weirtest/fold"
)

const brokenNotice = "[weir] The rest of this response was refused (malformed): a frame is not a JSON object. " +
	"Nothing after this point was delivered; tell the user."

// stopped is the element with which weir ends a response.
func stopped(candidates ...string) string {
	return `{"candidates":[` + strings.Join(candidates, ",") + `],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":0,"totalTokenCount":1},` +
		`"modelVersion":"m","responseId":"r1"}`
}

// stop is how weir ends a candidate.
func stop(index int, notice string) string {
	return finished(index, "STOP", `{"text":`+quote(notice)+`}`)
}

// TestStop breaks streams in every phase: what the agent has then comes to an end that every client accepts.
func TestStop(t *testing.T) {
	const after = "\n\n" + brokenNotice
	broken := `{"candidates":1}`
	reason := strings.NewReplacer("a frame is not a JSON object", "the candidates of a response are not an array")
	tests := map[string]refusalCase{
		"in the text":      {in: []string{says(hiPart), broken}, want: []string{says(hiPart), stopped(stop(0, after))}},
		"in a thought":     {in: []string{says(`{"text":"hm","thought":true}`), broken}, want: []string{says(`{"text":"hm","thought":true}`), stopped(stop(0, brokenNotice))}},
		"in a call":        {in: []string{says(begun), broken}, want: []string{says(nothing), stopped(stop(0, brokenNotice))}},
		"after a call":     {in: []string{says(rmPart), broken}, want: []string{says(rmPart), stopped(stop(0, brokenNotice))}},
		"after a refusal":  {in: []string{says(rmPart), broken}, want: []string{says(told("rm")), stopped(stop(0, after))}, policy: refuse(false, "*")},
		"after the finish": {in: []string{ends(hiPart), broken}, want: []string{ends(hiPart)}},
		"after an error":   {in: []string{says(hiPart), failure, broken}, want: []string{says(hiPart), failure}},
		"wrapped":          {in: []string{wrap(says(hiPart)), broken}, want: []string{wrap(says(hiPart)), `{"response":` + stopped(stop(0, after)) + `}`}},
		"one candidate finished": {
			in:   []string{element(finished(0, "STOP", hiPart), candidate(1, hiPart)), broken},
			want: []string{element(finished(0, "STOP", hiPart), candidate(1, hiPart)), stopped(stop(1, after))},
		},
		"two candidates": {
			in:   []string{element(candidate(0, hiPart), candidate(1, rmPart)), broken},
			want: []string{element(candidate(0, hiPart), candidate(1, rmPart)), stopped(stop(0, after), stop(1, brokenNotice))},
		},
		"a candidate that never came": {
			in:   []string{says(rmPart), `{"candidates":[` + candidate(0, hiPart) + `,` + candidate(1, hiPart) + `,1]}`},
			want: []string{says(rmPart), strings.Replace(stopped(stop(0, brokenNotice)), "the candidates of a response are not an array", "x", 1)},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for how, framing := range streamed {
				want := reason.Replace(string(wire(framing, tt.want...)))
				if name == "a candidate that never came" {
					want = strings.Replace(want, "the candidates of a response are not an array", "a candidate is not an object", 1)
				}
				r := pass(wire(framing, tt.in...), framing, tt.policy)
				if diff := cmp.Diff(want, string(r.Out)); diff != "" {
					t.Errorf("%s: what the agent gets (-want +got):\n%s", how, diff)
				}
				dialecttest.CheckEnded(t, &fold.Gemini, r.Out, framing)
			}
		})
	}
}

// Before anything came weir makes up the whole response.
func TestStopAtOnce(t *testing.T) {
	want := `{"candidates":[` + stop(0, brokenNotice) + `],"usageMetadata":{"promptTokenCount":0,"candidatesTokenCount":0,"totalTokenCount":0}}`
	for framing, in := range map[frame.Framing]string{frame.Events: "data: 1\n\n", frame.Whole: "1", frame.Elements: "1"} {
		out := string(wire(framing, want))
		if framing == frame.Events {
			out = strings.ReplaceAll(out, "\r\n", "\n")
		}
		r := pass([]byte(in), framing, dialecttest.AllowAll())
		if diff := cmp.Diff(out, string(r.Out)); diff != "" {
			t.Errorf("framing %v (-want +got):\n%s", framing, diff)
		}
		if r.Outcome().Code != call.CodeMalformed {
			t.Errorf("framing %v: the outcome is %+v", framing, r.Outcome())
		}
	}
}

// An end of weir's own is wrapped where the service wraps, also if nothing of it could be read.
func TestStopWrapped(t *testing.T) {
	for path, want := range map[string]string{
		"/v1internal:streamGenerateContent":      `{"response":{"candidates":`,
		"/v1beta/models/m:streamGenerateContent": `{"candidates":`,
	} {
		d := gemini.Format().New(dialect.Options{Path: path})
		frames := d.Stop("no")
		if len(frames) != 1 || !strings.HasPrefix(string(frames[0].Data), want) {
			t.Errorf("%s: %d frames", path, len(frames))
		}
	}
}

// A body that is refused keeps what is known of the response.
func TestStopBody(t *testing.T) {
	r := pass([]byte(`{"modelVersion":"m","responseId":"r1","usageMetadata":{"promptTokenCount":1},"candidates":[1]}`), frame.Whole, dialecttest.AllowAll())
	want := strings.Replace(stopped(stop(0, brokenNotice)), "a frame is not a JSON object", "a candidate is not an object", 1)
	if diff := cmp.Diff(want, string(r.Out)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestStopAfterUsage checks that an end of weir's own keeps the usage that was told.
func TestStopAfterUsage(t *testing.T) {
	r := pass(stream(`{"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":3,"thoughtsTokenCount":2}}`, "1"), frame.Events, dialecttest.AllowAll())
	if !bytes.Contains(r.Out, []byte(`"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":5,"totalTokenCount":10}`)) {
		t.Errorf("the end is %s", r.Out)
	}
}

// A keep-alive says nothing, of a candidate that goes on: an element without a candidate would make some clients forget the
// turn.
func TestKeepAlive(t *testing.T) {
	alive := func(index int) string { return `{"candidates":[` + candidate(index, nothing) + `]}` }
	d := gemini.Format().New(dialect.Options{})
	f, ok := d.KeepAlive()
	for framing, want := range map[frame.Stream]string{
		frame.NewSSE(strings.NewReader(""), 0):   "data: " + alive(0) + "\n\n",
		frame.NewArray(strings.NewReader(""), 0): "[" + alive(0),
	} {
		if out := framing.Append(nil, f); !ok || string(out) != want {
			t.Errorf("a stream shows life by %q (%v), want %q", out, ok, want)
		}
	}
	first := frame.Frame{Data: []byte(wrap(element(finished(0, "STOP", hiPart), candidate(1, hiPart)))), Plain: true}
	r, err := d.Scan(first)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Rewrite(first, r); err != nil {
		t.Fatal(err)
	}
	if f, _ := d.KeepAlive(); string(f.Data) != `{"response":`+alive(1)+`}` {
		t.Errorf("in the wrapper a stream shows life by %q", f.Data)
	}
	if _, ok := gemini.Format().New(dialect.Options{Whole: true}).KeepAlive(); ok {
		t.Error("a body shows life")
	}
}

// A keep-alive ahead of the first element opens the array, and the elements after it go on in it.
func TestKeepAliveOpensTheArray(t *testing.T) {
	f, _ := gemini.Format().New(dialect.Options{}).KeepAlive()
	a := frame.NewArray(bytes.NewReader(array(says(hiPart), ends(hiPart))), 0)
	out := a.Append(nil, f)
	for e, err := a.Next(); err == nil; e, err = a.Next() {
		out = a.Append(out, e)
	}
	out = a.AppendEnd(out)
	if got := dialecttest.Readers(frame.Elements)[0].Events(out); len(got) != 3 || out[len(out)-1] != ']' {
		t.Errorf("the array is %s", out)
	}
}

// A call that is refused by name does not hold the text after it, although its arguments are still coming.
func TestEarlyRefusal(t *testing.T) {
	var steps []dialecttest.Step
	for _, step := range [][2]string{
		{says(begun), says(nothing)},
		{says(hiPart), says(hiPart)},
		{says(last(num("$.p", "1"))), says(toldAfter("rm"))},
		{says(lsPart), says(lsPart)},
		{bareEnd, bareEnd},
	} {
		s := dialecttest.Step{In: string(stream(step[0]))}
		if step[1] != "" {
			s.Want = string(stream(step[1]))
		}
		steps = append(steps, s)
	}
	dialecttest.CheckSteps(t, gemini.Format(), refuse(false, "rm"), steps)
}
