package config

import (
	"fmt"
	"io/fs"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/intake/admission"
)

const oneClient = "clients: [{key: 0123456789abcdef}]\n"

// TestPlatform reads what a platform team sets, and every message about it.
func TestPlatform(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"TLS at the ingress", oneClient + "listen: 0.0.0.0:4141\ningress: {trusted_proxies: [10.0.0.0/8, 192.0.2.7, 'fd00::/8'], ends_tls: true}", ""},
		{
			"no clients behind an ingress", "listen: 0.0.0.0:4141\ningress: {trusted_proxies: 10.0.0.0/8, ends_tls: true}",
			":1:9: listen: the address can be reached from other machines; add clients, or listen on 127.0.0.1",
		},
		{
			"trusted proxies do not end TLS", oneClient + "listen: 0.0.0.0:4141\ningress: {trusted_proxies: 10.0.0.0/8}",
			":2:9: listen: the address can be reached from other machines; add tls, or listen on 127.0.0.1",
		},
		{"nobody is trusted", "ingress: {ends_tls: true}", ":1:21: ingress.ends_tls: nobody's word counts for this; add trusted_proxies, the addresses of the ingress"},
		{"nobody speaks the protocol", "ingress: {proxy_protocol: true}", ":1:27: ingress.proxy_protocol: nobody's word counts for this; add trusted_proxies, the addresses of the ingress"},
		{"everybody is trusted", "ingress: {trusted_proxies: 0.0.0.0/0}", ":1:28: ingress.trusted_proxies: this trusts everybody who reaches weir; name the addresses of the ingress alone"},
		{"no network", "ingress: {trusted_proxies: [10.0.0.0/8, ingress]}", ":1:41: ingress.trusted_proxies[1]: this is neither a network nor an address; write 10.0.0.0/8, 192.0.2.7 or unix"},
		{"mapped", "ingress: {trusted_proxies: ['::ffff:10.0.0.0/104']}", ":1:29: ingress.trusted_proxies[0]: this is an IPv4 network written as IPv6; write it as 10.0.0.0/8"},
		{
			"TLS twice", oneClient + "tls: {cert: a, key: b}\ningress: {trusted_proxies: 10.0.0.0/8, ends_tls: true}",
			":3:50: ingress.ends_tls: TLS ends at the ingress, and weir has a certificate, too; remove ends_tls, or tls",
		},
		{"another header", "ingress: {trusted_proxies: 10.0.0.0/8, header: forwarded}", ""},
		{"no header", "ingress: {trusted_proxies: 10.0.0.0/8, header: x-real-ip}", `:1:48: ingress.header: "x-real-ip" is not a header of proxies; use x-forwarded-for or forwarded`},
		{"a socket", "listen: unix:/run/weir/weir.sock\ningress: {trusted_proxies: unix, socket_mode: '0660'}", ""},
		{"a socket for all", "listen: unix:/run/weir/weir.sock\ningress: {socket_mode: 0666}", `:2:24: ingress.socket_mode: every user of the machine could use weir; add clients, or write socket_mode: "0660"`},
		{"a socket for all clients", oneClient + "listen: unix:/run/weir/weir.sock\ningress: {socket_mode: 0666}", ""},
		{"no mode", "listen: unix:/run/weir/weir.sock\ningress: {socket_mode: 9}", `:2:24: ingress.socket_mode: this is not the mode of a socket; write it as "0660"`},
		{"no socket", "listen: 'unix:'", ":1:9: listen: this names no socket; write unix:/run/weir/weir.sock"},
		{"a long path", "listen: unix:/" + strings.Repeat("a", 100), ":1:9: listen: the path of the socket has more than 100 bytes; choose a shorter one"},
		{"no socket to trust", "ingress: {trusted_proxies: unix}", ":1:28: ingress.trusted_proxies: weir listens on no unix socket; write listen: unix:/run/weir/weir.sock, or remove unix"},
		{"advertised", "ingress: {advertise: 'https://weir.acme.example'}", ""},
		{"advertised without TLS", "ingress: {advertise: 'http://weir.acme.example'}", ":1:22: ingress.advertise: clients would send their keys without TLS; write https://host"},
		{"advertised with a path", "ingress: {advertise: 'https://acme.example/weir'}", ":1:22: ingress.advertise: the address has a path, and weir's own paths begin at the root; write https://host"},
		{"proxies", "outgoing: {proxy: none, ca_file: ca.pem}\nupstreams: {corp: {url: 'https://x', proxy: 'http://ann:${SECRET}@proxy:8080'}, openai: {ca_file: b.pem}}", ""},
		{"no proxy", "outgoing: {proxy: '${SECRET}'}", ":1:19: outgoing.proxy: this is not the address of a proxy; write environment, none, or an address such as http://proxy.acme.example:8080"},
		{"a proxy of another kind", "upstreams: {openai: {proxy: 'ftp://p'}}", ":1:29: upstreams.openai.proxy: the scheme is none of http, https, socks5, socks5h; write environment, none, or an address such as http://proxy.acme.example:8080"},
		{"a proxy with a path", "outgoing: {proxy: 'http://p/x'}", ":1:19: outgoing.proxy: the address of a proxy has no path or query; write environment, none, or an address such as http://proxy.acme.example:8080"},
		{"log", "log: {format: json, level: debug}", ""},
		{"a level", "log: {level: loud}", `:1:14: log.level: "loud" is not a level; use debug, info, warn or error`},
		{"a format", "log: {format: xml}", `:1:15: log.format: "xml" is not a form of the log; use text or json`},
		{"drain", "drain: 5m\ndrain_notice: 5s", ""},
		{"drain in numbers", "drain: 5", ":1:8: drain: a time needs a unit; write a number with a unit, such as 30s or 5m, at most 1h"},
		{"drain for ever", "drain: 2h", ":1:8: drain: this is more than an hour; write a number with a unit, such as 30s or 5m, at most 1h"},
		{"both", "clients: [{key: 0123456789abcdef, key_hash: x}]", ":1:45: clients[0].key_hash: a client has a key or a key_hash, not both; remove the key"},
		{"a hash", "clients: [{key_hash: '" + admission.DigestOf("x").String() + "', expires: 2027-01-31}]", ""},
		{"no hash", "clients: [{key_hash: 'sha256:00'}]", ":1:22: clients[0].key_hash: this is not the digest of a key; write sha256: and 64 hexadecimal digits; weir client add makes both"},
		{
			"the same key", "clients: [{key: 0123456789abcdef}, {key_hash: '" + admission.DigestOf("0123456789abcdef").String() + "'}]",
			":1:47: clients[1].key_hash: this key is used twice, first on line 1; give each client its own",
		},
		{"no day", "clients: [{key: 0123456789abcdef, expires: soon}]", ":1:44: clients[0].expires: this is neither a day nor a time; write 2027-01-31 or 2027-01-31T18:00:00Z"},
	} {
		_, err := Parse("weir.yaml", []byte(tt.text), environment("SECRET", "topsecret"))
		got := ""
		if err != nil {
			got = strings.ReplaceAll(err.Error(), "weir.yaml:", ":")
		}
		if got != tt.want || strings.Contains(got, "topsecret") {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// TestPlatformValues pins what the values mean.
func TestPlatformValues(t *testing.T) {
	c := mustParse(t, oneClient+`
listen: unix:weir.sock
ingress: {trusted_proxies: [10.1.2.3/8, 192.0.2.7, unix], header: forwarded, socket_mode: "0660", advertise: "https://weir.acme.example/"}
outgoing: {proxy: none, ca_file: ca.pem}
upstreams: {openai: {proxy: "http://proxy:8080"}, corp: {url: "https://x", ca_file: /b.pem}}
log: {format: json, level: warn}
drain: 2m
`)
	wantTrusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.7/32")}
	if i := c.Ingress; !slices.Equal(i.Trusted, wantTrusted) || !i.TrustsSocket || i.Header != Forwarded || i.SocketMode != 0o660 || i.Advertise.String() != "https://weir.acme.example" {
		t.Errorf("%+v", i)
	}
	if path, ok := c.Socket(); !ok || path != "weir.sock" {
		t.Errorf("socket %q", path)
	}
	if o := c.Upstreams["openai"].Outgoing.Over(c.Outgoing); o.Proxy.From != FromURL || o.Proxy.URL.Host != "proxy:8080" || o.CAFile != "ca.pem" {
		t.Errorf("openai: %+v", o)
	}
	if o := c.Upstreams["corp"].Outgoing.Over(c.Outgoing); o.Proxy.From != NoProxy || o.CAFile != "/b.pem" {
		t.Errorf("corp: %+v", o)
	}
	if c.Log != (Log{JSONLog, slog.LevelWarn}) || c.Drain != 2*time.Minute || c.DrainNotice != 0 {
		t.Errorf("%+v, %v, %v", c.Log, c.Drain, c.DrainNotice)
	}
}

// TestClientFiles: clients in a folder of files, and what is wrong with files.
func TestClientFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode fs.FileMode) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	load := func() (*Config, string) {
		t.Helper()
		c, err := Load(filepath.Join(dir, "weir.yaml"), environment())
		if err != nil {
			return nil, strings.ReplaceAll(err.Error(), dir+"/", "")
		}
		return c, ""
	}
	hashed := func(name string) string {
		return fmt.Sprintf("clients:\n  - {name: %s, key_hash: %q}\n", name, admission.DigestOf("key-of-"+name))
	}
	write("weir.yaml", "client_files: clients.d\nclients: [{key: 0123456789abcdef, name: ci}]\n", 0o644)
	if c, says := load(); says != "" || !c.ForClients() || len(c.Clients) != 1 {
		t.Errorf("a folder that is not there yet: %s", says)
	}
	write("weir.yaml", "client_files: none.yaml\n", 0o644)
	if _, says := load(); says != "weir.yaml:1:15: client_files: none.yaml does not exist; create it, or correct the path" {
		t.Error(says)
	}
	write("weir.yaml", "client_files: clients.d\nclients: [{key: 0123456789abcdef, name: ci}]\n", 0o644)
	if err := os.Mkdir(filepath.Join(dir, "clients.d"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("clients.d/ann.yaml", hashed("ann"), 0o600)
	write("clients.d/bob.yaml", hashed("bob"), 0o600)
	write("clients.d/.hidden.yaml", "odd", 0o644)
	write("clients.d/notes.txt", "odd", 0o644)
	c, says := load()
	if says != "" || len(c.Clients) != 3 || c.Clients[1].Name != "ann" || !c.Clients[1].Has("key-of-ann") || c.Clients[1].Has("key-of-bob") {
		t.Fatalf("%s, %+v", says, c)
	}
	write("clients.d/bob.yaml", hashed("Ann"), 0o644)
	if _, says := load(); says != "weir.yaml:1:15: client_files: clients.d/bob.yaml can be read or written by others (mode 0644); run chmod 600 "+"clients.d/bob.yaml" {
		t.Error(says)
	}
	write("clients.d/bob.yaml", hashed("Ann"), 0o600)
	if _, says := load(); !strings.HasPrefix(says, "clients.d/bob.yaml:2:12: clients[0].name: this name is used twice, first in clients.d/ann.yaml on line 2; give each") {
		t.Error(says)
	}
	write("clients.d/bob.yaml", "clients: [{name: bob, key: 0123456789abcdeg}]\n", 0o600)
	if _, says := load(); says != "clients.d/bob.yaml:1:28: clients[0].key: a file of client_files has no keys, only their digests; write key_hash; weir client add makes both" {
		t.Error(says)
	}
	write("clients.d/bob.yaml", "people: []\n", 0o600)
	if _, says := load(); !strings.Contains(says, "clients.d/bob.yaml:1:1: people: unknown key") {
		t.Error(says)
	}
}
