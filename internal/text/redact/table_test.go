package redact

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A table says what a preset finds and what it does not. Findings stand between « and ». A tilde is left out of a text before
// it is looked at, and two are one: with it, no other scanner takes these made-up keys for a leak.
type table struct {
	found   []string
	nothing []string
}

// unmark returns the text of a table's entry and the findings that it demands.
func unmark(name, marked string) (text string, want []Finding) {
	marked = strings.NewReplacer("~~", "~", "~", "").Replace(marked)
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(marked, "«")
		out.WriteString(before)
		if !ok {
			return out.String(), want
		}
		secret, after, _ := strings.Cut(rest, "»")
		start := out.Len()
		out.WriteString(secret)
		want = append(want, Finding{name, start, out.Len()})
		marked = after
	}
}

func mustNew(t testing.TB, cfg Config) *Set {
	t.Helper()
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// presetNames returns the names of all presets without those of groups.
func presetNames() (names []string) {
	for i := range presets {
		names = append(names, presets[i].name)
	}
	return names
}

func TestPresets(t *testing.T) {
	t.Parallel()
	const least = 15 // of each kind
	for _, name := range presetNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := mustNew(t, Config{Presets: []string{name}})
			cases := tables[name]
			if len(cases.found) < least || len(cases.nothing) < least {
				t.Errorf("%d texts with and %d without: want %d of each", len(cases.found), len(cases.nothing), least)
			}
			for _, marked := range cases.found {
				text, want := unmark(name, marked)
				if len(want) == 0 {
					t.Errorf("%q marks no finding", marked)
				}
				if diff := cmp.Diff(want, s.Find(text)); diff != "" {
					t.Errorf("Find(%q): -want +got\n%s", text, diff)
				}
			}
			for _, marked := range cases.nothing {
				text, _ := unmark(name, marked)
				for _, f := range s.Find(text) {
					t.Errorf("Find(%q) found %q", text, text[f.Start:f.End])
				}
			}
		})
	}
}

// TestPresetsAreDocumented demands that the documentation names every preset and group.
func TestPresetsAreDocumented(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../../docs/policy-reference.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(presets) > maxDetectors {
		t.Errorf("%d presets, and room for %d", len(presets), maxDetectors)
	}
	for _, name := range Presets() {
		if !strings.Contains(string(doc), "`"+name+"`") {
			t.Errorf("%s is not documented", name)
		}
	}
}

// TestCleanText looks for everything in texts that ordinary work is full of.
func TestCleanText(t *testing.T) {
	t.Parallel()
	s := mustNew(t, Config{Presets: Presets()})
	for _, text := range cleanTexts {
		for _, f := range s.Find(text) {
			t.Errorf("Find(%q) found %s: %q", text, f.Name, text[f.Start:f.End])
		}
	}
}

var cleanTexts = []string{
	"",
	"git commit -m 'Release v1.2.3-rc.1' && git push origin HEAD:refs/heads/main",
	"commit 9fceb02d0ae598e95dc970b74767f19372d61af8 (HEAD -> main, tag: v2.10.14)",
	"550e8400-e29b-41d4-a716-446655440000",
	"2024-05-06T07:08:09.123456789Z [INFO] 10.0.0.1:8080 GET /api/v1/users/42?page=2 200 1234us",
	"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	"sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
	"github.com/google/go-cmp v0.7.0 h1:wk8382ETsv4JYUZwIsn6YpYiWiBsYLSJiTsyBVuPHv0=",
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	"docker run --rm -p 127.0.0.1:5432:5432 -e POSTGRES_PASSWORD=$PW postgres:16.3-alpine3.20",
	"npm install @types/node@20.11.5 lodash@^4.17.21 react@latest",
	"ssh -i ~/.ssh/id_ed25519 deploy@10.1.2.3 'systemctl restart getty@tty1.service'",
	"git clone git@github.com:weir-gate/weir.git",
	"curl -H 'Authorization: Bearer $TOKEN' https://user@example.com/path",
	"grep -rn -- '-----BEGIN RSA PRIVATE KEY-----' . | head",
	"for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do echo $i; done",
	"chmod 0644 0755 && umask 0022; od: 0000000 0123 4567 0123",
	"x = [0.4111111111111111, 3.141592653589793, 1700000000, 1700000000123, 20240506]",
	"-rw-r--r-- 1 root root 4096 2024-05-06 07:08 /usr/lib/x86_64-linux-gnu/libssl.so.3",
	"func TestTheHandlerReturnsAnErrorWhenTheBody2(t *testing.T) { t.Parallel() }",
	"The bearer of this letter is a basic user; authorization is required.",
	"日本語のテキスト、電話は後で。",
	"const password = await prompt('Password:'); if (!password) throw new Error('password is required')",
	"type Config struct { APIKey string `json:\"api_key\"`; Token *oauth2.Token; Password []byte }",
	"export API_KEY=$(pass show api/key1) TOKEN=${TOKEN:-none}; curl -u \"$USER:$PASS\" https://$HOST:8443/v1/items",
	"postgres://$PGUSER:$PGPASSWORD@localhost:5432/app?sslmode=disable",
	"env:\n  TOKEN: ${{ secrets.GITHUB_TOKEN }}\n  NODE_AUTH_TOKEN: ${{ secrets.NPM_TOKEN_2 }}\n",
	"self.api_key = api_key or os.environ.get('OPENAI_API_KEY_2')",
	"https://example.com/search?q=50%25%20off&page=2&sort=price%3Aasc&next_token=" + "aB3dE5fG7hJ9kL1mN3pQ5rS7",
	"//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbImEudHMiXSwibmFtZXMiOltdfQ==",
	"def test_token_is_refreshed_after_60_seconds(client, token): assert token != client.token",
	"+++ b/internal/secret/secret_test.go\n@@ -10,7 +10,7 @@ func TestSecret(t *testing.T) {\n-\tsecret := newSecret(t)\n",
	"INSERT INTO users (id, name, password_hash) VALUES (1, 'ann', crypt($1, gen_salt('bf', 12)));",
	"kubectl get secret my-app-secret-2 -o jsonpath='{.data.password}' | base64 -d",
	"4001 4.5 1e15 6.02214076e23 0x1F 1_000_000 3.0 20240506 1/2 5.0e-324",
	"tskey, hf_hub, npm_config_cache, sk_buff, gsk_app_launch, pul-up, csk-eval, glc_api, dapi, SKU0001",
}
