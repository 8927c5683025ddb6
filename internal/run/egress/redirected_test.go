package egress

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
)

func TestNamesOnTheWire(t *testing.T) {
	t.Parallel()
	known := map[string][]string{
		"none": nil,
		"one":  {"api.example.com"},
		"two":  {"api.example.com", "cdn.example.net"},
	}
	tests := map[string]struct {
		known string
		sends string
		from  string
		hosts []string
	}{
		"http":                           {"one", "GET / HTTP/1.1\r\nHost: API.example.com.\r\n\r\n", fromHTTP, []string{"api.example.com"}},
		"http with a port":               {"two", "GET / HTTP/1.1\r\nHost: cdn.example.net:80\r\n\r\n", fromHTTP, []string{"cdn.example.net"}},
		"http not known":                 {"none", "GET / HTTP/1.1\r\nHost: api.example.com\r\n\r\n", fromHTTP, []string{"api.example.com", "192.0.2.10"}},
		"http lies":                      {"two", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", fromHTTP, []string{"evil.example", "api.example.com", "cdn.example.net", "192.0.2.10"}},
		"http twice":                     {"one", "GET / HTTP/1.1\r\nHost: api.example.com\r\nHost: evil.example\r\n\r\n", fromHTTP, []string{"api.example.com", "evil.example", "192.0.2.10"}},
		"http absolute":                  {"one", "GET http://user@evil.example:80/x HTTP/1.1\r\nHost: api.example.com\r\n\r\n", fromHTTP, []string{"evil.example", "api.example.com", "192.0.2.10"}},
		"http by address":                {"one", "GET / HTTP/1.1\r\nHost: 192.0.2.10\r\n\r\n", fromDNS, []string{"api.example.com"}},
		"http by other address":          {"none", "GET / HTTP/1.1\r\nHost: 10.0.0.1\r\n\r\n", fromHTTP, []string{"10.0.0.1", "192.0.2.10"}},
		"doubt: http with garbage":       {"one", "GET / HTTP/1.1\r\nHost: \x1b[31m\r\n\r\n", fromHTTP, []string{"api.example.com", "192.0.2.10"}},
		"http after empty lines":         {"one", "\r\n\n\rGET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", fromHTTP, []string{"evil.example", "api.example.com", "192.0.2.10"}},
		"doubt: http with tabs":          {"one", "GET\t/\tHTTP/1.1\r\nHost: evil.example\r\n\r\n", fromHTTP, []string{"evil.example", "api.example.com", "192.0.2.10"}},
		"doubt: http with odd blanks":    {"one", "GET\v/\f\rHTTP/1.1 \r\nHost: evil.example\r\n\r\n", fromHTTP, []string{"api.example.com", "192.0.2.10"}},
		"doubt: connect with tabs":       {"one", "CONNECT\tevil.example:443\tHTTP/1.1\r\n\r\n", fromConnect, []string{"evil.example", "api.example.com", "192.0.2.10"}},
		"doubt: http/2":                  {"two", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", fromHTTP, []string{"api.example.com", "cdn.example.net", "192.0.2.10"}},
		"doubt: http/2, not known":       {"none", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", fromHTTP, []string{"192.0.2.10"}},
		"doubt: http/2 after a line":     {"one", "\r\nPRI\t* HTTP/2.0\r\n\r\n", fromHTTP, []string{"api.example.com", "192.0.2.10"}},
		"doubt: endless empty lines":     {"one", strings.Repeat("\r\n", maxHead/2), fromHTTP, []string{"api.example.com", "192.0.2.10"}},
		"doubt: an endless request line": {"one", "GET /" + strings.Repeat("x", maxHead), fromHTTP, []string{"api.example.com", "192.0.2.10"}},
		"a word that is no http":         {"one", strings.Repeat("x", 50) + "\n", fromDNS, []string{"api.example.com"}},
		"http without a host":            {"one", "GET / HTTP/1.0\r\n\r\n", fromDNS, []string{"api.example.com"}},
		"connect":                        {"one", "CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n", fromConnect, []string{"evil.example", "x", "api.example.com"}},
		"connect without names":          {"none", "CONNECT [2001:db8::1]:443 HTTP/1.1\r\n\r\n", fromConnect, []string{"2001:db8::1", "192.0.2.10"}},
		"doubt: connect to garbage":      {"one", "CONNECT a b:443 HTTP/1.1\r\n\r\n", fromConnect, []string{"api.example.com", "192.0.2.10"}},
		"something else":                 {"two", "\x00\x00\x00\x08hello", fromDNS, []string{"api.example.com", "cdn.example.net"}},
		"text that is no http":           {"one", "EHLO evil.example\r\n", fromDNS, []string{"api.example.com"}},
		"something, not known":           {"none", "\x00\x00\x00\x08hello", "", nil},
		"doubt: broken beginning of tls": {"one", "\x16\x03\x01\x00\x00", fromSNI, []string{"api.example.com", "192.0.2.10"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, &scriptedJudge{}, nil)
			for _, n := range known[tt.known] {
				r.addresses.learn(n, []netip.Addr{somewhere.Addr()})
			}
			c := dialTCP(t, r.redirect(t, somewhere))
			send(t, c, tt.sends)
			s := r.acceptOne(t)
			receive(t, s, tt.sends)
			want := toSomewhere(tt.from, tt.hosts...)
			want.Unread = want.Unread && name != "http by address"
			if strings.HasPrefix(name, "doubt: ") {
				want = inDoubt(want)
			}
			r.judge.expect(t, want)
			r.expectDialed(t, "192.0.2.10:443")
		})
	}
}

func certificate(t testing.TB, name string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// cutting sends the first write of a client in pieces: as records of so many bytes each, or as segments.
type cutting struct {
	net.Conn
	record, segment int
	cut             bool
}

func (c *cutting) Write(b []byte) (int, error) {
	if c.cut {
		return c.Conn.Write(b)
	}
	c.cut = true
	out := b
	if c.record > 0 {
		out = records(b[recordHeader:], c.record)
	}
	for len(out) > 0 {
		n := len(out)
		if c.segment > 0 {
			n = min(n, c.segment)
		}
		if _, err := c.Conn.Write(out[:n]); err != nil {
			return 0, err
		}
		out = out[n:]
	}
	return len(b), nil
}

// records cuts a handshake message over records of a size.
func records(message []byte, size int) []byte {
	var out []byte
	for len(message) > 0 {
		n := min(size, len(message))
		out = append(out, recordHandshake, 3, 1, byte(n>>8), byte(n))
		out = append(out, message[:n]...)
		message = message[n:]
	}
	return out
}

func TestTLS(t *testing.T) {
	t.Parallel()
	cert := certificate(t, "api.example.com")
	tests := map[string]struct{ record, segment int }{
		"whole": {}, "records of 1": {record: 1}, "records of 7": {record: 7}, "records of 100 in segments of 3": {record: 100, segment: 3},
		"segments of 1": {segment: 1}, "segments of 500": {segment: 500},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, &scriptedJudge{}, nil)
			r.addresses.learn("api.example.com", []netip.Addr{somewhere.Addr()})
			r.addresses.learn("other.example.com", []netip.Addr{somewhere.Addr()})
			raw := dialTCP(t, r.redirect(t, somewhere))
			c := tls.Client(&cutting{Conn: raw, record: tt.record, segment: tt.segment}, &tls.Config{ServerName: "API.example.com", InsecureSkipVerify: true})
			var served sync.WaitGroup
			served.Go(func() {
				s := tls.Server(r.acceptOne(t), &tls.Config{Certificates: []tls.Certificate{cert}})
				got, err := io.ReadAll(s)
				if err != nil || string(got) != "a question" {
					t.Errorf("the server got %q, %v", got, err)
				}
				_, _ = io.WriteString(s, "an answer")
				_ = s.Close()
			})
			// Records that a client cuts anew are no part of what both sides signed: the handshake message is.
			send(t, c, "a question")
			if err := c.CloseWrite(); err != nil {
				t.Error(err)
			}
			got, err := io.ReadAll(c)
			if err != nil || string(got) != "an answer" {
				t.Errorf("the client got %q, %v", got, err)
			}
			served.Wait()
			r.judge.expect(t, toSomewhere(fromSNI, "api.example.com"))
		})
	}
}

