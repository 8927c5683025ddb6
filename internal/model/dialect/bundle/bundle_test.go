package bundle_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A bundle is one with two calls, to rm and to ls.
type example struct {
	whole bool
	in    string
	calls []string // all that are judged, in order
	// refused is what becomes of it when rm is refused.
	refused string
}

func examples() map[string]example {
	rm, ls := "a rm {\"p\":\"secret\"}", "b ls {\"p\":\"secret\"}"
	both := []string{rm, ls}
	nameless := []string{" rm {\"p\":\"secret\"}", " ls {\"p\":\"secret\"}"}
	expired := `{"custom_id":"x","result":{"type":"expired"}}`
	errored := `{"custom_id":"y","result":{"type":"errored","error":{"type":"error","error":{"type":"invalid_request_error","message":"no"}}}}`
	failed := `{"id":"batch_req_x","custom_id":"x","response":null,"error":{"code":"batch_expired","message":"no"}}`
	bad := output("y", `{"error":{"message":"no","type":"invalid_request_error"}}`)
	embedding := output("z", `{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.5]}]}`)
	user := `{"id":"u","role":"user","content":"do it","name":null}`
	storedRefused := `{"id":"a","role":"assistant","content":` + quote(notice("rm")) + `,"name":null}`
	return map[string]example{
		"anthropic": {
			in:      lines(result("1", message("a", "rm")), expired, errored, result("2", message("b", "ls"))),
			refused: lines(result("1", messageRefused("a", "rm")), expired, errored, result("2", message("b", "ls"))), calls: both,
		},
		"openai chat": {
			in:      lines(failed, output("1", completion("a", "rm")), bad, embedding, output("2", completion("b", "ls")), output("3", said("c"))),
			refused: lines(failed, output("1", completionRefused("a", "rm")), bad, embedding, output("2", completion("b", "ls")), output("3", said("c"))), calls: both,
		},
		"gemini": {
			in:      lines(keyed("1", content("a", "rm")), `{"key":"x","error":{"code":3,"message":"no","status":"INVALID_ARGUMENT"}}`, keyed("2", content("b", "ls"))),
			refused: lines(keyed("1", contentRefused("a", "rm")), `{"key":"x","error":{"code":3,"message":"no","status":"INVALID_ARGUMENT"}}`, keyed("2", content("b", "ls"))), calls: both,
		},
		"vertex": {
			in:      lines(vertex(content("a", "rm")), vertex(`{}`), vertex(`null`), vertex(content("b", "ls"))),
			refused: lines(vertex(contentRefused("a", "rm")), vertex(`{}`), vertex(`null`), vertex(content("b", "ls"))), calls: both,
		},
		"vertex with other models": {
			in:      lines(vertex(message("a", "rm")), vertex(completion("b", "ls"))),
			refused: lines(vertex(messageRefused("a", "rm")), vertex(completion("b", "ls"))), calls: both,
		},
		"bare lines among rows": {
			in:      lines(result("0", message("0", "ls")), completion("a", "rm"), `{"some":"thing"}`, `[1]`, content("b", "ls")),
			refused: lines(result("0", message("0", "ls")), completionRefused("a", "rm"), `{"some":"thing"}`, `[1]`, content("b", "ls")),
			calls:   append([]string{"0 ls {\"p\":\"secret\"}"}, both...),
		},
		"one row as a body": {whole: true, in: output("1", completion("a", "rm")), refused: output("1", completionRefused("a", "rm")), calls: both[:1]},
		"operation": {
			whole: true, in: operationOf(content("a", "rm"), content("b", "ls")),
			refused: operationOf(contentRefused("a", "rm"), content("b", "ls")), calls: both,
		},
		"batch with output": {
			whole: true, in: `{"name":"batches/b","output":{` + inlined(content("a", "rm"), content("b", "ls")) + `}}`,
			refused: `{"name":"batches/b","output":{` + inlined(contentRefused("a", "rm"), content("b", "ls")) + `}}`, calls: both,
		},
		"batch with destination": {
			whole: true, in: `{"name":"b","dest":{"inlinedResponses":[{"response":` + content("a", "rm") + `}]}}`,
			refused: `{"name":"b","dest":{"inlinedResponses":[{"response":` + contentRefused("a", "rm") + `}]}}`, calls: both[:1],
		},
		"operation that tells its responses twice": {
			whole: true, in: `{"metadata":{"inputConfig":{"requests":[` + echo + `]},"output":{` + inlined(content("a", "rm"), content("b", "ls")) + `}},"response":{` +
				strings.ReplaceAll(inlined(content("a", "rm"), content("b", "ls")), ":[", ": [ ") + `}}`,
			refused: `{"metadata":{"inputConfig":{"requests":[` + echo + `]},"output":{` + inlined(strings.ReplaceAll(contentRefused("a", "rm"), ":[", ": [ "), content("b", "ls")) + `}},"response":{` +
				strings.ReplaceAll(inlined(contentRefused("a", "rm"), content("b", "ls")), ":[", ": [ ") + `}}`, calls: both,
		},
		"list of operations": {
			whole: true, in: `{"operations":[` + operationOf(content("a", "rm")) + `,` + operationOf(content("b", "ls")) + `]}`,
			refused: `{"operations":[` + operationOf(contentRefused("a", "rm")) + `,` + operationOf(content("b", "ls")) + `]}`, calls: both,
		},
		"batch with rows": {
			whole: true, in: jobOf(output("1", completion("a", "rm")), failed, output("2", completion("b", "ls"))),
			refused: jobOf(output("1", completionRefused("a", "rm")), failed, output("2", completion("b", "ls"))), calls: both,
		},
		"page of results": {
			whole: true, in: pageOf(completion("a", "rm"), completion("b", "ls")),
			refused: pageOf(completionRefused("a", "rm"), completion("b", "ls")), calls: both,
		},
		"stored completions": {
			whole: true, in: listOf(completion("a", "rm"), said("c"), completion("b", "ls")),
			refused: listOf(completionRefused("a", "rm"), said("c"), completion("b", "ls")), calls: both,
		},
		"stored messages": {
			whole: true, in: listOf(user, storedMessage("a", "rm"), storedMessage("b", "ls")),
			refused: listOf(user, storedRefused, storedMessage("b", "ls")), calls: nameless,
		},
	}
}

