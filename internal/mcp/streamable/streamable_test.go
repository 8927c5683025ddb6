package streamable

import (
	"encoding/base64"
	"net/textproto"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// What is encoded is a header, and is decoded to the same.
func FuzzHeaderValue(f *testing.F) {
	for _, seed := range []string{"", "plain", " blank", "tab\t", "é", "=?base64?", "=?base64?x?=", "=?BASE64?x?=", "=?base64?cnVu?=", "\x00", "a\nb", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		encoded := EncodeValue(text)
		for i := range len(encoded) {
			if encoded[i] < ' ' || encoded[i] > '~' {
				t.Fatalf("%q is no header", encoded)
			}
		}
		expect.Equal(t, textproto.TrimString(encoded), encoded, "%q loses its blanks", encoded)
		if got, ok := DecodeValue(encoded); !ok || got != text {
			t.Errorf("%q became %q, %t", text, got, ok)
		}
		// Whatever else decodes does so in one way.
		if got, ok := DecodeValue(text); ok && got != text {
			inner := strings.TrimSuffix(strings.TrimPrefix(text, base64Prefix), base64Suffix)
			expect.Equal(t, base64.StdEncoding.EncodeToString([]byte(got)), inner, "%q has another form: %q", text, got)
		}
	})
}
