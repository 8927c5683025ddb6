package egress

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
)

// withName is a hello that shows a name among so many bytes of other extensions.
func withName(name string, padding int) []byte {
	extensions := nameExtension(entry(name))
	for padding > 0 {
		n := min(padding, 60_000)
		extensions += "\x00\x15" + prefixed(2, strings.Repeat("\x00", n))
		padding -= n
	}
	body := "\x03\x03" + strings.Repeat("r", 32) + prefixed(1, "") + prefixed(2, "\x13\x01") + prefixed(1, "\x00") + prefixed(2, extensions)
	return []byte("\x01" + prefixed(3, body))
}

// wideHello is a hello with a name that is longer than its extensions alone can be: it has many suites.
func wideHello(name string, suites, padding int) []byte {
	body := "\x03\x03" + strings.Repeat("r", 32) + prefixed(1, "") + prefixed(2, strings.Repeat("\x13\x01", suites)) + prefixed(1, "\x00") +
		prefixed(2, nameExtension(entry(name))+"\x00\x15"+prefixed(2, strings.Repeat("\x00", padding)))
	return []byte("\x01" + prefixed(3, body))
}

const evilHead = "Host: evil.example\r\n\r\n"

// inDoubtAlways are first bytes in which a server may read a host that others read in another way, or not at all.
var inDoubtAlways = map[string]string{
	"folded host":               "GET / HTTP/1.1\r\nHost:\r\n evil.example\r\n\r\n",
	"folded by a tab":           "GET / HTTP/1.1\r\nHost: ok.example\r\n\tevil.example\r\n\r\n",
	"folded first line":         "GET / HTTP/1.1\r\n Host: evil.example\r\n\r\n",
	"nul in the host":           "GET / HTTP/1.1\r\nHost: ok.example\x00.evil.example\r\n\r\n",
	"nul in a name":             "GET / HTTP/1.1\r\nHost\x00: evil.example\r\n\r\n",
	"nul in the target":         "GET /\x00 HTTP/1.1\r\n" + evilHead,
	"cr alone":                  "GET / HTTP/1.1\rHost: evil.example\r\r",
	"cr alone, later":           "GET / HTTP/1.1\r\nX: 1\rHost: evil.example\r\n\r\n",
	"cr alone, no version":      "GET /\rHost: evil.example\r\r",
	"two cr":                    "GET / HTTP/1.1\r\r\nHost: evil.example\r\r\n\r\r\n",
	"mixed ends":                "GET / HTTP/1.1\r\nX: a\n\nHost: evil.example\r\n\r\n",
	"mixed ends, lf first":      "GET / HTTP/1.1\nX: a\n\r\n" + evilHead,
	"0.9, absolute":             "GET http://evil.example/\r\n",
	"0.9, absolute, lf":         "GET http://evil.example/\n",
	"0.9, lower case":           "get HTTP://evil.example/\r\n",
	"0.9, with a host":          "GET /\r\n" + evilHead,
	"another version":           "GET / HTTP/3.0\r\n" + evilHead,
	"half a version":            "GET / HTTP/1\r\n" + evilHead,
	"no version":                "GET / X\r\n" + evilHead,
	"h2c":                       "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	"h2c, lf":                   "PRI * HTTP/2.0\n\nSM\n\n",
	"h2c upgrade":               "GET / HTTP/1.1\r\nHost: ok.example\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
	"h2c upgrade among":         "GET / HTTP/1.1\r\nHost: ok.example\r\nUpgrade: foo, H2C\r\n\r\n",
	"long head":                 "GET / HTTP/1.1\r\nX: " + strings.Repeat("x", maxHead) + "\r\n" + evilHead,
	"long head in lines":        "GET / HTTP/1.1\r\n" + strings.Repeat("X: y\r\n", maxHead/6+1) + evilHead,
	"long method":               strings.Repeat("A", 50) + " / HTTP/1.1 \r\n" + evilHead,
	"blank before the colon":    "GET / HTTP/1.1\r\nHost : evil.example\r\n\r\n",
	"vt in a name":              "GET / HTTP/1.1\r\nHost\v: evil.example\r\n\r\n",
	"no colon":                  "GET / HTTP/1.1\r\nHost evil.example\r\n\r\n",
	"indented":                  " GET / HTTP/1.1\r\n" + evilHead,
	"indented by a tab":         "\r\n\tGET / HTTP/1.1\r\n" + evilHead,
	"two blanks":                "GET  / HTTP/1.1\r\n" + evilHead,
	"blank at the end":          "GET / HTTP/1.1 \r\n" + evilHead,
	"blank in the target":       "GET / http://evil.example/ HTTP/1.1\r\nHost: ok.example\r\n\r\n",
	"odd character in method":   "G(T / HTTP/1.1\r\n" + evilHead,
	"target without a slash":    "GET evil.example/ HTTP/1.1\r\nHost: ok.example\r\n\r\n",
	"target by backslashes":     "GET http:\\\\evil.example/ HTTP/1.1\r\nHost: ok.example\r\n\r\n",
	"host by a backslash":       "GET http://evil.example\\@ok.example/ HTTP/1.1\r\nHost: ok.example\r\n\r\n",
	"two users":                 "GET http://a@evil.example@ok.example/ HTTP/1.1\r\nHost: ok.example\r\n\r\n",
	"two hosts in one":          "GET / HTTP/1.1\r\nHost: ok.example, evil.example\r\n\r\n",
	"user in the host":          "GET / HTTP/1.1\r\nHost: ok.example@evil.example\r\n\r\n",
	"two dots":                  "GET / HTTP/1.1\r\nHost: evil.example..\r\n\r\n",
	"escaped host":              "GET / HTTP/1.1\r\nHost: %65vil.example\r\n\r\n",
	"unicode host":              "GET / HTTP/1.1\r\nHost: \xe2\x80\xa8evil.example\r\n\r\n",
	"full-width host":           "GET / HTTP/1.1\r\nHost: \xef\xbd\x85vil.example\r\n\r\n",
	"number as a host":          "GET / HTTP/1.1\r\nHost: 0x7f.1\r\n\r\n",
	"empty host":                "GET / HTTP/1.1\r\nHost:\r\n\r\n",
	"two lengths":               "POST / HTTP/1.1\r\nHost: ok.example\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
	"length and coding":         "POST / HTTP/1.1\r\nHost: ok.example\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
	"odd coding":                "POST / HTTP/1.1\r\nHost: ok.example\r\nTransfer-Encoding: xchunked\r\n\r\n",
	"signed length":             "POST / HTTP/1.1\r\nHost: ok.example\r\nContent-Length: +1\r\n\r\n",
	"coding in 1.0":             "POST / HTTP/1.0\r\nHost: ok.example\r\nTransfer-Encoding: chunked\r\n\r\n",
	"proxy protocol":            "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\nGET / HTTP/1.1\r\n" + evilHead,
	"proxy protocol 2":          proxySignature + "\x20\x00\x00\x00GET / HTTP/1.1\r\n" + evilHead,
	"latin-1 blank first":       "\xa0GET / HTTP/1.1\r\n" + evilHead,
	"next line first":           "\x85GET / HTTP/1.1\r\n" + evilHead,
	"file separator first":      "\x1cGET / HTTP/1.1\r\n" + evilHead,
	"two separators first":      "\v\x1cGET / HTTP/1.1\r\n" + evilHead,
	"separators and lines":      "\x1e\r\n\x1fGET / HTTP/1.1\r\n" + evilHead,
	"latin-1 blanks":            "GET\xa0/\xa0HTTP/1.1\r\n" + evilHead,
	"file separators":           "GET\x1c/\x1cHTTP/1.1\r\n" + evilHead,
	"next lines":                "PUT\x85/\x85HTTP/1.1\r\n" + evilHead,
	"returns as blanks":         "GET\r/\rHTTP/1.1\r\n" + evilHead,
	"separator at the end":      "GET / HTTP/1.1\x1d\r\n" + evilHead,
	"wide blank":                "\u2003GET\u3000/\u3000HTTP/1.1\r\n" + evilHead,
	"byte order":                "\xef\xbb\xbfGET / HTTP/1.1\r\n" + evilHead,
	"zeros first":               "\x00\x00GET / HTTP/1.1\r\n" + evilHead,
	"delete first":              "\x7fGET / HTTP/1.1\r\n" + evilHead,
	"zero in the method":        "G\x00ET / HTTP/1.1\r\n" + evilHead,
	"separator, lower case":     "\x1cget / http/1.1\r\n" + evilHead,
	"separator, own method":     "\x1cFOO evil HTTP/1.1\r\n" + evilHead,
	"odd method":                "(GET / HTTP/1.1\r\n" + evilHead,
	"odd method, separator":     "\x1c{} / HTTP/1.1\r\n" + evilHead,
	"0.9 by a separator":        "GET\x1c/\r\n" + evilHead,
	"0.9, absolute, separator":  "\xa0get\xa0http://evil.example/\r\n",
	"0.9, any target":           "GET key\r\n" + evilHead,
	"0.9, any target, folded":   "GET key\r\n \r\n" + evilHead,
	"0.9, separator, any":       "\x1cGET\x1ckey\r\n" + evilHead,
	"connect by a separator":    "CONNECT\xa0evil.example:443\xa0HTTP/1.1\r\n\r\n",
	"connect without a version": "\x1cCONNECT evil.example:443\r\n\r\n",
	"long target, own method":   "FOO /" + strings.Repeat("x", maxHead) + " HTTP/1.1\r\n" + evilHead,
	"host behind a next line":   "GET / HTTP/1.1\r\nHost: ok.example\r\nX: \u0085Host: evil.example\r\n\r\n",
	"empty record first":        "\x16\x03\x01\x00\x00" + string(records(withName("evil.example", 0), 1<<14)),
	"empty record inside":       string(records(withName("evil.example", 0)[:9], 9)) + "\x16\x03\x01\x00\x00" + string(records(withName("evil.example", 0)[9:], 1<<14)),
	"alert first":               "\x15\x03\x01\x00\x02\x01\x5a" + string(records(withName("evil.example", 0), 1<<14)),
	"change first":              "\x14\x03\x03\x00\x01\x01" + string(records(withName("evil.example", 0), 1<<14)),
	"odd version of a record":   "\x16\x02" + string(records(withName("evil.example", 0), 1<<14)[2:]),
	"bytes behind a hello":      string(records(append(withName("evil.example", 0), "\x01\x00\x00\x00"...), 1<<14)),
	"hello of ssl 2":            "\x80\x2e\x01\x03\x01\x00\x15\x00\x00\x00\x10" + strings.Repeat("x", 40),
	"hello over the bound":      string(records(wideHello("evil.example", 32_767, 65_500), 1<<14)),
	"too many records":          string(records(withName("evil.example", 8000), 1)),
	"a record too long":         "\x16\x03\x01\x40\x01" + string(withName("evil.example", 20_000)),
}

