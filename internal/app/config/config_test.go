package config

import (
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record/store"
)

// environment is a set of variables.
func environment(pairs ...string) func(string) (string, bool) {
	vars := map[string]string{"HOME": "/home/ann"}
	for i := 0; i < len(pairs); i += 2 {
		vars[pairs[i]] = pairs[i+1]
	}
	return func(name string) (string, bool) {
		v, ok := vars[name]
		return v, ok
	}
}

func mustURL(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// withBuiltIn are the built-in upstreams with others over them.
func withBuiltIn(others map[string]Upstream) map[string]Upstream {
	all := builtInUpstreams()
	maps.Copy(all, others)
	return all
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "weir.yaml")
	text := `
listen: 0.0.0.0:4141
tls: {cert: cert.pem, key: /etc/weir/key.pem}
enforcement: shadow
upstreams:
  anthropic: {key: "${UPSTREAM_KEY}"}
  corp: {url: "https://${HOST}/v1", key: sk-corp}
clients:
  - {key: "${ANN_KEY}", employee: ann@acme.com, team: payments, org: acme}
  - {key: 0123456789abcdef, name: ci, session_header: X-Session-Id}
policy: policies/main.yaml
proxy: {mode: mcp-only}
bodies: {store: false, retention: 7d, max_size: 2GiB, max_body: 256KiB}
on_deny: drop
inbound: strip
notice: {contact: security@acme.example}
store: {url: "sqlite://weir.db"}
audit: {before_release: false, release: shipped, retention: 90d, max_size: 10GiB, max_arguments: 64KiB, key: keys/audit.key}
bounds: {frame: 4MiB, arguments: 2MiB, warn_arguments: 500KB, held_client: 100MiB, held_total: 1GiB, hold: 90s}
metrics: {enabled: false}
otlp: {endpoint: "http://127.0.0.1:4318", headers: {authorization: "Bearer ${HOST}"}, logs: false, content: true, resource: {deployment.environment.name: prod}}
webhooks:
  - {name: siem, url: "https://siem.example/in?t=1", secret: "${ANN_KEY}", args: true, types: tool_call, verdicts: [deny, audit]}
egress: {default: audit, loopback: 5432, models: deny, sockets: [/run/x.sock]}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path, environment("UPSTREAM_KEY", "sk-1", "HOST", "llm.corp.example", "ANN_KEY", "ann-0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{
		Listen:  "0.0.0.0:4141",
		Ingress: defaultIngress(), Outgoing: defaultOutgoing(), Log: defaultLog(), Drain: 30 * time.Second,
		TLS:         TLS{Cert: filepath.Join(dir, "cert.pem"), Key: "/etc/weir/key.pem"},
		Enforcement: Shadow,
		Upstreams: withBuiltIn(map[string]Upstream{
			"anthropic": {URL: mustURL(t, "https://api.anthropic.com"), Key: "sk-1"},
			"corp":      {URL: mustURL(t, "https://llm.corp.example/v1"), Key: "sk-corp"},
		}),
		Clients: []Client{
			{Key: "ann-0123456789abcdef", Employee: "ann@acme.com", Team: "payments", Org: "acme"},
			{Key: "0123456789abcdef", Name: "ci", SessionHeader: "X-Session-Id"},
		},
		Policy: Policy{Path: filepath.Join(dir, "policies/main.yaml")},
		OnDeny: Drop, Inbound: Strip, Notice: Notice{Contact: "security@acme.example"},
		Store:  Store{URL: "sqlite://" + filepath.Join(dir, "weir.db")},
		Audit:  Audit{Release: Shipped, Retention: 90 * 24 * time.Hour, MaxSize: 10 << 30, MaxArguments: 64 << 10, Key: filepath.Join(dir, "keys/audit.key")},
		Proxy:  Proxy{Mode: MCPOnly},
		Bodies: Bodies{Retention: 7 * 24 * time.Hour, MaxSize: 2 << 30, MaxBody: 256 << 10},
		Bounds: Bounds{Frame: 4 << 20, Arguments: 2 << 20, WarnArguments: 500_000, HeldClient: 100 << 20, HeldTotal: 1 << 30, Hold: 90 * time.Second},
		OTLP: OTLP{
			Endpoint: mustURL(t, "http://127.0.0.1:4318"), Headers: map[string]string{"authorization": "Bearer llm.corp.example"}, Traces: true,
			Content: true, Resource: map[string]string{"deployment.environment.name": "prod"},
		},
		Egress: Egress{Default: "audit", Loopback: []PortRange{{5432, 5432}}, Models: "deny", Sockets: []string{"/run/x.sock"}},
		Webhooks: []Webhook{{
			Name: "siem", URL: mustURL(t, "https://siem.example/in?t=1"), Secret: "ann-0123456789abcdef", Args: true,
			Types: []string{"tool_call"}, Verdicts: []string{"deny", "audit"},
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
}

func TestDefaults(t *testing.T) {
	got, err := Parse("weir.yaml", []byte("listen: 127.0.0.1:4141\n"), environment())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Default("/home/ann/.local/state/weir"), got); diff != "" {
		t.Errorf("a file that says nothing differs from no file (-want +got):\n%s", diff)
	}
}

func TestInlinePolicy(t *testing.T) {
	cfg, err := Parse("weir.yaml", []byte(`policy:
  version: 1
  default: allow
  rules:
    - {id: r, tool: Bash, verdict: deny, conditions: {param_path: command, operator: matches, value: '(a${X}'}}
`), environment())
	if err == nil || !strings.Contains(err.Error(), "weir.yaml:5:102: policy.rules[0].conditions.value: this is not a regular expression") {
		t.Errorf("an inline policy's problem reads %v (config %v)", err, cfg)
	}
	cfg, err = Parse("weir.yaml", []byte("policy: {version: 1, default: deny}\nlisten: localhost:0\n"), environment())
	if err != nil {
		t.Fatal(err)
	}
	if d := cfg.Policy.Inline.Decide(policy.Query{Tools: []string{"Bash"}}); !d.Refused() || cfg.Policy.Path != "" {
		t.Errorf("got %+v, path %q", d, cfg.Policy.Path)
	}
	other, err := Parse("weir.yaml", []byte("listen: localhost:1\npolicy: {version: 1, default: deny}\n"), environment())
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Policy.Inline.Version() != other.Policy.Inline.Version() {
		t.Error("the policy's version changes with the rest of the file")
	}
}

func TestProblems(t *testing.T) {
	const postgres = "write postgres://user:password@host:5432/database, with special characters in it as %XX"
	const client = "clients: [{key: 0123456789abcdef}]\n"
	const tls = "tls: {cert: c, key: k}\n"
	tests := []struct{ name, text, want string }{
		{"unknown key", "listn: x\n", ":1:1: listn: unknown key; did you mean listen?"},
		{"keys to come", "dlp: {mode: redact}\ncontrol: {}\n", ":1:1: dlp: this key is not built yet; remove it\n:2:1: control: this key is not built yet; remove it"},
		{"twice", "on_deny: drop\non_deny: replace\n", ":2:1: on_deny: this key is given twice, first on line 1; remove one of them"},
		{"retention", "audit: {retention: 90m}\n", ":1:20: audit.retention: events must be stored for at least a day; write 1d or more"},
		{"retention of nothing", "audit: {retention: soon}\n", ":1:20: audit.retention: this is not a time from a minute to a hundred years; write a whole number with a unit, such as 30d or 12h"},
		{"max_size", "audit: {max_size: 10MB}\n", ":1:19: audit.max_size: the record needs 16MiB at least; write 16MiB or more"},
		{"audit key", "audit: {key: []}\n", ":1:14: audit.key: expected a string, found a list"},
		{"enforcement", "enforcement: off\n", `:1:14: enforcement: "off" is not a way to enforce; use enforce, shadow or observe`},
		{"listen without a port", "listen: localhost\n", ":1:9: listen: this is not an address; write host:port, such as 127.0.0.1:4141"},
		{"listen on a wrong port", "listen: localhost:99999\n", ":1:9: listen: the port is not a number from 0 to 65535; write host:port, such as 127.0.0.1:4141"},
		{"beyond loopback", "listen: 0.0.0.0:4141\n", ":1:9: listen: the address can be reached from other machines; add clients and tls, or listen on 127.0.0.1"},
		{"every interface", "listen: ':4141'\n" + tls, ":1:9: listen: the address can be reached from other machines; add clients, or listen on 127.0.0.1"},
		{"without tls", "listen: '[::]:4141'\n" + client, ":1:9: listen: the address can be reached from other machines; add tls, or listen on 127.0.0.1"},
		{"loopback in version 6", "listen: '[::1]:4141'\n", ""},
		{"another loopback", "listen: 127.0.0.2:0\n", ""},
		{"beyond loopback with both", "listen: 10.0.0.1:443\n" + tls + client, ""},
		{"half of tls", "tls: {cert: c}\n", `:1:6: tls: the key "key" is missing; add it`},
		{"upstream k", "upstreams: {k: {url: https://x}}\n", ":1:16: upstreams.k: the name k is taken: weir uses it in paths itself; choose another name"},
		{"upstream healthz", "upstreams: {healthz: {url: https://x}}\n", ":1:22: upstreams.healthz: the name healthz is taken: weir uses it in paths itself; choose another name"},
		{"listen beside other problems", "listen: 0.0.0.0:1\nxyzzyx: 1\n", ":1:9: listen: the address can be reached from other machines; add clients and tls, or listen on 127.0.0.1\n:2:1: xyzzyx: unknown key; the keys here are listen, tls, ingress, enforcement, proxy, upstreams, outgoing, clients, client_files, policy, on_deny, inbound, notice, prices, store, audit, bodies, bounds, metrics, otlp, webhooks, egress, people, log, drain or drain_notice"},
		{"upstream name", "upstreams: {Corp: {url: https://x}}\n", ":1:19: upstreams.Corp: this is not a name for an upstream; use up to 64 lower-case letters, digits, dashes and underscores"},
		{"upstream without url", "upstreams: {corp: {}}\n", `:1:19: upstreams.corp: the key "url" is missing; add it`},
		{"upstream of another scheme", "upstreams: {corp: {url: ftp://x}}\n", ":1:25: upstreams.corp.url: the scheme is neither https nor http; write https://host or https://host/path"},
		{"upstream without host", "upstreams: {corp: {url: 'https:x'}}\n", ":1:25: upstreams.corp.url: this is not a URL; write https://host or https://host/path"},
		{"upstream with query", "upstreams: {corp: {url: 'https://x/?a=b'}}\n", ":1:25: upstreams.corp.url: a URL with a query or fragment is not supported; write https://host or https://host/path"},
		{"upstream with fragment", "upstreams: {corp: {url: 'https://x/#'}}\n", ":1:25: upstreams.corp.url: a URL with a query or fragment is not supported; write https://host or https://host/path"},
		{"upstream with password", "upstreams: {corp: {url: 'https://u:topsecret@x'}}\n", ":1:25: upstreams.corp.url: a URL with a user or password is not supported; use key for the secret"},
		{"key without clients", "upstreams: {anthropic: {key: topsecret}}\n", ":1:24: upstreams.anthropic: an injected key needs clients: else everyone who reaches weir could use it; add clients, or remove the key"},
		{"key with a line break", client + "upstreams: {anthropic: {key: \"topsecret\\n\"}}\n", ":2:30: upstreams.anthropic.key: a key is printable ASCII without blanks; check the variable for a line break at its end"},
		{"no clients", "clients: []\n", ":1:10: clients: the list is empty; write at least one item, or remove the key"},
		{"session header with a blank", "clients: [{key: 0123456789abcdef, session_header: my session}]\n", ":1:51: clients[0].session_header: this is not the name of a header; use one that the client sends for this, such as x-session-id"},
		{"session header with a secret", "clients: [{key: 0123456789abcdef, session_header: X-Api-Key}]\n", ":1:51: clients[0].session_header: the header x-api-key has another meaning, or a secret in it; use one that the client sends for this, such as x-session-id"},
		{"client without key", "clients: [{team: x}]\n", ":1:11: clients[0]: the client has no key; add key_hash, the SHA-256 of its key; weir client add makes both"},
		{"short client key", "clients: [{key: topsecret}]\n", ":1:17: clients[0].key: the key has fewer than 16 characters; make one with: openssl rand -hex 24"},
		{"client key with slash", "clients: [{key: topsecret/topsecret}]\n", ":1:17: clients[0].key: the key cannot stand in a path; use letters, digits and - . _ ~ only, as openssl rand -hex 24 gives"},
		{"client key as a number", "clients: [{key: 1234567890123456}]\n", ":1:17: clients[0].key: expected a string, found a number; put it in quotes"},
		{"client key twice", "clients:\n- {key: topsecrettopsecret}\n- {key: topsecrettopsecret}\n", ":3:9: clients[1].key: this key is used twice, first on line 2; give each client its own"},
		{"client name twice", "clients:\n- {name: CI, key: topsecrettopsecret1}\n- {name: ci, key: topsecrettopsecret2}\n", ":3:10: clients[1].name: this name is used twice, first on line 2; give each client its own"},
		{"policy as a list", "policy: [x]\n", ":1:9: policy: expected a path or a policy, found a list; write policy: policy.yaml"},
		{"no store", "store: {url: weir.db}\n", ":1:14: store.url: this is not a store; write " + store.Forms.Advised},
		{"no file", "store: {url: 'sqlite:///tmp/'}\n", ":1:14: store.url: no file is named; write sqlite:// and the path of a file, such as sqlite:///var/lib/weir/weir.db"},
		{"a file with options", "store: {url: 'sqlite:///a?b'}\n", ":1:14: store.url: a path with ? or # is not supported; write sqlite:// and the path of a file, such as sqlite:///var/lib/weir/weir.db"},
		{"no database", "store: {url: 'postgres://'}\n", ":1:14: store.url: no database is named; " + postgres},
		{"a server without a database", "store: {url: 'postgres://ann:topsecret@db'}\n", ":1:14: store.url: no database is named; " + postgres},
		{"a port of no server", "store: {url: 'postgres://ann:topsecret@db:99999/weir'}\n", ":1:14: store.url: the port is not a number from 1 to 65535; " + postgres},
		{"one port of several", "store: {url: 'postgres://a:1,b:0/weir'}\n", ":1:14: store.url: the port is not a number from 1 to 65535; " + postgres},
		{"a port as an option", "store: {url: 'postgres:///weir?port=x'}\n", ":1:14: store.url: the option port is not a number from 1 to 65535; " + postgres},
		{"a password that ends the address", "store: {url: 'postgres://ann:top#secret@db/weir'}\n", ":1:14: store.url: this is not the URL of a database; " + postgres},
		{"a password that begins the path", "store: {url: 'postgres://ann:1/topsecret@db/weir'}\n", ":1:14: store.url: this is not the URL of a database; " + postgres},
		{"null", "audit: {retention: null, max_size: ~}\nstore:\n", ":1:20: audit.retention: expected a string, found null; write a value, or remove the key\n:1:36: audit.max_size: expected a string, found null; write a value, or remove the key\n:2:8: store: expected a mapping, found nothing; write a value, or remove the key"},
		{"times without a unit", "audit: {retention: 90}\nbounds: {hold: 60}\n", ":1:20: audit.retention: a time needs a unit; write a whole number with a unit, such as 30d or 12h\n:2:16: bounds.hold: a time needs a unit; write a number with a unit, such as 10m or 90s"},
		{"listen on a number", "listen: 4141\n", ":1:9: listen: this is not an address; write host:port, such as 127.0.0.1:4141"},
		{"a word that is none", "enforcement: true\n", ":1:14: enforcement: expected a way to enforce, found true or false; use enforce, shadow or observe"},
		{"release", "audit: {release: remote}\n", ":1:18: audit.release: \"remote\" is not a place for the record; use local or shipped"},
		{"before_release", "audit: {before_release: 'no'}\n", ":1:25: audit.before_release: expected true or false, found a string"},
		{"arguments that are never recorded", "audit: {max_arguments: 0B}\n", ":1:24: audit.max_arguments: this is not a size; write a whole number with a unit, such as 16MiB"},
		{"arguments that are hardly recorded", "audit: {max_arguments: 1000B}\n", ":1:24: audit.max_arguments: the record of a call needs 1KiB of its arguments at least; write 1KiB or more"},
		{"size without unit", "bounds: {frame: 16777216}\n", ":1:17: bounds.frame: a size needs a unit; write a whole number with a unit, such as 16MiB"},
		{"size of another unit", "bounds: {frame: 16mb}\n", ":1:17: bounds.frame: this is not a size; write a whole number with a unit, such as 16MiB"},
		{"size too large", "bounds: {frame: 99999999999999GiB}\n", ":1:17: bounds.frame: this is not a size; write a whole number with a unit, such as 16MiB"},
		{"negative hold", "bounds: {hold: -1m}\n", ":1:16: bounds.hold: this is not a duration of at least a second; write a number with a unit, such as 10m or 90s"},
		{"arguments over frame", "bounds: {frame: 1MiB, arguments: 2MiB}\n", ":1:34: bounds.arguments: arguments (2MiB) is more than frame (1MiB); lower the one or raise the other"},
		{"frame under the default arguments", "bounds: {frame: 4MiB}\n", ":1:17: bounds.frame: arguments (8MiB) is more than frame (4MiB); lower the one or raise the other"},
		{"tiny frame", "bounds: {frame: 1KiB, arguments: 1KiB, warn_arguments: 1KiB}\n", ":1:17: bounds.frame: frame is 1KiB; choose from 64KiB to 1GiB"},
		{"missing variable", "listen: '${NOWHERE}'\n", ":1:9: listen: the variable NOWHERE is not set; set it before weir starts"},
		{"empty variable", "listen: '${EMPTY}'\n", ":1:9: listen: the variable is empty; give it an address such as 127.0.0.1:4141"},
		{"half a variable", "listen: '${X'\n", ":1:9: listen: a ${ does not begin the name of a variable; write ${NAME}, or $${ to mean ${ itself"},
		{"a contact with markup", "notice: {contact: '<b>ann</b>'}\n", ":1:19: notice.contact: a contact is one line of plain text, without brackets and quotes; write an address, such as security@acme.example, or the name of a channel"},
		{"a contact of two lines", "notice: {contact: \"ann\\nbob\"}\n", ":1:19: notice.contact: a contact is one line of plain text, without brackets and quotes; write an address, such as security@acme.example, or the name of a channel"},
		{"a hidden contact", "notice: {contact: \"ann\\u202e\"}\n", ":1:19: notice.contact: a contact is one line of plain text, without brackets and quotes; write an address, such as security@acme.example, or the name of a channel"},
		{"a long contact", "notice: {contact: " + strings.Repeat("a", 121) + "}\n", ":1:19: notice.contact: the contact has more than 120 characters; write an address, such as security@acme.example, or the name of a channel"},
		{"no contact", "notice: {contact: ''}\n", ":1:19: notice.contact: expected an address, such as security@acme.example, or the name of a channel, found an empty string; write an address, such as security@acme.example, or the name of a channel"},
		{"another key", "notice: {phone: x}\n", ":1:10: notice.phone: unknown key; the keys here are contact"},
		{"a contact in a variable", "notice: {contact: '${WORD}'}\n", ""},
		{"word in a variable", "on_deny: '${WORD}'\n", ""},
		{
			"secret in the wrong place", "on_deny: '${SECRET}'\nlisten: '${SECRET}'\nbounds: {frame: '${SECRET}', hold: '${SECRET}'}\nstore: {url: '${SECRET}'}\nupstreams: {corp: {url: '${SECRET}'}}\n",
			`:1:10: on_deny: the variable does not hold a thing to do; use replace or drop
:2:9: listen: this is not an address; write host:port, such as 127.0.0.1:4141
:3:17: bounds.frame: this is not a size; write a whole number with a unit, such as 16MiB
:3:36: bounds.hold: this is not a duration of at least a second; write a number with a unit, such as 10m or 90s
:4:14: store.url: this is not a store; write ` + store.Forms.Advised + `
:5:25: upstreams.corp.url: this is not a URL; write https://host or https://host/path`,
		},
	}
	env := environment("SECRET", "topsecret", "WORD", "drop", "EMPTY", "")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("weir.yaml", []byte(tt.text), env)
			got := ""
			if err != nil {
				got = strings.ReplaceAll(err.Error(), "weir.yaml:", ":")
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if strings.Contains(got, "topsecret") {
				t.Error("a secret is in the message")
			}
		})
	}
}

