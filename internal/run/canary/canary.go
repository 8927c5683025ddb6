// Package canary is a model that always asks for the same call, which every policy refuses. A request to it shows whether calls are
// judged.
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
	// Upstream is the name of the canary's upstream in every weir.
	Upstream = call.CanaryProvider
	// Header is the header for the nonce of a request. Without a nonce the canary makes no turn.
	Header = "Weir-Canary"
)

// Address returns the address of the canary. No name server knows its host.
func Address() *url.URL { return &url.URL{Scheme: "http", Host: policy.CanaryHost} }

// nonces matches nonces, which crypto/rand.Text makes.
var nonces = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// Transport responds to requests to the canary itself, without any network. It forwards all others to next.
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
		[]byte(`{"error":{"type":"not_found_error","message":"the canary responds only to weir verify"}}`)), nil
}

// maxRequest is more than the size of any request of weir verify, in bytes.
const maxRequest = 1 << 16

// read reads the body of a request, up to maxRequest.
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

// text is the canary's text before the call.
const text = "The canary sings."

// asked is the request to the canary. Its content does not matter.
var asked = wire.Turn{Model: "weir-canary", Prompt: "canary"}

// turn returns the canary's response. The nonce is in one piece, so that a response has it either unchanged or not at all. Only the
// call has the whole nonce.
func turn(nonce string) wire.Turn {
	t := asked
	t.ID = "canary_" + nonce[:8]
	t.Blocks = []wire.Block{
		{Pieces: []string{text}},
		{Tool: policy.CanaryTool, ID: "canary_" + nonce, Pieces: []string{`{"nonce":`, dialect.Quote(nonce), `}`}},
	}
	return t
}
