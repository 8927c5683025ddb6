package proxy

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func observing(c *Config) { c.Observe = true }

func TestObserveChangesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		status   int
		body     string
		encoding string
		calls    int
		code     string // of the response's end, if it has one
	}{
		"stream":           {200, deniedStream, "", 1, ""},
		"coded stream":     {200, compress(t, deniedStream, "zstd"), "zstd", 1, ""},
		"body":             {200, deniedBody, "", 1, ""},
		"message as error": {500, deniedBody, "", 1, ""},
		"unknown encoding": {200, deniedStream, "lzma", 0, call.CodeUndecodable},
		"not JSON":         {200, "<html>", "", 0, call.CodeMalformed},
		"unrecognised":     {200, `{"x":1}`, "", 0, call.CodeUnrecognised},
	} {
		t.Run(name, func(t *testing.T) {
			header := []string{"Content-Type", "x/y", "Etag", `"1"`, "Set-Cookie", "a=b"}
			if c.encoding != "" {
				header = append(header, "Content-Encoding", c.encoding)
			}
			b := newBench(t, responding(c.status, c.body, header...), observing)
			r := b.ask(true)
			if r.err != nil || r.StatusCode != c.status || r.body != c.body {
				t.Errorf("status %d, error %v, body %q", r.StatusCode, r.err, r.body)
			}
			for i := 0; i < len(header); i += 2 {
				expect.Equal(t, r.Header.Get(header[i]), header[i+1], "%s is", header[i])
			}
			waitForSignal(t, b.judge.ended, "the response was recorded")
			b.judge.mu.Lock()
			defer b.judge.mu.Unlock()
			expect.Equal(t, len(b.judge.calls), c.calls, "%d calls were recorded", len(b.judge.calls))
			expect.Equal(t, b.judge.ends[0].Code, c.code, "recorded code")
		})
	}
}

func TestObservePassesWhatIsNotRead(t *testing.T) {
	for _, status := range []int{302, 404} {
		b := newBench(t, responding(status, "elsewhere", "Location", "https://e/"), observing)
		r := b.ask(true)
		if r.StatusCode != status || r.body != "elsewhere" || r.Header.Get("Location") != "https://e/" {
			t.Errorf("%d %v %q", r.StatusCode, r.Header, r.body)
		}
	}
}

func TestObservedRequestsGoAsTheyCame(t *testing.T) {
	for name, size := range map[string]int{"within the bound": 10, "at the bound": 1000, "over the bound": 5000} {
		t.Run(name, func(t *testing.T) {
			body := strings.Repeat("z", size)
			type seen struct{ Body, Encoding, Accept string }
			got := make(chan seen, 1)
			b := newBench(t, func(_ http.ResponseWriter, r *http.Request) {
				all, _ := io.ReadAll(r.Body)
				got <- seen{string(all), r.Header.Get("Content-Encoding"), r.Header.Get("Accept-Encoding")}
			}, observing, func(c *Config) { c.Bounds.Request = 1000 })
			if r := b.ask(true); r.StatusCode != 200 {
				t.Fatalf("status %d", r.StatusCode)
			}
			<-got
			b.do("POST", "/anthropic/v1/messages", body, "Content-Encoding", "lzma")
			expect.Same(t, seen{body, "lzma", "gzip, br"}, <-got)
		})
	}
}

func TestObserveIsStillGuarded(t *testing.T) {
	b := newBench(t, mustNotBeAsked(t), observing)
	b.mustFail(b.ask(true, "Origin", "https://evil.example"), 403, true)
}

func TestObserveAbortsWithTheUpstream(t *testing.T) {
	b := newBench(t, breakingOff(messageStart+callOpen, ""), observing)
	r := b.ask(true)
	if r.err == nil || r.body != messageStart+callOpen {
		t.Errorf("error %v, body %q", r.err, r.body)
	}
	waitForSignal(t, b.judge.ended, "the response was recorded")
	if b.judge.lastEnd(t).Clean {
		t.Error("recorded as clean")
	}
}

func TestTapLeavesASlowReaderBehind(t *testing.T) {
	tap := newTap(10, nil)
	tap.take([]byte("12345"))
	buf := make([]byte, 3)
	if n, err := tap.Read(buf); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	tap.take([]byte("12345678"))
	tap.take([]byte("9"))
	if _, err := tap.Read(buf); !errors.Is(err, errOverrun) {
		t.Errorf("error %v", err)
	}
	tap.take([]byte("x"))
	tap.end(nil)
	if _, err := tap.Read(buf); !errors.Is(err, errOverrun) {
		t.Errorf("error %v", err)
	}
	tap = newTap(10, nil)
	tap.take([]byte("ab"))
	tap.end(nil)
	if all, err := io.ReadAll(tap); string(all) != "ab" || err != nil {
		t.Error(string(all), err)
	}
}
