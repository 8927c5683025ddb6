// Package canary is a model that only ever asks for one call, which every policy refuses: whoever asks it sees whether calls come by
// a judge.
package canary

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/formats"
	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/policy"
)

const (
	// Upstream is the name under which every weir has the canary.
	Upstream = call.CanaryProvider
	// Header has the nonce of a request to it. Requests without one get no response.
	Header = "Weir-Canary"
)

// Address is that of the canary. No name server knows its host.
func Address() *url.URL { return &url.URL{Scheme: "http", Host: policy.CanaryHost} }

// nonces are what a nonce looks like: one of crypto/rand.Text.
var nonces = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// Transport answers requests to the canary itself, without any network. All others go on to next.
func Transport(next http.RoundTripper) http.RoundTripper { return transport{next} }

type transport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != policy.CanaryHost {
		return t.next.RoundTrip(r)
	}
	body, err := read(r)
	if err != nil {
		return nil, err
	}
	nonce := r.Header.Get(Header)
	for _, f := range formats.All() {
		if f.Asks(r, r.URL.Path) != dialect.Turn || !nonces.MatchString(nonce) {
			continue
		}
		switch framing, err := f.Wants(r, body); {
		case err == nil && framing == f.Kit.Framing:
			return respond(r, http.StatusOK, framing.ContentType(), f.Kit.Bytes(turn(nonce))), nil
		case err == nil && framing == frame.Whole:
			return respond(r, http.StatusOK, framing.ContentType(), []byte(f.Kit.Whole(turn(nonce)))), nil
		}
	}
	return respond(r, http.StatusNotFound, "application/json",
		[]byte(`{"error":{"type":"not_found_error","message":"the canary answers weir verify only"}}`)), nil
}

// maxRequest is more than any request of weir verify has, in bytes.
const maxRequest = 1 << 16

// read reads the body of a request, as far as it counts.
func read(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	defer r.Body.Close() // it is in memory
	return io.ReadAll(io.LimitReader(r.Body, maxRequest))
}

func respond(r *http.Request, status int, kind string, body []byte) *http.Response {
	return &http.Response{
		Status: strconv.Itoa(status) + " " + http.StatusText(status), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: r,
	}
}

// text is said around the call.
const text = "The canary sings."

// asked is what the canary is asked. It does not matter.
var asked = wire.Turn{Model: "weir-canary", Prompt: "canary"}

// turn is what the canary says. The nonce is in one piece, so that it stands in a response as it is if it does at all. Only the call has
// all of it.
func turn(nonce string) wire.Turn {
	t := asked
	t.ID = "canary_" + nonce[:8]
	t.Blocks = []wire.Block{
		{Pieces: []string{text}},
		{Tool: policy.CanaryTool, ID: "canary_" + nonce, Pieces: []string{`{"nonce":`, dialect.Quote(nonce), `}`}},
	}
	return t
}