func TestRefusedIsAResetAtOnce(t *testing.T) {
	t.Parallel()
	for name, sends := range map[string]string{"with a name": "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "silent": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, &scriptedJudge{rule: refuseAll}, nil)
			if sends == "" {
				r.patience = firstBytes
			}
			c := dialTCP(t, r.redirect(t, somewhere))
			send(t, c, sends)
			expectReset(t, c)
			r.expectDialed(t)
			if got := r.Tally(); got.Refused != 1 || got.Connections != 0 {
				t.Errorf("tally %+v", got)
			}
		})
	}
}

func TestFailedDialIsAResetAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, &scriptedJudge{}, func(cfg *Config) {
		cfg.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no way") }
	})
	c := dialTCP(t, r.redirect(t, somewhere))
	send(t, c, "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")
	expectReset(t, c)
}

func TestUnknownDestination(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		to  netip.AddrPort
		err error
	}{
		"error": {err: errors.New("lost")}, "zero": {}, "loopback": {to: netip.MustParseAddrPort("127.0.0.1:80")},
		"mapped loopback": {to: netip.MustParseAddrPort("[::ffff:127.0.0.1]:80")}, "unspecified": {to: netip.MustParseAddrPort("[::]:80")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			troubles := make(chan error, 10)
			r := newRig(t, &scriptedJudge{}, func(cfg *Config) { cfg.OnTrouble = func(err error) { troubles <- err } })
			l := listen(t)
			r.background(t, func() error {
				return r.Redirected(l, func(net.Conn) (netip.AddrPort, error) { return tt.to, tt.err })
			})
			expectResetAt(t, l.Addr())
			<-troubles
			r.judge.expect(t)
			r.expectDialed(t)
		})
	}
}

