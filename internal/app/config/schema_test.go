package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/yamlfile"
	"github.com/weir-gate/weir/internal/text/yamlfile/schematest"
)

func newChecker(t *testing.T, schema yamlfile.Schema) *schematest.Checker {
	t.Helper()
	c, err := schematest.New(schema)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Every example in the docs fits the schema of what it is.
func TestDocsExamplesFitTheSchema(t *testing.T) {
	forPolicy, forConfig := newChecker(t, policy.Schema()), newChecker(t, Schema())
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, file := range append(pages, "../../../README.md") {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range fenced.FindAllSubmatchIndex(page, -1) {
			text := page[at[4]:at[5]]
			name := fmt.Sprintf("%s:%d", file, 1+strings.Count(string(page[:at[0]]), "\n"))
			var checker *schematest.Checker
			switch root, _ := yamlfile.Parse(name, text); {
			case root == nil || root.Kind != yamlfile.Map:
				continue
			case root.Get("version") != nil && root.Get("default") != nil:
				checker = forPolicy
			case isConfig(root):
				checker = forConfig
			default:
				continue
			}
			if checked++; checker.CheckFile(name, text) != nil {
				t.Errorf("%s: %v", name, checker.CheckFile(name, text))
			}
		}
	}
	if checked < 10 {
		t.Errorf("only %d examples found", checked)
	}
}

// isConfig says whether all keys of a mapping are those of weir.yaml.
func isConfig(n *yamlfile.Node) bool {
	for _, e := range n.Entries {
		if _, known := Schema()["properties"].(yamlfile.Schema)[e.Name]; !known {
			return false
		}
	}
	return len(n.Entries) > 0
}

// What the loader rejects for a key, a type or a word, the schema rejects.
func TestSchemaRejectsWhatTheLoaderRejects(t *testing.T) {
	c := newChecker(t, Schema())
	for _, text := range []string{
		"[]", "listen: 5", "listen: ''", "listen: []", "frob: 1", "proxy: x", "proxy: {mode: off}", "proxy: {mode: 1}", "proxy: {frob: 1}", "bodies: true", "bodies: {store: yes}", "bodies: {retention: 30}", "bodies: {max_size: 5}", "bodies: {frob: 1}", "tls: {cert: a}", "tls: {cert: a, key: b, ca: c}", "tls: x",
		"enforcement: off", "enforcement: 5", "on_deny: vanish", "inbound: drop", "notice: x", "notice: {contact: 5}", "notice: {contact: ''}", "notice: {contact: '<b>'}", "notice: {frob: x}", "prices: 5", "store: x", "store: {}", "store: {url: 5}",
		"store: {url: x, pool: 3}", "audit: {before_release: yes}", "audit: {release: x}", "audit: {retention: 90}", "audit: {frob: 1}", "audit: x", "bounds: {frame: 16}", "bounds: {frob: 1MiB}",
		"bounds: {hold: 10}", "upstreams: []", "upstreams: {corp: {}}", "upstreams: {corp: {url: 5}}", "upstreams: {Corp: {url: 'https://x'}}",
		"upstreams: {k: {url: 'https://x'}}", "upstreams: {ollama: {changes: 1}}", "upstreams: {ollama: {frob: 1}}", "clients: {}", "clients: []",
		"clients: [{name: ann}]", "clients: [{key: 5}]", "clients: [{key: 0123456789abcdef0, user: ann}]", "policy: 5", "policy: []",
		"policy: {version: 1}", "policy: {version: 1, default: maybe}", "policy: {version: 1, default: allow, rules: [{id: a}]}",
		"egress: x", "egress: {frob: 1}", "egress: {default: sanitize}", "egress: {models: 5}", "egress: {loopback: 0}", "egress: {loopback: 65536}",
		"egress: {loopback: []}", "egress: {loopback: x}", "egress: {loopback: [3000-]}", "egress: {loopback: '03000'}", "egress: {sockets: 5}", "egress: {sockets: []}",
		"egress: {loopback: 80.5}", "ingress: x", "ingress: {frob: 1}", "ingress: {header: x-real-ip, trusted_proxies: 10.0.0.0/8}", "ingress: {ends_tls: yes}",
		"ingress: {trusted_proxies: []}", "outgoing: x", "outgoing: {proxy: 5}", "upstreams: {openai: {proxy: 5}}", "log: x", "log: {level: loud}", "log: {format: 5}",
		"drain: 5", "drain_notice: []", "client_files: []", "clients: [{key_hash: 5}]",
	} {
		if _, err := Parse("weir.yaml", []byte(text), environment()); err == nil {
			t.Errorf("the loader takes %s", text)
		}
		if c.CheckFile("weir.yaml", []byte(text)) == nil {
			t.Errorf("the schema takes %s", text)
		}
	}
	for _, text := range []string{
		"enforcement: ${MODE}", "notice: {contact: '#security at acme'}", "notice: {contact: '${MODE}'}", "notice: {}", "upstreams: {ollama: {changes: true}, corp: {url: 'https://x'}}", "policy: p.yaml",
		"policy: {version: 1, default: allow, rules: [{id: a, tool: x, verdict: deny}]}", "bounds: {frame: 32MiB, hold: 5m}",
		"proxy: {mode: disabled}", "proxy: {mode: '${MODE_OF_PROXY}'}", "bodies: {store: true, retention: 30d, max_size: 500MB, max_body: 1MiB}",
		"egress: {default: deny, models: '${DENY}', loopback: [5432, 3000-3010, '8080', '${PORT}'], sockets: /run/x.sock}", "egress: {loopback: 80}", "egress: {}",
		"ingress: {trusted_proxies: [10.0.0.0/8], header: forwarded, proxy_protocol: true, advertise: 'https://x'}", "log: {format: json, level: '${LEVEL}'}",
		"listen: unix:/run/x.sock\ningress: {trusted_proxies: unix, socket_mode: 0660}", "outgoing: {proxy: none, ca_file: x}", "upstreams: {openai: {proxy: environment, ca_file: x}}",
		"drain: 1m", "drain_notice: 1m", "client_files: x", "clients: [{key_hash: '" + admission.DigestOf("x").String() + "', expires: 2027-01-31, created: 2026-01-31}]",
		"audit: {before_release: true, release: shipped, retention: 90d, max_size: 10GiB, max_arguments: 1MiB, key: audit.key, secret: x.pem}",
	} {
		if _, err := Parse("weir.yaml", []byte(text), environment("LEVEL", "warn", "MODE", "shadow", "MODE_OF_PROXY", "embedded", "DENY", "deny", "PORT", "9000-9001", "HOME", "/home/ann")); err != nil {
			t.Errorf("the loader rejects %s: %v", text, err)
		}
		if err := c.CheckFile("weir.yaml", []byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
