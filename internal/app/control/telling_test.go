package control

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
)

// A listener is who is told.
type listener struct {
	goOn  chan struct{} // one is taken for each that is told; nil: none is needed
	takes time.Duration
	fails error

	mu      sync.Mutex
	heard   []string // reasons
	trouble []string
}

func (l *listener) tell(ctx context.Context, body []byte) error {
	var q callRequest
	if err := json.Unmarshal(body, &q); err != nil {
		return err
	}
	if l.goOn != nil {
		select {
		case <-l.goOn:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	time.Sleep(l.takes)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = append(l.heard, q.Ruling.Reason)
	return l.fails
}

func (l *listener) failed(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trouble = append(l.trouble, err.Error())
}

// told returns what the listener heard since it was asked before, when nothing moves any more.
func (l *listener) told() (heard []string) {
	synctest.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	heard, l.heard = l.heard, nil
	return heard
}

func refusal(reason string) callRequest {
	return callRequest{Call: call.Call{Tool: "t"}, Ruling: ruling{Code: call.CodeMalformed, Reason: reason}}
}

// numbered are n reasons, from one number on.
func numbered(from, n int) (reasons []string) {
	for i := range n {
		reasons = append(reasons, fmt.Sprintf("Number %d.", from+i))
	}
	return reasons
}

func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// All is told in its order by a goroutine that does not stay: the test would not end if it did.
func TestTellingsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &listener{}
		q := &tellings{tell: l.tell, failed: l.failed}
		for round := range 3 {
			for _, reason := range numbered(round*100, 100) {
				q.add(refusal(reason))
			}
			same(t, "told", numbered(round*100, 100), l.told())
		}
		same(t, "trouble", []string(nil), l.trouble)
	})
}

// What does not fit is told of with the next that does, by its number.
func TestTellingsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &listener{goOn: make(chan struct{})}
		q := &tellings{tell: l.tell, failed: l.failed}
		q.add(refusal("First."))
		synctest.Wait() // it is being told
		for _, reason := range numbered(0, maxTellings+7) {
			q.add(refusal(reason))
		}
		same(t, "what waits", maxTellings, len(q.waiting))
		l.goOn <- struct{}{}
		same(t, "told", []string{"First."}, l.told())
		q.add(refusal("Next.")) // takes the one free place
		q.add(refusal("Over."))
		close(l.goOn)
		want := append(numbered(0, maxTellings), "Next (not on record, for there were too many: 7 before it).")
		same(t, "told", want, l.told())
		q.add(refusal("After."))
		q.add(refusal("Last."))
		same(t, "told", []string{"After (not on record, for there were too many: 1 before it).", "Last."}, l.told())
		q.close()
		same(t, "trouble", []string(nil), l.trouble)
	})
}

// Few large ones are too many, too.
func TestTellingsBoundedInBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &listener{goOn: make(chan struct{})}
		q := &tellings{tell: l.tell, failed: l.failed}
		q.add(refusal("First."))
		synctest.Wait() // it is being told
		large := refusal("Large.")
		large.Args = make([]byte, 3<<10) // 4 KiB, in base64
		q.bytes = maxTellingBytes - 10<<10
		for range 5 {
			q.add(large)
		}
		same(t, "what waits", 2, len(q.waiting))
		q.add(refusal("Small."))
		if q.bytes > maxTellingBytes {
			t.Errorf("%d bytes wait", q.bytes)
		}
		close(l.goOn)
		same(t, "told", []string{"First.", "Large.", "Large.", "Small (not on record, for there were too many: 3 before it)."}, l.told())
		same(t, "bytes that wait", maxTellingBytes-10<<10, q.bytes)
	})
}

// One that cannot be told is reported, and does not keep back the next.
func TestTellingsFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &listener{fails: errors.New("no")}
		q := &tellings{tell: l.tell, failed: l.failed}
		q.add(refusal("One."))
		q.add(refusal("Two."))
		same(t, "told", []string{"One.", "Two."}, l.told())
		q.close()
		same(t, "trouble", []string{"no", "no"}, l.trouble)
	})
}

