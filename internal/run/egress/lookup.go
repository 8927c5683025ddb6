package egress

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/weir-gate/weir/internal/text/inert"
)

// Names answers questions of DNS.
type Names interface {
	// Exchange returns the answer to a query, both as whole messages.
	Exchange(ctx context.Context, query []byte) ([]byte, error)
}

const (
	// maxLookups is how many lookups a session may have under way at a time.
	maxLookups = 256
	// lookupTimeout is how long one lookup may take in all. Clients ask again long before.
	lookupTimeout = 15 * time.Second
	// streamIdle is how long a connection for lookups may be idle.
	streamIdle = 30 * time.Second
	// localTTL is the time to live of weir's own answers, in seconds.
	localTTL = 60
)

// Lookups answers the lookups of the programs, until conn is closed.
func (m *Monitor) Lookups(conn net.PacketConn) error {
	release, ok := m.hold(conn)
	if !ok {
		return nil
	}
	defer release()
	buf := make([]byte, maxTCP)
	for failed := 0; ; {
		n, from, err := conn.ReadFrom(buf)
		switch {
		case err == nil:
			failed = 0
			m.datagramQuery(conn, from, append([]byte(nil), buf[:n]...))
		case errors.Is(err, net.ErrClosed):
			return nil
		case failed == 8:
			return fmt.Errorf("read a lookup: %w", err)
		default: // on some systems an answer that was not delivered causes an error in the next read
			if failed++; !m.pause(time.Millisecond << failed) {
				return nil
			}
		}
	}
}

// datagramQuery answers one question, in parallel with others.
func (m *Monitor) datagramQuery(conn net.PacketConn, from net.Addr, message []byte) {
	answer := func(reply []byte) {
		if reply != nil {
			_, _ = conn.WriteTo(reply, from) // a client that does not get it asks again
		}
	}
	select {
	case m.lookups <- struct{}{}:
	default:
		m.troubles.report("lookups", fmt.Errorf("the session has %d lookups at once: further ones fail", maxLookups))
		answer(failure(message))
		return
	}
	m.work.Go(func() {
		defer func() { <-m.lookups }()
		answer(m.lookup(message, 0))
	})
}

// stream answers questions over TCP, one after the other.
func (m *Monitor) stream(conn net.Conn) {
	var size [2]byte
	for {
		if conn.SetDeadline(time.Now().Add(streamIdle)) != nil {
			return
		}
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			if errors.Is(err, io.EOF) {
				_ = conn.Close() // the client ended in order, so weir does, too
			}
			return
		}
		message := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(conn, message); err != nil {
			return
		}
		reply := m.lookup(message, maxTCP)
		if reply == nil {
			return
		}
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)); err != nil {
			return
		}
	}
}

// lookup answers one question; nil: it gets no answer. limit has the same meaning as in readQuery.
func (m *Monitor) lookup(message []byte, limit int) []byte {
	q, rcode, err := readQuery(message, limit)
	if err != nil {
		return nil
	}
	r := reply{rcode: rcode}
	if rcode == dnsmessage.RCodeSuccess {
		r = m.answer(&q)
	}
	packed, err := q.pack(r)
	if err != nil {
		packed, err = q.pack(reply{rcode: dnsmessage.RCodeServerFailure})
	}
	if err != nil {
		return nil
	}
	return packed
}

// failure answers one question with a failure, without looking it up.
func failure(message []byte) []byte {
	q, _, err := readQuery(message, 0)
	if err != nil {
		return nil
	}
	packed, err := q.pack(reply{rcode: dnsmessage.RCodeServerFailure})
	if err != nil {
		return nil
	}
	return packed
}

// answer asks the judge about a question, and the name servers if it is allowed. A refused name is not sent: names can carry data.
func (m *Monitor) answer(q *query) reply {
	name, ok := hostName(q.question.Name.String())
	if !ok || q.question.Class != dnsmessage.ClassINET {
		m.count.name()
		m.troubles.report("odd", fmt.Errorf("look up %s: refused, because it is not an ordinary name",
			inert.Name(q.question.Name.String(), maxName)))
		return reply{rcode: dnsmessage.RCodeRefused}
	}
	switch t := q.question.Type; {
	case isLocalhost(name):
		return localhost(q.question)
	case t == dnsmessage.TypeHTTPS, t == dnsmessage.TypeSVCB:
		// Such records have keys with which a client hides the name that it connects to. Without them the client shows the name.
		return reply{}
	case !passedType(t):
		return reply{rcode: dnsmessage.RCodeNotImplemented}
	}
	ctx, cancel := context.WithTimeout(m.ctx, lookupTimeout)
	defer cancel()
	if !m.resolve(ctx, name).Released {
		m.count.name()
		return reply{rcode: dnsmessage.RCodeRefused}
	}
	a, err := m.ask(ctx, q)
	if err != nil {
		m.troubles.report("names", fmt.Errorf("look up %s: %w", inert.Name(name, maxName), err))
		return reply{rcode: dnsmessage.RCodeServerFailure}
	}
	if len(a.dropped) > 0 {
		m.troubles.report("rebinding", fmt.Errorf("look up %s: the address %v is not allowed for a name, and was removed",
			inert.Name(name, maxName), a.dropped[0]))
	}
	a.only(m.machine.leads)
	m.addresses.learn(name, a.addrs)
	return a.reply
}

// ask asks the name servers.
func (m *Monitor) ask(ctx context.Context, q *query) (dnsResponse, error) {
	var id [2]byte
	rand.Read(id[:]) // crypto/rand.Read never fails
	outward, err := q.outward(binary.BigEndian.Uint16(id[:]))
	if err != nil {
		return dnsResponse{}, fmt.Errorf("write a query: %w", err)
	}
	message, err := m.cfg.Names.Exchange(ctx, outward)
	if err != nil {
		return dnsResponse{}, err
	}
	if !isAnswer(message, outward) {
		return dnsResponse{}, errors.New("the response is for another query")
	}
	return readResponse(message, q.question)
}

// localhost answers a question for the name of the machine itself.
func localhost(question dnsmessage.Question) reply {
	h := dnsmessage.ResourceHeader{Name: question.Name, Type: question.Type, Class: dnsmessage.ClassINET, TTL: localTTL}
	switch question.Type {
	case dnsmessage.TypeA:
		return reply{answers: []dnsmessage.Resource{{Header: h, Body: &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}}}}}
	case dnsmessage.TypeAAAA:
		return reply{answers: []dnsmessage.Resource{{Header: h, Body: &dnsmessage.AAAAResource{AAAA: [16]byte{15: 1}}}}}
	default:
		return reply{}
	}
}
