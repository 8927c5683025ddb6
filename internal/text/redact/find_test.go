package redact

import (
	"encoding/base64"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

func TestNewNamesEveryProblem(t *testing.T) {
	t.Parallel()
	_, err := New(Config{
		Presets: []string{"email", "emial", "email"},
		Patterns: []Pattern{
			{"badge", `B-\d+`},
			{"badge", `x`},
			{"phone", `x`},
			{"two words", `x`},
			{"", `x`},
			{"open", `(`},
			{"empty", `a*`},
			{"ahead", `a(?=b)`},
			{strings.Repeat("n", 65), `x`},
		},
	})
	want := []ConfigError{
		{Field: "presets", Index: 1},
		{Field: "presets", Index: 2},
		{Field: "patterns", Index: 1, Part: "name"},
		{Field: "patterns", Index: 2, Part: "name"},
		{Field: "patterns", Index: 3, Part: "name"},
		{Field: "patterns", Index: 4, Part: "name"},
		{Field: "patterns", Index: 5, Part: "regex"},
		{Field: "patterns", Index: 6, Part: "regex"},
		{Field: "patterns", Index: 7, Part: "regex"},
		{Field: "patterns", Index: 8, Part: "name"},
	}
	var got []ConfigError
	joined, ok := errors.AsType[interface {
		error
		Unwrap() []error
	}](err)
	if !ok {
		t.Fatalf("New: %v", err)
	}
	for _, e := range joined.Unwrap() {
		c, ok := errors.AsType[*ConfigError](e)
		if !ok || c.Problem == "" {
			t.Fatalf("New: %v", e)
		}
		got = append(got, ConfigError{Field: c.Field, Index: c.Index, Part: c.Part})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems: -want +got\n%s", diff)
	}
	for _, words := range []string{`presets[1]: there is no preset "emial": use one of aws_access_key, `, `patterns[5].regex: pattern "open"`} {
		if !strings.Contains(err.Error(), words) {
			t.Errorf("error lacks %q:\n%v", words, err)
		}
	}
	if _, err := New(Config{}); err == nil {
		t.Error("New took a Config that looks for nothing")
	}
}

func TestReplace(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		cfg        Config
		text, want string
	}{
		"nothing":              {Config{Presets: []string{"email"}}, "plain text", "plain text"},
		"several":              {Config{Presets: []string{"email", "ssn_us"}}, "a@b.co 123-45-6789 c@d.org", "[redacted:email] [redacted:ssn_us] [redacted:email]"},
		"pattern":              {Config{Patterns: []Pattern{{"badge", `\bB-\d{4}\b`}}}, "B-1234 and B-12345", "[redacted:badge] and B-12345"},
		"first name wins":      {Config{Presets: []string{"bearer_token", "jwt"}}, "Bearer " + header + "." + payload + "." + sig, "Bearer [redacted:bearer_token]"},
		"in the order given":   {Config{Presets: []string{"jwt", "bearer_token"}}, "Bearer " + header + "." + payload + "." + sig, "Bearer [redacted:jwt]"},
		"overlaps become one":  {Config{Presets: []string{"email"}, Patterns: []Pattern{{"login", `login=\w+`}}}, "login=ann@b.co x", "[redacted:email] x"},
		"what comes free":      {Config{Presets: []string{"ssn_us"}, Patterns: []Pattern{{"b", `B+`}}}, "123-45-6789BB", "[redacted:ssn_us][redacted:b]"},
		"too many rounds":      {Config{Patterns: []Pattern{{"last", `a$`}}}, strings.Repeat("a", 100), "[redacted:last]"},
		"tokens stay":          {Config{Patterns: []Pattern{{"word", `\w+`}}}, "[redacted:email] [redacted:word] [redacted:other]", "[redacted:email] [redacted:word] [[redacted:word]:[redacted:word]]"},
		"no secret in a token": {Config{Presets: []string{"email"}}, "[redacted:ann@b.co]", "[redacted:[redacted:email]]"},
		"anything":             {Config{Patterns: []Pattern{{"all", `(?s).+`}}}, "a\nb", "[redacted:all]"},
		"invalid bytes":        {Config{Presets: []string{"email"}}, "\xff\xfeann@b.co\xff", "\xff\xfe[redacted:email]\xff"},
		"a group":              {Config{Presets: []string{"pii"}}, "a@b.co 123-45-6789 " + "AKIA" + "IOSFODNN7EXAMPLE", "[redacted:email] [redacted:ssn_us] " + "AKIA" + "IOSFODNN7EXAMPLE"},
		"another group":        {Config{Presets: []string{"secrets"}}, "a@b.co https://u:hunter2@h " + "AKIA" + "IOSFODNN7EXAMPLE", "a@b.co https://u:[redacted:url_password]@h [redacted:aws_access_key]"},
		"a group and a member": {Config{Presets: []string{"phone", "pii"}}, "a@b.co +12125550100", "[redacted:email] [redacted:phone]"},
		"patterns in base64":   {Config{Patterns: []Pattern{{"badge", `\bB-\d{4}\b`}}}, base64.StdEncoding.EncodeToString([]byte("the badge is B-1234 here")) + "!", "[redacted:badge]!"},
		"hint and token apart": {Config{Presets: []string{"ssn_us"}}, "123-45-6789 234567890", "[redacted:ssn_us] 234567890"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := mustNew(t, tt.cfg)
			got, _ := s.Replace(tt.text)
			if got != tt.want {
				t.Errorf("Replace(%q)\n got %q\nwant %q", tt.text, got, tt.want)
			}
			checkReplace(t, s, tt.text)
		})
	}
}

