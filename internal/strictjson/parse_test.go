package strictjson_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/strictjson"
)

// documents are texts that are one JSON value, and seeds for the fuzz targets.
var documents = []string{
	`null`, `true`, `false`, `0`, `-0`, `1`, `-12.50e+03`, `1E400`, `123456789012345678901234567890`, `""`, `"a"`,
	" \t\r\n{ \"a\" : [ 1 , 2 ] , \"b\" : { } }\n", `[]`, `{}`, `[[[]]]`, `[{},[],"",0,null]`,
	`{"a":1,"a":2,"A":3}`, `{"":""}`, `{"\u0074ype":"tool_use"}`,
	`"\"\\\/\b\f\n\r\t\u0000\u00e9\uD83D\uDE00"`, `"\ud83d"`, `"\ude00"`, `"\ud83d\ud83d\ude00"`, `"\ud83dx\ude00"`, `["\ud83d","\ude00"]`,
	`"é漢字😀` + "\u007f\u2028" + `"`, `"0123456é"`, `"01234567\n89abcdef\"01234567"`, `"exactly8"`, `"漢字漢字漢字 and plain text again 漢字"`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}`,
	`{"ſ":1,"K":2}`, `{"s":{"S":1},"k":[{"K":1}]}`,
	strings.Repeat("[", 256) + strings.Repeat("]", 256),
	strings.Repeat(`{"a":`, 256) + "1" + strings.Repeat("}", 256),
}

// faulty are texts that are not JSON.
var faulty = []string{
	``, ` `, `nul`, `nulll`, `True`, `tru e`, `NaN`, `Infinity`, `undefined`, `'a'`, `/**/1`, `1//`,
	`01`, `-`, `-01`, `+1`, `.5`, `1.`, `1.e3`, `1e`, `1e+`, `1e-`, `0x10`, `1_000`, `--1`, `1.5.5`, `1e5e5`, `-a`, `1a`,
	`"`, `"a`, `"\`, `"\"`, `"\x41"`, `"\u"`, `"\u12"`, `"\u123"`, `"\u123`, `"\u123g"`, `"\U0041"`, `"\ud83d\u"`, `"\ud83d\u12"`, `"\ud83d\x"`, `"\ud83d\`,
	"\"\n\"", "\"\x00\"", "\"1234567\x1f\"", "\"12345678901\t\"", "\"\x80\"", "\"\xff\"", "\"\xc0\xaf\"", "\"\xe0\x80\x80\"", "\"\xed\xa0\xbd\"",
	"\"\xed\xa0\xbd\xed\xb8\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xf0\x9f\x98\"", "\"\xf0\x9f\x98", "\"é\xc3\"", "\xef\xbb\xbf{}", "\u00a0{}", "{}\x00", "{}\xff",
	`[`, `]`, `[1`, `[1,`, `[1,]`, `[,1]`, `[,]`, `[1 2]`, `[1}`, `[1:2]`, `[[]`, `[]]`,
	`{`, `}`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{,}`, `{a:1}`, `{'a':1}`, `{"a" 1}`, `{"a",1}`, `{1:2}`, `{"a":1]`, `{"a":1 "b":2}`, `{"a"::1}`, `{"a":1;"b":2}`,
	`1 2`, `{} {}`, `{}{}`, `{},`, `null null`, `"a""b"`, `[]1`,
}

// unbounded are texts that are JSON but pass a bound.
var unbounded = []string{
	strings.Repeat("[", 257) + strings.Repeat("]", 257),
	strings.Repeat(`{"a":`, 257) + "1" + strings.Repeat("}", 257),
	"[" + strings.Repeat("0,", 999_999) + "0]",
	"[" + strings.Repeat("[],", 999_999) + "{}]",
}

func TestParse(t *testing.T) {
	var doc strictjson.Doc
	for _, text := range documents {
		if err := doc.Parse([]byte(text)); err != nil {
			t.Errorf("Parse(%.40q) = %v", text, err)
		}
		if got, want := string(doc.Root().Raw()), strings.Trim(text, " \t\r\n"); got != want {
			t.Errorf("Parse(%.40q): the root is %.40q", text, got)
		}
	}
	for _, text := range faulty {
		if err := doc.Parse([]byte(text)); !errors.Is(err, strictjson.ErrSyntax) {
			t.Errorf("Parse(%.40q) = %v, want ErrSyntax", text, err)
		}
		if doc.Root().Kind() != strictjson.Missing {
			t.Errorf("Parse(%.40q) left a root behind", text)
		}
	}
	for _, text := range unbounded {
		if err := doc.Parse([]byte(text)); !errors.Is(err, strictjson.ErrBounds) {
			t.Errorf("Parse(%.40q…) = %v, want ErrBounds", text, err)
		}
	}
	if err := doc.Parse([]byte("[" + strings.Repeat("0,", 999_998) + "0]")); err != nil {
		t.Errorf("Parse of a million values = %v", err)
	}
}

func TestParseLimits(t *testing.T) {
	doc := strictjson.Doc{Limits: strictjson.Limits{Depth: 2, Values: 4}}
	for text, want := range map[string]error{
		`[[1,2]]`:         nil,
		`[[[]]]`:          strictjson.ErrBounds,
		`[1,2,3]`:         nil,
		`[1,2,3,4]`:       strictjson.ErrBounds,
		`{"a":{},"b":{}}`: nil,
	} {
		if err := doc.Parse([]byte(text)); !errors.Is(err, want) {
			t.Errorf("Parse(%s) = %v, want %v", text, err, want)
		}
	}
}

// An error may be shown to the other side, so nothing of the input may be in it.
func TestErrorsQuoteNothing(t *testing.T) {
	const secret = "sesame"
	for _, text := range []string{
		secret, `"` + secret, `{"` + secret + `":1,"` + secret + `":2}`, `{"` + secret + `"`, `["` + secret + `\x"]`, `{"` + secret + `":"\ud800"}`,
		`{"a":{"` + secret + `":1,"SESAME":2}}`, `"` + secret + `"`, `{} ` + secret,
	} {
		err := strictjson.CheckArguments([]byte(text))
		if err == nil || strings.Contains(strings.ToLower(err.Error()), secret) {
			t.Errorf("CheckArguments(%s) = %v", text, err)
		}
	}
}

