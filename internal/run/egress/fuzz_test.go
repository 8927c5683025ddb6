package egress

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/weir-gate/weir/internal/call"
)

// clientHello is what a real client sends first.
func clientHello(t testing.TB, name string) []byte {
	t.Helper()
	near, far := net.Pipe()
	defer far.Close()
	go func() {
		_ = tls.Client(near, &tls.Config{ServerName: name, InsecureSkipVerify: true}).Handshake()
		_ = near.Close()
	}()
	head := make([]byte, recordHeader)
	if _, err := io.ReadFull(far, head); err != nil {
		t.Fatal(err)
	}
	rest := make([]byte, int(head[3])<<8|int(head[4]))
	if _, err := io.ReadFull(far, rest); err != nil {
		t.Fatal(err)
	}
	return append(head, rest...)
}

// checkLook holds for any first bytes: the names are names, and what is settled stays so.
func checkLook(t *testing.T, head []byte) (glimpse, stage) {
	t.Helper()
	g, st := look(head, afresh)
	for _, name := range g.names {
		if again, ok := wireHost(name); !ok || again != name {
			t.Fatalf("the name %q", name)
		}
	}
	if g.from == "" && (g.doubt || len(g.names) > 0) {
		t.Fatalf("%+v comes from nowhere", g)
	}
	for i := range min(len(head), 200) {
		early, earlier := look(head[:i], afresh)
		if earlier == settled && (st != settled || early.from != g.from || early.doubt != g.doubt || !slices.Equal(early.names, g.names)) {
			t.Fatalf("after %d bytes it is settled as %+v, after %d as %+v", i, early, len(head), g)
		}
	}
	return g, st
}

// helloInfo is the name that the server of the standard library sees.
func helloInfo(head []byte) (name string, ok bool) {
	errSeen := errors.New("seen")
	conn := &scripted{Reader: bytes.NewReader(head)}
	err := tls.Server(conn, &tls.Config{GetConfigForClient: func(h *tls.ClientHelloInfo) (*tls.Config, error) {
		name, ok = h.ServerName, true
		return nil, errSeen
	}}).Handshake()
	return name, ok && errors.Is(err, errSeen)
}

// scripted is a connection whose other end has said all in advance, and does not listen.
type scripted struct{ *bytes.Reader }

func (s *scripted) Write(b []byte) (int, error)      { return len(b), nil }
func (s *scripted) Close() error                     { return nil }
func (s *scripted) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (s *scripted) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (s *scripted) SetDeadline(time.Time) error      { return nil }
func (s *scripted) SetReadDeadline(time.Time) error  { return nil }
func (s *scripted) SetWriteDeadline(time.Time) error { return nil }

func FuzzClientHello(f *testing.F) {
	hello := clientHello(f, "api.example.com")
	f.Add(hello)
	f.Add(clientHello(f, ""))
	f.Add(records(hello[recordHeader:], 1))
	f.Add(records(hello[recordHeader:], 50))
	f.Add(hello[:40])
	f.Add([]byte("\x16\x03\x01\x00\x00"))
	f.Fuzz(func(t *testing.T, head []byte) {
		if len(head) > maxHead || len(head) == 0 || head[0] != recordHandshake {
			return
		}
		checkLook(t, head)
	})
}

// TestHelloAsServersReadIt is no fuzz target, since a server draws random numbers, which look like finds.
func TestHelloAsServersReadIt(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(1, 2))
	var seeds [][]byte
	for _, name := range []string{"api.example.com", "A.b", ""} {
		hello := clientHello(t, name)
		seeds = append(seeds, hello, records(hello[recordHeader:], 1), records(hello[recordHeader:], 100))
	}
	agreed := 0
	for range 20_000 {
		head := bytes.Clone(seeds[chance.IntN(len(seeds))])
		for range chance.IntN(4) {
			switch i := chance.IntN(len(head)); chance.IntN(4) {
			case 0:
				head[i] = byte(chance.IntN(256))
			case 1:
				head[i]++
			case 2:
				head = slices.Insert(head, i, byte(chance.IntN(4)))
			case 3:
				head = slices.Delete(head, i, i+1)
			}
		}
		name, ok := helloInfo(head)
		g, st := look(head, afresh)
		if !ok || g.doubt {
			continue
		}
		// What a real server reads as the name is the name here.
		want, plain := wireHost(name)
		switch {
		case st != settled:
			t.Fatalf("a server reads %q, and the door waits: %x", name, head)
		case name == "" && len(g.names) == 0:
		case !plain || len(g.names) != 1 || g.names[0] != want:
			t.Fatalf("a server reads %q, and the door %+v: %x", name, g, head)
		default:
			agreed++
		}
	}
	if agreed < 1000 {
		t.Errorf("only %d names were compared", agreed)
	}
}

