package egress

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/dns/dnsmessage"

	"github.com/weir-gate/weir/internal/call"
)

func TestVerdictsAreKeptForATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		judge := &scriptedJudge{rule: refuseHost("evil.example")}
		m := New(Config{Judge: judge, Names: &nameServer{zone: wide}})
		m.machine.route = everywhere
		defer m.Close()
		ask := func(name string) { m.lookup(question(t, name, dnsmessage.TypeA, nil), 0) }
		count := func() int { return len(judge.asked) }
		for _, step := range []struct {
			name string
			wait time.Duration
			want int
		}{
			{"api.example.com.", 0, 1},
			{"API.example.com.", 59 * time.Second, 1},
			{"api.example.com.", 2 * time.Second, 2},
			{"evil.example.", 0, 3},
			{"evil.example.", 9 * time.Second, 3},
			{"evil.example.", 2 * time.Second, 4},
		} {
			time.Sleep(step.wait)
			ask(step.name)
			if got := count(); got != step.want {
				t.Errorf("%s after %v: asked %d times, want %d", step.name, step.wait, got, step.want)
			}
		}
		if got := m.Tally().RefusedNames; got != 3 {
			t.Errorf("%d names refused", got)
		}
	})
}

func TestOneRulingForQuestionsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rule := make(chan struct{})
		judge := &scriptedJudge{rule: func(context.Context, call.Connection) call.Ruling {
			<-rule
			return call.Ruling{Released: true}
		}}
		m := New(Config{Judge: judge, Names: &nameServer{zone: wide}})
		m.machine.route = everywhere
		defer m.Close()
		var all sync.WaitGroup
		for _, kind := range []dnsmessage.Type{dnsmessage.TypeA, dnsmessage.TypeAAAA, dnsmessage.TypeA} {
			all.Go(func() {
				if got := unpack(t, m.lookup(question(t, "api.example.com.", kind, nil), 0)); len(got.Answers) != 2 {
					t.Errorf("got %+v", got)
				}
			})
		}
		synctest.Wait()
		close(rule)
		all.Wait()
		judge.expect(t, resolveCall("api.example.com"))
	})
}

func resolver(t testing.TB, udp net.Addr, tcp net.Addr) *net.Resolver {
	t.Helper()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		to := udp
		if strings.HasPrefix(network, "tcp") {
			to = tcp
		}
		return new(net.Dialer).DialContext(ctx, to.Network(), to.String())
	}}
}

func (r *rig) lookups(t testing.TB) net.Addr {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.background(t, func() error { return r.Lookups(conn) })
	return conn.LocalAddr()
}

func TestRealResolver(t *testing.T) {
	t.Parallel()
	z := zone{}
	for k, v := range wide {
		z[k] = v
	}
	for i := range 200 {
		z["many.example.com. A"] = append(z["many.example.com. A"], a("many.example.com.", fmt.Sprintf("192.0.2.%d", i)))
	}
	server := &nameServer{zone: z}
	server.spoil = func(udp bool, reply []byte) [][]byte {
		if udp && len(reply) > ednsUDP { // as a server does with what is too long
			reply[2] |= 2
			reply = reply[:bytes.Index(reply, []byte("\x03com\x00"))+9]
			reply[6], reply[7], reply[8], reply[9] = 0, 0, 0, 0
		}
		return [][]byte{reply}
	}
	r := newRig(t, &scriptedJudge{rule: refuseHost("evil.example")}, func(cfg *Config) { cfg.Names = server.serve(t) })
	client := resolver(t, r.lookups(t), r.redirect(t, netip.MustParseAddrPort("192.0.2.53:53")))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()

	got, err := client.LookupNetIP(ctx, "ip4", "www.example.com.")
	if err != nil || !slices.Equal(got, []netip.Addr{addr("192.0.2.20")}) {
		t.Errorf("www: %v, %v", got, err)
	}
	got, err = client.LookupNetIP(ctx, "ip4", "many.example.com.")
	if err != nil || len(got) != 200 {
		t.Errorf("many: %d, %v", len(got), err)
	}
	if mx, err := client.LookupMX(ctx, "example.com."); err != nil || len(mx) != 1 || mx[0].Host != "mx.example.com." {
		t.Errorf("mx: %v, %v", mx, err)
	}
	var dns *net.DNSError
	if got, err = client.LookupNetIP(ctx, "ip4", "nowhere.example.com."); !errors.As(err, &dns) || !dns.IsNotFound {
		t.Errorf("nowhere: %v, %v", got, err)
	}
	if got, err = client.LookupNetIP(ctx, "ip4", "evil.example."); err == nil {
		t.Errorf("evil: %v", got)
	}
	if slices.ContainsFunc(server.questions(t), func(q string) bool { return strings.Contains(q, "evil") }) {
		t.Error("a name that is refused was sent out")
	}
	if got := r.addresses.at(addr("192.0.2.20")).names; !slices.Contains(got, "www.example.com") {
		t.Errorf("names of the address: %v", got)
	}
}