// readAsNames are first bytes in which the host is read.
var readAsNames = map[string]struct {
	sends string
	names []string
}{
	"leading lines":      {"\r\n\r\nGET / HTTP/1.1\r\n" + evilHead, []string{"evil.example"}},
	"lf":                 {"GET / HTTP/1.1\nHost: evil.example\n\n", []string{"evil.example"}},
	"two hosts":          {"GET / HTTP/1.1\r\nHost: ok.example\r\nhOST: evil.example\r\n\r\n", []string{"ok.example", "evil.example"}},
	"absolute and host":  {"GET http://evil.example/ HTTP/1.1\r\nHost: ok.example\r\n\r\n", []string{"evil.example", "ok.example"}},
	"absolute, user":     {"GET hTTps://u:p@evil.example:8080/ HTTP/1.1\r\nHost: ok.example\r\n\r\n", []string{"evil.example", "ok.example"}},
	"connect and host":   {"CONNECT ok.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n", []string{"ok.example", "evil.example"}},
	"a dot at the end":   {"GET / HTTP/1.1\r\nHost: EVIL.example.\r\n\r\n", []string{"evil.example"}},
	"long method":        {strings.Repeat("A", 50) + " / HTTP/1.1\r\n" + evilHead, []string{"evil.example"}},
	"own method":         {"get / HTTP/1.1\r\n" + evilHead, []string{"evil.example"}},
	"as if rtsp":         {"GET / RTSP/1.0\r\n" + evilHead, []string{"evil.example"}},
	"punycode":           {"GET / HTTP/1.1\r\nHost: xn--vil-epa.example\r\n\r\n", []string{"xn--vil-epa.example"}},
	"websocket":          {"GET /s HTTP/1.1\r\nHost: evil.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", []string{"evil.example"}},
	"hello":              {string(records(withName("evil.example", 0), 1<<14)), []string{"evil.example"}},
	"hello of 20 KiB":    {string(records(withName("evil.example", 20<<10), 1<<14)), []string{"evil.example"}},
	"hello of 60 KiB":    {string(records(withName("evil.example", 60_000), 1000)), []string{"evil.example"}},
	"hello of 120 KiB":   {string(records(wideHello("evil.example", 30_000, 60_000), 1<<14)), []string{"evil.example"}},
	"cut into bytes":     {string(records(withName("evil.example", 1500), 1)), []string{"evil.example"}},
	"an address as name": {string(records(withName("10.0.0.1", 0), 1<<14)), []string{"10.0.0.1"}},
}

