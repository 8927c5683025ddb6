package egress

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
)

func TestPlacesAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var p addressBook
		first := addr("192.0.2.1")
		p.learn("first.example", []netip.Addr{first})
		for i := range maxNames + 5 {
			p.learn(fmt.Sprintf("n%d.example", i), []netip.Addr{first})
		}
		got := p.at(first)
		if len(got.names) != maxNames || !got.crowded || slices.Contains(got.names, "first.example") {
			t.Errorf("%d names, crowded %v", len(got.names), got.crowded)
		}
		if hosts, _ := got.hosts(glimpse{}); !slices.Contains(hosts, "192.0.2.1") {
			t.Error("names were forgotten, and the address is not asked about")
		}
		time.Sleep(time.Hour)
		for i := range 2 * maxAddresses {
			p.learn("many.example", []netip.Addr{netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)})})
			time.Sleep(time.Millisecond)
		}
		if len(p.known) > maxAddresses {
			t.Errorf("%d addresses", len(p.known))
		}
		if len(p.at(first).names) > 0 {
			t.Error("the oldest stayed")
		}
		last := netip.AddrFrom4([4]byte{10, 0, byte((2*maxAddresses - 1) >> 8), byte((2*maxAddresses - 1) & 0xff)})
		if len(p.at(last).names) == 0 {
			t.Error("the latest is forgotten")
		}
		time.Sleep(rememberFor + time.Second)
		if len(p.at(last).names) > 0 {
			t.Error("it stays for too long")
		}
	})
}

func TestVerdictsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var v verdicts
		pending, _ := v.of("pending.example")
		for i := range 2 * maxVerdicts {
			e, mine := v.of(fmt.Sprintf("n%d.example", i))
			if !mine {
				t.Fatal("it was known before")
			}
			v.settle(e, call.Ruling{Released: true})
		}
		if len(v.known) > maxVerdicts {
			t.Errorf("%d verdicts", len(v.known))
		}
		if again, mine := v.of("pending.example"); mine || again != pending {
			t.Error("one that is being made was forgotten")
		}
		v.settle(pending, call.Ruling{})
	})
}

func TestDatagrams(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		judge := &scriptedJudge{}
		var troubles []error
		m := New(Config{Judge: judge, OnTrouble: func(err error) { troubles = append(troubles, err) }})
		m.machine.own, m.machine.at = map[netip.Addr]bool{}, time.Now().Add(time.Hour)
		defer m.Close()
		m.addresses.learn("time.example", []netip.Addr{addr("192.0.2.123")})
		from := netip.MustParseAddrPort("10.0.0.1:4000")
		ntp := netip.MustParseAddrPort("192.0.2.123:123")
		want := call.Connection{
			Act: call.Connect, Addr: ntp.Addr(), Port: 123, Protocol: "udp", Hosts: []string{"time.example"}, HostFrom: fromDNS,
		}
		for range 5 {
			m.Datagram(from, ntp)
			m.Datagram(from, netip.MustParseAddrPort("[::ffff:192.0.2.123]:123"))
			time.Sleep(10 * time.Second)
		}
		judge.expect(t, want)
		time.Sleep(10 * time.Second)
		m.Datagram(from, ntp)
		judge.expect(t, want, want)
		if diff := cmp.Diff(Tally{Refused: 2, Hosts: []HostTally{{Host: "time.example", Refused: 2}}}, m.Tally()); diff != "" {
			t.Errorf("tally (-want +got):\n%s", diff)
		}
		for port := range uint16(maxTold + 10) {
			m.Datagram(from, netip.AddrPortFrom(ntp.Addr(), 1000+port))
		}
		if len(m.told.at) > maxTold || len(troubles) != 1 {
			t.Errorf("%d destinations, troubles %v", len(m.told.at), troubles)
		}
		time.Sleep(tellEvery)
		m.Datagram(from, netip.AddrPortFrom(ntp.Addr(), 9))
		if len(m.told.at) != 1 {
			t.Errorf("%d destinations stay", len(m.told.at))
		}
	})
}

func TestTallyIsBounded(t *testing.T) {
	t.Parallel()
	m := New(Config{Judge: &scriptedJudge{}})
	defer m.Close()
	for i := range maxHosts + 7 {
		m.count.connection(call.Connection{Hosts: []string{fmt.Sprintf("n%d.example", i)}}, true)
	}
	if got := m.Tally(); len(got.Hosts) != maxHosts || got.Others != 7 || got.Connections != maxHosts+7 {
		t.Errorf("%d hosts, %d others, %d connections", len(got.Hosts), got.Others, got.Connections)
	}
}

func TestTroubleIsToldOnceAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got []string
		troubles := troubles{tell: func(err error) { got = append(got, err.Error()) }}
		for i := range 4 {
			troubles.report("a", fmt.Errorf("a %d", i))
			troubles.report("b", fmt.Errorf("b %d", i))
			time.Sleep(25 * time.Second)
		}
		if diff := cmp.Diff([]string{"a 0", "b 0", "a 3", "b 3"}, got); diff != "" {
			t.Errorf("told (-want +got):\n%s", diff)
		}
	})
}

func TestHostName(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"a.example": "a.example", "A.Example.": "a.example", "xn--bcher-kva.example": "xn--bcher-kva.example", "_x._tcp": "_x._tcp",
		"": "", ".": "", "a..b": "", "a.b..": "", ".a": "", "a b": "", "a\x00": "", "bücher.example": "", "a/b": "", "*.example": "", "a:1": "",
	}
	for in, want := range tests {
		if got, ok := hostName(in); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", in, got, ok)
		}
	}
	long := "a123456789.b123456789.c123456789.d123456789.e123456789.f123456789."
	long += long + long + "abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyzab"
	for _, tt := range []struct {
		name string
		ok   bool
	}{{long, true}, {long + ".", true}, {long + "x", false}} {
		if _, ok := hostName(tt.name); ok != tt.ok {
			t.Errorf("%d characters: %v", len(tt.name), ok)
		}
	}
}

func TestAuthorityHost(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"a.example": "a.example", "A.example.:80": "a.example", "a.example:": "a.example", "192.0.2.1:80": "192.0.2.1", "[2001:DB8::1]:443": "2001:db8::1",
		"[::ffff:192.0.2.1]": "192.0.2.1",
		"127.1":              "", "0x7f.1": "", "2130706433": "", "0x7f000001": "", "a.0x": "", "[a]": "", "[::1": "", "[::1]x": "", "[fe80::1%eth0]:80": "", "::1": "",
		"a.example:x": "", "a.example:123456": "", "a@b": "", "": "", ":80": "", "[192.0.2.1]": "",
	}
	for in, want := range tests {
		got, ok := authorityHost(in)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v", in, got, ok)
		}
	}
}
