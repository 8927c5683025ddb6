package cli

import (
	"testing"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func TestPrintable(t *testing.T) {
	tests := []struct {
		in    string
		limit int
		want  string
	}{
		{"plain → text", 80, "plain → text"},
		{"\x1b[31mred\x07", 80, `\x1b[31mred\a`},
		{"two\nlines\r\t", 80, `two\nlines\r\t`},
		{"c1 \u009b bidi \u202e bom \ufeff zero \u200b", 80, `c1 \u009b bidi \u202e bom \ufeff zero \u200b`},
		{"bad \xff byte", 80, `bad \ufffd byte`},
		{"eight€€€", 8, "eight€€€"},
		{"eight€€€€", 8, "eight€€€…"},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, printable(tt.in, tt.limit)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.in, diff)
		}
	}
}

// FuzzInertJSON: whatever a string holds, its line of JSON shows nothing that a terminal obeys, and says the same.
func FuzzInertJSON(f *testing.F) {
	f.Add("plain → text")
	f.Add("\x1b[2J\u009b\u202e\u2028\x7f\U000e0001\U0001f600")
	f.Add(`\u001b \\u009b "quoted"`)
	f.Fuzz(func(t *testing.T, text string) {
		line, err := json.Marshal(text)
		if err != nil {
			t.Skip("not UTF-8")
		}
		inert := inertJSON(string(line))
		for _, r := range inert {
			if !unicode.IsPrint(r) {
				t.Errorf("%q shows %q", text, r)
			}
		}
		var got string
		if err := json.Unmarshal([]byte(inert), &got); err != nil {
			t.Fatalf("%s: %v", inert, err)
		}
		if diff := cmp.Diff(text, got); diff != "" {
			t.Errorf("it says something else (-want +got):\n%s", diff)
		}
	})
}