// otherProtocols are first bytes of programs that speak something else.
var otherProtocols = map[string]string{
	"ssh":             "SSH-2.0-OpenSSH_9.6p1 Debian-2\r\n",
	"postgres":        "\x00\x00\x00\x08\x04\xd2\x16\x2f",
	"redis":           "*1\r\n$4\r\nPING\r\n",
	"redis by hand":   "GET key\r\n",
	"redis, a prefix": "GET user:1\r\n",
	"redis, several":  "GET user:1\r\nSET a:b c:d\r\n",
	"redis, get":      "*2\r\n$3\r\nGET\r\n$5\r\n/path\r\n",
	"a log in json":   "{\"request\":\"GET / HTTP/1.1\",\"status\":200}\n",
	"syslog":          "<190>Oct 11 22:14:15 web nginx: 192.0.2.1 \"GET / HTTP/1.1\" 200 612\n",
	"mysql":           "\x20\x00\x00\x01\x85\xa6\xff\x01\x00\x00\x00\x01\x2d\x00\x00\x00root\x00",
	"postgres, start": "\x00\x00\x00\x21\x00\x03\x00\x00user\x00bob\x00database\x00GET\x00\x00",
	"uwsgi":           "\x00\x40\x00\x00\x0e\x00REQUEST_METHOD\x03\x00GET\x0b\x00REQUEST_URI\x01\x00/\x0f\x00SERVER_PROTOCOL\x08\x00HTTP/1.1",
	"tds":             "\x12\x01\x00\x2f\x00\x00\x01\x00\x00\x00\x1a\x00\x06\x01\x00\x20\x00\x01\x02",
	"memcached":       "get /index.html\r\n",
	"smtp":            "EHLO ok.example\r\n",
	"irc":             "NICK someone\r\nUSER a 0 * :b\r\n",
	"nats":            "CONNECT {\"verbose\":false,\"url\":\"http://x\"}\r\nPING\r\n",
	"stomp":           "CONNECT\naccept-version:1.2\nhost:ok.example\n\n\x00",
	"mqtt":            "\x10\x0c\x00\x04MQTT\x04\x02\x00\x3c\x00\x00",
	"amqp":            "AMQP\x00\x00\x09\x01",
	"mongo":           "\x14\x03\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00\xdd\x07\x00\x00",
	"thrift":          "\x80\x01\x00\x01\x00\x00\x00\x04ping",
	"json":            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"GET / HTTP\"}\n",
	"socks":           "\x05\x01\x00",
	"rtsp":            "OPTIONS rtsp://ok.example/x RTSP/1.0\r\nCSeq: 1\r\n\r\n",
	"sip":             "OPTIONS sip:a@ok.example SIP/2.0\r\nVia: SIP/2.0/TCP x\r\n\r\n",
	"a host nowhere":  "GET / HTTP/1.0\r\n\r\n",
	"tls, no name":    string(rawHello("", "")),
	"another, tlsish": "\x16\x41hello",
}