func TestStateDir(t *testing.T) {
	tests := []struct {
		env  func(string) (string, bool)
		want string
	}{
		{environment(), "/home/ann/.local/state/weir"},
		{environment("XDG_STATE_HOME", "/state"), "/state/weir"},
		{environment("XDG_STATE_HOME", "relative"), "/home/ann/.local/state/weir"},
		{environment("HOME", ""), ""},
		{environment("HOME", "", "USERPROFILE", "/users/ann"), "/users/ann/.local/state/weir"},
		{environment("USERPROFILE", "/users/ann"), "/home/ann/.local/state/weir"},
	}
	for _, tt := range tests {
		got, err := StateDir(tt.env)
		if got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("got %q, %v, want %q", got, err, tt.want)
		}
	}
	const text = "listen: localhost:1\n"
	if _, err := Parse("weir.yaml", []byte(text), environment("HOME", "")); err == nil || !strings.Contains(err.Error(), "XDG_STATE_HOME") {
		t.Errorf("without a state folder: %v", err)
	}
	if _, err := Parse("weir.yaml", []byte(text+"policy: p.yaml\nstore: {url: 'sqlite://w.db'}\n"), environment("HOME", "")); err != nil {
		t.Errorf("a state folder is asked for that is not needed: %v", err)
	}
}

