package outgoing

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func TestAddresses(t *testing.T) {
	fine := []string{
		"8.8.8.8", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "1.0.0.1", "2001:db8::1", "2606:4700::1", "fd00::1",
		"64:ff9b::8.8.8.8", "64:ff9b::10.0.0.1", "2002:808:808::1", "::ffff:8.8.8.8", "::ffff:10.1.2.3", "::8.8.8.8",
		"2001:0:808:808::f7f7:f7f7", "fd00:ec3::254", "100.100.100.201", "168.63.129.17", "fd00::5efe:10.0.0.1",
	}
	refused := []string{
		"169.254.169.254", "169.254.0.1", "169.254.170.23", "fe80::1", "fe80::1%eth0", "febf::1",
		"fd00:ec2::254", "fd00:ec2::254%eth0", "fd00:ec2::23", "fd20:ce::254", "fd00:42::42",
		"100.100.100.200", "168.63.129.16", "192.0.0.192",
		"0.0.0.0", "0.1.2.3", "::", "224.0.0.1", "239.255.255.250", "ff02::1", "ff0e::1", "255.255.255.255",
		// The same in other forms.
		"::ffff:169.254.169.254", "::ffff:0.0.0.0", "::ffff:224.0.0.1", "::ffff:100.100.100.200", "::ffff:255.255.255.255",
		"::169.254.169.254", "::ffff:0:169.254.169.254", "64:ff9b::169.254.169.254", "64:ff9b::a9fe:1", "64:ff9b::0.0.0.0",
		"64:ff9b::127.0.0.1", "64:ff9b::168.63.129.16", "64:ff9b:1::1", "64:ff9b:1:a9fe:a9:fe00::",
		"2002:a9fe:a9fe::", "2002:a9fe:a9fe::1", "2002:7f00:1::1", "2002:6464:64c8::1", "2002::1",
		"2001:0:a9fe:a9fe::f7f7:f7f7", "2001:0:808:808::5601:5601", "2001:0:808:808::80ff:fffe",
		"fd00::5efe:169.254.169.254", "2001:db8::200:5efe:127.0.0.1",
	}
	loopback := []string{"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"}
	for _, text := range fine {
		expect.Is(t, newAddressRule("mcp.example", nil).check(netip.MustParseAddr(text)), nil, "%s", text)
	}
	for _, host := range []string{"mcp.example", "127.0.0.1", "169.254.169.254", "localhost.example", "127.1", ""} {
		for _, text := range refused {
			// Forms of loopback are as good as loopback where that is meant.
			if host == "127.0.0.1" && (strings.HasSuffix(text, "127.0.0.1") || strings.HasPrefix(text, "2002:7f") || strings.HasSuffix(text, "80ff:fffe")) {
				continue
			}
			expect.Is(t, newAddressRule(host, nil).check(netip.MustParseAddr(text)), ErrAddress, "%s for %q", text, host)
		}
	}
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost.": true, "127.0.0.1": true, "::1": true, "::ffff:127.0.0.1": true,
		"mcp.example": false, "localhost.example": false, "127.1": false, "0x7f.1": false, "2130706433": false, "10.0.0.1": false,
	} {
		for _, text := range loopback {
			if err := newAddressRule(host, nil).check(netip.MustParseAddr(text)); (err == nil) != want {
				t.Errorf("%s for %q: %v", text, host, err)
			}
		}
	}
	expect.Is(t, newAddressRule("localhost", nil).check(netip.MustParseAddr("8.8.8.8")), ErrAddress, "localhost elsewhere")
}

func TestAllowedAddresses(t *testing.T) {
	for _, test := range []struct {
		allow, addr string
		want        bool
	}{
		{"169.254.169.254/32", "169.254.169.254", true},
		{"169.254.169.254/32", "169.254.169.253", false},
		{"169.254.0.0/16", "::ffff:169.254.1.1", true},
		{"::ffff:169.254.0.0/112", "169.254.1.1", true},
		{"169.254.169.254/32", "64:ff9b::169.254.169.254", true}, // what it means is allowed
		{"64:ff9b::/96", "64:ff9b::169.254.169.254", true},
		{"64:ff9b::/96", "169.254.169.254", false},
		{"64:ff9b:1::/48", "64:ff9b:1::1", true},
		{"127.0.0.0/8", "127.0.0.1", true},
		{"127.0.0.0/8", "::1", false},
		{"fe80::/10", "fe80::1%eth0", true},
		{"0.0.0.0/0", "169.254.169.254", true},
		{"0.0.0.0/0", "fe80::1", false},
		{"::/0", "fe80::1", true},
		{"::/0", "169.254.169.254", false},
	} {
		rule := newAddressRule("mcp.example", []netip.Prefix{netip.MustParsePrefix(test.allow)})
		if err := rule.check(netip.MustParseAddr(test.addr)); (err == nil) != test.want {
			t.Errorf("%s with %s allowed: %v", test.addr, test.allow, err)
		}
	}
}