func TestMappedDestinationIsUnmapped(t *testing.T) {
	t.Parallel()
	r := newRig(t, &scriptedJudge{}, nil)
	c := dialTCP(t, r.redirect(t, netip.MustParseAddrPort("[::ffff:192.0.2.10]:443")))
	send(t, c, "\x00")
	r.acceptOne(t)
	r.judge.expect(t, toSomewhere(""))
	r.expectDialed(t, "192.0.2.10:443")
}

func TestServerSpeaksFirst(t *testing.T) {
	t.Parallel()
	r := newRig(t, &scriptedJudge{}, nil)
	r.patience = firstBytes
	r.addresses.learn("git.example.com", []netip.Addr{somewhere.Addr()})
	c := dialTCP(t, r.redirect(t, somewhere))
	s := r.acceptOne(t)
	send(t, s, "SSH-2.0-server\r\n")
	receive(t, c, "SSH-2.0-server\r\n")
	send(t, c, "SSH-2.0-client\r\n")
	receive(t, s, "SSH-2.0-client\r\n")
	send(t, c, "more")
	receive(t, s, "more")
	r.judge.expect(t, toSomewhere(fromDNS, "git.example.com"))
}

func TestNameThatComesLate(t *testing.T) {
	t.Parallel()
	const request = "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"
	first, second := toSomewhere(fromDNS, "git.example.com"), toSomewhere(fromHTTP, "evil.example", "git.example.com", "192.0.2.10")
	late := func(t *testing.T, judge *scriptedJudge) (*rig, *net.TCPConn, *net.TCPConn) {
		r := newRig(t, judge, nil)
		r.patience = firstBytes
		r.addresses.learn("git.example.com", []netip.Addr{somewhere.Addr()})
		c := dialTCP(t, r.redirect(t, somewhere))
		s := r.acceptOne(t)
		send(t, s, "220 hello\r\n")
		receive(t, c, "220 hello\r\n")
		send(t, c, request)
		return r, c, s
	}
	t.Run("released", func(t *testing.T) {
		t.Parallel()
		r, _, s := late(t, &scriptedJudge{})
		receive(t, s, request)
		r.judge.expect(t, first, second)
		if got := r.Tally(); got.Connections != 1 || got.Refused != 0 {
			t.Errorf("tally %+v", got)
		}
	})
	t.Run("refused", func(t *testing.T) {
		t.Parallel()
		r, c, s := late(t, &scriptedJudge{rule: refuseHost("evil.example")})
		expectReset(t, c)
		expectReset(t, s) // and not a byte of what the client said
		r.judge.expect(t, first, second)
		want := Tally{Refused: 1, Hosts: []HostTally{{Host: "evil.example", Refused: 1}}}
		if diff := cmp.Diff(want, r.Tally()); diff != "" {
			t.Errorf("tally (-want +got):\n%s", diff)
		}
	})
	t.Run("a name that was judged", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, &scriptedJudge{}, nil)
		r.patience = firstBytes
		r.addresses.learn("evil.example", []netip.Addr{somewhere.Addr()})
		c := dialTCP(t, r.redirect(t, somewhere))
		s := r.acceptOne(t)
		send(t, c, request)
		receive(t, s, request)
		r.judge.expect(t, toSomewhere(fromDNS, "evil.example"))
	})
}

