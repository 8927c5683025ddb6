package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/store/postgrestest"
)

// through is the URL by way of a proxy. Bytes in plain text can be told apart.
func through(t *testing.T, storeURL string, p *postgrestest.Proxy) string {
	t.Helper()
	return edited(t, storeURL, func(u *url.URL) { u.Host, u.RawQuery = p.Address(), "sslmode=disable" })
}

// A trial records events and remembers which were called durable.
type trial struct {
	t        *testing.T
	recorder *recorder.Recorder
	durable  []string
	told     []string // what the recorder complained of
}

// An appender is what the recorder needs.
type appender interface {
	Append(ctx context.Context, entries []record.Entry) error
	Head(ctx context.Context, chain string) (record.Head, error)
}

func newTrial(t *testing.T, s appender) *trial {
	trial := &trial{t: t}
	trial.recorder = recorder.New(recorder.Config{Store: s, OnError: func(err error) { trial.told = append(trial.told, err.Error()) }})
	return trial
}

func (r *trial) record(tool string) error {
	err := tryRecord(r.recorder, tool, 100)
	if err == nil {
		r.durable = append(r.durable, tool)
	}
	return err
}

// finish demands that all that was called durable is stored, in one chain, and that no loss was reported.
func (r *trial) finish(storeURL string) []string {
	r.t.Helper()
	if err := r.recorder.Close(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	reader := readURL(r.t, storeURL)
	stored := strings.Fields(tools(r.t, reader))
	for _, tool := range r.durable {
		if !slices.Contains(stored, tool) {
			r.t.Errorf("%s was called durable and is not stored", tool)
		}
	}
	for _, told := range r.told {
		if strings.Contains(told, "a new chain begins") {
			r.t.Error(told)
		}
	}
	// An event that was recorded again after an error may be there twice, and its ruling is once.
	wantKept(r.t, reader, slices.Compact(slices.Sorted(slices.Values(stored)))...)
	wantWhole(r.t, reader, 1)
	return stored
}

// TestCutConnections cuts the connection at random places of what is sent and what is answered.
func TestCutConnections(t *testing.T) {
	direct := postgrestest.Database(t)
	p := postgrestest.NewProxy(t, mustParse(t, direct).Host)
	s := openURL(t, through(t, direct, p))
	trial := newTrial(t, s)
	if err := trial.record("first"); err != nil {
		t.Fatal(err)
	}
	failed := 0
	for i := range 40 {
		if i%2 == 0 {
			p.Follow(postgrestest.Plan{Sent: 1 + rand.IntN(2500)})
		} else {
			p.Follow(postgrestest.Plan{Answered: 1 + rand.IntN(200)})
		}
		if err := trial.record(fmt.Sprint("cut-", i)); err != nil {
			failed++
			if text := err.Error(); strings.Contains(text, "\n") || strings.Contains(text, password(t, direct)) {
				t.Errorf("error %q", text)
			}
		}
		p.Follow(postgrestest.Plan{})
		if err := awaitRecorded(trial, fmt.Sprint("whole-", i)); err != nil {
			t.Errorf("when the network is well again: %v", err)
		}
	}
	if failed == 0 {
		t.Error("no cut was noticed")
	}
	stored := trial.finish(direct)
	t.Logf("of 81 events %d failed and %d are stored", failed, len(stored))
}

// awaitRecorded records an event; the first attempts may find what is broken.
func awaitRecorded(r *trial, tool string) (err error) {
	for range 3 {
		if err = r.record(tool); err == nil {
			return nil
		}
	}
	return err
}

// TestTheOutcomeIsUnknown loses the answer to a commit. The event is stored and reported as failed, and the chain goes on
// after it.
func TestTheOutcomeIsUnknown(t *testing.T) {
	direct := postgrestest.Database(t)
	p := postgrestest.NewProxy(t, mustParse(t, direct).Host)
	trial := newTrial(t, openURL(t, through(t, direct, p)))
	if err := trial.record("before"); err != nil {
		t.Fatal(err)
	}
	p.Follow(postgrestest.Plan{Answered: 1})
	if err := trial.record("unknown"); err == nil || !strings.Contains(err.Error(), "store: write events: ") {
		t.Errorf("without an answer: %v", err)
	}
	if err := trial.record("after"); err != nil {
		t.Error(err)
	}
	if got := trial.finish(direct); !slices.Equal(got, []string{"before", "unknown", "after"}) {
		t.Errorf("stored %q", got)
	}
}

// settling tells when the head of a chain was read, and so what became of a batch has been decided.
type settling struct {
	*Store
	settled func()
}

func (s *settling) Head(ctx context.Context, chain string) (record.Head, error) {
	h, err := s.Store.Head(ctx, chain)
	s.settled()
	return h, err
}

// TestWhatArrivesLateIsShutOut holds a batch back in the network until weir has found that it is not stored. From then on
// the server must not take it, be it the first of a chain or a later one.
func TestWhatArrivesLateIsShutOut(t *testing.T) {
	for name, before := range map[string][]string{"first": nil, "later": {"before"}} {
		t.Run(name, func(t *testing.T) {
			direct := postgrestest.Database(t)
			p := postgrestest.NewProxy(t, mustParse(t, direct).Host)
			s := openURL(t, through(t, direct, p))
			// An event on a chain of its own: the statements are prepared then, and a batch is the next thing to be sent.
			other := newTrial(t, s)
			if err := errors.Join(other.record("elsewhere"), other.recorder.Close(t.Context())); err != nil {
				t.Fatal(err)
			}
			trial := newTrial(t, &settling{s, func() {
				if answer := p.Deliver(); !strings.Contains(answer, "the chain does not stand at event") {
					t.Errorf("the server answers %q", answer)
				}
			}})
			for _, tool := range before {
				if err := trial.record(tool); err != nil {
					t.Fatal(err)
				}
			}
			p.Follow(postgrestest.Plan{Keep: true})
			if err := trial.record("late"); err == nil {
				t.Fatal("an event that never left the network was called durable")
			}
			if err := trial.record("after"); err != nil {
				t.Error(err)
			}
			if err := trial.recorder.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			reader := readURL(t, direct)
			want := strings.Join(slices.Concat([]string{"elsewhere"}, before, []string{"after"}), " ")
			if got := tools(t, reader); got != want {
				t.Errorf("stored %q, want %q", got, want)
			}
			wantWhole(t, reader, 2)
		})
	}
}

// TestANetworkThatSwallows gives no answer and no error, as a cable that is pulled out. Calls are refused in bounded time.
func TestANetworkThatSwallows(t *testing.T) {
	direct := postgrestest.Database(t)
	p := postgrestest.NewProxy(t, mustParse(t, direct).Host)
	s := openURL(t, through(t, direct, p)+"&connect_timeout=1")
	backend, ok := s.backend.(*postgresBackend)
	if !ok {
		t.Fatalf("the backend is a %T", s.backend)
	}
	backend.write.within = 300 * time.Millisecond
	s.db.within = 300 * time.Millisecond
	trial := newTrial(t, s)
	if err := trial.record("before"); err != nil {
		t.Fatal(err)
	}
	p.Follow(postgrestest.Plan{Swallow: true})
	for range 2 { // the connection that is there, and one that does not come about
		if err := trial.record("swallowed"); err == nil || !strings.Contains(err.Error(), "no response in time") {
			t.Errorf("without a network: %v", err)
		}
	}
	if _, err := s.Refused(t.Context(), "openai", "resp_1"); err == nil {
		t.Error("read without a network")
	}
	wantError(t, "CheckWritable without a network", s.CheckWritable(t.Context()), "no response in time")
	p.Follow(postgrestest.Plan{})
	p.Cut()
	backend.write.within = answerWithin
	s.db.within = answerWithin
	if err := awaitRecorded(trial, "after"); err != nil {
		t.Error(err)
	}
	if got := trial.finish(direct); !slices.Equal(got, []string{"before", "after"}) {
		t.Errorf("stored %q", got)
	}
}

// TestRestartUnderLoad stops the server and starts it again, in good order and as if it was killed, while agents record.
func TestRestartUnderLoad(t *testing.T) {
	server := postgrestest.New(t)
	u := server.Database(t)
	s := openURL(t, u)
	recorder := recorder.New(recorder.Config{Store: s, OnError: func(err error) {
		if strings.Contains(err.Error(), "a new chain begins") {
			t.Error(err)
		}
	}})
	var mu sync.Mutex
	var durable []string
	failed := 0
	ctx, stop := context.WithCancel(t.Context())
	progress := make(chan struct{}, 1)
	var agents sync.WaitGroup
	for a := range 8 {
		agents.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				tool := fmt.Sprint(a, "-", i)
				err := tryRecord(recorder, tool, 100)
				mu.Lock()
				if err == nil {
					durable = append(durable, tool)
				} else {
					failed++
				}
				mu.Unlock()
				if err == nil {
					select {
					case progress <- struct{}{}:
					default:
					}
				}
			}
		})
	}
	await := func(n int) {
		for range n {
			<-progress
		}
	}
	for _, atOnce := range []bool{false, true, false} {
		await(50)
		server.Stop(t, atOnce)
		server.Start(t)
	}
	await(50)
	stop()
	agents.Wait()
	if err := recorder.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	reader := readURL(t, u)
	stored := map[string]bool{}
	for tool := range strings.FieldsSeq(tools(t, reader)) {
		stored[tool] = true
	}
	for _, tool := range durable {
		if !stored[tool] {
			t.Errorf("%s was called durable and is not stored", tool)
		}
	}
	wantWhole(t, reader, 1)
	t.Logf("%d events durable, %d failed, %d stored", len(durable), failed, len(stored))
}