func TestWhatServersMayReadOtherwise(t *testing.T) {
	t.Parallel()
	for name, sends := range inDoubtAlways {
		if g, st := look([]byte(sends), afresh); !g.doubt || st != settled && st != begun {
			t.Errorf("%s: %+v at stage %d is not in doubt", name, g, st)
		}
		checkLook(t, []byte(sends))
	}
	if g, st := look([]byte(strings.Repeat("\x1c", maxHead)), afresh); !g.doubt || st != settled {
		t.Errorf("nothing but separators: %+v at stage %d: a request may follow", g, st)
	}
	for name, tt := range readAsNames {
		if g, st := look([]byte(tt.sends), afresh); g.doubt || st != settled || !slices.Equal(g.names, tt.names) || g.end != len(tt.sends) {
			t.Errorf("%s: %+v at stage %d of %d bytes", name, g, st, len(tt.sends))
		}
		checkLook(t, []byte(tt.sends))
	}
	for name, sends := range otherProtocols {
		g, st := look([]byte(sends), afresh)
		// They are not waited for, but for the one that headers would make a request.
		waited := st == open && !strings.HasPrefix(sends, "GET ") || st == begun
		if g.doubt || len(g.names) > 0 || waited {
			t.Errorf("%s: %+v at stage %d", name, g, st)
		}
		checkLook(t, []byte(sends))
	}
}

