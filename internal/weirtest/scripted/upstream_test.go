package scripted

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func start(t *testing.T, answer func(Request) Answer) *Upstream {
	t.Helper()
	u, err := New(Config{Answer: answer})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { u.Close() })
	return u
}

func TestRecordsWhatWasSent(t *testing.T) {
	u := start(t, Queue(Answer{}))
	request, err := http.NewRequest("POST", u.URL()+"/v1%2Fx//messages?beta=true&a=%20", strings.NewReader(`{"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Host = "api.example.com"
	request.Header.Set("X-Api-Key", "k")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	got := u.Requests()
	if len(got) != 1 {
		t.Fatalf("%d requests, want 1", len(got))
	}
	if key := got[0].Header.Get("X-Api-Key"); key != "k" {
		t.Errorf("header is %q", key)
	}
	got[0].Header = nil
	want := Request{
		Method: "POST", Host: "api.example.com", Path: "/v1%2Fx//messages", RawQuery: "beta=true&a=%20", Body: []byte(`{"a":1}`),
	}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}

func TestAnswersInOrder(t *testing.T) {
	u := start(t, Queue(
		Answer{Steps: []Step{Write([]byte("one"))}},
		Answer{Status: 429, Header: http.Header{"retry-after": {"1"}, "Content-Type": {"a/b"}}, Steps: []Step{Write([]byte("two"))}},
	))
	type answer struct {
		Status            int
		Type, Retry, Body string
	}
	var got []answer
	for range 3 {
		response, err := http.Get(u.URL())
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		got = append(got, answer{response.StatusCode, response.Header.Get("Content-Type"), response.Header.Get("Retry-After"), string(body)})
	}
	want := []answer{
		{200, "", "", "one"},
		{429, "a/b", "1", "two"},
		{501, "text/plain", "", "no answer is scripted for this request\n"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

func TestStepsAreSentOneByOne(t *testing.T) {
	header, body := make(chan struct{}), make(chan struct{})
	u := start(t, Queue(Answer{Steps: []Step{
		Write(nil), Wait(header), Write([]byte("a\n")), Wait(body), Write([]byte("b\n")), Abort,
	}}))
	response, err := http.Get(u.URL())
	if err != nil {
		t.Fatal(err) // without the header alone this would hang
	}
	defer response.Body.Close()
	lines := bufio.NewReader(response.Body)
	for _, step := range []struct {
		open chan struct{}
		want string
	}{{header, "a\n"}, {body, "b\n"}} {
		close(step.open)
		if line, err := lines.ReadString('\n'); line != step.want || err != nil {
			t.Fatalf("read %q and %v, want %q", line, err, step.want)
		}
	}
	if rest, err := io.ReadAll(lines); len(rest) > 0 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("after the abort: %q and %v, want an unexpected end", rest, err)
	}
}

func TestWaitEndsWithTheClient(t *testing.T) {
	gone := make(chan error, 1)
	u := start(t, Queue(Answer{Steps: []Step{Write([]byte("a")), func(ctx context.Context, w http.ResponseWriter) error {
		err := Wait(nil)(ctx, w)
		gone <- err
		return err
	}}}))
	response, err := http.Get(u.URL())
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("wait ended with %v", err)
	}
}

func TestCloseEndsAnswersUnderWay(t *testing.T) {
	u := start(t, Queue(Answer{Steps: []Step{Write([]byte("a")), Wait(nil)}}))
	response, err := http.Get(u.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := u.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(response.Body); err == nil {
		t.Error("the answer ended cleanly")
	}
	if _, err := http.Get(u.URL()); err == nil {
		t.Error("a closed upstream answered")
	}
}

func TestAddressTaken(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if u, err := New(Config{Addr: listener.Addr().String()}); err == nil {
		u.Close()
		t.Error("started on a taken address")
	}
}
