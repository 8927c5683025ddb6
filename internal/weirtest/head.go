package weirtest

import (
	"fmt"
	"net/http"
	"strings"
)

// A head is the first line of a message and its headers, in their order.
type head struct {
	first   string
	headers []header
	broken  bool // ":broken": what follows the head breaks off
}

type header struct{ name, value string }

// absent is the value of a header that must not be there.
const absent = "-"

func parseHead(text string) (head, error) {
	var h head
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	h.first = strings.TrimSpace(first)
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		if line == ":broken" {
			h.broken = true
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return head{}, fmt.Errorf("%q is not a header", line)
		}
		h.headers = append(h.headers, header{name, strings.TrimSpace(value)})
	}
	return h, nil
}

func (h head) String() string {
	var b strings.Builder
	b.WriteString(h.first + "\n")
	for _, x := range h.headers {
		b.WriteString(x.name + ": " + x.value + "\n")
	}
	if h.broken {
		b.WriteString(":broken\n")
	}
	return b.String()
}

func (h head) get(name string) string {
	for _, x := range h.headers {
		if strings.EqualFold(x.name, name) {
			return x.value
		}
	}
	return ""
}

// withDefault adds a header unless it is there.
func (h head) withDefault(name, value string) head {
	if h.get(name) == "" {
		h.headers = append(h.headers[:len(h.headers):len(h.headers)], header{name, value})
	}
	return h
}

// filled is h with the values that its headers have in got.
func (h head) filled(first string, got http.Header, broken bool) head {
	out := head{first: first, broken: broken}
	for _, x := range h.headers {
		value := absent
		if values := got.Values(x.name); len(values) > 0 {
			value = strings.Join(values, ", ")
		}
		out.headers = append(out.headers, header{x.name, value})
	}
	return out
}
