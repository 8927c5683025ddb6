package inert

import (
	"strings"
	"testing"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// unseen are characters that a reader does not see, or that change how others are seen.
const unseen = "\x00\x1b\x7f\u0085\u009b\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180e\u180f\u2000\u200b\u200c\u200d\u200e\u2028\u202e" +
	"\u2060\u2064\u2066\u2800\u3000\u3164\ue000\ufe00\ufe0f\ufeff\uffa0\ufff9\ufffc\ufffd\uffff" +
	"\U00013441\U00013442\U00016fe4\U0001d159\U0001d173\U000e0001\U000e0041\U000e007f\U000e0100\U000e01ef\U000f0000\U0010ffff"

func TestVisible(t *testing.T) {
	for _, r := range unseen {
		if Visible(r) {
			t.Errorf("%U is called visible", r)
		}
	}
	for _, r := range " ~aZ0_-{}\"'é€語ж한ॐ😀→…\u0301" {
		if !Visible(r) {
			t.Errorf("%U %c is called invisible", r, r)
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if Visible(r) && !unicode.IsPrint(r) {
			t.Errorf("%U is called visible and is not printed", r)
		}
	}
}

func TestText(t *testing.T) {
	for _, test := range []struct {
		in    string
		limit int
		want  string
	}{
		{"plain → text", 80, "plain → text"},
		{"\x1b[31mred\x07", 80, `\x1b[31mred\a`},
		{"two\nlines\r\t", 80, `two\nlines\r\t`},
		{"c1 \u009b bidi \u202e bom \ufeff zero \u200b", 80, `c1 \u009b bidi \u202e bom \ufeff zero \u200b`},
		{"hangul \u3164 braille \u2800 tag \U000e0041", 80, `hangul \u3164 braille \u2800 tag \U000e0041`},
		{"bad \xff byte", 80, `bad \ufffd byte`},
		{"it's", 80, "it's"},
		{"eight€€€", 8, "eight€€€"},
		{"eight€€€€", 8, "eight€€€…"},
	} {
		if diff := cmp.Diff(test.want, Text(test.in, test.limit)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.in, diff)
		}
	}
}

func TestWriteLines(t *testing.T) {
	var b strings.Builder
	if err := WriteLines(&b, "one\ttab\r\n\x1b[2Jtwo\u3164\xff\n"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("one\ttab\\r\n\\x1b[2Jtwo\\u3164\\ufffd\n", b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestName(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", `""`},
		{"Bash", "Bash"},
		{"mcp__files__read", "mcp__files__read"},
		{"ann@acme.com", "ann@acme.com"},
		{"Überprüfen", "Überprüfen"},
		{"Ann Smith", `"Ann Smith"`},
		{" ", `" "`},
		{`Read  {"file":"README.md"}` + strings.Repeat(" ", 3), `"Read  {\"file\":\"README.md\"}   "`},
		{"Ba\u200bsh", `"Ba\u200bsh"`},
		{`Ba\u200bsh`, `"Ba\\u200bsh"`},
		{"Bash\u3164", `"Bash\u3164"`},
		{"two\nlines", `"two\nlines"`},
		{strings.Repeat("a", 90), strings.Repeat("a", 80) + "…"},
		{strings.Repeat(" ", 90), `"` + strings.Repeat(" ", 80) + `"…`},
	} {
		if diff := cmp.Diff(test.want, Name(test.in, 80)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.in, diff)
		}
	}
}

// FuzzName: a name is one word, and different names look different.
func FuzzName(f *testing.F) {
	f.Add("Bash", "Ba\u200bsh")
	f.Add(`a\nb`, "a\nb")
	f.Add(`"a b"`, "a b")
	f.Add("", `""`)
	f.Add("\x80", "\ufffd")
	f.Fuzz(func(t *testing.T, a, b string) {
		const all = 1 << 20
		shown := Name(a, all)
		inside, quoted := strings.CutPrefix(shown, `"`)
		if !quoted && (shown == "" || strings.ContainsAny(shown, " \"\\")) {
			t.Errorf("%q is shown as %s, which is not one word", a, shown)
		}
		if quoted && strings.Contains(strings.NewReplacer(`\\`, "", `\"`, "").Replace(strings.TrimSuffix(inside, `"`)), `"`) {
			t.Errorf("%q is shown as %s, which ends before its end", a, shown)
		}
		if validEach(a) != validEach(b) && shown == Name(b, all) {
			t.Errorf("%q and %q are both shown as %s", a, b, shown)
		}
	})
}

// validEach replaces each byte that is not UTF-8 by the sign for it, as ranging over a string does.
func validEach(s string) string { return string([]rune(s)) }

// FuzzJSON: whatever a string holds, its line of JSON shows nothing that is not visible and no markup, and says the same.
func FuzzJSON(f *testing.F) {
	f.Add("plain → text")
	f.Add("\x1b[2J\u009b\u202e\u2028\x7f\U000e0001\U0001f600\u3164")
	f.Add(`\u001b \\u009b "quoted" <b>&amp;</b>`)
	f.Add(unseen)
	f.Fuzz(func(t *testing.T, text string) {
		line, err := json.Marshal(text)
		if err != nil {
			t.Skip("not UTF-8")
		}
		shown := JSON(string(line))
		if strings.ContainsFunc(shown, func(r rune) bool { return !Visible(r) }) || strings.ContainsAny(shown, "<>&") {
			t.Errorf("%q is shown as %q", text, shown)
		}
		var got string
		if err := json.Unmarshal([]byte(shown), &got); err != nil {
			t.Fatalf("%s: %v", shown, err)
		}
		if diff := cmp.Diff(text, got); diff != "" {
			t.Errorf("it says something else (-want +got):\n%s", diff)
		}
	})
}

// A part stands between double quotes, and neither ends them nor begins anything else.
func TestPart(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", ""},
		{"  rm -rf / ", "rm -rf /"},
		{"abcdefghijkl", "abcdefghij"[:9] + "…"},
		{"abcdefghij", "abcdefghij"},
		{"日本語日本語日本語日本語", "日本語日本語日本語…"},
		{"a\nb\tc", "a b c"},
		{`"<b>"`, "'‹b›'"},
		{"`[a]`", "'(a)'"},
		{"a\u202eb", `a\u202eb`},
		{"\x1b\x1b\x1b", `\x1b\x1b\…`},
		{"\xff", `\ufffd`},
	} {
		if got := Part(test.in, 10); got != test.want {
			t.Errorf("Part(%q) is %q, want %q", test.in, got, test.want)
		}
	}
}
