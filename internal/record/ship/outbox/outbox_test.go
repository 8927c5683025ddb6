package outbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/ship/outbox"
	"github.com/weir-gate/weir/internal/record/ship/outbox/outboxtest"
)

// A receiver answers as it is told and remembers what it got, and when.
type receiver struct {
	answer func(attempt int, w http.ResponseWriter) // nil: 200

	mu     sync.Mutex
	bodies []string
	times  []time.Time
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	r.mu.Lock()
	n := len(r.bodies)
	r.bodies, r.times = append(r.bodies, string(body)), append(r.times, time.Now())
	r.mu.Unlock()
	if r.answer != nil {
		r.answer(n, w)
	}
}

func (r *receiver) got() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.bodies)
}

// status answers with the statuses in turn, the last one for ever.
func status(codes ...int) func(int, http.ResponseWriter) {
	return func(n int, w http.ResponseWriter) { w.WriteHeader(codes[min(n, len(codes)-1)]) }
}

// names makes requests that list the tools of their events.
func names(events []record.Event) (func(context.Context) (*http.Request, error), error) {
	var list []string
	for _, e := range events {
		if e.Tool == "unspeakable" {
			return nil, errors.New("no words for it")
		}
		list = append(list, e.Tool)
	}
	body := strings.Join(list, " ")
	return func(ctx context.Context) (*http.Request, error) {
		const address = "http://user:hush@receiver.example/hush?token=hush"
		return http.NewRequestWithContext(ctx, "POST", address, strings.NewReader(body))
	}, nil
}

type setup struct {
	*outbox.Outbox
	meter  outboxtest.Meter
	errors []string
}

func start(t *testing.T, r *receiver, cfg outbox.Config) *setup {
	return startBy(outboxtest.Serve(t, r), cfg)
}

func startBy(transport http.RoundTripper, cfg outbox.Config) *setup {
	s := &setup{}
	cfg.Name, cfg.Encode, cfg.Meter = "there", names, &s.meter
	cfg.Transport, cfg.Retry = transport, func(status int) bool { return status >= 500 }
	cfg.OnError = func(err error) { s.errors = append(s.errors, err.Error()) }
	s.Outbox = outbox.New(cfg)
	return s
}

func (s *setup) put(tools ...string) {
	for _, tool := range tools {
		s.Put(record.Event{Tool: tool})
	}
}

func (s *setup) close(t *testing.T) {
	t.Helper()
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func want[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// A batch goes out when it is full, or when its first event has waited long enough.
func TestBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{}
		began := time.Now()
		s := start(t, r, outbox.Config{Batch: 3, Every: 2 * time.Second})
		s.put("a", "b", "c", "d")
		synctest.Wait()
		want(t, "at once", r.got(), []string{"a b c"})
		time.Sleep(1999 * time.Millisecond)
		s.put("e")
		synctest.Wait()
		want(t, "before the time", r.got(), []string{"a b c"})
		want(t, "waiting", s.meter.Counts().Queued, 2)
		time.Sleep(time.Millisecond)
		synctest.Wait()
		want(t, "at the time", r.got(), []string{"a b c", "d e"})
		if took := r.times[1].Sub(began); took != 2*time.Second {
			t.Errorf("the second batch went after %v", took)
		}
		time.Sleep(time.Minute)
		s.put("f")
		time.Sleep(2 * time.Second)
		synctest.Wait()
		want(t, "alone, after nothing for long", r.got(), []string{"a b c", "d e", "f"})
		s.put("g")
		began = time.Now()
		s.close(t)
		want(t, "at the end", r.got(), []string{"a b c", "d e", "f", "g"})
		if took := time.Since(began); took != 0 {
			t.Errorf("closing waited %v for others", took)
		}
		want(t, "counts", s.meter.Counts(), outboxtest.Counts{Sent: 7})
		want(t, "errors", s.errors, nil)
	})
}

// A batch is bounded in bytes, but an event alone may pass the bound.
func TestBatchBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{}
		s := start(t, r, outbox.Config{Most: 3000})
		for _, tool := range []string{"a", "b", "c"} {
			s.Put(record.Event{Tool: tool, Args: bytes.Repeat([]byte(" "), 400)})
		}
		s.Put(record.Event{Tool: "large", Args: bytes.Repeat([]byte(" "), 5000)})
		s.put("d")
		s.close(t)
		want(t, "batches", r.got(), []string{"a b", "c", "large", "d"})
	})
}

