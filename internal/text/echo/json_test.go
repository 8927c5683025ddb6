package echo

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestMayOpenMissesNothing writes texts that end like credentials, or nearly, as JSON in different ways.
func TestMayOpenMissesNothing(t *testing.T) {
	secrets := []string{key, `a"b\c%/n-u7`, "%41%42abcd", `\nabcdefg`, "néüabcdefg", "/path/nnn"}
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(s []string) string { return s[r.IntN(len(s))] }
	for range 30_000 {
		secret := pick(secrets)
		m := New(secret)
		spelled := pick(append(spellings(secret), secret, secret))
		text := pick([]string{"", "x", "the words ", `\`, "%", "s"}) + spelled[:r.IntN(len(spelled)+1)] + pick([]string{"", "", "", "x", `\`, "%", "%2"})
		raw := quoted(text, r)
		if r.IntN(4) == 0 {
			raw = spelled[:r.IntN(len(spelled)+1)] + " " + spelled // no JSON, or hardly
		} else {
			raw = fmt.Sprintf(`{"type":"a","delta" : {"text":%s,"n":1}}`, raw)
		}
		var v struct{ Delta struct{ Text string } }
		want := m.In(raw) // of what is no JSON
		if json.Unmarshal([]byte(raw), &v) == nil {
			rest, found := m.Open([]byte(v.Delta.Text))
			want = found || len(rest) > 0
		}
		if want && !m.MayOpen([]byte(raw)) {
			t.Fatalf("%q: missed in %s", secret, raw)
		}
	}
}

// quoted is a string of JSON, with escapes where they may be.
func quoted(text string, r *rand.Rand) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case r.IntN(8) == 0 && c < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, c)
		case c == '"' || c == '\\' || c == '/' && r.IntN(2) == 0:
			b.WriteString(`\` + string(c))
		default:
			b.WriteRune(c)
		}
	}
	return b.String() + `"`
}

// TestMayOpenIsExact checks that ordinary frames need no reading, also with words that begin like a credential.
func TestMayOpenIsExact(t *testing.T) {
	m := New("sk-ant-0123456789")
	for text, want := range map[string]bool{
		`{"choices":[{"index":0,"delta":{"content":" several words,\n and 50% of \"them\" \u00e9 risk."}}]}`: false,
		`{"choices" : [{"delta":{"content":"items\nand more."}}]}`:                                           false,
		`{"text":"items"}`:      true,
		`{"text":"my sk-an"}`:   true,
		`{"text":"my sk-ax"}`:   false,
		`{"text":"my \u0073k"}`: true,
		`{"text":"my s\u006b"}`: true,
		`{"text":"my %73k"}`:    true,
		`{"text":"a \\"}`:       true,
	} {
		if got := m.MayOpen([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	if (*Mask)(nil).MayOpen([]byte(`{"a":"s"}`)) {
		t.Error("a mask of nothing finds something")
	}
}