// What may become a request and does not go on is passed on, and still watched: a name that comes in the next piece is judged.
func TestNameInPieces(t *testing.T) {
	t.Parallel()
	first, second := toSomewhere(fromDNS, "git.example.com"), toSomewhere(fromHTTP, "evil.example", "git.example.com", "192.0.2.10")
	pieces := func(t *testing.T, judge *scriptedJudge) (*rig, *net.TCPConn, *net.TCPConn) {
		r := newRig(t, judge, nil)
		r.patience = firstBytes
		r.addresses.learn("git.example.com", []netip.Addr{somewhere.Addr()})
		c := dialTCP(t, r.redirect(t, somewhere))
		send(t, c, "G")
		s := r.acceptOne(t)
		receive(t, s, "G")
		return r, c, s
	}
	t.Run("goes on as something else", func(t *testing.T) {
		t.Parallel()
		r, c, s := pieces(t, &scriptedJudge{})
		for _, piece := range []string{"E", "T", " on\n", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"} {
			send(t, c, piece)
			receive(t, s, piece)
			send(t, s, "ok")
			receive(t, c, "ok")
		}
		r.judge.expect(t, first)
	})
	t.Run("ends", func(t *testing.T) {
		t.Parallel()
		_, c, s := pieces(t, &scriptedJudge{})
		if err := c.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if rest, err := io.ReadAll(s); err != nil || len(rest) > 0 {
			t.Errorf("read %q, %v", rest, err)
		}
		send(t, s, "bye")
		receive(t, c, "bye")
	})
	t.Run("released", func(t *testing.T) {
		t.Parallel()
		r, c, s := pieces(t, &scriptedJudge{})
		send(t, c, "ET / HTTP/1.1\r\nHost: evil.example\r\n\r\nbody")
		receive(t, s, "ET / HTTP/1.1\r\nHost: evil.example\r\n\r\nbody")
		r.judge.expect(t, first, second)
	})
	t.Run("refused", func(t *testing.T) {
		t.Parallel()
		r, c, s := pieces(t, &scriptedJudge{rule: refuseHost("evil.example")})
		send(t, c, "ET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
		expectReset(t, c)
		expectReset(t, s) // and not a byte of the rest
		r.judge.expect(t, first, second)
	})
}

func TestProcess(t *testing.T) {
	t.Parallel()
	type ends struct{ local, remote netip.AddrPort }
	seen := make(chan ends, 1)
	r := newRig(t, &scriptedJudge{}, func(cfg *Config) {
		cfg.Process = func(local, remote netip.AddrPort) call.Process {
			seen <- ends{local, remote}
			return call.Process{PID: 7, Name: "curl"}
		}
	})
	c := dialTCP(t, r.redirect(t, somewhere))
	send(t, c, "\x00")
	r.acceptOne(t)
	want := toSomewhere("")
	want.Process = call.Process{PID: 7, Name: "curl"}
	r.judge.expect(t, want)
	if got := <-seen; got.local != c.LocalAddr().(*net.TCPAddr).AddrPort() || got.remote != somewhere {
		t.Errorf("asked for %v", got)
	}
}

func TestOwnAddressesAreTheMachine(t *testing.T) {
	t.Parallel()
	r := newRig(t, &scriptedJudge{}, nil)
	r.machine.read = func() ([]net.Addr, error) {
		return []net.Addr{&net.IPNet{IP: net.IPv4(192, 0, 2, 10), Mask: net.CIDRMask(24, 32)}}, nil
	}
	c := dialTCP(t, r.redirect(t, somewhere))
	send(t, c, "\x00")
	r.acceptOne(t)
	want := toSomewhere("")
	want.Loopback = true
	r.judge.expect(t, want)
}