// The tape must describe the document: reading values back by their places gives the text again.
func rebuild(dst []byte, v strictjson.Value) []byte {
	switch v.Kind() {
	case strictjson.Array:
		dst = append(dst, '[')
		i := 0
		for elem := range v.Elems() {
			if i++; i > 1 {
				dst = append(dst, ',')
			}
			dst = rebuild(dst, elem)
		}
		if i != v.Len() {
			panic("length of an array")
		}
		return append(dst, ']')
	case strictjson.Object:
		dst = append(dst, '{')
		i := 0
		for name, value := range v.Members() {
			if i++; i > 1 {
				dst = append(dst, ',')
			}
			dst = append(dst, name.Raw()...)
			dst = append(dst, ':')
			dst = rebuild(dst, value)
		}
		if i != v.Len() {
			panic("length of an object")
		}
		return append(dst, '}')
	}
	return append(dst, v.Raw()...)
}

// compact drops the white space between tokens.
func compact(text []byte) []byte {
	var out []byte
	inString := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inString && c == '\\':
			out = append(out, c)
			i++
			c = text[i]
		case c == '"':
			inString = !inString
		case !inString && strings.IndexByte(" \t\r\n", c) >= 0:
			continue
		}
		out = append(out, c)
	}
	return out
}

func FuzzParse(f *testing.F) {
	for _, text := range slices.Concat(documents, faulty) {
		f.Add([]byte(text))
	}
	f.Fuzz(checkParse)
}

// checkParse compares Parse with the oracle.
func checkParse(t *testing.T, data []byte) {
	want := consult(data)
	before := bytes.Clone(data)
	var doc strictjson.Doc
	err := doc.Parse(data)
	if !bytes.Equal(data, before) {
		t.Fatal("Parse changed its input")
	}
	if errors.Is(err, strictjson.ErrBounds) {
		if want.inBound {
			t.Fatalf("Parse(%q) = %v, within the bounds", data, err)
		}
		return
	}
	if (err == nil) != (want.valid && want.inBound) {
		t.Fatalf("Parse(%q) = %v, oracle %+v", data, err, want)
	}
	if err != nil {
		return
	}
	if got := rebuild(nil, doc.Root()); !bytes.Equal(got, compact(data)) {
		t.Fatalf("%q read back as %q", data, got)
	}
}

// TestMutations makes many texts that are almost JSON, and has all three readers agree with the oracle on them.
func TestMutations(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const tokens = "{}[]:,\"\\/bfnrtu0123456789aAdDeE+-. \n\x00\x1f\x7f\x80\xbf\xc3\xe2\xed\xa0\xf0\xff"
	for range 20_000 {
		text := []byte(documents[random.IntN(len(documents)-2)]) // the last two are too deep to be hit where it matters
		if random.IntN(2) == 0 {
			text = []byte(`{"a":` + string(text) + `,"k":[` + string(text) + `]}`)
		}
		for range random.IntN(4) {
			at := random.IntN(len(text) + 1)
			end := min(at+random.IntN(3), len(text))
			token := tokens[random.IntN(len(tokens))]
			text = slices.Replace(text, at, end, slices.Repeat([]byte{token}, random.IntN(3))...)
		}
		checkParse(t, text)
		checkArguments(t, text)
		checkPartial(t, text, uint(random.IntN(16)))
	}
}
