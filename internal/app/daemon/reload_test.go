package daemon

import (
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// status is how a request with a client's key is answered.
func (r *rig) status(key string) int {
	r.t.Helper()
	req, err := http.NewRequest(http.MethodPost, "http://"+r.daemon.Address()+"/k/"+key+"/model/v1/messages", strings.NewReader(
		`{"model":"m","max_tokens":1,"stream":true,"messages":[{"role":"user","content":"go"}]}`))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close() // only the status counts
	return resp.StatusCode
}

const annKey, bobKey = "0123456789abcdef-ann", "0123456789abcdef-bob"

// TestHangupReplacesClients: a key that was taken away opens nothing any more, and what waits for a restart is named.
func TestHangupReplacesClients(t *testing.T) {
	r := newRig(t, turn(toolCall{"Bash", "{}"}))
	r.config.Clients = []config.Client{{Key: annKey, Employee: "ann"}}
	next, broken := *r.config, errors.New("weir.yaml: broken")
	var answers []func() (*config.Config, error)
	answer := func(edit func(*config.Config), err error) {
		answers = append(answers, func() (*config.Config, error) {
			c := next
			edit(&c)
			return &c, err
		})
	}
	answer(func(c *config.Config) { c.Clients, c.OnDeny = []config.Client{{Key: bobKey}}, config.Drop }, nil)
	answer(func(c *config.Config) { c.Clients = nil }, nil)
	answer(func(c *config.Config) { c.Clients = []config.Client{{Key: bobKey}, {Key: bobKey}} }, nil)
	answer(func(*config.Config) {}, broken)
	answer(func(c *config.Config) { c.Clients = []config.Client{{Key: bobKey}} }, nil)
	r.reread = func() (*config.Config, error) {
		now := answers[0]
		answers = answers[1:]
		return now()
	}
	r.serve(0)
	want := func(when string, ann, bob int) {
		t.Helper()
		if gotAnn, gotBob := r.status(annKey), r.status(bobKey); gotAnn != ann || gotBob != bob {
			t.Errorf("%s: ann gets %d and bob %d, want %d and %d", when, gotAnn, gotBob, ann, bob)
		}
	}
	hangup := func(logged string) {
		t.Helper()
		before := strings.Count(r.log.String(), logged)
		if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		waitFor(t, func() bool { return strings.Count(r.log.String(), logged) > before })
	}
	want("at first", http.StatusOK, http.StatusUnauthorized)
	hangup(`level=WARN msg="restart weir to use the new values of on_deny"`)
	want("with other clients", http.StatusUnauthorized, http.StatusOK)
	hangup(`level=WARN msg="restart weir to use the new values of clients"`)
	want("without clients", http.StatusUnauthorized, http.StatusOK)
	hangup(`level=ERROR msg="the new clients cannot be taken over; the old ones stay"`)
	want("with a key twice", http.StatusUnauthorized, http.StatusOK)
	hangup(`level=ERROR msg="the new configuration cannot be loaded; the old one stays in force"`)
	want("with a broken one", http.StatusUnauthorized, http.StatusOK)
	hangup(`msg="policy unchanged"`)
	if err := r.end(); err != nil {
		t.Error(err)
	}
	r.demand("clients replaced", 1)
	r.demand("restart weir", 3) // the key twice is a change, too
	r.demand(annKey, 0)
	r.demand(bobKey, 0)
}

// TestReloadLosesNoStream: everything that can be read again is read again while many streams are open, and none of them loses anything.
func TestReloadLosesNoStream(t *testing.T) {
	const streams = 48
	var open sync.WaitGroup
	open.Add(streams)
	resume := make(chan struct{})
	all := frames(toolCall{"Read", `{"file_path":"a"}`}, toolCall{"Bash", `{"command":"ls"}`})
	half := len(all) / 2
	steps := append(slices.Clone(all[:half]), func(context.Context, http.ResponseWriter) error { open.Done(); return nil }, scripted.Wait(resume))
	r := newRig(t, stream(append(steps, all[half:]...)...))
	up := httptest.NewTLSServer(model())
	defer up.Close()
	ca := filepath.Join(r.dir, "ca.pem")
	writeCA(t, ca, up)
	r.config.Outgoing.CAFile = ca
	r.config.Clients = []config.Client{{Key: annKey, Employee: "ann"}}
	r.reread = func() (*config.Config, error) {
		c := *r.config
		c.Clients = []config.Client{{Key: annKey, Employee: "ann", Team: "new"}, {Key: bobKey}}
		return &c, nil
	}
	r.serve(time.Millisecond)
	bodies := make(chan string, streams)
	for range streams {
		go func() {
			status, body := post(t, "http://"+r.daemon.Address()+"/k/"+annKey)
			bodies <- fmt.Sprint(status, body)
		}()
	}
	open.Wait()
	r.write("version: 1\ndefault: allow\nrules:\n- {id: no-web, tool: WebFetch, verdict: deny}\n")
	waitFor(t, func() bool { return strings.Contains(r.log.String(), `msg="policy loaded"`) })
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return strings.Contains(r.log.String(), `msg="clients replaced"`) })
	other := httptest.NewTLSServer(model())
	defer other.Close()
	if err := os.WriteFile(ca, append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: other.Certificate().Raw}), '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return strings.Contains(r.log.String(), `msg="certificates for upstreams loaded"`) })
	close(resume)
	for range streams {
		body := <-bodies
		if !strings.HasPrefix(body, "200") || strings.Count(body, `"name":"Read"`) != 1 || strings.Count(body, `"name":"Bash"`) != 1 || !strings.Contains(body, "message_stop") {
			t.Fatalf("a stream has lost something: %s", body)
		}
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
	if got := len(r.events(query.Filter{Type: record.Types.ToolCall})); got != 2*streams {
		t.Errorf("%d calls on record", got)
	}
	r.verify()
}
