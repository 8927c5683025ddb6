package strictjson_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

func TestIs(t *testing.T) {
	for _, tc := range []struct {
		text, s string
		want    bool
	}{
		{`"a"`, "a", true},
		{`"a"`, "A", false},
		{`"\u0061\n"`, "a\n", true},
		{`"\u0061\\n"`, "a\n", false},
		{`"\u0061"`, "ab", false},
		{`"\u0061b"`, "a", false},
		{`"\ud83d\ude00"`, "😀", true},
		{`"\ufffd"`, "\ufffd", true},
		{`"\ufffd"`, "\xff", false},
		{`"\ud800"`, "\ufffd", false},
		{`"\ud800"`, "\xed\xa0\x80", false},
		{`["a"]`, "a", false},
		{`1`, "1", false},
	} {
		if got := parse(t, tc.text).Is(tc.s); got != tc.want {
			t.Errorf("Is(%q) of %s = %v", tc.s, tc.text, got)
		}
	}
}

func TestAppendTextJoins(t *testing.T) {
	for _, tc := range []struct {
		pieces []string
		want   string
	}{
		{[]string{`"a"`, `"b"`}, "ab"},
		{[]string{`"\ud83d"`, `"\ude00"`}, "😀"},
		{[]string{`"x\ud83d"`, `"\ude00y"`}, "x😀y"},
		{[]string{`"\ud83d"`, `""`, `"\ude00"`}, "😀"},
		{[]string{`"\ud83d"`, `"x\ude00"`}, "\xed\xa0\xbdx\xed\xb8\x80"},
		{[]string{`"\ud83d"`, `"\ud83d"`, `"\ude00"`}, "\xed\xa0\xbd😀"},
		{[]string{`"\ude00"`, `"\ud83d"`}, "\xed\xb8\x80\xed\xa0\xbd"},
		{[]string{`"\ud83d"`, `"\ude00\ude00"`}, "😀\xed\xb8\x80"},
		{[]string{`"\ud83d"`, `"\ude00\ud83d"`, `"\ude00"`}, "😀😀"},
		{[]string{`"\ud83d"`, `1`, `"\n"`}, "\xed\xa0\xbd\n"},
		{[]string{`"` + "\ud7ff" + `"`, `"\ude00"`}, "\ud7ff\xed\xb8\x80"},
		{[]string{`"\udbff"`, `"\udfff"`}, "\U0010ffff"},
		{[]string{`"\ud800"`, `"\udc00"`}, "\U00010000"},
	} {
		var got []byte
		for _, piece := range tc.pieces {
			got = parse(t, piece).AppendText(got)
		}
		if string(got) != tc.want {
			t.Errorf("%s = %q, want %q", tc.pieces, got, tc.want)
		}
	}
}

// FuzzAppendText cuts a text of UTF-16 units into strings and puts them together again.
func FuzzAppendText(f *testing.F) {
	f.Add("plain", uint(2), uint64(0))
	f.Add("é漢😀\n\"\\", uint(1), ^uint64(0))
	f.Add("\x80\xff\xc0😀\x81x\xfe😀", uint(3), uint64(0xAAAA))
	f.Fuzz(func(t *testing.T, seed string, step uint, escape uint64) {
		units := unitsOf(seed)
		step = step%7 + 1
		var got []byte
		for from := 0; from < len(units); from += int(step) {
			piece := units[from:min(from+int(step), len(units))]
			got = parse(t, literal(piece, escape)).AppendText(got)
		}
		want := wtf8(units)
		if !bytes.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
		whole := parse(t, literal(units, escape))
		text, ok := whole.Text()
		if ok != utf8.Valid(want) || ok && (text != string(want) || !whole.Is(text) || !whole.Folds(text)) {
			t.Fatalf("Text = %q, %v; want %q", text, ok, want)
		}
		if whole.Is(string(want) + "x") {
			t.Fatal("Is takes a longer text")
		}
	})
}

// unitsOf returns a text in UTF-16. Bytes that are not UTF-8 stand for surrogates, so that any text of units can be made.
func unitsOf(seed string) []uint16 {
	var units []uint16
	for i := 0; i < len(seed); {
		r, n := utf8.DecodeRuneInString(seed[i:])
		if r == utf8.RuneError && n == 1 {
			units = append(units, 0xD800+uint16(seed[i]-0x80)<<4)
		} else {
			units = utf16.AppendRune(units, r)
		}
		i += n
	}
	return units
}

// startsPair reports whether units begins with a surrogate pair, and returns its character.
func startsPair(units []uint16) (rune, bool) {
	if len(units) < 2 {
		return 0, false
	}
	r := utf16.DecodeRune(rune(units[0]), rune(units[1]))
	return r, r != unicode.ReplacementChar
}

// wtf8 is the reference for AppendText.
func wtf8(units []uint16) []byte {
	var out []byte
	for i := 0; i < len(units); i++ {
		u := units[i]
		if r, ok := startsPair(units[i:]); ok {
			out = utf8.AppendRune(out, r)
			i++
		} else if utf16.IsSurrogate(rune(u)) {
			out = append(out, 0xED, byte(0x80|u>>6&0x3F), byte(0x80|u&0x3F))
		} else {
			out = utf8.AppendRune(out, rune(u))
		}
	}
	return out
}

// literal writes units as a JSON string; the bits of escape say which characters are escaped though they need not be.
func literal(units []uint16, escape uint64) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(units); i++ {
		u, plain := rune(units[i]), escape>>(i%64)&1 == 0
		if r, ok := startsPair(units[i:]); ok && plain {
			b.WriteRune(r)
			i++
		} else if !plain || u < ' ' || u == '"' || u == '\\' || utf16.IsSurrogate(u) {
			fmt.Fprintf(&b, `\u%04x`, u)
		} else {
			b.WriteRune(u)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// FuzzFolds compares with the standard library, which folds the way that encoding/json does.
func FuzzFolds(f *testing.F) {
	f.Add("type", "TYPE", uint64(0))
	f.Add("key", "\u212aey", uint64(5))
	f.Add("user", "u\u017fer", uint64(2))
	f.Add("σς", "ΣΣ", uint64(0))
	f.Add("@[`{", "`{@[", uint64(0))
	f.Add("a", "", uint64(0))
	f.Fuzz(func(t *testing.T, a, b string, escape uint64) {
		a, b = strings.ToValidUTF8(a, "?"), strings.ToValidUTF8(b, "?")
		v := parse(t, literal(utf16.Encode([]rune(a)), escape))
		if got, want := v.Is(b), a == b; got != want {
			t.Fatalf("Is(%q) of %q = %v", b, a, got)
		}
		for _, other := range []string{b, strings.ToUpper(a), strings.ToLower(a), strings.ToTitle(a)} {
			if got, want := v.Folds(other), strings.EqualFold(a, other); got != want {
				t.Fatalf("Folds(%q) of %q = %v", other, a, got)
			}
		}
	})
}
