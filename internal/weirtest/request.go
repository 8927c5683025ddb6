package weirtest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// A request is what the agent sends, as it goes over the wire.
type request struct {
	head
	method string
	plain  []byte // the body before any encoding
	body   []byte
}

// A reply is what the agent gets.
type reply struct {
	status int
	header http.Header
	body   []byte
	broken bool
}

// request builds what the agent sends in the given form. earlier are the bodies that it has got.
func (x *exchange) request(f form, earlier [][]byte) (request, error) {
	text, err := withChance([]byte(x.text("request.http", f)), earlier)
	if err != nil {
		return request{}, fmt.Errorf("request.http: %w", err)
	}
	h, err := parseHead(string(text))
	if err != nil {
		return request{}, fmt.Errorf("request.http: %w", err)
	}
	if h.first == "" {
		h.first = "POST /anthropic/v1/messages"
	}
	for _, c := range clients {
		if c.verb != "" {
			h.first = strings.ReplaceAll(h.first, c.verb, c.verbs[f])
		}
	}
	r := request{head: h}
	method, target, _ := strings.Cut(h.first, " ")
	asked := clientFor(target)
	r.method = method
	if data, ok := x.file("request.json", f); ok {
		if r.plain, err = withChance(bodyOf(data, whole), earlier); err != nil {
			return request{}, fmt.Errorf("request.json: %w", err)
		}
	} else if r.method == http.MethodPost {
		r.plain = []byte(asked.requests[f])
	}
	if r.body, err = encoded(r.plain, h.get("content-encoding")); err != nil {
		return request{}, err
	}
	for _, a := range asked.headers {
		r.head = r.withDefault(a.name, a.value)
	}
	if len(r.body) > 0 {
		r.head = r.withDefault("content-type", "application/json").withDefault("content-length", strconv.Itoa(len(r.body)))
	}
	return r, nil
}

// patience is how long an exchange may take before it counts as hung.
const patience = 30 * time.Second

// send plays the agent. It writes the request by hand, because a client library would mend it.
func (r request) send(address string) (reply, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return reply{}, err
	}
	defer conn.Close() // everything was read
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return reply{}, err
	}
	var b bytes.Buffer
	b.WriteString(r.first + " HTTP/1.1\r\n")
	h := r.withDefault("host", address).withDefault("connection", "close")
	for _, x := range h.headers {
		if x.value != absent {
			b.WriteString(x.name + ": " + x.value + "\r\n")
		}
	}
	b.WriteString("\r\n")
	b.Write(r.body)
	if _, err := conn.Write(b.Bytes()); err != nil {
		return reply{}, fmt.Errorf("send the request: %w", err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: r.method})
	if err != nil {
		return reply{}, fmt.Errorf("read the response: %w", err)
	}
	defer resp.Body.Close() // it was read to its end
	body, err := io.ReadAll(resp.Body)
	return reply{status: resp.StatusCode, header: resp.Header, body: body, broken: err != nil}, nil
}

// form is the form of the reply's body, as its bytes tell.
func (r reply) form() form {
	media := r.header.Get("Content-Type")
	start := bytes.TrimLeft(r.body, " \t\r\n")
	switch {
	case len(r.body) == 0:
		return none
	case strings.HasPrefix(media, "text/event-stream"):
		return stream
	case strings.HasPrefix(media, contentTypes[parcels]):
		return parcels
	case bytes.HasPrefix(start, []byte("[")):
		return array
	case !bytes.HasPrefix(start, []byte("{")):
		return plain
	case strings.HasPrefix(media, contentTypes[rows]) || severalValues(r.body):
		return rows
	}
	return whole
}

// legible is the body such that a text in it is found: what chunks hold is encoded.
func (r reply) legible() []byte {
	if f := r.form(); f == parcels {
		return textOf(r.body, f)
	}
	return r.body
}

// severalValues says whether a body holds more than one JSON value.
func severalValues(body []byte) bool {
	d := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	first := d.SkipValue()
	return first == nil && d.SkipValue() == nil
}