// checkReplace demands what holds for every text: findings are in order and not empty, the rest stays, and nothing is found in
// the result.
func checkReplace(t *testing.T, s *Set, text string) {
	t.Helper()
	got, found := s.Replace(text)
	at, rest := 0, got
	for _, f := range found {
		if f.Start < at || f.End <= f.Start || f.End > len(text) {
			t.Fatalf("finding %+v of %q after %d", f, text, at)
		}
		kept, ok := strings.CutPrefix(rest, text[at:f.Start]+token(f.Name))
		if !ok {
			t.Fatalf("Replace(%q) = %q: changed what it did not find", text, got)
		}
		at, rest = f.End, kept
	}
	if rest != text[at:] {
		t.Fatalf("Replace(%q) = %q: changed the end", text, got)
	}
	if again := s.Find(got); len(again) > 0 {
		t.Fatalf("Replace(%q) = %q, in which %+v is found", text, got, again)
	}
}

// allConfigs are Sets that differ in what they look for.
func allConfigs() []Config {
	names := Presets()
	reversed := make([]string, 0, len(names))
	for i := range names {
		reversed = append(reversed, names[len(names)-1-i])
	}
	return []Config{
		{Presets: names},
		{Presets: reversed, Patterns: []Pattern{{"badge", `B-\d+`}, {"key", `(?i)key\s*[=:]\s*\S+`}}},
		{Patterns: []Pattern{{"a", `a+b?`}, {"digit", `\d`}, {"line", `(?m)^x.*$`}, {"bracket", `[\[\]]`}, {"redacted", `redacted`}}},
	}
}

// samples are all texts of the tables.
func samples() []string {
	var texts []string
	for _, name := range presetNames() {
		for _, marked := range append(tables[name].found, tables[name].nothing...) {
			text, _ := unmark(name, marked)
			texts = append(texts, text)
		}
	}
	return append(texts, cleanTexts...)
}

// TestReplaceMixtures puts pieces of texts side by side, where they touch and overlap in ways that no table thinks of.
func TestReplaceMixtures(t *testing.T) {
	t.Parallel()
	texts := samples()
	for _, cfg := range allConfigs() {
		s := mustNew(t, cfg)
		random := rand.New(rand.NewPCG(1, 2))
		for range 5000 {
			var mixed strings.Builder
			for range 1 + random.IntN(4) {
				text := texts[random.IntN(len(texts))]
				from := random.IntN(len(text) + 1)
				if random.IntN(2) == 0 {
					from = 0
				}
				mixed.WriteString(text[from:])
				mixed.WriteString([]string{"", "", " ", "\n", "\u200b", "-", "@", "[redacted:email]"}[random.IntN(8)])
			}
			checkReplace(t, s, mixed.String())
		}
	}
}

// TestFindEachInCompany demands that a secret is found in the middle of a long text with others around it.
func TestFindEachInCompany(t *testing.T) {
	t.Parallel()
	s := mustNew(t, Config{Presets: Presets()})
	for _, name := range presetNames() {
		for _, marked := range tables[name].found {
			text, want := unmark(name, marked)
			left, right := repeated(prose, 3000)+"\n", "\n"+repeated(prose, 3000)
			found := s.Find(left + text + right)
			for _, w := range want {
				covered := false
				for _, f := range found {
					covered = covered || f.Start <= w.Start+len(left) && w.End+len(left) <= f.End
				}
				if !covered {
					t.Errorf("%s in %q is not found among others", name, text)
				}
			}
		}
	}
}

// TestLongTexts runs everything over texts that are made to be looked at again and again. A pass that is not linear would
// not end in the time that a test has.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("looks at many MiB")
	}
	const size = 1 << 19
	s := mustNew(t, Config{Presets: Presets()})
	for _, piece := range []string{
		"sk-", "sk-proj-", "sk-ant-", "ghp_", "github_pat_", "xoxb-", "xoxd-", "bearer-", "Bearer ", "authorization:", "authorization:basic ", "eyJ", "eyJhbGci", ".", "ey.", "a@", "a@b.",
		"-----BEGIN PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY-----" + pemBody, "-", "1", "1 ", "0 1-", "4111 ", "+1", "+", "(", "(02", "DE89", "AKIA", "A", "hooks.slack.com/services/", "\u200b", "abcdefgh\n", "aB3dE5fG7hJ9kL1m\n",
		"%25", "%40", "%2", "%", "％", "１", "AA", "YWFh", "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFh ", "a/", "://", "://a:", "a://b:c@", "api_key=", "api_key:aB3dE5fG7hJ9kL1m,", "--token ", "-", "_", "sk_live_", "hf_", "glpat-", "SG.", "1//0", "AIza", "12345678:AA", "Q~", "8Q~",
		"?sv=sig=", "MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.", "4.1", "4111\n", "DE89 ", "DE89\n", "٤", "[redacted:", "[redacted:email]", "a@b.co ", "ssn 1", "é", "\xff",
	} {
		checkReplace(t, s, repeated(piece, size))
	}
	checkReplace(t, s, repeated(prose, 8<<20))
}

func FuzzReplace(f *testing.F) {
	for _, text := range need.Seeds(samples()) {
		f.Add(text)
	}
	var sets []*Set
	for _, cfg := range allConfigs() {
		sets = append(sets, mustNew(f, cfg))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range sets {
			checkReplace(t, s, text)
		}
	})
}
