package bodies

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/text/redact"
)

// A shelf is a store in memory, which may be made to fail or to wait.
type shelf struct {
	mu     sync.Mutex
	all    []Body
	err    error
	enter  chan struct{} // gets a value when bodies come; nil: nobody looks
	resume chan struct{} // lets bodies be stored; nil: at once
}

func (s *shelf) PutBodies(ctx context.Context, all []Body) error {
	if s.enter != nil {
		s.enter <- struct{}{}
		select {
		case <-s.resume:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.all = append(s.all, all...)
	}
	return s.err
}

// texts are what is kept, by request and side.
func (s *shelf) texts(t *testing.T) map[string]string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	texts := map[string]string{}
	for _, b := range s.all {
		text, err := b.Text()
		if err != nil || int64(len(text)) != b.Size {
			t.Errorf("%d bytes of %d, %v", len(text), b.Size, err)
		}
		texts[b.RequestID+" "+b.Side] = string(text)
	}
	return texts
}

// A counter counts in a map.
type counter struct {
	mu    sync.Mutex
	count map[string]int
}

func (m *counter) add(what string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.count == nil {
		m.count = map[string]int{}
	}
	m.count[what]++
}
func (m *counter) BodyKept()                      { m.add("kept") }
func (m *counter) BodyDropped(why call.NotStored) { m.add(string(why)) }

func newArchive(t *testing.T, cfg Config) *Archive {
	t.Helper()
	a, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *Archive) mustClose(t *testing.T) {
	t.Helper()
	if err := a.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if used := a.room.used.Load(); used != 0 {
		t.Errorf("%d bytes of the room were not given back", used)
	}
}

// put keeps an exchange and returns where it will be told what became of it.
func put(a *Archive, id, request, response string) <-chan call.Bodies {
	x := Exchange{RequestID: id, Time: time.UnixMicro(1), Request: a.Capture(nil), Response: a.Capture(nil)}
	io.WriteString(x.Request, request)   // a capture takes everything
	io.WriteString(x.Response, response) // likewise
	became := make(chan call.Bodies, 2)
	x.Done = func(b call.Bodies) { became <- b }
	a.Put(x)
	return became
}

func bodyOf(text string) call.Body {
	return call.Body{Digest: digestOf([]byte(text)), Size: int64(len(text))}
}

func TestKept(t *testing.T) {
	email, err := redact.New(redact.Config{Presets: []string{"email"}})
	if err != nil {
		t.Fatal(err)
	}
	var s shelf
	var m counter
	a := newArchive(t, Config{Store: &s, Meter: &m, Hidden: func() []*redact.Set { return []*redact.Set{email} }})
	one := put(a, "req_1", `{"prompt":"`+awsKey+`"}`, "data: to "+mail+"\n\n")
	two := put(a, "req_2", "", "only an answer")
	three := put(a, "req_3", "", "")
	a.mustClose(t)
	want := map[string]string{
		"req_1 request": `{"prompt":"[redacted:aws_access_key]"}`, "req_1 response": "data: to [redacted:email]\n\n", "req_2 response": "only an answer",
	}
	if diff := cmp.Diff(want, s.texts(t)); diff != "" {
		t.Error(diff)
	}
	for i, got := range []struct {
		became <-chan call.Bodies
		want   call.Bodies
	}{
		{one, call.Bodies{Request: bodyOf(want["req_1 request"]), Response: bodyOf(want["req_1 response"])}},
		{two, call.Bodies{Response: bodyOf(want["req_2 response"])}},
		{three, call.Bodies{}},
	} {
		if diff := cmp.Diff(got.want, <-got.became); diff != "" || len(got.became) > 0 {
			t.Errorf("exchange %d: %s", i, diff)
		}
	}
	if diff := cmp.Diff(map[string]int{"kept": 3}, m.count); diff != "" {
		t.Error(diff)
	}
}

