package address

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/truth"
)

func TestHostPatterns(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		want          truth.Value
	}{
		{"example.com", "https://example.com/", Yes},
		{"Example.COM.", "https://example.com/", Yes},
		{"example.com", "https://www.example.com/", No},
		{"*.example.com", "https://www.example.com/", Yes},
		{"*.example.com", "https://a.b.example.com/", Yes},
		{"*.example.com", "https://example.com/", No},
		{"*.example.com", "https://notexample.com/", No},
		{"*", "https://x/", Yes},
		{"*", "example.org", Yes},
		{"*", "word", No},
		{"api-*.example.com", "https://api-1.example.com/", Yes},
		{"api-*.example.com", "https://api.example.com/", No},
		{"*example*", "https://myexamples.org/", Yes},
		{"10.*", "http://10.1.2.3/", Yes},
		{"bücher.example", "https://xn--bcher-kva.example/", Yes},
		{"xn--bcher-kva.example", "https://BÜCHER.example/", Yes},
		{"*.bücher.example", "https://a.bücher.example/", Yes},
		{"127.0.0.1", "http://0x7f.1/", Yes},
		{"::1", "http://[0::1]/", Yes},
		{"[::1]", "http://[0::1]/", Yes},
		{"::ffff:10.0.0.1", "http://10.0.0.1/", Yes},
		{"localhost", "localhost", Yes},
		{"db", "db", Yes},
		{"db", "db:5432", Yes},
		{"example.com", "https://example.com https://other.com", Maybe},
		{"example.com", "https://*.com", No},
		{"example.com", "https://example.com/a\nhttps://example.com/b\n", Yes},
		{"127.0.0.1.nip.io", "http://127.0.0.1.nip.io/", Yes},
		{"127.0.0.1", "http://127.0.0.1.nip.io/", No},
	} {
		if got := HostIn(tt.text, hostSet(t, tt.pattern)); got != tt.want {
			hosts, certain := Hosts(tt.text)
			t.Errorf("%s of %q: %v, want %v (%v %v)", tt.pattern, tt.text, got, tt.want, hosts, certain)
		}
	}
}

func TestWrongPatterns(t *testing.T) {
	for pattern, cure := range map[string]string{
		"":                    "api.example.com",
		"https://example.com": "host alone",
		"example.com/x":       "host alone",
		"example.com:443":     "ports are not compared",
		"me@example.com":      "host alone",
		"10.0.0.0/8":          "cidr_in",
		".example.com":        "*.example.com",
		"a b":                 "one host",
		"a..b":                "such as",
		"*.a..b":              "such as",
		"*ü.example":          "xn--",
		"0177.0.0.1":          "four decimal numbers",
		"a;b":                 "such as",
	} {
		if _, err := NewHosts([]string{pattern}); err == nil || !strings.Contains(err.Error(), cure) {
			t.Errorf("%q: %v, want a cure with %q", pattern, err, cure)
		}
	}
	for text, cure := range map[string]string{
		"": "10.0.0.0/8", "example.com": "10.0.0.0/8", "10.0.0.1/8": "write 10.0.0.0/8", "10.0.0.0/33": "10.0.0.0/8", "::ffff:0:0/90": "bits",
		"::/0": "",
	} {
		if _, err := NewCIDRs([]string{text}); (err == nil) != (cure == "") || err != nil && !strings.Contains(err.Error(), cure) {
			t.Errorf("%q: %v, want a cure with %q", text, err, cure)
		}
	}
}

func TestContains(t *testing.T) {
	set := cidrSet(t, "10.0.0.0/8", "::ffff:192.168.0.0/112", "fd00::/8", "169.254.169.254")
	for text, want := range map[string]bool{
		"10.255.0.1": true, "11.0.0.1": false, "192.168.3.4": true, "::ffff:10.1.1.1": true, "fd00::1": true, "fe80::1%eth0": false,
		"fd12::1%eth0": true, "169.254.169.254": true, "169.254.169.253": false,
	} {
		if got := set.Contains(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestCIDRNames(t *testing.T) {
	set := cidrSet(t, "0.0.0.0/0", "::/0")
	for text, want := range map[string]truth.Value{
		"https://example.com/": No, "localhost": No, "http://1.2.3.4/": Yes, "http://1.2.3.4/ http://example.com": Maybe,
		"https://api.$X.example/": No, "https://10.$X/": Maybe,
	} {
		if got := CIDRIn(text, set); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// The ASCII forms come from RFC 3492 and from names in use.
func TestPunycode(t *testing.T) {
	for label, want := range map[string]string{
		"bücher":                 "bcher-kva",
		"münchen":                "mnchen-3ya",
		"他们为什么不说中文":              "ihqwcrb4cv8a8dqg056pqjye",
		"pročprostěnemluvíčesky": "proprostnemluvesky-uyb24dma41a",
		"ひとつ屋根の下2":               "2-u9tlzr9756bt3uc0v",
		"そのスピードで":                "d9juau41awczczp",
		"☃":                      "n3h",
		"😀":                      "e28h",
	} {
		if got := punycode(label); got != want {
			t.Errorf("%s: %s, want %s", label, got, want)
		}
	}
}
