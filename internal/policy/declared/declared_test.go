package declared

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/text/yamlfile"
	"github.com/weir-gate/weir/internal/text/yamlfile/schematest"
)

// read reads a list of declarations that stands under the key servers.
func read(t *testing.T, text string) ([]Server, error) {
	t.Helper()
	root, report := yamlfile.Parse("p", []byte(text))
	if root == nil {
		t.Fatalf("%v\n%s", report.Err(), text)
	}
	servers := Read(root.Get("servers"), report)
	return servers, report.Err()
}

// one reads one declaration that has to be right.
func one(t *testing.T, declaration string) Server {
	t.Helper()
	servers, err := read(t, "servers: [{"+declaration+"}]")
	if err != nil {
		t.Fatalf("%s: %v", declaration, err)
	}
	return servers[0]
}

var sameAddresses = cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })

func TestRead(t *testing.T) {
	none := Auth{Type: AuthNone}
	hex := strings.Repeat("Ab", 32)
	tests := map[string]Server{
		"id: fs, type: stdio, command: npx": {ID: "fs", Type: Stdio, Timeout: DefaultTimeout, Command: "npx", Auth: none},
		"id: a.B-c_9, type: stdio, command: npx, args: ['', '${X}'], dir: /srv, timeout: 2m, env: {allow: [A*, B], deny: C, set: {X: '', Y: '${Z}'}}": {
			ID: "a.B-c_9", Type: Stdio, Timeout: 2 * time.Minute, Command: "npx", Args: []string{"", "${X}"}, Dir: "/srv", Auth: none,
			Env: EnvLists{Allow: []string{"A*", "B"}, Deny: []string{"C"}, Set: map[string]string{"X": "", "Y": "${Z}"}},
		},
		"id: w, type: http, url: 'https://mcp.example.com/mcp?v=1', tls_fingerprint: 'sha256:" + hex + "', allow_addresses: [169.254.1.1, 10.0.0.0/8, 'fe80::/10']": {
			ID: "w", Type: HTTP, Timeout: DefaultTimeout, URL: "https://mcp.example.com/mcp?v=1", TLSFingerprint: "sha256:" + strings.ToLower(hex), Auth: none,
			AllowAddresses: []netip.Prefix{netip.MustParsePrefix("169.254.1.1/32"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fe80::/10")},
		},
		"id: s, type: sse, url: 'http://127.0.0.1:1/sse', auth: {type: bearer, token: '${T}'}": {
			ID: "s", Type: SSE, Timeout: DefaultTimeout, URL: "http://127.0.0.1:1/sse", Auth: Auth{Type: AuthBearer, Token: "${T}"},
		},
		"id: s, type: http, url: '${U}', auth: {type: basic, username: ann, password: x y}": {
			ID: "s", Type: HTTP, Timeout: DefaultTimeout, URL: "${U}", Auth: Auth{Type: AuthBasic, Username: "ann", Password: "x y"},
		},
		"id: s, type: http, url: 'https://${H}/x', auth: {type: api_key, name: X-API-Key, value: v}": {
			ID: "s", Type: HTTP, Timeout: DefaultTimeout, URL: "https://${H}/x", Auth: Auth{Type: AuthAPIKey, In: InHeader, Name: "X-API-Key", Value: "v"},
		},
		"id: s, type: http, url: 'https://h/x', auth: {type: api_key, in: query, name: 'k[0]', value: v}": {
			ID: "s", Type: HTTP, Timeout: DefaultTimeout, URL: "https://h/x", Auth: Auth{Type: AuthAPIKey, In: InQuery, Name: "k[0]", Value: "v"},
		},
		"id: s, type: http, url: 'http://[::1]/x', auth: {type: passthrough}": {
			ID: "s", Type: HTTP, Timeout: DefaultTimeout, URL: "http://[::1]/x", Auth: Auth{Type: AuthPassthrough},
		},
		"id: s, type: http, url: 'https://h/x', auth: {type: oauth_client_credentials, token_url: 'https://h/t', client_id: c, client_secret: '${S}', scopes: [a, 'b:c'], resource: 'https://h/x'}": {
			ID: "s", Type: HTTP, Timeout: DefaultTimeout, URL: "https://h/x",
			Auth: Auth{Type: AuthOAuth, TokenURL: "https://h/t", ClientID: "c", ClientSecret: "${S}", Scopes: []string{"a", "b:c"}, Resource: "https://h/x"},
		},
	}
	checker := newChecker(t)
	for declaration, want := range tests {
		got := one(t, declaration)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Server{}, "Line"), sameAddresses); diff != "" {
			t.Errorf("%s (-want +got):\n%s", declaration, diff)
		}
		if err := checker.CheckFile("p", []byte("{"+declaration+"}")); err != nil {
			t.Errorf("the schema rejects %s: %v", declaration, err)
		}
	}
}

