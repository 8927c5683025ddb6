package storetest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/custodian"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/verify"
)

// A weir is a store with its own key. Processes run on it one after the other.
type weir struct {
	Backend
	key string
}

// A process has a recorder and a custodian.
type process struct {
	*custodian.Custodian
	recorder *recorder.Recorder
	heard    *heard
	failures []string
}

// heard counts the events that the sinks before it got.
type heard struct {
	more   sync.Cond
	events int
}

// Stored implements recorder.Sink.
func (h *heard) Stored(events []record.Event) {
	h.more.L.Lock()
	defer h.more.L.Unlock()
	h.events += len(events)
	h.more.Broadcast()
}

// await waits until so many events were counted, and returns the count.
func (h *heard) await(events int) int {
	h.more.L.Lock()
	defer h.more.L.Unlock()
	for h.events < events {
		h.more.Wait()
	}
	return h.events
}

// start begins a process, as serve does, and handles the chains that earlier processes left.
func (w *weir) start(t *testing.T, c custodian.Config) *process {
	t.Helper()
	p := w.begin(t, c)
	if err := p.Checkpoint(t.Context()); err != nil {
		p.failures = append(p.failures, err.Error())
	}
	return p
}

// begin begins a process that has not read anything yet.
func (w *weir) begin(t *testing.T, c custodian.Config) *process {
	t.Helper()
	key, err := checkpoint.OpenKey(w.key)
	if err != nil {
		t.Fatal(err)
	}
	p := &process{heard: &heard{more: sync.Cond{L: &sync.Mutex{}}}}
	c.Store, c.Key, c.Witness = w.Backend, key, checkpoint.Witness{KeyPath: w.key, Location: "here"}
	c.Chain = func() string { return p.recorder.Chain() }
	c.OnError = func(err error) { p.failures = append(p.failures, err.Error()) }
	p.Custodian = custodian.New(c)
	p.recorder = recorder.New(recorder.Config{Store: w.Backend, Sinks: []recorder.Sink{p.Custodian, p.heard}})
	if err := p.Begin(t.Context()); err != nil {
		p.failures = append(p.failures, err.Error())
	}
	return p
}

// record records events and waits until they are stored and, later, the custodian has got them.
func (p *process) record(t *testing.T, events ...record.Event) {
	t.Helper()
	before := p.heard.await(0)
	done := make(chan error, 1)
	p.recorder.RecordAll(events, record.Effects{}, func(err error) { done <- err })
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	p.heard.await(before + len(events))
}

// stop ends a process in order.
func (p *process) stop(t *testing.T) {
	t.Helper()
	if err := errors.Join(p.recorder.Close(t.Context()), p.Close(t.Context())); err != nil {
		t.Error(err)
	}
}

// kill ends a process before it can close its chain.
func (p *process) kill(t *testing.T) {
	t.Helper()
	if err := p.recorder.Close(t.Context()); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Close(ctx); err == nil {
		t.Error("the chain was closed")
	}
}

func (p *process) wantNoFailure(t *testing.T) {
	t.Helper()
	if len(p.failures) > 0 {
		t.Errorf("failures: %q", p.failures)
	}
}

func (p *process) wantFailure(t *testing.T, what string) {
	t.Helper()
	if !strings.Contains(strings.Join(p.failures, "\n"), what) {
		t.Errorf("no failure says %q: %q", what, p.failures)
	}
}

// verify checks the record as the command does, with the file beside the key, and with the keys of others.
func (w *weir) verify(t *testing.T, others ...*weir) verify.Report {
	t.Helper()
	ids, err := checkpoint.ReadKeyIDs(w.key)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range others {
		more, err := checkpoint.ReadKeyIDs(other.key)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, more...)
	}
	newest, err := checkpoint.Witness{KeyPath: w.key, Location: "here"}.Newest()
	if err != nil {
		t.Fatal(err)
	}
	v := verify.Check{Record: w.Backend, Keys: ids}
	if newest.N > 0 {
		v.Checkpoints = []checkpoint.Signed{newest}
	}
	r, err := v.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (w *weir) wantWhole(t *testing.T, others ...*weir) verify.Report {
	t.Helper()
	r := w.verify(t, others...)
	if r.Found != 0 || !r.Vouched {
		t.Errorf("verified: %v, vouched %v", r.Problems, r.Vouched)
	}
	return r
}

func (w *weir) wantProblem(t *testing.T, what string) {
	t.Helper()
	if r := w.verify(t); !says(r, what) {
		t.Errorf("no problem says %q: %v", what, r.Problems)
	}
}

// checkpoints are the checkpoints of the store, in order.
func (w *weir) checkpoints(t *testing.T) []checkpoint.Checkpoint {
	t.Helper()
	var all []checkpoint.Checkpoint
	for s, err := range w.Checkpoints(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

// extend appends a forged event to a chain, with the store's notes. Everything except a signature is as for a real event.
func (w *weir) extend(t *testing.T, chain string) {
	t.Helper()
	head, err := w.Head(t.Context(), chain)
	if err != nil {
		t.Fatal(err)
	}
	e := seal(t, record.Event{Type: record.Types.ToolCall, Tool: "forged"})[0]
	link := `"chain":"%s","seq":%d,"prev_hash":"%s"}`
	e.Text = []byte(strings.Replace(string(e.Text), fmt.Sprintf(link, e.Chain, 1, record.Genesis),
		fmt.Sprintf(link, chain, head.Seq+1, head.Hash), 1))
	sum := sha256.Sum256(e.Text)
	e.Chain, e.Seq, e.Hash = chain, head.Seq+1, hex.EncodeToString(sum[:])
	if err := w.Append(t.Context(), []record.Entry{e}); err != nil {
		t.Fatal(err)
	}
}
