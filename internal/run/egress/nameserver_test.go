package egress

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// A zone is what a scripted name server knows: records by "name. TYPE". A name that is not in it does not exist.
type zone map[string][]dnsmessage.Resource

// A nameServer answers from a zone, and keeps what it was asked.
type nameServer struct {
	zone zone
	// spoil changes answers before they are sent; nil: they stay.
	spoil func(udp bool, reply []byte) [][]byte

	mu    sync.Mutex
	asked [][]byte
}

func mustName(text string) dnsmessage.Name { return dnsmessage.MustNewName(text) }

func record(name string, body dnsmessage.ResourceBody) dnsmessage.Resource {
	var t dnsmessage.Type
	switch body.(type) {
	case *dnsmessage.AResource:
		t = dnsmessage.TypeA
	case *dnsmessage.AAAAResource:
		t = dnsmessage.TypeAAAA
	case *dnsmessage.CNAMEResource:
		t = dnsmessage.TypeCNAME
	case *dnsmessage.TXTResource:
		t = dnsmessage.TypeTXT
	case *dnsmessage.MXResource:
		t = dnsmessage.TypeMX
	case *dnsmessage.SRVResource:
		t = dnsmessage.TypeSRV
	case *dnsmessage.PTRResource:
		t = dnsmessage.TypePTR
	case *dnsmessage.SOAResource:
		t = dnsmessage.TypeSOA
	case *dnsmessage.NSResource:
		t = dnsmessage.TypeNS
	}
	return dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: mustName(name), Type: t, Class: dnsmessage.ClassINET, TTL: 30}, Body: body}
}

func a(name, text string) dnsmessage.Resource {
	ip := netip.MustParseAddr(text)
	if ip.Is4() {
		return record(name, &dnsmessage.AResource{A: ip.As4()})
	}
	return record(name, &dnsmessage.AAAAResource{AAAA: ip.As16()})
}

func cname(name, to string) dnsmessage.Resource {
	return record(name, &dnsmessage.CNAMEResource{CNAME: mustName(to)})
}

// Exchange makes the scripted server one that needs no network.
func (s *nameServer) Exchange(_ context.Context, query []byte) ([]byte, error) {
	return s.answer(query)
}

func (s *nameServer) answer(query []byte) ([]byte, error) {
	s.mu.Lock()
	s.asked = append(s.asked, query)
	s.mu.Unlock()
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil {
		return nil, err
	}
	if len(m.Questions) != 1 {
		return nil, errors.New("not one question")
	}
	q := m.Questions[0]
	name := strings.ToLower(q.Name.String())
	out := dnsmessage.Message{Header: dnsmessage.Header{ID: m.ID, Response: true, RecursionAvailable: true}, Questions: m.Questions}
	records, ok := s.zone[name+" "+strings.TrimPrefix(q.Type.String(), "Type")]
	if ok {
		out.Answers = slices.Clone(records) // packing writes into them
	} else if _, other := s.zone[name]; !other {
		out.RCode = dnsmessage.RCodeNameError
		out.Authorities = []dnsmessage.Resource{record("example.", &dnsmessage.SOAResource{NS: mustName("ns.example."), MBox: mustName("m.example.")})}
	}
	return out.Pack()
}

func (s *nameServer) questions(t testing.TB) (names []string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.asked {
		var m dnsmessage.Message
		if err := m.Unpack(b); err != nil {
			t.Fatal(err)
		}
		names = append(names, m.Questions[0].Name.String()+" "+strings.TrimPrefix(m.Questions[0].Type.String(), "Type"))
	}
	return names
}

// serve lets the server listen on loopback by UDP and TCP, and returns a resolver that asks it.
func (s *nameServer) serve(t testing.TB) systemNames {
	t.Helper()
	udp, tcp := listenBoth(t)
	t.Cleanup(func() { _, _ = udp.Close(), tcp.Close() })
	go s.serveUDP(udp)
	go s.serveTCP(tcp)
	_, port, _ := net.SplitHostPort(udp.LocalAddr().String())
	file := filepath.Join(t.TempDir(), "resolv.conf")
	if err := os.WriteFile(file, []byte("# comment\nnameserver 127.0.0.1\noptions timeout:2 attempts:2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return systemNames{file: file, port: port}
}

// listenBoth finds a port that is free for both.
func listenBoth(t testing.TB) (net.PacketConn, net.Listener) {
	t.Helper()
	for range 100 {
		udp, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		if tcp, err := net.Listen("tcp", udp.LocalAddr().String()); err == nil {
			return udp, tcp
		}
		_ = udp.Close()
	}
	t.Fatal("no port is free for both")
	return nil, nil
}

func (s *nameServer) replies(udp bool, query []byte) [][]byte {
	reply, err := s.answer(query)
	if err != nil {
		return nil
	}
	if s.spoil != nil {
		return s.spoil(udp, reply)
	}
	return [][]byte{reply}
}

func (s *nameServer) serveUDP(conn net.PacketConn) {
	buf := make([]byte, maxTCP)
	for {
		n, from, err := conn.ReadFrom(buf)
		if err != nil {
			return
		}
		for _, reply := range s.replies(true, append([]byte(nil), buf[:n]...)) {
			_, _ = conn.WriteTo(reply, from)
		}
	}
}

func (s *nameServer) serveTCP(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		_ = conn.SetDeadline(time.Now().Add(patience))
		var size [2]byte
		if _, err := io.ReadFull(conn, size[:]); err == nil {
			query := make([]byte, binary.BigEndian.Uint16(size[:]))
			if _, err := io.ReadFull(conn, query); err == nil {
				for _, reply := range s.replies(false, query) {
					_, _ = conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...))
				}
			}
		}
		_ = conn.Close()
	}
}
