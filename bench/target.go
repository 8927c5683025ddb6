package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/program"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// A target is a way from the client to the upstream.
type target struct {
	name   string
	format *format
	base   string // what the path of the API is appended to
	cmd    *exec.Cmd
	client *http.Client

	process *program.Process
	// Text streams that arrived as they were sent, and others.
	right, wrong int
	leniency
}

// leniency is what a way is forgiven.
type leniency struct {
	cuts   bool         // that a response does not come whole
	broken atomic.Int64 // responses that did not, so far
}

// A bench is the upstream and the ways to it.
type bench struct {
	options
	dir      string
	upstream *scripted.Upstream
	direct   *target
	proxy    *target
	weir     *target
	sent     sentTimes
}

func newBench(o options, dir string) (_ *bench, err error) {
	b := &bench{options: o, dir: dir}
	defer func() {
		if err != nil {
			b.close()
		}
	}()
	b.options.idle = cmp.Or(o.idle, 1000)
	if b.options.weir, err = o.binary(dir); err != nil {
		return nil, err
	}
	if b.upstream, err = scripted.New(scripted.Config{Answer: b.answer}); err != nil {
		return nil, err
	}
	b.direct = &target{name: "direct", base: b.upstream.URL(), client: newClient(), format: o.format}
	if b.proxy, err = b.startProxy(); err != nil {
		return nil, err
	}
	if b.weir, err = b.startWeir("weir.db"); err != nil {
		return nil, err
	}
	return b, nil
}

// binary is the weir to measure. If none was given, it is the one that tests use.
func (o options) binary(dir string) (string, error) {
	if o.weir != "" {
		return o.weir, nil
	}
	return need.WeirIn(dir)
}

// proxies are the targets that are processes.
func (b *bench) proxies() []*target { return []*target{b.proxy, b.weir} }

func (b *bench) all() []*target { return []*target{b.direct, b.proxy, b.weir} }

func (b *bench) close() {
	for _, t := range b.all() {
		if t != nil {
			t.stop()
		}
	}
	if b.upstream != nil {
		_ = b.upstream.Close() // all is over
	}
}

// forgives says whether an error is one that does not end the run: the reverse proxy is known to cut off a response
// now and then, when the upstream answers before the request was read to its end.
func (l *leniency) forgives(err error) bool {
	if !l.cuts || !errors.Is(err, errBroken) || errors.Is(err, context.Canceled) {
		return false
	}
	l.broken.Add(1)
	return true
}

// inexact is an error if weir changed a text stream.
func (b *bench) inexact() error {
	if b.weir.wrong > 0 {
		return fmt.Errorf("%d of %d text streams did not come through weir byte for byte", b.weir.wrong, b.weir.wrong+b.weir.right)
	}
	return nil
}

// startWeir starts weir with a store of its own under which every call is allowed.
func (b *bench) startWeir(store string) (*target, error) {
	dir := filepath.Join(b.dir, store)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	config := fmt.Sprintf("upstreams: {model: {url: %q}}\npolicy: {version: 1, default: allow}\n", b.upstream.URL())
	p, err := program.In(dir, b.options.weir).Start(config)
	if err != nil {
		return nil, err
	}
	t := newTarget("weir", p)
	t.base, t.format = t.base+"/model", b.format
	return t, nil
}

func (b *bench) startProxy() (*target, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	t, err := start("reverse proxy", exec.Command(self, "-reverse-proxy", b.upstream.URL()))
	if err == nil {
		t.cuts, t.format = true, b.format
	}
	return t, err
}

// start starts a proxy and waits until it says where it listens.
func start(name string, cmd *exec.Cmd) (*target, error) {
	p, err := program.Start(cmd)
	if err != nil {
		return nil, err
	}
	return newTarget(name, p), nil
}

func newTarget(name string, p *program.Process) *target {
	return &target{name: name, base: p.Base, process: p, cmd: p.Cmd, client: newClient()}
}

func (t *target) stop() {
	t.client.CloseIdleConnections()
	if t.process != nil {
		t.process.Kill()
	}
}

func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}
}

// reverseProxy is the baseline: what the standard library offers, set to send on what it gets at once. As many idle
// connections are kept as weir keeps; all else is as it comes.
func reverseProxy(to string) error {
	u, err := url.Parse(to)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	handler := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(u) },
		Transport:     transport,
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
	}
	fmt.Printf("reverse proxy%shttp://%s\n", program.Listening, listener.Addr())
	if err := http.Serve(listener, handler); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
