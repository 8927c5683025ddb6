package daemon

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// through is a client of a unix socket.
func through(path string) *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", path)
	}}}
}

// TestUnixSocket: weir serves at a socket with the permissions that it is given, and takes the place of one that was killed only.
func TestUnixSocket(t *testing.T) {
	r := newRig(t, turn(toolCall{"Bash", "{}"}))
	path := filepath.Join(r.dir, "w.sock")
	r.config.Listen, r.config.Ingress.SocketMode = "unix:"+path, 0o660
	refused := func(says string) {
		t.Helper()
		if d, err := Start(t.Context(), Config{Config: r.config, Policy: r.source()}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, %v; want %q", d, err, says)
		}
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused("there is a file that is no socket; move it away, or set listen to another path")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	dead, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	refused("the socket is in use; weir may be running already")
	dead.(*net.UnixListener).SetUnlinkOnClose(false)
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	r.serve(0)
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o660|fs.ModeSocket {
		t.Fatalf("%v, %v", info, err)
	}
	if r.daemon.Address() != "unix:"+path {
		t.Errorf("it listens on %s", r.daemon.Address())
	}
	resp, err := through(path).Post("http://localhost/model/v1/messages", "application/json",
		strings.NewReader(`{"model":"m","max_tokens":1,"stream":true,"messages":[{"role":"user","content":"go"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil || !strings.Contains(string(body), `"name":"Bash"`) {
		t.Errorf("%s, %v", body, err)
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the socket is left behind")
	}
	r.config.Listen = "unix:" + filepath.Join(r.dir, "none", "w.sock")
	refused("the folder does not exist; create it, or set listen to another path")
}

// TestDrain: weir says first that it is not ready any more, then takes no more requests, and lets open responses end.
func TestDrain(t *testing.T) {
	opened, resume := make(chan struct{}), make(chan struct{})
	all := frames(toolCall{"Read", "{}"})
	steps := append([]scripted.Step{all[0], func(context.Context, http.ResponseWriter) error { close(opened); return nil }, scripted.Wait(resume)}, all[1:]...)
	r := newRig(t, stream(steps...))
	r.config.DrainNotice = time.Second
	r.serve(0)
	answered := make(chan string, 1)
	go func() {
		body, err := r.ask()
		answered <- fmt.Sprint(body, err)
	}()
	<-opened
	ended := make(chan error, 1)
	go func() { ended <- r.end() }()
	ready := func() (int, string) {
		resp, err := http.Get("http://" + r.daemon.Address() + "/readyz")
		if err != nil {
			return 0, ""
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(body)
	}
	waitFor(t, func() bool {
		status, body := ready()
		return status == http.StatusServiceUnavailable && strings.Contains(body, `"draining":true`)
	})
	waitFor(t, func() bool { status, _ := ready(); return status == 0 })
	r.demand("not ready any more; requests are still taken", 1)
	waitFor(t, func() bool {
		return strings.Contains(r.log.String(), `msg="draining: no more requests are taken, and open responses go on" open=1 within=30s`)
	})
	close(resume)
	if body := <-answered; !strings.Contains(body, `"name":"Read"`) || !strings.HasSuffix(body, "<nil>") {
		t.Errorf("the open stream did not come to its end: %s", body)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	r.demand("drained: all responses have ended", 1)
	r.demand("level=ERROR", 0)
}

// TestDrainEnds: what takes longer than it may is cut, and the log says so.
func TestDrainEnds(t *testing.T) {
	opened := make(chan struct{})
	all := frames(toolCall{"Read", "{}"})
	r := newRig(t, stream(all[0], func(context.Context, http.ResponseWriter) error { close(opened); return nil }, scripted.Wait(nil)))
	r.config.Drain = time.Second
	r.serve(0)
	answered := make(chan error, 1)
	go func() {
		_, err := r.ask()
		answered <- err
	}()
	<-opened
	if err := r.end(); err == nil || !strings.Contains(err.Error(), "have been cut") {
		t.Errorf("it ended with %v", err)
	}
	if err := <-answered; err == nil {
		t.Error("a response that was cut looks whole")
	}
	r.demand("not drained: open responses are cut", 1)
}

// TestDrainSession: the open responses of a session of weir run go on, too, and then the session ends, although its program still runs.
func TestDrainSession(t *testing.T) {
	opened, resume := make(chan struct{}), make(chan struct{})
	all := frames(toolCall{"Read", "{}"})
	steps := append([]scripted.Step{all[0], func(context.Context, http.ResponseWriter) error { close(opened); return nil }, scripted.Wait(resume)}, all[1:]...)
	r, ask := withSocket(t, stream(steps...))
	r.serve(0)
	token := admission.NewSessionToken()
	s := aSession(t, ask(""), control.SessionRequest{Token: token})
	answered := make(chan string, 1)
	go func() {
		_, body := post(t, fmt.Sprintf("http://127.0.0.1:%d/k/%s", s.Response.Port, token))
		answered <- body
	}()
	<-opened
	ended := make(chan error, 1)
	go func() { ended <- r.end() }()
	waitFor(t, func() bool { return strings.Contains(r.log.String(), "draining: no more requests") })
	close(resume)
	if body := <-answered; !strings.Contains(body, `"name":"Read"`) || !strings.Contains(body, "message_stop") {
		t.Errorf("the stream of the session did not come to its end: %s", body)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	r.verify()
}