// The end of a long body is cut off, never through a character or a secret, and its whole length is told.
func TestCapped(t *testing.T) {
	const most = 1000
	for name, c := range map[string]struct {
		body, want string
		full       int64
	}{
		"at the bound":   {strings.Repeat("x", most), strings.Repeat("x", most), 0},
		"one more":       {strings.Repeat("x", most+1), strings.Repeat("x", most), most + 1},
		"much more":      {strings.Repeat("x", 50*most), strings.Repeat("x", most), 50 * most},
		"a character":    {strings.Repeat("é", most), strings.Repeat("é", most/2), 2 * most},
		"within one":     {"x" + strings.Repeat("é", 50*most), "x" + strings.Repeat("é", most/2-1), 1 + 100*most},
		"a secret there": {strings.Repeat(".", most-10) + awsKey + strings.Repeat(".", 50*most), strings.Repeat(".", most-10) + "[redacted:", 51*most - 10 + 20},
		"shorter then":   {strings.Repeat(openaiKey+" ", 20) + strings.Repeat(".", 400), strings.Repeat("[redacted:openai_key] ", 20) + strings.Repeat(".", 400), 0},
	} {
		t.Run(name, func(t *testing.T) {
			var s shelf
			a := newArchive(t, Config{Store: &s, MaxBody: most})
			became := put(a, "r", "", c.body)
			a.mustClose(t)
			want := bodyOf(c.want)
			want.FullSize = c.full
			if diff := cmp.Diff(call.Bodies{Response: want}, <-became); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(map[string]string{"r response": c.want}, s.texts(t)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The beginning of a secret that nobody can find because the rest of it was not captured does not stay, however much shorter the text
// before it became.
func TestCutSecretDoesNotStay(t *testing.T) {
	const most = 4096
	var s shelf
	a := newArchive(t, Config{Store: &s, MaxBody: most})
	long := strings.Repeat(openaiKey+" ", 300)
	long += strings.Repeat(".", most+margin-len(long)-6) + awsKey
	became := put(a, "r", "", long)
	a.mustClose(t)
	if got := <-became; got.Response.FullSize != int64(len(long)) {
		t.Errorf("%+v", got)
	}
	if text := s.texts(t)["r response"]; len(text) != most || strings.Contains(text, awsKey[:4]) {
		t.Errorf("%d bytes are kept: %q", len(text), text[max(0, len(text)-40):])
	}
}

func compressed(t *testing.T, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
}

func TestReadAsText(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		read func([]byte) ([]byte, error)
		body string
		want call.Body
	}{
		"read":          {func(b []byte) ([]byte, error) { return append([]byte("plain "), b...), nil }, "x", bodyOf("plain x")},
		"not readable":  {func([]byte) ([]byte, error) { return nil, broken }, "x", call.Body{NotStored: call.Unreadable}},
		"no text":       {nil, "\xff\xfe{\x00", call.Body{NotStored: call.Unreadable}},
		"panics":        {func([]byte) ([]byte, error) { panic("no") }, "x", call.Body{NotStored: call.Unreadable}},
		"read a little": {func([]byte) ([]byte, error) { return []byte(strings.Repeat("y", tail+3)), broken }, "x", call.Body{Digest: digestOf([]byte("yyy")), Size: 3, FullSize: tail + 3}},
	} {
		t.Run(name, func(t *testing.T) {
			var s shelf
			a := newArchive(t, Config{Store: &s})
			became := make(chan call.Bodies, 1)
			x := Exchange{RequestID: "r", Response: a.Capture(nil), Done: func(b call.Bodies) { became <- b }}
			x.Response.Read = c.read
			io.WriteString(x.Response, c.body) // a capture takes everything
			a.Put(x)
			a.mustClose(t)
			if diff := cmp.Diff(call.Bodies{Response: c.want}, <-became); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// While the store stands still, nobody waits, memory has a bound, and what finds no room is dropped and counted.
func TestOverload(t *testing.T) {
	s := shelf{enter: make(chan struct{}, 1), resume: make(chan struct{})}
	var m counter
	var told []string
	a := newArchive(t, Config{Store: &s, Meter: &m, Room: 100_000, OnError: func(err error) { told = append(told, err.Error()) }})
	first := put(a, "first", "", "x")
	<-s.enter
	var became []<-chan call.Bodies
	for i := range 50 {
		became = append(became, put(a, fmt.Sprint(i), "", strings.Repeat("y", 10_000)))
		if used := a.room.used.Load(); used > 100_000 {
			t.Fatalf("%d bytes are in memory", used)
		}
	}
	go func() {
		for range s.enter {
			s.resume <- struct{}{}
		}
	}()
	s.resume <- struct{}{}
	a.mustClose(t)
	close(s.enter)
	if got := <-first; got.Response.NotStored != "" {
		t.Errorf("%+v", got)
	}
	kept, dropped := 0, 0
	for _, b := range became {
		switch (<-b).Response.NotStored {
		case "":
			kept++
		case call.Overload:
			dropped++
		}
	}
	if kept != 9 || dropped != 41 {
		t.Errorf("%d were kept and %d dropped", kept, dropped)
	}
	if diff := cmp.Diff(map[string]int{"kept": 10, "overload": 41}, m.count); diff != "" {
		t.Error(diff)
	}
	if len(told) != 1 || !strings.Contains(told[0], "1 bodies are not kept; the last one: overload") {
		t.Errorf("told %q", told)
	}
}

// A capture that is under way takes from the room, too, and one body alone does not keep others out for longer than it lives.
func TestRoomOfCaptures(t *testing.T) {
	var s shelf
	a := newArchive(t, Config{Store: &s, Room: 1000})
	open := a.Capture(nil)
	io.WriteString(open, strings.Repeat("x", 900)) // a capture takes everything
	if got := <-put(a, "1", "", strings.Repeat("y", 200)); got.Response.NotStored != call.Overload {
		t.Errorf("%+v", got)
	}
	a.Put(Exchange{RequestID: "2", Request: open})
	if got := <-put(a, "3", "", "small"); got.Response.NotStored != "" {
		t.Errorf("%+v", got)
	}
	a.mustClose(t)
	if diff := cmp.Diff([]string{"2 request", "3 response"}, keys(s.texts(t))); diff != "" {
		t.Error(diff)
	}
}

func TestTooManyWait(t *testing.T) {
	s := shelf{enter: make(chan struct{}), resume: make(chan struct{})}
	a := newArchive(t, Config{Store: &s})
	put(a, "first", "", "x")
	<-s.enter
	for i := range maxQueue {
		put(a, fmt.Sprint(i), "", "y")
	}
	if got := <-put(a, "last", "", "z"); got.Response.NotStored != call.Overload {
		t.Errorf("%+v", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// What the store does not take is told once a minute, with the reason.
func TestStoreFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := shelf{err: errors.New("disk full")}
		var m counter
		var told []string
		a := newArchive(t, Config{Store: &s, Meter: &m, OnError: func(err error) { told = append(told, err.Error()) }})
		for range 3 {
			if got := <-put(a, "r", "a", "b"); got.Request.NotStored != call.Unstored || got.Response.NotStored != call.Unstored {
				t.Errorf("%+v", got)
			}
		}
		time.Sleep(grumbleEvery)
		<-put(a, "r", "a", "b")
		a.mustClose(t)
		want := []string{
			"1 bodies are not kept; the last one: store_unavailable: disk full",
			"6 bodies are not kept; the last one: store_unavailable: disk full",
		}
		if diff := cmp.Diff(want, told); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(map[string]int{"store_unavailable": 8}, m.count); diff != "" {
			t.Error(diff)
		}
	})
}

// Close stores what waits, or gives it up; either way all are told.
func TestClose(t *testing.T) {
	s := shelf{enter: make(chan struct{}, 100), resume: make(chan struct{})}
	a := newArchive(t, Config{Store: &s})
	one := put(a, "1", "", "x")
	<-s.enter
	two := put(a, "2", "", "y")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for _, b := range []<-chan call.Bodies{one, two, put(a, "3", "", "z")} {
		if diff := cmp.Diff(call.Bodies{Response: call.Body{NotStored: call.Shutdown}}, <-b); diff != "" {
			t.Error(diff)
		}
	}
	if used := a.room.used.Load(); used != 0 {
		t.Errorf("%d bytes of the room were not given back", used)
	}
}

func TestDamagedText(t *testing.T) {
	good := Body{RequestID: "r", Side: "request", Body: bodyOf("text"), Content: []byte(compressed(t, "text"))}
	if text, err := good.Text(); string(text) != "text" || err != nil {
		t.Fatal(string(text), err)
	}
	for name, edit := range map[string]func(*Body){
		"another text":   func(b *Body) { b.Content = []byte(compressed(t, "tent")) },
		"no zstd":        func(b *Body) { b.Content = []byte("text") },
		"cut":            func(b *Body) { b.Content = b.Content[:len(b.Content)-1] },
		"a large one":    func(b *Body) { b.Content = []byte(compressed(t, strings.Repeat("x", 1<<20))) },
		"another digest": func(b *Body) { b.Digest = digestOf([]byte("tent")) },
	} {
		b := good
		edit(&b)
		if _, err := b.Text(); !errors.Is(err, errDamaged) || !strings.HasPrefix(err.Error(), "read the request of r: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
