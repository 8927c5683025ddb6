package weirtest

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// A script is what happens beside the exchange.
type script struct {
	apart     bool // "apart": each form meets a weir of its own, as the second would be the same response again
	abort     bool // "abort": after its last byte the upstream drops the connection
	loseStore bool // "lose the store": its file is moved away before the request
	noAnswer  bool // "upstream down": nobody listens at its address from here on
	restart   bool // "restart": weir is ended before the request, and another one started on the same store, lost or not
}

func parseScript(text string) (script, error) {
	var s script
	for line := range strings.Lines(text) {
		switch line = strings.TrimSpace(line); line {
		case "apart":
			s.apart = true
		case "abort":
			s.abort = true
		case "lose the store":
			s.loseStore = true
		case "upstream down":
			s.noAnswer = true
		case "restart":
			s.restart = true
		default:
			return script{}, fmt.Errorf("no script has the act %q", line)
		}
	}
	return s, nil
}

// contentTypes are what the forms are called unless upstream.http says otherwise.
var contentTypes = map[form]string{
	stream: "text/event-stream; charset=utf-8", array: "application/json; charset=UTF-8", rows: "application/x-ndjson",
	parcels: "application/vnd.amazon.eventstream", whole: "application/json", plain: "text/plain",
}

// answer is what the upstream says, in pieces of the given size; 0: all at once.
func (x *exchange) answer(f form, piece int) (scripted.Answer, error) {
	h, err := parseHead(x.text("upstream.http", f))
	if err != nil {
		return scripted.Answer{}, fmt.Errorf("upstream.http: %w", err)
	}
	a := scripted.Answer{Header: http.Header{}}
	if h.first != "" {
		if a.Status, err = strconv.Atoi(h.first); err != nil {
			return scripted.Answer{}, fmt.Errorf("upstream.http: status: %w", err)
		}
	}
	h = h.withDefault("content-type", contentTypes[f])
	for _, line := range h.headers {
		if line.value != absent {
			a.Header.Add(line.name, line.value)
		}
	}
	body, err := encoded(bodyOf([]byte(x.text("upstream."+string(f), none)), f), h.get("content-encoding"))
	if err != nil {
		return scripted.Answer{}, err
	}
	if piece == 0 {
		piece = max(len(body), 1)
	}
	for len(body) > 0 {
		n := min(piece, len(body))
		a.Steps = append(a.Steps, scripted.Write(body[:n]))
		body = body[n:]
	}
	if x.script.abort {
		a.Steps = append(a.Steps, scripted.Abort)
	}
	return a, nil
}

// encoded applies a content encoding. One that is not known leaves the body as it is: a lie, or one to refuse.
func encoded(body []byte, encoding string) ([]byte, error) {
	var out bytes.Buffer
	var w io.WriteCloser
	var err error
	switch encoding {
	case "gzip":
		w = gzip.NewWriter(&out)
	case "deflate":
		w = zlib.NewWriter(&out)
	case "br":
		w = brotli.NewWriter(&out)
	case "zstd":
		w, err = zstd.NewWriter(&out)
	default:
		return body, nil
	}
	if err == nil {
		_, err = w.Write(body)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("encode a body: %w", err)
	}
	return out.Bytes(), nil
}