func FuzzHead(f *testing.F) {
	for _, seed := range []string{
		"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", "GET http://u@b.example:80/ HTTP/1.1\nhOST : a.example\n\n", "CONNECT a.example:443 HTTP/1.0\r\n\r\n",
		"POST / HTTP/1.1\r\nX: a\r\n Host: b\r\nHost: a.example\r\n\r\n", "PRI * HTTP/2.0\r\n\r\n", "\r\n\nGET\t/ HTTP/1.1\nHost: a\n\n", "EHLO a.example\r\n", "GET", "get / http/1.1\r\nHost: [::1]:80\r\n\r\n",
		"\x1cGET / HTTP/1.1\r\nHost: a.example\r\n\r\n", "GET\xa0/\xa0HTTP/1.1\r\nHost: a\r\n\r\n", "\xef\xbb\xbfGET / HTTP/1.1\n\n", "GET key\r\nHost: a\r\n\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, head []byte) {
		if len(head) > maxHead || len(head) == 0 || head[0] == recordHandshake {
			return
		}
		g, st := checkLook(t, head)
		if !g.doubt && len(g.names) == 0 && splitsToRequest(head) {
			t.Fatalf("a server that splits at all blanks reads a request, and the door %+v at stage %d", g, st)
		}
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(head)))
		if err != nil || st != settled {
			return
		}
		// What a real server reads as the host is among the names here, or there is doubt.
		if r.Host == "" || g.doubt || r.ProtoMajor != 1 {
			return
		}
		if want, ok := authorityHost(r.Host); !ok || !slices.Contains(g.names, want) {
			t.Fatalf("a server reads %q, and the door %+v", r.Host, g)
		}
	})
}

// splitsToRequest says that a server which splits the first line at all blanks of Latin-1 reads a request in it, with headers after it.
func splitsToRequest(head []byte) bool {
	line, rest, ended := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	if !ended || !bytes.HasPrefix(rest, []byte("Host:")) {
		return false
	}
	words := bytes.FieldsFunc(latin1(line), unicode.IsSpace)
	return len(words) == 3 && regexp.MustCompile(`^HTTP/1\.[0-9]$`).Match(words[2]) || len(words) == 2 && string(words[0]) == "GET"
}

// latin1 is a text in Latin-1 as one in UTF-8. Some languages count four more characters as blanks than others.
func latin1(text []byte) []byte {
	var out []rune
	for _, c := range text {
		if 0x1c <= c && c <= 0x1f {
			c = ' '
		}
		out = append(out, rune(c))
	}
	return []byte(string(out))
}

// anything is a Names that says the same to everything, as an answer to it.
type anything struct {
	message []byte
	asked   [][]byte
}

func (a *anything) Exchange(_ context.Context, query []byte) ([]byte, error) {
	a.asked = append(a.asked, query)
	if len(a.message) >= 2 {
		copy(a.message, query[:2])
	}
	return a.message, nil
}

func FuzzLookup(f *testing.F) {
	server := &nameServer{zone: wide}
	for key := range wide {
		name, kind, ok := strings.Cut(key, " ")
		if !ok {
			continue
		}
		t := map[string]dnsmessage.Type{"A": dnsmessage.TypeA, "AAAA": dnsmessage.TypeAAAA, "MX": dnsmessage.TypeMX, "PTR": dnsmessage.TypePTR, "SRV": dnsmessage.TypeSRV}[kind]
		query := question(f, name, t, nil)
		answer, err := server.answer(query)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(query, answer)
	}
	f.Fuzz(func(t *testing.T, query, answer []byte) {
		names := &anything{message: bytes.Clone(answer)}
		m := New(Config{Judge: &scriptedJudge{rule: func(_ context.Context, c call.Connection) call.Ruling {
			if name, ok := hostName(c.Hosts[0]); !ok || name != c.Hosts[0] {
				t.Fatalf("asked about %q", c.Hosts[0])
			}
			return call.Ruling{Released: !strings.HasPrefix(c.Hosts[0], "e")}
		}}, Names: names})
		m.machine.route = everywhere
		defer m.Close()
		reply := m.lookup(query, 0)
		for _, asked := range names.asked {
			out := unpack(t, asked)
			if strings.HasPrefix(strings.ToLower(out.Questions[0].Name.String()), "e") {
				t.Fatal("a name that is refused was sent out")
			}
		}
		if reply == nil {
			return
		}
		if len(reply) > maxUDP {
			t.Fatalf("%d bytes", len(reply))
		}
		for _, r := range unpack(t, reply).Answers {
			if ip, ok := recordAddr(r); ok && unnamed(ip) && !isLocalhost(strings.TrimSuffix(foldName(r.Header.Name), ".")) {
				t.Fatalf("an answer leads to %v", ip)
			}
		}
		for ip := range m.addresses.known {
			if unnamed(ip) || ip.Is4In6() || ip == (netip.Addr{}) {
				t.Fatalf("learned %v", ip)
			}
		}
	})
}