func TestRecognises(t *testing.T) {
	for name, e := range examples() {
		if first, _, _ := strings.Cut(e.in, "\n"); !e.whole && !format().Recognises(frameOf(first)) || e.whole && !format().Recognises(frameOf(e.in)) {
			t.Errorf("%s: not recognised", name)
		}
	}
}

func TestAllowedPassesAsItCame(t *testing.T) {
	for name, e := range examples() {
		t.Run(name, func(t *testing.T) {
			r := pass(e.in, e.whole, dialecttest.AllowAll())
			if diff := cmp.Diff(e.in, string(r.Out)); diff != "" {
				t.Errorf("what the agent gets (-sent +got):\n%s", diff)
			}
			if diff := cmp.Diff(e.calls, judged(r)); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if o := r.Outcome(); r.Err != nil || o.Released != len(e.calls) || o.Refused != 0 || !o.Clean || o.Exchange.Dialect != "bundle" {
				t.Errorf("Pass: %v, %+v", r.Err, o)
			}
		})
	}
}

func TestRefusedIsReplaced(t *testing.T) {
	for name, e := range examples() {
		t.Run(name, func(t *testing.T) {
			r := pass(e.in, e.whole, refuse("rm"))
			dialecttest.CheckOut(t, e.refused, r)
			if o := r.Outcome(); r.Err != nil || o.Refused != 1 || o.Released != len(e.calls)-1 {
				t.Errorf("Pass: %v, %+v", r.Err, o)
			}
		})
	}
}

// Nothing of a call is left when all are refused, however it is refused.
func TestAllRefused(t *testing.T) {
	for name, e := range examples() {
		for _, p := range dialecttest.Policies()[1:] {
			r := pass(e.in, e.whole, p)
			if p.Replace == nil && p.Name != "refuse some" && p.Name != "drop some" {
				checkNoCalls(t, r.Out, e.whole)
			}
			if r.Err != nil || r.Outcome().Code != "" {
				t.Errorf("%s, %s: %v, %+v", name, p.Name, r.Err, r.Outcome())
			}
		}
	}
}

// Calls that the provider keeps are known by their own response, whose id a later request will name.
func TestResponsesAreKept(t *testing.T) {
	r := pass(lines(output("1", stored("a", "rm")), output("2", stored("b", "ls"))), false, refuse("rm"))
	type kept struct{ Response, WireID, Unit string }
	var got []kept
	for _, e := range r.Events[:len(r.Events)-1] {
		got = append(got, kept{e.Call.Exchange.ResponseID, e.Call.WireID, e.Call.Unit})
		if e.Call.Notice == "" {
			t.Error("the notice has no id")
		}
	}
	want := []kept{{"a", "call_a", "function_call"}, {"b", "call_b", "function_call"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if out := string(r.Out); strings.Contains(out, "call_a") || !strings.Contains(out, output("2", stored("b", "ls"))) {
		t.Errorf("what the agent gets:\n%s", out)
	}
}

// What a bundle says of itself is what its responses say together.
func TestMeta(t *testing.T) {
	for name, e := range examples() {
		r := pass(e.in, e.whole, dialecttest.AllowAll())
		o := r.Outcome()
		if n := int64(len(e.calls)); !strings.HasPrefix(name, "stored") && name != "openai chat" && (o.Usage.Input != 3*n || o.Usage.Output != 5*n) {
			t.Errorf("%s: usage %+v of %d responses", name, o.Usage, n)
		}
		if o.Exchange.ResponseID != "" || o.Exchange.Model != "m" && name != "stored messages" {
			t.Errorf("%s: %+v", name, o.Exchange)
		}
	}
}

// Where the wrapper tells of an API, its clients read what is inside, whatever that calls itself.
func TestWrapperTellsFormat(t *testing.T) {
	odd := `{"type":"message","candidates":[{"content":{"parts":[{"shellThing":{"command":"x"}}]},"finishReason":"STOP"}]}`
	for _, in := range []string{keyed("1", odd), vertex(odd), operationOf(odd)} {
		r := pass(in, true, refuse("shellThing"))
		if o := r.Outcome(); o.Refused != 1 || strings.Contains(string(r.Out), "command") {
			t.Errorf("%+v:\n%s", o, r.Out)
		}
	}
}

// Lines say that they are over only by their end; a body is over where it stands.
func TestEnded(t *testing.T) {
	row := frameOf(output("1", said("a")))
	for _, clean := range []bool{true, false} {
		d := format().New(options(false))
		if _, err := d.Scan(row); err != nil || d.Meta().Ended {
			t.Errorf("after a line: %v, %+v", err, d.Meta())
		}
		if gone := d.End(clean); len(gone) > 0 || d.Meta().Ended != clean {
			t.Errorf("at the end, clean %v: %v, %+v", clean, gone, d.Meta())
		}
	}
	d := format().New(options(true))
	if _, err := d.Scan(row); err != nil || !d.Meta().Ended {
		t.Errorf("after a body: %v, %+v", err, d.Meta())
	}
}