func TestLookupsOverTCP(t *testing.T) {
	t.Parallel()
	r := newRig(t, &scriptedJudge{}, func(cfg *Config) { cfg.Names = &nameServer{zone: wide} })
	c := dialTCP(t, r.redirect(t, netip.MustParseAddrPort("127.0.0.53:53")))
	query := question(t, "printer.", dnsmessage.TypeA, nil)
	framed := append(binary.BigEndian.AppendUint16(nil, uint16(len(query))), query...)
	send(t, c, string(framed)+string(framed))
	for range 2 {
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			t.Fatal(err)
		}
		reply := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(c, reply); err != nil {
			t.Fatal(err)
		}
		if got := texts(unpack(t, reply).Answers); !slices.Equal(got, []string{"printer. 10.0.0.9"}) {
			t.Errorf("got %v", got)
		}
	}
	send(t, c, "\x00\x03abc")
	expectReset(t, c)
	r.judge.expect(t, resolveCall("printer"))
}

func TestTooManyLookups(t *testing.T) {
	t.Parallel()
	r := newRig(t, &scriptedJudge{}, nil)
	for range maxLookups {
		r.Monitor.lookups <- struct{}{}
	}
	at := r.lookups(t)
	c, err := net.Dial("udp", at.String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	send(t, c, string(question(t, "printer.", dnsmessage.TypeA, nil)))
	buf := make([]byte, 512)
	n, err := c.Read(buf)
	if err != nil {
		t.Fatal(err)
	}
	if got := unpack(t, buf[:n]); got.RCode != dnsmessage.RCodeServerFailure {
		t.Errorf("got %+v", got)
	}
	r.judge.expect(t)
}

func TestSystemNames(t *testing.T) {
	t.Parallel()
	query := func(t *testing.T) []byte { return question(t, "printer.", dnsmessage.TypeA, nil) }
	tests := map[string]struct {
		spoil func(udp bool, reply []byte) [][]byte
		ok    bool
	}{
		"plain": {func(_ bool, reply []byte) [][]byte { return [][]byte{reply} }, true},
		"forged before": {func(_ bool, reply []byte) [][]byte {
			other := bytes.Clone(reply)
			other[1] ^= 0xff
			renamed := bytes.ReplaceAll(reply, []byte("printer"), []byte("pointer"))
			return [][]byte{[]byte("x"), other, renamed, reply}
		}, true},
		"truncated": {func(udp bool, reply []byte) [][]byte {
			if udp {
				reply[2] |= 2
			}
			return [][]byte{reply}
		}, true},
		"forged over TCP": {func(udp bool, reply []byte) [][]byte {
			reply[2] |= 2
			if !udp {
				reply[1] ^= 1
			}
			return [][]byte{reply}
		}, false},
		"failing": {func(_ bool, reply []byte) [][]byte {
			reply[3] |= 2
			return [][]byte{reply}
		}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := &nameServer{zone: wide, spoil: tt.spoil}
			reply, err := server.serve(t).Exchange(t.Context(), query(t))
			if (err == nil) != tt.ok {
				t.Fatalf("got %v", err)
			}
			if tt.ok && len(unpack(t, reply).Answers) != 1 {
				t.Errorf("got %+v", unpack(t, reply))
			}
		})
	}
	t.Run("given up", func(t *testing.T) {
		t.Parallel()
		asked := make(chan struct{}, 10)
		server := &nameServer{zone: wide, spoil: func(bool, []byte) [][]byte {
			asked <- struct{}{}
			return nil
		}}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-asked
			cancel()
		}()
		if _, err := server.serve(t).Exchange(ctx, query(t)); err == nil {
			t.Error("no error")
		}
		if len(asked) > 0 {
			t.Error("it was asked again")
		}
	})
}

func TestResolvConf(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		want resolvConf
	}{
		"empty": {"", resolvConf{[]netip.Addr{addr("127.0.0.1"), addr("::1")}, defaultTimeout, defaultAttempts}},
		"usual": {
			"; note\n#note\nsearch a b\nnameserver 192.0.2.53\nnameserver fe80::1%eth0\noptions edns0 timeout:1 attempts:3 ndots:5\n",
			resolvConf{[]netip.Addr{addr("192.0.2.53"), addr("fe80::1%eth0")}, time.Second, 3},
		},
		"odd": {
			"nameserver\nnameserver x\nnameserver 192.0.2.1\nnameserver 192.0.2.2\nnameserver 192.0.2.3\nnameserver 192.0.2.4\noptions timeout:-1 attempts:99 timeout:99999999999\n",
			resolvConf{[]netip.Addr{addr("192.0.2.1"), addr("192.0.2.2"), addr("192.0.2.3")}, maxTimeout, maxAttempts},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, readResolvConf(tt.text), cmp.AllowUnexported(resolvConf{}), cmp.Comparer(func(a, b netip.Addr) bool { return a == b })); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