func TestPostgresStore(t *testing.T) {
	for _, url := range []string{"postgres://ann:${SECRET}@db.example:5432/weir?sslmode=verify-full", "postgresql:///weir?host=/run", "postgres://a:1,b:65535/weir", "postgres://?service=weir"} {
		cfg, err := Parse("weir.yaml", []byte("store: {url: '"+url+"'}\n"), environment("HOME", "/home/ann", "SECRET", "a%3Fb"))
		if want := strings.ReplaceAll(url, "${SECRET}", "a%3Fb"); err != nil || cfg.Store.URL != want {
			t.Errorf("%s: %v, %v", url, cfg, err)
		}
	}
}

// TestFolders: where a file is meant, a folder is named with its place. Only who loads a configuration looks.
func TestFolders(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "weir.yaml")
	text := "store: {url: 'sqlite://.'}\naudit: {key: " + dir + "}\npolicy: .\nprices: ../\ntls: {cert: ., key: k}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Load(path, environment())
	if err == nil {
		t.Fatal("it is loaded")
	}
	const cure = ": this is a folder; name a file in it\n"
	want := ":1:14: store.url" + cure + ":2:14: audit.key" + cure + ":3:9: policy" + cure + ":4:9: prices" + cure + ":5:13: tls.cert" + cure
	if diff := cmp.Diff(want, strings.ReplaceAll(err.Error(), path, "")+"\n"); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if _, err := Parse(path, []byte(text), environment()); err != nil {
		t.Errorf("it looks at other files: %v", err)
	}
}

