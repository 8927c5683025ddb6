package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/record"
)

// All that is wrong with what flows out is said at once, without secrets.
func TestTelemetryProblems(t *testing.T) {
	text := `metrics: {on: true, token: "${SECRET}"}
otlp: {endpoint: "grpc://${SECRET}", headers: {"a b": x, ok: "${EMPTY}"}, traces: false, logs: false}
webhooks:
  - {name: A b, url: "ftp://${SECRET}", secret: short}
  - {name: one, url: https://a.example, secret: 0123456789abcdef}
  - {name: one, url: https://b.example, secret: 0123456789abcdef}
  - {name: two, url: https://b.example}
  - {name: three, url: https://b.example, secret: 0123456789abcdef, types: [nope, tool_call], verdicts: [denied], codes: [tooldenied], rules: "", tools: ["", "${EMPTY}"]}
  - {name: four, url: https://b.example, secret: 0123456789abcdef, types: response_done, verdicts: deny}
  - {name: five, url: https://b.example, secret: 0123456789abcdef, codes: malformed, types: [stream_refused, policy_loaded], employees: [ann], tools: Bash}
  - {name: six, url: https://b.example, secret: 0123456789abcdef, types: policy_loaded, teams: payments}
`
	_, err := Parse("weir.yaml", []byte(text), environment("SECRET", "topsecret", "EMPTY", ""))
	want := `:1:11: metrics.on: unknown key; the keys here are enabled or token
:1:28: metrics.token: the token has fewer than 16 characters; make one with: openssl rand -hex 24
:2:7: otlp: neither traces nor logs are sent; remove otlp, or switch one of them on
:2:18: otlp.endpoint: the scheme is neither https nor http; write https://host or https://host/path
:2:55: otlp.headers."a b": this is not a name of a header; correct the name
:2:62: otlp.headers.ok: the variable is empty; give it the value of a header
:4:12: webhooks[0].name: this is not a name for a webhook; use up to 64 lower-case letters, digits, dashes and underscores
:4:22: webhooks[0].url: this is not the URL of a webhook; write https://host/path, without a user
:4:49: webhooks[0].secret: the secret has fewer than 16 characters; make one with: openssl rand -hex 24
:6:12: webhooks[2].name: this name is used twice, first on line 5; give each webhook its own
:7:5: webhooks[3]: the key "secret" is missing; add it
:8:77: webhooks[4].types[0]: "nope" is not a type of events; use one of TYPES
:8:106: webhooks[4].verdicts[0]: "denied" is not a verdict; use allow, audit, sanitize, pending_approval or deny
:8:123: webhooks[4].codes[0]: "tooldenied" is not a code of refusals; did you mean tool_denied?
:8:143: webhooks[4].rules: expected a value, found an empty string; write a value
:8:155: webhooks[4].tools[0]: expected a value, found an empty string; write a value
:8:159: webhooks[4].tools[1]: the variable is empty; give it a value
:9:100: webhooks[5].verdicts: no event has verdicts and is of the type response_done; remove one of them, or change types
:10:151: webhooks[6].tools: no event has tools and is of the type stream_refused; remove one of them, or change types
:11:96: webhooks[7].teams: no event has teams and is of the type policy_loaded; remove one of them, or change types`
	if err == nil {
		t.Fatal("no problem")
	}
	types := record.Types.Names()
	want = strings.Replace(want, "TYPES", strings.Join(types[:len(types)-1], ", ")+" or "+types[len(types)-1], 1)
	got := strings.ReplaceAll(err.Error(), "weir.yaml:", ":")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// A webhook that can be delivered something is read as it is written.
func TestWebhookLists(t *testing.T) {
	text := `webhooks:
  - {name: one, url: https://a.example, secret: 0123456789abcdef, types: [tool_call, response_done], verdicts: [deny, audit], tools: ["mcp__*", "${TOOL}"]}
  - {name: two, url: https://a.example, secret: 0123456789abcdef, codes: [malformed, cut_short], teams: payments}
  - {name: three, url: https://a.example, secret: 0123456789abcdef, types: policy_loaded}
`
	cfg, err := Parse("weir.yaml", []byte(text), environment("HOME", "/home/ann", "TOOL", "Bash"))
	if err != nil {
		t.Fatal(err)
	}
	var got [][][]string
	for _, w := range cfg.Webhooks {
		got = append(got, [][]string{w.Types, w.Verdicts, w.Codes, w.Tools, w.Teams})
	}
	want := [][][]string{
		{{"tool_call", "response_done"}, {"deny", "audit"}, nil, {"mcp__*", "Bash"}, nil},
		{nil, nil, {"malformed", "cut_short"}, nil, {"payments"}},
		{{"policy_loaded"}, nil, nil, nil, nil},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The lists that are read are the keys that a webhook may have.
func TestWebhookShape(t *testing.T) {
	names := []string{"args"}
	for _, list := range new(Webhook).lists() {
		names = append(names, list.name)
	}
	if diff := cmp.Diff(webhookShape.Optional, names); diff != "" {
		t.Error(diff)
	}
}

// The token of metrics is no client's key: an agent has that.
func TestMetricsToken(t *testing.T) {
	env := environment("HOME", "/home/ann", "TOKEN", "0123456789abcdef-metrics")
	cfg, err := Parse("weir.yaml", []byte("metrics: {token: \"${TOKEN}\"}\n"), env)
	if err != nil || cfg.Metrics != (Metrics{Enabled: true, Token: "0123456789abcdef-metrics"}) {
		t.Errorf("%+v, %v", cfg.Metrics, err)
	}
	for text, want := range map[string]string{
		"clients: [{key: \"${TOKEN}\"}]\nmetrics: {token: \"${TOKEN}\"}\n": "weir.yaml:2:18: metrics.token: the token is the key of a client, " +
			"who would see what all clients do; make one with: openssl rand -hex 24",
		"metrics: {token: \"0123456789 abcdef\"}\n": "weir.yaml:1:18: metrics.token: a header cannot hold the token; " +
			"use printable characters of ASCII without spaces, as openssl rand -hex 24 gives",
	} {
		if _, err := Parse("weir.yaml", []byte(text), env); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
