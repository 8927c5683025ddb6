package main

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/weir-gate/weir/internal/weirtest/fold"
)

// A fault is what is wrong with a cell.
type fault string

const (
	none   fault = ""
	leaks  fault = "leaks"  // something of a refused call reached the client
	breaks fault = "breaks" // the client cannot read what it got, or text or notice are not in it
	alters fault = "alters" // an answer that is let through is not what the upstream sent
)

// A finding is what came of a cell.
type finding struct {
	cell   *cell
	fault  fault
	why    string
	answer answer
}

// judge finds out what is wrong with what the client got.
func (c *cell) judge(a answer) finding {
	f := finding{cell: c, answer: a}
	plain, err := decode(a.body, a.header.Get("Content-Encoding"))
	if !c.verdict.released {
		what := c.leaked(a.body)
		if what == "" && !bytes.Equal(plain, a.body) {
			what = c.leaked(plain)
		}
		if what != "" {
			f.fault, f.why = leaks, what
			return f
		}
	}
	switch err = errors.Join(a.err, err); {
	case err != nil:
		f.fault, f.why = breaks, err.Error()
		return f
	case a.status != http.StatusOK:
		f.fault, f.why = breaks, fmt.Sprintf("status %d", a.status)
		return f
	}
	if err := c.checkType(a.header.Get("Content-Type")); err != nil {
		f.fault, f.why = breaks, err.Error()
		return f
	}
	if c.verdict.released {
		if err := c.checkKept(plain); err != nil {
			f.fault, f.why = alters, err.Error()
		}
	} else if err := c.checkReplaced(plain); err != nil {
		f.fault, f.why = breaks, err.Error()
	}
	return f
}

// checkType checks that an answer is not called what it is not. A type that is missing stays so.
func (c *cell) checkType(value string) error {
	media, _, err := mime.ParseMediaType(value)
	switch {
	case value == "" && c.label.of[c.mode] == "":
		return nil
	case err != nil:
		return fmt.Errorf("the content type is %q", value)
	case (media == "text/event-stream") != (c.mode == events), (media == eventStreamType) != (c.mode == packets),
		media == "application/x-ndjson" && c.mode != lines:
		return fmt.Errorf("the content type of %s is %q", c.mode, value)
	}
	return nil
}

// messages are those that a client reads in a body.
func (c *cell) messages(body []byte) ([]*fold.Message, error) {
	if c.endpoint.messages == nil {
		m, err := message(body, c.mode)
		return []*fold.Message{m}, err
	}
	bodies, err := c.endpoint.messages(body)
	if err != nil {
		return nil, err
	}
	var list []*fold.Message
	for i, b := range bodies {
		m, err := message(b, whole)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		list = append(list, m)
	}
	return list, nil
}

// message is the one that a client reads in an answer.
func message(body []byte, m mode) (*fold.Message, error) {
	message, err := fold.Read(body, kinds[m])
	if err == nil && message == nil {
		err = errors.New("it is no message")
	}
	return message, err
}

// checkReplaced checks that a client can read an answer, that the notice stands in it, once, and that the text around it is
// as it was sent.
func (c *cell) checkReplaced(body []byte) error {
	list, err := c.messages(withoutComments(body))
	if err != nil {
		return err
	}
	var said strings.Builder
	for _, m := range list {
		text, err := m.Text()
		if err != nil {
			return fmt.Errorf("the text: %w", err)
		}
		said.WriteString(text)
	}
	before, after, found := strings.Cut(said.String(), c.verdict.notice())
	want := c.turn().text()
	if c.endpoint.callOnly {
		want = ""
	}
	switch got := strings.TrimRight(before, "\n") + strings.TrimLeft(after, "\n"); {
	case !found:
		return fmt.Errorf("the notice is not there; the text is %q", said.String())
	case got != want:
		return fmt.Errorf("the text beside the notice is %q, and was %q", got, want)
	case strings.Contains(c.ordinary(), fmt.Sprint(usage)) && !bytes.Contains(body, fmt.Append(nil, usage)):
		return errors.New("what the answer cost is not there any more")
	}
	return nil
}

// checkKept checks that an answer is what the upstream sent: byte for byte, or, if its framing is odd, the same message.
func (c *cell) checkKept(body []byte) error {
	if c.framing.plain {
		return sameBytes([]byte(strings.Join(c.frames(), "")), body)
	}
	want, err := c.messages([]byte(c.ordinary()))
	if err != nil {
		return fmt.Errorf("what the upstream sent: %w", err)
	}
	got, err := c.messages(withoutComments(body))
	if err != nil {
		return err
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d messages came, and %d were sent", len(got), len(want))
	}
	for i := range want {
		if diff := fold.Difference(want[i].JSON, got[i].JSON); diff != "" {
			return fmt.Errorf("the message is another one (-sent +got):\n%s", diff)
		}
	}
	return nil
}

func sameBytes(want, got []byte) error {
	if bytes.Equal(want, got) {
		return nil
	}
	at := 0
	for at < len(want) && at < len(got) && want[at] == got[at] {
		at++
	}
	return fmt.Errorf("%d bytes came, and %d were sent; they differ from byte %d on", len(got), len(want), at)
}