// TestNothingOfDoubtLeaves has a judge that refuses one host and all doubt, as one does whose policy names hosts. However the bytes are cut,
// a server gets no request and no hello.
func TestNothingOfDoubtLeaves(t *testing.T) {
	t.Parallel()
	for name, sends := range inDoubtAlways {
		for cut, size := range map[string]int{"whole": len(sends), "in two": (len(sends) + 1) / 2} {
			t.Run(name+", "+cut, func(t *testing.T) {
				t.Parallel()
				r := newRig(t, &scriptedJudge{rule: refuseDoubt}, nil)
				c := dialTCP(t, r.redirect(t, somewhere))
				var broken error
				for piece := range slices.Chunk([]byte(sends), size) {
					if _, broken = c.Write(piece); broken != nil {
						break // it is refused already
					}
				}
				_ = c.CloseWrite()
				if got, err := io.ReadAll(c); err == nil && broken == nil || len(got) > 0 {
					t.Errorf("read %q, %v; want a reset", got, err)
				}
				// A beginning that nobody waits for may lead to a connection before the rest comes. The rest never gets there.
				if _, st := look([]byte(sends)[:size], afresh); cut == "whole" || st != unlikely {
					r.expectDialed(t)
				} else if got := r.received(t); !strings.HasPrefix(sends[:size], got) {
					t.Errorf("the server got %q, which is more than the beginning", got)
				}
			})
		}
	}
}