// When there is no room the oldest events are dropped; one that would never fit is dropped itself.
func TestBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{}
		s := start(t, r, outbox.Config{Events: 3, Bytes: 5000, Batch: 10})
		s.put("a", "b", "c", "d", "e")
		s.Put(record.Event{Tool: "huge", Args: make([]byte, 5000)})
		want(t, "waiting", s.meter.Counts(), outboxtest.Counts{Queued: 3, Dropped: 3})
		s.Put(record.Event{Tool: "large", Args: make([]byte, 2800)})
		want(t, "with a large one", s.meter.Counts(), outboxtest.Counts{Queued: 2, Dropped: 5})
		s.close(t)
		s.put("late")
		want(t, "delivered", r.got(), []string{"e large"})
		want(t, "counts", s.meter.Counts(), outboxtest.Counts{Sent: 2, Dropped: 6})
	})
}

// Attempts are repeated with growing pauses until one succeeds; what waits behind stays in order.
func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{answer: status(503, 500, 502, 200)}
		s := start(t, r, outbox.Config{Batch: 1, First: time.Second, Longest: 3 * time.Second})
		s.put("a", "b")
		time.Sleep(time.Minute)
		synctest.Wait()
		want(t, "attempts", r.got(), []string{"a", "a", "a", "a", "b"})
		for i, bound := range []time.Duration{time.Second, 2 * time.Second, 3 * time.Second} {
			if d := r.times[i+1].Sub(r.times[i]); d < bound/2 || d > bound {
				t.Errorf("pause %d is %v, want about %v", i, d, bound)
			}
		}
		want(t, "counts", s.meter.Counts(), outboxtest.Counts{Sent: 2, Failed: 3})
		want(t, "errors", s.errors, []string{
			"deliver events to there: the answer is 503 Service Unavailable",
			"deliver events to there: the answer is 500 Internal Server Error",
			"deliver events to there: the answer is 502 Bad Gateway",
		})
		s.close(t)
	})
}

// A receiver that names a time gets it.
func TestRetryAfter(t *testing.T) {
	for name, header := range map[string]func() string{
		"seconds": func() string { return "90" },
		"date":    func() string { return time.Now().Add(90 * time.Second).UTC().Format(http.TimeFormat) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &receiver{answer: func(n int, w http.ResponseWriter) {
					if n == 0 {
						w.Header().Set("Retry-After", header())
						w.WriteHeader(503)
					}
				}}
				s := start(t, r, outbox.Config{Batch: 1})
				s.put("a")
				time.Sleep(5 * time.Minute)
				synctest.Wait()
				if len(r.times) != 2 || r.times[1].Sub(r.times[0]) != 90*time.Second {
					t.Errorf("attempts at %v", r.times)
				}
				s.close(t)
			})
		})
	}
}

// There is an end to retrying, and none is begun that would end too late.
func TestGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{answer: status(500)}
		s := start(t, r, outbox.Config{Batch: 1, GiveUpAt: 10 * time.Minute, Longest: time.Minute})
		s.put("a")
		time.Sleep(time.Hour)
		synctest.Wait()
		n := len(r.times)
		if took := r.times[n-1].Sub(r.times[0]); took < 9*time.Minute || took > 10*time.Minute {
			t.Errorf("the last of %d attempts was after %v", n, took)
		}
		want(t, "counts", s.meter.Counts(), outboxtest.Counts{Dropped: 1, Failed: n})
		want(t, "errors", s.errors, []string{
			"deliver events to there: the answer is 500 Internal Server Error",
			fmt.Sprintf("deliver events to there: given up after %d attempts: the answer is 500 Internal Server Error", n),
		})
		r.answer = func(_ int, w http.ResponseWriter) {
			w.Header().Set("Retry-After", "601")
			w.WriteHeader(500)
		}
		s.put("b")
		time.Sleep(2 * time.Second)
		synctest.Wait()
		want(t, "attempts that would wait too long", len(r.got())-n, 1)
		s.close(t)
	})
}

// What need not be tried again is not, redirects are not followed, and the same trouble is told once.
func TestRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{answer: func(n int, w http.ResponseWriter) {
			if n == 2 {
				w.Header().Set("Location", "http://elsewhere.example/")
				w.WriteHeader(307)
				return
			}
			w.WriteHeader(403)
		}}
		s := start(t, r, outbox.Config{Batch: 1})
		s.put("a", "b", "c", "unspeakable")
		synctest.Wait()
		want(t, "attempts", r.got(), []string{"a", "b", "c"})
		want(t, "counts", s.meter.Counts(), outboxtest.Counts{Dropped: 4, Failed: 3})
		want(t, "errors", s.errors, []string{
			"deliver events to there: the answer is 403 Forbidden",
			"deliver events to there: the answer is 307 Temporary Redirect",
			"deliver events to there: encode events: no words for it",
		})
		s.close(t)
	})
}

