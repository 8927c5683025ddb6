package config

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestChanged: each key that is changed is named, alone, and nothing else is.
func TestChanged(t *testing.T) {
	const before = "clients: [{key: 0123456789abcdef}]\n"
	const hook = "name: a, url: https://a.example, secret: 0123456789abcdef"
	changes := map[string]string{
		"listen":       "listen: 127.0.0.1:1",
		"tls":          "tls: {cert: a, key: b}",
		"enforcement":  "enforcement: shadow",
		"proxy":        "proxy: {mode: disabled}",
		"upstreams":    "upstreams: {corp: {url: https://corp.example, key: secret}}",
		"clients":      "clients: [{key: 0123456789abcdef, team: a}]",
		"policy":       "policy: other.yaml",
		"on_deny":      "on_deny: drop",
		"inbound":      "inbound: strip",
		"notice":       "notice: {contact: security@acme.example}",
		"prices":       "prices: p.yaml",
		"store":        "store: {url: 'postgres://h/d'}",
		"audit":        "audit: {retention: 90d}",
		"bodies":       "bodies: {store: true}",
		"bounds":       "bounds: {hold: 1m}",
		"metrics":      "metrics: {enabled: false}",
		"otlp":         "otlp: {endpoint: https://o.example}",
		"webhooks":     "webhooks: [{" + hook + "}]",
		"egress":       "egress: {default: deny}",
		"ingress":      "ingress: {trusted_proxies: 10.0.0.0/8}",
		"outgoing":     "outgoing: {proxy: none}",
		"client_files": "client_files: clients.d",
		"log":          "log: {format: json}",
		"drain":        "drain: 1m",
		"drain_notice": "drain_notice: 5s",
		"people":       "people: [{user: ann, totp: JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP}]",
	}
	old := mustParse(t, before)
	for _, key := range documentShape.Optional {
		text := changes[key] + "\n"
		if key != "clients" {
			text += before
		}
		if diff := cmp.Diff([]string{key}, Changed(old, mustParse(t, text))); diff != "" || changes[key] == "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	if got := Changed(old, mustParse(t, before+"on_deny: replace # the default\n")); got != nil {
		t.Errorf("%v, though it sets the same", got)
	}
	inline := func(verdict string) *Config { return mustParse(t, "policy: {version: 1, default: "+verdict+"}\n") }
	if got := Changed(inline("allow"), inline("deny")); got != nil {
		t.Errorf("%v, though only the policy is another", got)
	}
	if got := Changed(inline("allow"), mustParse(t, "policy: p.yaml\n")); !slices.Equal(got, []string{"policy"}) {
		t.Errorf("%v, though the policy is elsewhere", got)
	}
}

func mustParse(t *testing.T, text string) *Config {
	t.Helper()
	cfg, err := Parse("weir.yaml", []byte(text), environment("HOME", "/home/ann"))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return cfg
}