// TestEncryptedNames says when a name may be a cover for another one.
func TestEncryptedNames(t *testing.T) {
	t.Parallel()
	hidden := nameExtension(entry("cover.example")) + "\xfe\x0d" + prefixed(2, strings.Repeat("x", 100))
	g, st := look(rawHello(prefixed(2, hidden), ""), afresh)
	if st != settled || !g.hidden || !slices.Equal(g.names, []string{"cover.example"}) {
		t.Fatalf("%+v at stage %d", g, st)
	}
	for name, tt := range map[string]struct {
		dest  destination
		doubt bool
	}{
		"not looked up":     {destination{addr: somewhere.Addr()}, true},
		"another looked up": {destination{addr: somewhere.Addr(), names: []string{"real.example"}}, true},
		"looked up":         {destination{addr: somewhere.Addr(), names: []string{"cover.example", "real.example"}}, false},
	} {
		var c call.Connection
		if tt.dest.describe(&c, g); c.Doubt != tt.doubt {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// refuseDoubt refuses what cannot be read, and one host.
var refuseDoubt = func() func(ctx context.Context, c call.Connection) call.Ruling {
	evil := refuseHost("evil.example")
	return func(ctx context.Context, c call.Connection) call.Ruling {
		if c.Doubt {
			return call.Ruling{Code: call.CodeMalformed, Reason: "What is it?"}
		}
		return evil(ctx, c)
	}
}()

// TestLaterNames has clients that are let through for one host, and then ask the same server for another.
func TestLaterNames(t *testing.T) {
	t.Parallel()
	const ok = "GET / HTTP/1.1\r\nHost: ok.example\r\n\r\n"
	post := func(framing, body string) string {
		return "POST / HTTP/1.1\r\nHost: ok.example\r\n" + framing + "\r\n\r\n" + body
	}
	second := "GET / HTTP/1.1\r\n" + evilHead
	hello := string(records(withName("ok.example", 0), 1<<14))
	tests := map[string]struct{ first, then string }{
		"a request":             {ok, second},
		"after others":          {ok + ok + ok, second},
		"after an empty line":   {ok + "\r\n", second},
		"absolute":              {ok, "GET http://evil.example/ HTTP/1.1\r\nHost: ok.example\r\n\r\n"},
		"after a body":          {post("Content-Length: 5", "12345"), second},
		"after no body":         {post("Content-Length: 0", ""), second},
		"after chunks":          {post("Transfer-Encoding: chunked", "5\r\n12345\r\nA;x=y\r\n1234567890\r\n0\r\nX: y\r\n\r\n"), second},
		"after odd chunks":      {post("Transfer-Encoding: chunked", ""), "5 \r\n12345\r\n0\r\n\r\n"},
		"chunks by lf":          {post("Transfer-Encoding: chunked", ""), "5\n12345\n0\n\n"},
		"a chunk too long":      {post("Transfer-Encoding: chunked", "5\r\n12345"), "6\r\n0\r\n\r\n"},
		"h2c":                   {ok, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
		"0.9":                   {ok, "GET http://evil.example/\r\n"},
		"instead of a socket":   {"GET / HTTP/1.1\r\nHost: ok.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", second},
		"inside of a tunnel":    {"CONNECT ok.example:443 HTTP/1.1\r\nHost: ok.example:443\r\n\r\n", string(records(withName("evil.example", 0), 100))},
		"a request in a tunnel": {"CONNECT ok.example:443 HTTP/1.1\r\nHost: ok.example:443\r\n\r\n", second},
		"a second hello":        {hello, string(records(withName("evil.example", 0), 1<<14))},
		"after a separator":     {ok, "\x1cGET / HTTP/1.1\r\n" + evilHead},
		"by latin-1 blanks":     {ok, "GET\xa0/\xa0HTTP/1.1\r\n" + evilHead},
		"separator in a tunnel": {"CONNECT ok.example:443 HTTP/1.1\r\nHost: ok.example:443\r\n\r\n", "\x85GET / HTTP/1.1\r\n" + evilHead},
		"as a body":             {"GET / HTTP/1.1\r\nHost: ok.example\r\nContent-Length: " + strconv.Itoa(len(second)) + "\r\n\r\n", second},
		"as an odd body":        {"DELETE / HTTP/1.1\r\nHost: ok.example\r\nContent-Length: " + strconv.Itoa(len(second)+1) + "\r\n\r\n", "\xa0" + second},
		"begun in a body":       {"HEAD / HTTP/1.1\r\nHost: ok.example\r\nContent-Length: 19\r\n\r\n", "GET / HTTP/1.1\r\nX: " + second},
		"as a chunk":            {"GET / HTTP/1.1\r\nHost: ok.example\r\nTransfer-Encoding: chunked\r\n\r\n", "18;x / HTTP/1.1\r\n" + evilHead + "\r\n0\r\n\r\n"},
		"a hello after change":  {hello, "\x14\x03\x03\x00\x01\x01" + string(records(withName("evil.example", 0), 2))},
		"an odd second hello":   {hello, string(records(append(withName("evil.example", 0), 1), 1<<14))},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, &scriptedJudge{rule: refuseDoubt}, nil)
			r.addresses.learn("ok.example", []netip.Addr{somewhere.Addr()})
			c := dialTCP(t, r.redirect(t, somewhere))
			send(t, c, tt.first)
			s := r.acceptOne(t)
			receive(t, s, strings.TrimSuffix(tt.first, "\r\n"))
			send(t, c, tt.then)
			got, _ := io.ReadAll(s)
			if bytes.Contains(got, []byte("evil")) || len(got) > 2 {
				t.Errorf("the server got %q", got)
			}
			if got := r.Tally(); got.Refused != 1 || got.Connections != 0 {
				t.Errorf("tally %+v", got)
			}
		})
	}
}

// TestLaterWordsPass has what clients say later, and need not be judged again.
func TestLaterWordsPass(t *testing.T) {
	t.Parallel()
	const ok = "GET / HTTP/1.1\r\nHost: ok.example\r\n\r\n"
	upgrade := "GET / HTTP/1.1\r\nHost: ok.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
	body := strings.Repeat("GET / HTTP/1.1\r\n"+evilHead, 5000)
	for name, parts := range map[string][]string{
		"requests":           {ok, ok, ok + ok},
		"a body with a head": {"PUT / HTTP/1.1\r\nHost: ok.example\r\nExpect: 100-continue\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n", body[:7000], body[7000:], ok},
		"chunks":             {"PUT / HTTP/1.1\r\nHost: ok.example\r\nTransfer-Encoding: Chunked\r\n\r\n", "3", "\r\nab", "c\r\n", "0\r\n", "\r\n" + ok},
		"a socket":           {upgrade, "\x81\x90\x01\x03\x01\x00FFU\x20.#IUUS.2/0\f\n\n", "GET / HTTP/1.1\r\n" + evilHead},
		"a body of a get":    {"GET /_search HTTP/1.1\r\nHost: ok.example\r\nContent-Length: 12\r\n\r\n", "{\"query\"", ":1}", ok},
		"chunks of a get":    {"GET /_search HTTP/1.1\r\nHost: ok.example\r\nTransfer-Encoding: chunked\r\n\r\n", "c\r\n{\"query\":1}\n\r\n0\r\n\r\n", ok},
		"half a body":        {"GET / HTTP/1.1\r\nHost: ok.example\r\nContent-Length: 12\r\n\r\n", "{\"query"},
		"tls":                {string(records(withName("ok.example", 0), 1<<14)), "\x14\x03\x03\x00\x01\x01", "\x17\x03\x03\x00\x02ab", "GET"},
		"tls 1.2":            {string(records(withName("ok.example", 0), 1<<14)), "\x16\x03\x03\x00\x05\x10\x00\x00\x01a\x14\x03\x03\x00\x01\x01\x16\x03\x03\x00\x04\x01abc"},
		"tls resumed":        {string(records(withName("ok.example", 0), 1<<14)), "\x14\x03\x03\x00\x01\x01\x16\x03\x03\x00\x08\x01\x00\x01\x02abcd"},
		"a second hello":     {string(records(withName("ok.example", 0), 1<<14)), "\x14\x03\x03\x00\x01\x01" + string(records(withName("ok.example", 9), 7)), "\x17\x03\x03"},
		"something else":     {"PING\r\n", "GET / HTTP/1.1\r\n" + evilHead},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			judge := &scriptedJudge{rule: refuseDoubt}
			r := newRig(t, judge, nil)
			r.addresses.learn("ok.example", []netip.Addr{somewhere.Addr()})
			c := dialTCP(t, r.redirect(t, somewhere))
			var s io.Reader
			for i, part := range parts {
				send(t, c, part)
				if i == 0 {
					conn := r.acceptOne(t)
					s = conn
				}
			}
			if err := c.CloseWrite(); err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(s)
			if want := strings.Join(parts, ""); err != nil || string(got) != want {
				t.Errorf("the server got %d bytes of %d, %v", len(got), len(want), err)
			}
			if len(judge.asked) != 1 {
				t.Errorf("the judge was asked %+v", judge.asked)
			}
		})
	}
}

// TestBigHellosOfRealClients has the standard library as client and server, with a hello that needs several records.
func TestBigHellosOfRealClients(t *testing.T) {
	t.Parallel()
	var protocols []string
	for i := range 200 {
		protocols = append(protocols, strings.Repeat("p", 200)+strconv.Itoa(i))
	}
	r := newRig(t, &scriptedJudge{rule: refuseDoubt}, nil)
	r.addresses.learn("ok.example", []netip.Addr{somewhere.Addr()})
	raw := dialTCP(t, r.redirect(t, somewhere))
	c := tls.Client(raw, &tls.Config{ServerName: "ok.example", InsecureSkipVerify: true, NextProtos: protocols})
	done := make(chan error, 1)
	cert := certificate(t, "ok.example")
	go func() {
		// It wants a curve that the client gives no key for, and so asks for a second hello.
		s := tls.Server(r.acceptOne(t), &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: protocols[:1], CurvePreferences: []tls.CurveID{tls.CurveP521}})
		_, err := io.WriteString(s, "hello")
		done <- err
	}()
	receive(t, c, "hello")
	if err := <-done; err != nil {
		t.Error(err)
	}
	r.judge.expect(t, toSomewhere(fromSNI, "ok.example"))
}