func newChecker(t *testing.T) *schematest.Checker {
	t.Helper()
	c, err := schematest.New(Schema())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestProblems(t *testing.T) {
	const (
		badURL  = `this is not an absolute http or https URL; write one such as https://mcp.example.com/mcp`
		inClear = `the credential would cross the network in the clear; use https, or an address of this machine`
		id      = ` is not an id; use up to 64 letters, digits, dots, dashes and underscores, and begin with a letter or digit`
	)
	http := func(more string) string { return "id: s, type: http, url: 'https://h/x', " + more }
	tests := []struct {
		declaration, want string
		schemaToo         bool // the schema rejects it as well
	}{
		{"type: stdio, command: x", `servers[0]: the key "id" is missing; add it`, true},
		{"id: a, command: x", `servers[0]: the key "type" is missing; add it`, true},
		{"id: a b, type: stdio, command: x", `servers[0].id: "a b"` + id, true},
		{"id: .a, type: stdio, command: x", `servers[0].id: ".a"` + id, true},
		{"id: é, type: stdio, command: x", `servers[0].id: "é"` + id, true},
		{"id: " + strings.Repeat("a", 65) + ", type: stdio, command: x", `servers[0].id: "` + strings.Repeat("a", 60) + `"…` + id, true},
		{"id: a, type: tcp", `servers[0].type: "tcp" is not a type of server; use stdio, http or sse`, true},
		{"id: a, type: stdio", `servers[0]: a server of type stdio needs the key command; name the program that is the server`, true},
		{"id: a, type: sse", `servers[0]: a server of type sse needs the key url; say where the server is`, true},
		{"id: a, type: stdio, command: x, url: 'https://h'", `servers[0].url: the key url is for servers of type http or sse, and this one is of type stdio; remove the key, or change the type`, true},
		{http("args: [x]"), `servers[0].args: the key args is for servers of type stdio, and this one is of type http; remove the key, or change the type`, true},
		{"id: a, type: stdio, command: x, frob: 1", `servers[0].frob: unknown key; the keys here are id, type, timeout, command, args, env, dir, url, tls_fingerprint, allow_addresses or auth`, true},
		{"id: a, type: stdio, command: '${', timeout: 5s", `servers[0].command: a ${ does not begin the name of a variable; write ${NAME}, or $${ to mean ${ itself`, false},
		{"id: a, type: stdio, command: x, args: ['${A']", `servers[0].args[0]: a ${ does not begin the name of a variable; write ${NAME}, or $${ to mean ${ itself`, false},
		{"id: a, type: stdio, command: x, args: x", `servers[0].args: expected a list, found a string`, true},
		{"id: a, type: stdio, command: x, args: [1]", `servers[0].args[0]: expected a string, found a number; put it in quotes`, true},
		{"id: a, type: stdio, command: x, timeout: 0s", `servers[0].timeout: "0s" is not a time from a second to an hour; write one such as 30s or 2m`, false},
		{"id: a, type: stdio, command: x, timeout: 30", `servers[0].timeout: expected a string, found a number; put it in quotes`, true},
		{"id: a, type: stdio, command: x, env: {}", `servers[0].env: env says nothing; write allow, deny or set, or remove the key`, true},
		{"id: a, type: stdio, command: x, env: {set: {a-b: x}}", `servers[0].env.set.a-b: "a-b" is not the name of a variable; use letters, digits and underscores`, true},
		{"id: a, type: stdio, command: x, env: {set: {A: '${'}}", `servers[0].env.set.A: a ${ does not begin the name of a variable; write ${NAME}, or $${ to mean ${ itself`, false},
		{"id: a, type: stdio, command: x, env: {allow: []}", `servers[0].env.allow: the list is empty; write at least one item, or remove the key`, true},
		{"id: a, type: http, url: h", `servers[0].url: ` + badURL, false},
		{"id: a, type: http, url: 'ftp://h'", `servers[0].url: ` + badURL, false},
		{"id: a, type: http, url: 'https:///x'", `servers[0].url: ` + badURL, false},
		{"id: a, type: http, url: 'https:h'", `servers[0].url: ` + badURL, false},
		{"id: a, type: http, url: 'https://ann:pw@h/x'", `servers[0].url: a URL with a user would show a password in the record; use auth: {type: basic, …}`, false},
		{"id: a, type: http, url: 'https://h/x#y'", `servers[0].url: a fragment is never sent to a server; remove it`, false},
		{"id: a, type: http, url: 'https://h/x#'", `servers[0].url: a fragment is never sent to a server; remove it`, false},
		{"id: a, type: http, url: 'https://h/x y'", `servers[0].url: a URL has no blanks and control characters; write them as %20 and the like`, false},
		{"id: a, type: http, url: 'https://h/x?api_key=1'", `servers[0].url: the query seems to hold a credential; use auth: {type: api_key, in: query, …}`, false},
		{"id: a, type: http, url: 'https://h/x?v=${V}'", `servers[0].url: a variable in the query would be written down; use auth: {type: api_key, in: query, …}`, false},
		{http("tls_fingerprint: 'sha256:ab'"), `servers[0].tls_fingerprint: this is not the fingerprint of a certificate; write sha256: and 64 hexadecimal digits`, true},
		{"id: a, type: http, url: 'http://h/x', tls_fingerprint: 'sha256:" + strings.Repeat("a", 64) + "'", `servers[0].tls_fingerprint: there is no certificate on plain http; use https, or remove the key`, false},
		{http("allow_addresses: [10.0.0.1/8]"), `servers[0].allow_addresses[0]: "10.0.0.1/8" is an address within a range; write the range as 10.0.0.0/8`, false},
		{http("allow_addresses: [host]"), `servers[0].allow_addresses[0]: "host" is not an address or a range of them; write an address or a range such as 10.0.0.0/8`, false},
		{http("allow_addresses: ['fe80::1%eth0']"), `servers[0].allow_addresses[0]: "fe80::1%eth0" is not an address or a range of them; write an address or a range such as 10.0.0.0/8`, false},
		{http("auth: {}"), `servers[0].auth: the key "type" is missing; add it`, true},
		{http("auth: {type: digest}"), `servers[0].auth.type: "digest" is not a type of credentials; use none, bearer, basic, api_key, passthrough or oauth_client_credentials`, true},
		{http("auth: {type: bearer}"), `servers[0].auth: auth of type bearer needs the key token; add it`, true},
		{http("auth: {type: bearer, token: x, name: y}"), `servers[0].auth.name: the key name is for auth of type api_key, and this one is of type bearer; remove the key, or change the type`, true},
		{http("auth: {type: none, token: x}"), `servers[0].auth.token: the key token is for auth of type bearer, and this one is of type none; remove the key, or change the type`, true},
		{http("auth: {type: basic, username: 'a:b', password: x}"), `servers[0].auth.username: a user's name has no colon; write what stands before the colon, and the rest as password`, false},
		{http(`auth: {type: bearer, token: "a\nb"}`), `servers[0].auth.token: a credential is one line without control characters; write it without them`, false},
		{http("auth: {type: api_key, name: Host, value: x}"), `servers[0].auth.name: the header "Host" is not free for a credential; name the one that the server asks for, such as X-API-Key`, false},
		{http("auth: {type: api_key, name: 'a b', value: x}"), `servers[0].auth.name: "a b" is not the name of a header or cookie; use letters, digits and dashes`, false},
		{http("auth: {type: api_key, in: query, name: 'a b', value: x}"), `servers[0].auth.name: "a b" is not the name of a parameter; write it without blanks and control characters`, false},
		{http("auth: {type: api_key, in: body, name: a, value: x}"), `servers[0].auth.in: "body" is not a place for an API key; use header, query or cookie`, true},
		{http("auth: {type: oauth_client_credentials, token_url: 'http://h/t', client_id: a, client_secret: b}"), `servers[0].auth.token_url: ` + inClear, false},
		{http("auth: {type: oauth_client_credentials, token_url: 'https://h/t', client_id: a, client_secret: b, scopes: 'a b'}"), `servers[0].auth.scopes: "a b" is not one scope; write each scope as a list item`, false},
		{"id: a, type: http, url: 'http://h/x', auth: {type: bearer, token: x}", `servers[0].url: ` + inClear, false},
		{"id: a, type: sse, url: 'http://10.0.0.1/x', auth: {type: passthrough}", `servers[0].url: ` + inClear, false},
	}
	checker := newChecker(t)
	for _, tt := range tests {
		t.Run(tt.declaration, func(t *testing.T) {
			_, err := read(t, "servers: [{"+tt.declaration+"}]")
			if err == nil {
				t.Fatal("no problem")
			}
			got := err.Error()
			if _, after, found := strings.Cut(got, ": servers"); found {
				got = "servers" + after
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("problem (-want +got):\n%s", diff)
			}
			if rejected := checker.CheckFile("p", []byte("{"+tt.declaration+"}")) != nil; rejected != tt.schemaToo {
				t.Errorf("the schema rejects it: %v", rejected)
			}
		})
	}
}

func TestIDsAreUnique(t *testing.T) {
	_, err := read(t, "servers:\n- {id: fs, type: stdio, command: x}\n- {id: FS, type: stdio, command: x}\n")
	want := `p:3:8: servers[1].id: the id "FS" is used twice, first on line 2; give each server its own id; upper and lower case are the same`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = read(t, "servers: x\n")
	if want := "p:1:10: servers: expected a list of servers; write each server as a list item, or servers: []"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestExpand(t *testing.T) {
	env := func(name string) (string, bool) {
		v, ok := map[string]string{"A": "1", "E": "", "URL": "https://h/x", "CLEAR": "http://h/x", "NL": "a\nb", "COLON": "a:b", "USER": "https://u:hunter2@h/"}[name]
		return v, ok
	}
	s := one(t, "id: fs, type: stdio, command: 'x${A}', args: ['${A}', '${E}', '$${A}'], dir: '/${A}', env: {set: {X: '${A}y', Y: '${E}'}}")
	before := fmt.Sprintf("%+v", s)
	got, err := s.Expand(env)
	if err != nil {
		t.Fatal(err)
	}
	want := s
	want.Command, want.Args, want.Dir, want.Env.Set = "x1", []string{"1", "", "${A}"}, "/1", map[string]string{"X": "1y", "Y": ""}
	if diff := cmp.Diff(want, got, sameAddresses); diff != "" {
		t.Errorf("expanded (-want +got):\n%s", diff)
	}
	if after := fmt.Sprintf("%+v", s); after != before {
		t.Errorf("the declaration itself became %s", after)
	}
	web, err := one(t, "id: w, type: http, url: '${URL}', auth: {type: oauth_client_credentials, token_url: '${URL}', client_id: '${A}', client_secret: 's${A}', resource: '${URL}'}").Expand(env)
	if err != nil || web.URL != "https://h/x" || web.Auth.ClientSecret != "s1" || web.Auth.TokenURL != "https://h/x" {
		t.Errorf("got %+v, %v", web, err)
	}
	problems := map[string]string{
		"type: stdio, command: '${GONE}'":                                                        "server s, command: the variable GONE is not set; set it before weir starts",
		"type: stdio, command: x, args: [a, '${GONE}']":                                          "server s, args[1]: the variable GONE is not set; set it before weir starts",
		"type: stdio, command: x, env: {set: {V: '${GONE}'}}":                                    "server s, env.set.V: the variable GONE is not set; set it before weir starts",
		"type: stdio, command: '${E}'":                                                           "server s, command: nothing is left when the variables are put in; give them values",
		"type: http, url: '${A}'":                                                                "server s, url: this is not an absolute http or https URL; write one such as https://mcp.example.com/mcp",
		"type: http, url: '${USER}'":                                                             "server s, url: a URL with a user would show a password in the record; use auth: {type: basic, …}",
		"type: http, url: '${CLEAR}', auth: {type: bearer, token: x}":                            "server s, url: the credential would cross the network in the clear; use https, or an address of this machine",
		"type: http, url: '${CLEAR}', tls_fingerprint: 'sha256:" + strings.Repeat("a", 64) + "'": "server s, tls_fingerprint: there is no certificate on plain http; use https, or remove the key",
		"type: http, url: '${URL}', auth: {type: bearer, token: '${E}'}":                         "server s, auth.token: nothing is left when the variables are put in; give them values",
		"type: http, url: '${URL}', auth: {type: bearer, token: '${NL}'}":                        "server s, auth.token: a credential is one line without control characters; set the variable without them",
		"type: http, url: '${URL}', auth: {type: basic, username: '${COLON}', password: x}":      "server s, auth.username: a user's name has no colon; set the variable to what stands before it",

		"type: http, url: '${URL}', auth: {type: oauth_client_credentials, token_url: '${CLEAR}', client_id: a, client_secret: b}": "server s, auth.token_url: the credential would cross the network in the clear; use https, or an address of this machine",
	}
	for declaration, want := range problems {
		got, err := one(t, "id: s, "+declaration).Expand(env)
		if err == nil || err.Error() != want || got.ID != "" {
			t.Errorf("%s: got %v, want %s", declaration, err, want)
		}
	}
}

func TestAddress(t *testing.T) {
	for declaration, want := range map[string]string{
		"type: stdio, command: npx, args: [x]":        "npx",
		"type: http, url: 'https://h/x?v=1'":          "https://h/x",
		"type: sse, url: '${URL}'":                    "${URL}",
		"type: http, url: 'https://${H}/x?v=1&w=2?3'": "https://${H}/x",
	} {
		if got := one(t, "id: s, "+declaration).Address(); got != want {
			t.Errorf("%s: got %s, want %s", declaration, got, want)
		}
	}
}
