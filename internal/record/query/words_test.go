package query

import (
	"slices"
	"testing"

	"github.com/weir-gate/weir/internal/record"
)

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"":                        nil,
		"-- ./ \t":                nil,
		"rm -rf /etc/Passwd":      {"rm", "rf", "etc", "passwd"},
		"a a A b":                 {"a", "b"},
		"read_file2":              {"read", "file2"},
		"ÉTÉ stra\u00dfe e\u0301": {"été", "straße", "e\u0301"},
		"漢字x":                     {"漢", "字", "x"},
		`a\nb`:                    {"a", "nb"}, // a question is no JSON
	} {
		if got := Words(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestMatchText(t *testing.T) {
	const rest = `,"chain":"c","seq":1,"prev_hash":"hidden"}`
	for _, test := range []struct {
		text, asked string
		want        bool
	}{
		{`{"v":1,"tool":"Bash","args":{"cmd":"git push"}` + rest, "git", true},
		{`{"v":1,"tool":"Bash","args":{"cmd":"git push"}` + rest, "PUSH Git", true},
		{`{"v":1,"tool":"Bash","args":{"cmd":"git push"}` + rest, "cmd", true},
		{`{"v":1,"tool":"Bash","args":{"cmd":"git push"}` + rest, "git pull", false},
		{`{"v":1,"tool":"Bash","args":{"cmd":"git push"}` + rest, "pus", false},
		{`{"v":1,"tool":"Bash","args":{"cmd":"git push"}` + rest, "bash", false},
		{`{"v":1,"tool":"Bash","args":{"cmd":"git push"}` + rest, "hidden", false},
		{`{"v":1,"tool":"Bash","args":{"cmd":"git push"}` + rest, "--", true},
		{`{"v":1,"reason":"\"args\":\"git\"","args":["a\nb\tc\u00e9","\ud83d\ude00d","x\\y"]` + rest, "b cé x y", true},
		{`{"v":1,"reason":"\"args\":\"git\"","args":["a\nb"]` + rest, "git", false},
		{`{"v":1,"reason":"\"args\":\"git\"","args":["a\nb"]` + rest, "nb", false},
		{`{"v":1,"detail":{"args":{"a":"inner"}},"args":"outer"` + rest, "outer", true},
		{`{"v":1,"detail":{"args":{"a":"inner"}},"args":"outer"` + rest, "inner", false},
		{`{ "v" : 1 , "args" : 12.50 , "chain":"c"}`, "12", true},
		{`{"v":1,"tool":"Bash"` + rest, "bash", false},
		{`{"v":1,"args":{"a":"never ends`, "ends", true},
		{`{"v":1,"args`, "args", false},
		{`["args"]`, "args", false},
		{``, "x", false},
	} {
		if got := (Filter{Text: test.asked}).Matcher()(&record.Entry{Text: []byte(test.text)}); got != test.want {
			t.Errorf("%q in %s: %v, want %v", test.asked, test.text, got, test.want)
		}
	}
}

// FuzzWords makes sure that no text makes it fail, and that the words of a text are found in it.
func FuzzWords(f *testing.F) {
	f.Add([]byte(`{"v":1,"args":{"a":["b","\u0041\\"]},"seq":1}`), "a b")
	f.Add([]byte(`{"args":"\ud83d`), "\xff")
	f.Fuzz(func(t *testing.T, text []byte, asked string) {
		var all []string
		EachArgumentWord(text, func(word []byte) bool {
			all = append(all, string(word))
			return true
		})
		if !HasWords(text, all) {
			t.Errorf("%q has not its own words %q", text, all)
		}
		for _, word := range Words(asked) {
			if HasWords(text, []string{word}) != slices.Contains(all, word) {
				t.Errorf("%q: %q", text, word)
			}
		}
	})
}