// A receiver may take a delivery and refuse part of it.
func TestPartlyAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{answer: func(_ int, w http.ResponseWriter) { fmt.Fprint(w, "one less") }}
		s := start(t, r, outbox.Config{Accept: func(answer []byte) (int, string) { return 1, string(answer) }})
		s.put("a", "b", "c")
		s.close(t)
		want(t, "counts", s.meter.Counts(), outboxtest.Counts{Sent: 2, Dropped: 1})
		want(t, "errors", s.errors, []string{"deliver events to there: part of a batch was refused: one less"})
	})
}

// An attempt has its time, also if the receiver says nothing or never ends. No error shows the address.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{}
		r.answer = func(n int, w http.ResponseWriter) {
			if n == 0 {
				time.Sleep(time.Hour)
			}
		}
		s := start(t, r, outbox.Config{Batch: 1, Timeout: 5 * time.Second})
		s.put("a")
		time.Sleep(time.Minute)
		synctest.Wait()
		want(t, "attempts", r.got(), []string{"a", "a"})
		want(t, "errors", s.errors, []string{"deliver events to there: context deadline exceeded"})
		s.close(t)
		time.Sleep(time.Hour)
	})
}

func TestUnreachable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startBy(&http.Transport{DialContext: unreachable}, outbox.Config{Batch: 1, GiveUpAt: time.Minute})
		s.put("a")
		time.Sleep(time.Hour)
		synctest.Wait()
		if c := s.meter.Counts(); c.Failed < 4 || c.Dropped != 1 {
			t.Errorf("counts are %+v", c)
		}
		for _, text := range s.errors {
			if strings.Contains(text, "hush") || !strings.Contains(text, "no way there") {
				t.Errorf("the error says %q", text)
			}
		}
		s.close(t)
	})
}

// Closing cuts pauses short: every batch gets one more attempt and no second one.
func TestCloseHurries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{answer: status(503)}
		s := start(t, r, outbox.Config{Batch: 1, First: time.Minute, Longest: time.Minute})
		s.put("a", "b")
		synctest.Wait()
		want(t, "before", r.got(), []string{"a"})
		began := time.Now()
		s.close(t)
		want(t, "after", r.got(), []string{"a", "a", "b"})
		want(t, "counts", s.meter.Counts(), outboxtest.Counts{Dropped: 2, Failed: 3})
		if took := time.Since(began); took != 0 {
			t.Errorf("it took %v", took)
		}
	})
}

// When there is no time left, what is under way is stopped and the rest is dropped.
func TestCloseGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{answer: func(int, http.ResponseWriter) { time.Sleep(time.Hour) }}
		s := start(t, r, outbox.Config{Batch: 1, Timeout: 30 * time.Minute})
		s.put("a", "b", "c")
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		err := s.Close(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.HasPrefix(err.Error(), "close there: ") {
			t.Errorf("closed with %v", err)
		}
		want(t, "counts", s.meter.Counts(), outboxtest.Counts{Dropped: 3, Failed: 1})
		want(t, "attempts", r.got(), []string{"a"})
		time.Sleep(time.Hour)
	})
}

// Whatever happens, every event is counted once: sent or dropped. What is sent keeps its order.
func TestEveryEventIsCounted(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			chance := rand.New(rand.NewPCG(seed, 1))
			var mu sync.Mutex
			r := &receiver{answer: func(_ int, w http.ResponseWriter) {
				mu.Lock()
				defer mu.Unlock()
				w.WriteHeader([]int{200, 200, 500, 400}[chance.IntN(4)])
			}}
			s := start(t, r, outbox.Config{Events: 20, Batch: 5, Every: 100 * time.Millisecond, GiveUpAt: 20 * time.Second})
			pauses := rand.New(rand.NewPCG(seed, 2))
			const n = 300
			for i := range n {
				s.put(fmt.Sprintf("%03d", i))
				time.Sleep(time.Duration(pauses.IntN(100)) * time.Millisecond)
			}
			s.close(t)
			if c := s.meter.Counts(); c.Sent+c.Dropped != n || c.Queued != 0 {
				t.Errorf("seed %d: counts are %+v", seed, c)
			}
			if all := strings.Fields(strings.Join(slices.Compact(r.got()), " ")); !slices.IsSorted(all) {
				t.Errorf("seed %d: the order is %v", seed, all)
			}
		})
	}
}

// unreachable is a network without a way.
func unreachable(context.Context, string, string) (c net.Conn, err error) {
	return nil, errors.New("no way there")
}
