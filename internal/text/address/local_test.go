package address

import (
	"testing"

	"github.com/weir-gate/weir/internal/text/truth"
)

func TestLocal(t *testing.T) {
	for want, targets := range map[truth.Value][]string{
		truth.Yes: {
			"localhost", "LOCALHOST", "localhost.", "db.localhost", "localhost.localdomain", "127.0.0.1", "127.1", "0x7f.1",
			"2130706433", "0x7f000001", "127.0.0.1:5432", "::1", "[::1]:5432", "::ffff:127.0.0.1", "0:0:0:0:0:0:0:1", "[::ffff:7f00:1]", "0.0.0.0", "::",
			"http://localhost:4566", "https://127.0.0.1/x", "postgres://app:pw@localhost:5433/test", "postgres://a@127.1/x", "mongodb://localhost,127.0.0.1/x",
			"jdbc:postgresql://localhost/app", "redis://[::1]:6379/0", "unix:///var/run/docker.sock", "/var/run/postgresql", "postgresql:///app",
			"postgres://%2Fvar%2Frun/app", "host.docker.internal", "http://host.docker.internal:8000", "tcp://0.0.0.0:2375", "ann@localhost",
			"http://x.localhost:3000/", "file:///tmp/x.db", "ⓛocalhost", "\xff.localhost",
		},
		truth.No: {
			"example.com", "localhost.example.com", "128.0.0.1", "logs-prod.example.com", "10.0.0.5", "192.168.1.4", "169.254.169.254",
			"http://localhost.evil.example/", "postgres://app@db.acme.com/localhost", "http://example.com/?x=localhost", "https://1.2.3.4:443",
			"127.0.0.1.nip.io", "db", "localhost-prod", "::2", "[2001:db8::1]:5432", "1.127.0.0", "mylocalhost", "\xff.example.com", "user@db.acme.com",
		},
		truth.Maybe: {"", "0177.0.0.1", "\xff", "http://\xfe/x", "postgres://\xff@\xff/db", "localhost\xff", "http://localhost@evil.example@127.0.0.1/", "localhost,example.com"},
	} {
		for _, target := range targets {
			if got := Local(target); got != want {
				t.Errorf("%q: %d, want %d", target, got, want)
			}
		}
	}
}

// TestMetadata shows that the address of cloud metadata is found in every spelling, and its neighbours are not.
func TestMetadata(t *testing.T) {
	ranges, _ := NewCIDRs([]string{"169.254.0.0/16", "fd00:ec2::254"})
	hosts, _ := NewHosts([]string{"169.254.169.254"})
	for _, form := range []string{
		"169.254.169.254", "0251.0376.0251.0376", "0xa9.0xfe.0xa9.0xfe", "0xa9fea9fe", "2852039166", "025177524776", "169.254.43518",
		"169.16689662", "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[0:0:0:0:0:ffff:a9fe:a9fe]", "[::a9fe:a9fe]", "[64:ff9b::a9fe:a9fe]",
		"169。254。169。254", "①⑥⑨.254.169.254", "169.254.169.254.", "0xA9.254.0251.0xfe", "%31%36%39.254.169.254",
	} {
		for _, text := range []string{"http://" + form + "/latest/meta-data/", "curl -s http://" + form + "/latest", "wget -qO- '" + form + "/x'"} {
			if HostIn(text, hosts) == truth.No || CIDRIn(text, ranges) == truth.No {
				t.Errorf("%s: not found", text)
			}
		}
	}
	for _, text := range []string{
		"http://169.254.169.254.example.com/", "http://16.9.254.169/", "version 169.254", "http://[::ffff:a8fe:a9fe]/", "curl http://169.253.169.254/", "pip install x==1.69.254",
	} {
		if HostIn(text, hosts) != truth.No || CIDRIn(text, ranges) != truth.No {
			t.Errorf("%s: found", text)
		}
	}
	if CIDRIn("http://[fd00:ec2::254]/latest", ranges) != truth.Yes {
		t.Error("the IPv6 address is not found")
	}
}