// At the end what waits has a moment. What takes longer is counted.
func TestTellingsClose(t *testing.T) {
	const loss = "record refused messages: %d were lost"
	for name, tt := range map[string]struct {
		listener *listener
		add      int
		told     int
		takes    time.Duration
		trouble  []string
	}{
		"nothing waits": {listener: &listener{}},
		"all are told":  {listener: &listener{takes: time.Millisecond}, add: 100, told: 100, takes: 100 * time.Millisecond},
		"nobody listens": {
			listener: &listener{goOn: make(chan struct{})}, add: 10, takes: lastTellings, trouble: []string{fmt.Sprintf(loss, 10)},
		},
		"some do not fit either": {
			listener: &listener{goOn: make(chan struct{})}, add: 1000, takes: lastTellings, trouble: []string{fmt.Sprintf(loss, 1000)},
		},
		"there is time for some": {
			listener: &listener{takes: lastTellings/4 + 1}, add: 10, told: 4, takes: lastTellings + 4, trouble: []string{fmt.Sprintf(loss, 6)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &listener{takes: tt.listener.takes}
				if tt.listener.goOn != nil {
					l.goOn = make(chan struct{}) // of this bubble
				}
				q := &tellings{tell: l.tell, failed: l.failed}
				for i, reason := range numbered(0, tt.add) {
					q.add(refusal(reason))
					if i == 0 {
						synctest.Wait() // the first is being told, and the others wait
					}
				}
				start := time.Now()
				q.close()
				same(t, "time", tt.takes, time.Since(start))
				same(t, "trouble", tt.trouble, l.trouble)
				same(t, "told", numbered(0, tt.told), l.told())
				q.add(refusal("Too late."))
				q.close()
				same(t, "told afterwards", []string(nil), l.told())
				same(t, "trouble afterwards", tt.trouble, l.trouble)
			})
		})
	}
}

// A slowJudge is told of refusals one by one.
type slowJudge struct {
	echo
	goOn chan struct{}
	mu   sync.Mutex
	told []string
}

func (j *slowJudge) Refused(_ call.Call, r call.Ruling) {
	<-j.goOn
	j.mu.Lock()
	defer j.mu.Unlock()
	j.told = append(j.told, r.Reason)
}

// A flood of refusals takes one connection, holds up nobody, and is told of in full, by its number where that must do.
func TestFloodOfRefusals(t *testing.T) {
	path := socket(t)
	plain, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	l := &accepted{Listener: plain}
	j := &slowJudge{goOn: make(chan struct{})}
	serveAt(t, l, j)
	lost := 0
	c := NewClient(ClientConfig{Path: path, OnTrouble: func(err error) {
		if _, err := fmt.Sscanf(err.Error(), "record refused messages: %d were lost", &lost); err != nil {
			t.Error(err)
		}
	}})
	const n = 5000
	for range n {
		c.Refused(call.Call{Tool: "response"}, call.Ruling{Code: call.CodeMalformed, Reason: "Odd."})
	}
	close(j.goOn)
	c.Close()
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, reason := range j.told {
		lost++
		if _, number, ok := strings.Cut(reason, "too many: "); ok {
			more := 0
			if _, err := fmt.Sscanf(number, "%d before it", &more); err != nil {
				t.Error(err)
			}
			lost += more
		}
	}
	if lost != n {
		t.Errorf("%d of %d are told of", lost, n)
	}
	if len(j.told) > maxTellings+1 {
		t.Errorf("told one by one of %d", len(j.told))
	}
	if got := l.n.Load(); got != 1 {
		t.Errorf("%d connections were opened", got)
	}
}

// However many ask at once, there are so many connections and no more.
func TestConnectionsAreBounded(t *testing.T) {
	path := socket(t)
	plain, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	l := &accepted{Listener: plain}
	serveAt(t, l, &together{atOnce: maxConnections})
	c := NewClient(ClientConfig{Path: path})
	defer c.Close()
	var all sync.WaitGroup
	for range 4 * maxConnections {
		all.Go(func() {
			if r := c.Call(t.Context(), call.Call{Tool: "read"}); !r.Released {
				t.Errorf("ruling %+v", r)
			}
		})
	}
	all.Wait()
	if n := l.n.Load(); n > maxConnections {
		t.Errorf("%d connections were opened", n)
	}
}
