package daemon

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/model/formats"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/run/canary"
)

// everyCanary runs a test for each format, streamed and whole.
func everyCanary(t *testing.T, test func(t *testing.T, q canary.Request)) {
	for _, f := range formats.All() {
		for name, streamed := range map[string]bool{"streamed": true, "whole": false} {
			t.Run(f.Name+" "+name, func(t *testing.T) {
				test(t, canary.Request{Format: f, Streamed: streamed, Nonce: canary.NewNonce()})
			})
		}
	}
}

func TestTheCanaryIsRefusedInEveryFormat(t *testing.T) {
	r := newRig(t, turn())
	r.serve(0)
	var asked []canary.Request
	everyCanary(t, func(t *testing.T, q canary.Request) {
		q.Base = "http://" + r.daemon.Address() + "/" + canary.Upstream
		got, err := canary.Ask(t.Context(), http.DefaultClient, q)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(canary.Response{Status: 200, Text: true, Notice: true}, got); diff != "" {
			t.Error(diff)
		}
		asked = append(asked, q)
	})
	if err := r.end(); err != nil { // what is refused is recorded soon, and surely before the end
		t.Fatal(err)
	}
	for _, q := range asked {
		var found []record.Event
		for _, e := range r.events(query.Filter{Tool: policy.CanaryTool}) {
			// The id of a streamed call tells before its arguments do.
			if e.Type.IsCall() && strings.Contains(string(e.Args)+e.WireID, q.Nonce) {
				found = append(found, e)
			}
		}
		if len(found) != 1 || !found[0].Blocked || found[0].Rule != policy.RuleCanary || found[0].Exchange.Dialect != q.Format.Name {
			t.Errorf("%s, streamed %t: on record: %+v", q.Format.Name, q.Streamed, found)
		}
	}
	r.verify()
}

// Where nothing is refused, the answer shows it: else verify could not tell.
func TestTheCanaryShowsWhereNothingIsRefused(t *testing.T) {
	r := newRig(t, turn())
	r.config.Enforcement = config.Shadow
	r.serve(0)
	everyCanary(t, func(t *testing.T, q canary.Request) {
		q.Base = "http://" + r.daemon.Address() + "/" + canary.Upstream
		got, err := canary.Ask(t.Context(), http.DefaultClient, q)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(canary.Response{Status: 200, Text: true, Call: true}, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestTheCanaryIsNotListed(t *testing.T) {
	r := newRig(t, turn())
	r.serve(0)
	resp, err := http.Get("http://" + r.daemon.Address() + "/nowhere/v1/messages")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	body := string(text)
	if !strings.Contains(body, "/model/") || strings.Contains(body, canary.Upstream) {
		t.Errorf("a wrong address is answered with %s", body)
	}
}

func TestTheCanaryAnswersVerifyOnly(t *testing.T) {
	r := newRig(t, turn())
	r.serve(0)
	resp, err := http.Post("http://"+r.daemon.Address()+"/canary/v1/messages", "application/json",
		strings.NewReader(`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"go"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close() // only the status counts
	if resp.StatusCode != http.StatusNotFound {
		t.Errorf("it answered %s", resp.Status)
	}
}