// What a name leads to is checked on the address that is connected to, before anything is sent.
func TestNames(t *testing.T) {
	e := newEcho(t)
	_, port, err := net.SplitHostPort(e.Listener.Addr().String())
	expect.OK(t, err)
	resolver := names(t, map[string][]string{
		"here.example": {"127.0.0.1"}, "metadata.example": {"169.254.169.254"}, "mapped.example": {"::ffff:169.254.169.254"},
		"six.example": {"fd00:ec2::254", "fe80::1"}, "both.example": {"169.254.169.254", "127.0.0.1"},
	})
	here := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	for _, test := range []struct {
		host  string
		allow []netip.Prefix
		want  string // what is wrong; "": nothing
	}{
		{"127.0.0.1", nil, ""},
		{"localhost", nil, ""},
		{"here.example", here, ""},
		{"both.example", here, ""}, // the one that is allowed is taken
		{"here.example", nil, "the server's address is not allowed: 127.0.0.1 is this machine, and the url does not say so; list it under allow_addresses if it is meant"},
		{"metadata.example", nil, "the server's address is not allowed: 169.254.169.254 is a link-local address; list it under allow_addresses if it is meant"},
		{"metadata.example", here, "the server's address is not allowed: 169.254.169.254 is a link-local address; list it under allow_addresses if it is meant"},
		{"169.254.169.254", nil, "the server's address is not allowed: 169.254.169.254 is a link-local address; list it under allow_addresses if it is meant"},
		{"mapped.example", nil, "the server's address is not allowed: 169.254.169.254 is a link-local address; list it under allow_addresses if it is meant"},
		{"six.example", nil, "the server's address is not allowed: fd00:ec2::254 is an address of cloud metadata; list it under allow_addresses if it is meant"},
		{"nowhere.example", nil, "the server's name is not known"},
	} {
		t.Run(test.host, func(t *testing.T) {
			address := "http://" + net.JoinHostPort(test.host, port)
			c := newSender(t, Config{URL: parse(t, address), Allow: test.allow, Resolver: resolver})
			before := e.asked.Load()
			_, err := exchange(c, request(t, http.MethodPost, address+"/mcp", "hello"))
			got := ""
			if err != nil {
				got = err.Error()
			}
			expect.Same(t, test.want, got)
			expect.Equal(t, errors.Is(err, ErrAddress), strings.HasPrefix(test.want, ErrAddress.Error()), "errors.Is does not agree: %v", err)
			expect.Equal(t, e.asked.Load() != before, test.want == "", "the server was reached")
		})
	}
}

// A proxy of the environment is not asked: the address would be its own.
func TestNoProxy(t *testing.T) {
	c := newSender(t, Config{URL: parse(t, "https://mcp.example")})
	if c.transport.Proxy != nil {
		t.Error("it asks for a proxy")
	}
}

// Whatever form an IPv4 address takes, it is refused if it is refused itself.
func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"169.254.169.254", "127.0.0.1", "8.8.8.8", "10.0.0.1", "0.0.0.0", "255.255.255.255", "100.100.100.200", "224.0.0.1"} {
		a := netip.MustParseAddr(seed).As4()
		f.Add(a[:], []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, false)
	}
	f.Fuzz(func(t *testing.T, four, filler []byte, loopback bool) {
		if len(four) != 4 || len(filler) < 10 {
			return
		}
		host := "mcp.example"
		if loopback {
			host = "127.0.0.1"
		}
		rule := newAddressRule(host, nil)
		plain := netip.AddrFrom4([4]byte(four))
		bad := rule.check(plain) != nil
		for name, b := range otherForms([4]byte(four), filler) {
			addr := netip.AddrFrom16(b)
			err := rule.check(addr)
			if bad && err == nil {
				t.Errorf("%v is refused, and as %s (%v) it is not", plain, name, addr)
			}
			if err != nil && !errors.Is(err, ErrAddress) {
				t.Errorf("%v: %v", addr, err)
			}
			// What is refused can be allowed.
			allowing := newAddressRule(host, []netip.Prefix{netip.PrefixFrom(addr.Unmap(), addr.Unmap().BitLen())})
			expect.Is(t, allowing.check(addr), nil, "%v is allowed", addr)
		}
	})
}

// otherForms are an IPv4 address in the clothes of IPv6.
func otherForms(a [4]byte, filler []byte) map[string][16]byte {
	in := func(prefix string, at int) [16]byte {
		b := netip.MustParseAddr(prefix).As16()
		copy(b[at:], a[:])
		return b
	}
	forms := map[string][16]byte{
		"mapped": in("::ffff:0:0", 12), "translated": in("::ffff:0:0:0", 12), "nat64": in("64:ff9b::", 12), "6to4": in("2002::", 2),
		"local nat64": in("64:ff9b:1::", 12), "teredo server": in("2001::", 4), "compatible": in("::", 12),
	}
	// ::1 is loopback itself, not 0.0.0.1.
	if a == [4]byte{0, 0, 0, 1} {
		delete(forms, "compatible")
	}
	b := forms["6to4"]
	copy(b[6:], filler)
	forms["6to4"] = b
	b = netip.MustParseAddr("2001:0:808:808::").As16()
	copy(b[8:12], filler)
	for i := range a {
		b[12+i] = ^a[i]
	}
	forms["teredo client"] = b
	b = in("::5efe:0:0", 12)
	copy(b[:8], filler)
	b[0] = 0x20 | b[0]&0x0f
	forms["isatap"] = b
	return forms
}
