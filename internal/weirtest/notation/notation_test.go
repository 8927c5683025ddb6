package notation

import (
	"bytes"
	"testing"
)

func TestNotation(t *testing.T) {
	for text, want := range map[string]string{
		"data: a\n\n":           "data: a\n\n",
		"a«0D»\n":               "a\r\n",
		"«EF BB BF»x\n":         "\xEF\xBB\xBFx\n",
		"«78*5»\n":              "xxxxx\n",
		"no line end«end»\n":    "no line end",
		"«end» not at the end,": "«end» not at the end,",
		"a«F»b\n":               "a«F»b\n", // not whole bytes: no notation
	} {
		if got := string(Bytes([]byte(text))); got != want {
			t.Errorf("Bytes(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzNotation(f *testing.F) {
	for _, seed := range []string{"", "a", "a\n", "a\r\n\r\n", "\xEF\xBB\xBFx", "\xFF\x00", "Grüße\n", string(bytes.Repeat([]byte("x"), longRun))} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if bytes.Contains(body, []byte("«")) {
			t.Skip("scenarios do not quote the notation itself")
		}
		if got := Bytes(Text(body)); !bytes.Equal(got, body) {
			t.Errorf("%q came back as %q by way of %q", body, got, Text(body))
		}
	})
}
