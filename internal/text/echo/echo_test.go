package echo

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
)

const key = "sk-Live_0+/a=Z9"

// spellings are ways to write a credential that readers take for the same.
func spellings(secret string) []string {
	var units, big, slashes, nested, percent, twice strings.Builder
	for i := range len(secret) {
		fmt.Fprintf(&units, `\u%04x`, secret[i])
		fmt.Fprintf(&big, `\u%04X`, secret[i])
		fmt.Fprintf(&nested, `\\u%04x`, secret[i])
		fmt.Fprintf(&percent, "%%%02X", secret[i])
		fmt.Fprintf(&twice, "%%25%02x", secret[i])
		if secret[i] == '/' {
			slashes.WriteByte('\\')
		}
		slashes.WriteByte(secret[i])
	}
	mixed := secret[:3] + fmt.Sprintf(`\u%04x`, secret[3]) + secret[4:6] + fmt.Sprintf("%%%02x", secret[6]) + secret[7:]
	return []string{
		secret, units.String(), big.String(), slashes.String(), nested.String(), percent.String(), twice.String(), url.QueryEscape(secret), mixed,
		strings.ReplaceAll(secret, "/", `\\\/`),
	}
}

// TestMaskAtEveryCut checks that a text with a credential in it comes out alike, however it is cut, and without the credential.
func TestMaskAtEveryCut(t *testing.T) {
	m := New(key, "other-secret-1")
	for _, s := range spellings(key) {
		in := `{"a":"\\s` + s + `","b":"sk-Live_0` + s + s + `"} sk-Live`
		want := `{"a":"\\s` + Redacted + `","b":"sk-Live_0` + Redacted + Redacted + `"} sk-Live`
		if got := m.Text(in); got != want {
			t.Errorf("%s: got %s", s, got)
		}
		for cut := range len(in) {
			src := io.MultiReader(strings.NewReader(in[:cut]), strings.NewReader(in[cut:]))
			found := 0
			if got, err := io.ReadAll(m.Reader(src, func() { found++ })); err != nil || string(got) != want || found == 0 {
				t.Fatalf("%s cut at %d: got %s, %v", s, cut, got, err)
			}
		}
		if got, err := io.ReadAll(m.Reader(iotest.OneByteReader(strings.NewReader(in)), nil)); err != nil || string(got) != want {
			t.Fatalf("%s byte by byte: got %s, %v", s, got, err)
		}
	}
}

// TestTextIsLive checks that only what may be the beginning of a credential is held back.
func TestTextIsLive(t *testing.T) {
	for in, want := range map[string]string{"hello": "hello", "hello sk-": "hello ", `hello \u00`: "hello ", "hello sk-x": "hello sk-x", `a\n`: `a\n`} {
		pr, pw := io.Pipe()
		r := New(key).Reader(pr, nil)
		go func() { _, _ = io.WriteString(pw, in) }()
		buf := make([]byte, 100)
		if n, err := r.Read(buf); err != nil || string(buf[:n]) != want {
			t.Errorf("%q: got %q, %v, want %q", in, buf[:n], err, want)
		}
		_ = pw.Close()
	}
}

func TestNothingToLookFor(t *testing.T) {
	src := strings.NewReader("x")
	if m := New("", "short"); m != nil || m.Reader(src, nil) != io.Reader(src) || m.Text("short") != "short" || m.In("x") || m.Header(nil) != 0 {
		t.Error("a mask of nothing does something")
	}
}

// TestPrefix checks that of two credentials that begin alike, each is found.
func TestPrefix(t *testing.T) {
	if got := New("abcdefgh", "abcdefghij").Text("abcdefghij abcdefghi abcdefgh"); got != Redacted+" "+Redacted+"i "+Redacted {
		t.Error(got)
	}
}

func TestHeader(t *testing.T) {
	h := http.Header{"X-Echo": {"a " + key + " b", "c"}, "Link": {"<https://a/?k=" + url.QueryEscape(key) + ">"}, "X-Fine": {"d"}}
	if n := New(key).Header(h); n != 2 {
		t.Errorf("found %d", n)
	}
	if got := fmt.Sprint(h); strings.Contains(got, "Live") {
		t.Error(got)
	}
}

// FuzzMask checks against a reader that has the whole text: no cut makes a difference, and what comes out has no credential in it.
func FuzzMask(f *testing.F) {
	for _, s := range spellings(key) {
		f.Add([]byte("x"+s), uint8(3))
	}
	f.Add([]byte("abcabcabcdabcabcd"), uint8(1))
	m := New(key, "abcabcabcd")
	f.Fuzz(func(t *testing.T, in []byte, size uint8) {
		want, _, _ := m.split(nil, in, true)
		if bytes.Contains(want, []byte(key)) || bytes.Contains(want, []byte("abcabcabcd")) {
			t.Errorf("%q leaves %q", in, want)
		}
		got, err := io.ReadAll(m.Reader(&small{in, int(size%7) + 1}, nil))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%q in pieces: %q, %v, want %q", in, got, err, want)
		}
	})
}

// small reads a few bytes at once.
type small struct {
	rest []byte
	n    int
}

func (s *small) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.rest[:min(s.n, len(s.rest))])
	s.rest = s.rest[n:]
	return n, nil
}