func TestSetListen(t *testing.T) {
	c := Default("/state")
	if err := c.SetListen("127.0.0.1:9"); err != nil || c.Listen != "127.0.0.1:9" {
		t.Errorf("got %q, %v", c.Listen, err)
	}
	if err := c.SetListen("0.0.0.0:9"); err == nil || c.Listen != "127.0.0.1:9" {
		t.Errorf("got %q, %v", c.Listen, err)
	}
}

func FuzzConfig(f *testing.F) {
	f.Add("listen: 127.0.0.1:4141\nupstreams: {corp: {url: \"https://${HOST}\"}}\n")
	f.Add("clients: [{key: \"${KEY}\", employee: a}]\ntls: {cert: a, key: b}\nlisten: ':1'\n")
	f.Add("policy:\n  version: 1\n  default: deny\n  rules: [{id: a, tool: b, verdict: allow}]\n")
	f.Add("bounds: {frame: 1MiB, arguments: 1KiB, warn_arguments: 1B, held_total: 9GB, hold: 1h2m}\nstore: {url: 'sqlite://x'}\naudit: {before_release: false}\n")
	f.Add("a: &b [*b, $${, !!x y]\n--- \n? z\n")
	f.Fuzz(func(t *testing.T, text string) {
		const secret = "Tops3cretTops3cret"
		c, err := Parse("weir.yaml", []byte(text), environment("HOST", secret, "KEY", secret))
		if err != nil {
			if c != nil || err.Error() == "" {
				t.Errorf("config %v with error %q", c, err)
			}
			if strings.Contains(err.Error(), secret) && !strings.Contains(text, secret) {
				t.Errorf("a variable's value is in the message: %v", err)
			}
			return
		}
		if err := c.checkListen(c.Listen); err != nil {
			t.Errorf("accepted an address that cannot be used: %v", err)
		}
		if b := c.Bounds; b.WarnArguments > b.Arguments || b.Arguments > b.Frame || b.Hold <= 0 ||
			b.HeldTotal > 0 && (b.Frame > b.HeldTotal || b.HeldClient > b.HeldTotal) || b.HeldClient > 0 && b.Frame > b.HeldClient {
			t.Errorf("accepted bounds %+v", b)
		}
		for name, u := range c.Upstreams {
			if u.URL == nil || (u.Key != "" && len(c.Clients) == 0) {
				t.Errorf("accepted upstream %q", name)
			}
		}
		if (c.Policy.Path == "") == (c.Policy.Inline == nil) {
			t.Error("not exactly one policy")
		}
	})
}
