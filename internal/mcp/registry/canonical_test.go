package registry

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func canonical(t *testing.T, text string) (string, error) {
	t.Helper()
	var doc strictjson.Doc
	expect.OK(t, doc.Parse([]byte(text)), "%s", text)
	out, err := appendCanonical(nil, doc.Root())
	return string(out), err
}

func TestCanonical(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		err      error
	}{
		{` { "b" : [ 1 , 2 ] , "a" : null } `, `{"a":null,"b":[1,2]}`, nil},
		{`{"\u0061":"\u0041\/\t\u0009\u001f\"\\"}`, `{"a":"A/\t\t\u001f\"\\"}`, nil},
		{`"\ud83d\ude00\u2028é\u007f"`, "\"😀\u2028é\x7f\"", nil},
		// The order is that of UTF-16: characters of two units come before U+E000 and after U+D7FF.
		{"{\"\ufb33\":1,\"😀\":2,\"\u20ac\":3,\"\":4,\"1\":5}", "{\"\":4,\"1\":5,\"\u20ac\":3,\"😀\":2,\"\ufb33\":1}", nil},
		{`{"a":1,"\u0061":2}`, "", strictjson.ErrAmbiguous},
		{`[{"x":{"a":1,"a":1}}]`, "", strictjson.ErrAmbiguous},
		{`{"a":1,"A":2}`, `{"A":2,"a":1}`, nil},
		{`"\ud83d"`, "", strictjson.ErrSurrogate},
		{`{"\udc00":1}`, "", strictjson.ErrSurrogate},
		{`[1e1000000000]`, "", errNumber},
	} {
		got, err := canonical(t, tt.in)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %s, %v; want %s, %v", tt.in, got, err, tt.want, tt.err)
		}
	}
}

func TestNumbers(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "-0": "0", "0.0e99999999999999999": "0", "1": "1", "1.0": "1", "10e-1": "1", "0.1e1": "1", "-1E0": "-1",
		"100": "100", "1e2": "100", "1E+2": "100", "1.5": "1.5", "15e-1": "1.5", "0.000001": "0.000001", "1e-7": "1e-7", "0.00000012": "1.2e-7",
		"1e20": "100000000000000000000", "1e21": "1e+21", "123e400": "1.23e+402", "1e0000000000000000002": "100",
		"9007199254740993": "9007199254740993", "0.10000000000000000555": "0.10000000000000000555",
		"-123456789012345678901234567890": "-1.2345678901234567890123456789e+29",
	} {
		got, err := appendNumber(nil, []byte(in))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", in, got, err, want)
		}
	}
}

// randomJSON returns a random value, as written by one who has all freedom in how to write it, and in canonical order and layout.
type randomJSON struct {
	*rand.Rand
}

func (r randomJSON) value(depth int) any {
	kinds := 6
	if depth == 0 {
		kinds = 4
	}
	switch r.IntN(kinds) {
	case 0:
		return []any{nil, true, false}[r.IntN(3)]
	case 1:
		return big.NewRat(r.Int64N(2_000_000)-1_000_000, []int64{1, 10, 100, 1000}[r.IntN(4)])
	case 2, 3:
		return r.text()
	case 4:
		out := make([]any, r.IntN(4))
		for i := range out {
			out[i] = r.value(depth - 1)
		}
		return out
	}
	out := map[string]any{}
	for range r.IntN(5) {
		out[r.text()] = r.value(depth - 1)
	}
	return out
}

func (r randomJSON) text() string {
	alphabet := []rune("ab\"\\/\n\t\x01é€😀\ue000\ufffd 0")
	out := make([]rune, r.IntN(4))
	for i := range out {
		out[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(out)
}

// write writes a value in a random way.
func (r randomJSON) write(b *strings.Builder, v any) {
	space := func() { b.WriteString([]string{"", "", " ", "\n\t", "\r\n"}[r.IntN(5)]) }
	space()
	defer space()
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		fmt.Fprint(b, v)
	case *big.Rat:
		r.number(b, v)
	case string:
		r.literal(b, v)
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			r.write(b, e)
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		first := true
		for name, e := range v { // in random order
			if !first {
				b.WriteByte(',')
			}
			first = false
			space()
			r.literal(b, name)
			space()
			b.WriteByte(':')
			r.write(b, e)
		}
		b.WriteByte('}')
	}
}

func (r randomJSON) number(b *strings.Builder, v *big.Rat) {
	switch r.IntN(3) {
	case 0:
		b.WriteString(v.FloatString(3 + r.IntN(3)))
	case 1:
		b.WriteString(new(big.Rat).Mul(v, big.NewRat(1, 1000)).FloatString(6) + "E+03")
	default:
		b.WriteString(new(big.Rat).Mul(v, big.NewRat(1000, 1)).FloatString(0) + "e-3")
	}
}

func (r randomJSON) literal(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c < ' ' || c == '"' || c == '\\' || r.IntN(3) == 0:
			for _, unit := range utf16.Encode([]rune{c}) {
				fmt.Fprintf(b, []string{`\u%04x`, `\u%04X`}[r.IntN(2)], unit)
			}
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
}

// However a value is written, its canonical form is one, and that of RFC 8785 where floating point numbers can hold its numbers.
func TestCanonicalIsOne(t *testing.T) {
	r := randomJSON{rand.New(rand.NewPCG(1, 2))}
	for range 3000 {
		v := r.value(4)
		var first, second strings.Builder
		r.write(&first, v)
		r.write(&second, v)
		one, err := canonical(t, first.String())
		expect.OK(t, err, "%s", first.String())
		two, err := canonical(t, second.String())
		expect.OK(t, err, "%s", second.String())
		if one != two {
			t.Fatalf("%s\n%s\nare\n%s\n%s", first.String(), second.String(), one, two)
		}
		oracle := jsontext.Value(first.String())
		expect.OK(t, oracle.Canonicalize())
		if one != string(oracle) {
			t.Fatalf("%s\nis        %s\nby RFC 8785 %s", first.String(), one, oracle)
		}
	}
}

// FuzzCanonical: what has a canonical form has it for good, and it says the same.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{
		`{"b":[1,2.50,-0],"a":"\u0041\ud83d\ude00"}`, `1e400`, `0.1e-7`, `12345678901234567890.5e3`, `{"😀":1,"":2}`, `"\u0000\b"`, `[[[]],{}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var doc strictjson.Doc
		if doc.Parse(text) != nil {
			t.Skip()
		}
		once, err := appendCanonical(nil, doc.Root())
		if err != nil {
			t.Skip()
		}
		expect.OK(t, doc.Parse(once), "%s of %q", once, text)
		twice, err := appendCanonical(nil, doc.Root())
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%s, once more %s, %v", once, twice, err)
		}
		mine, oracle := jsontext.Value(bytes.Clone(once)), jsontext.Value(bytes.Clone(text))
		if mine.Canonicalize() == nil && oracle.Canonicalize() == nil && !bytes.Equal(mine, oracle) {
			t.Fatalf("%q is %s by RFC 8785, and %s by way of %s", text, oracle, mine, once)
		}
	})
}
