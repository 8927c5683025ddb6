package egress

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// prefixed is a text after its length in so many bytes.
func prefixed(width int, text string) string {
	var b strings.Builder
	for i := width - 1; i >= 0; i-- {
		b.WriteByte(byte(len(text) >> (8 * i)))
	}
	return b.String() + text
}

// nameExtension is the extension with the given entries of its list.
func nameExtension(entries ...string) string {
	return "\x00\x00" + prefixed(2, prefixed(2, strings.Join(entries, "")))
}

func entry(name string) string { return "\x00" + prefixed(2, name) }

// rawHello is a stream that begins with a ClientHello; after is what follows its extensions.
func rawHello(extensions, after string) []byte {
	body := "\x03\x03" + strings.Repeat("r", 32) + prefixed(1, "") + prefixed(2, "\x13\x01") + prefixed(1, "\x00") + extensions + after
	return []byte("\x16\x03\x01" + prefixed(2, "\x01"+prefixed(3, body)))
}

func TestHello(t *testing.T) {
	t.Parallel()
	other := "\x00\x17" + prefixed(2, "")
	doubt := glimpse{from: fromSNI, doubt: true}
	tests := map[string]struct {
		head []byte
		want glimpse
	}{
		"one name":             {rawHello(prefixed(2, other+nameExtension(entry("A.example"))+other), ""), glimpse{from: fromSNI, names: []string{"a.example"}}},
		"no name":              {rawHello(prefixed(2, other), ""), glimpse{}},
		"no extensions":        {rawHello("", ""), glimpse{}},
		"an address":           {rawHello(prefixed(2, nameExtension(entry("192.0.2.1"))), ""), glimpse{from: fromSNI, names: []string{"192.0.2.1"}}},
		"an old address":       {rawHello(prefixed(2, nameExtension(entry("127.1"))), ""), doubt},
		"garbage":              {rawHello(prefixed(2, nameExtension(entry("a\x00.example"))), ""), doubt},
		"an empty name":        {rawHello(prefixed(2, nameExtension(entry(""))), ""), doubt},
		"an empty list":        {rawHello(prefixed(2, nameExtension()), ""), doubt},
		"two names":            {rawHello(prefixed(2, nameExtension(entry("a.example"), entry("b.example"))), ""), doubt},
		"another kind of name": {rawHello(prefixed(2, nameExtension("\x01"+prefixed(2, "a.example"))), ""), doubt},
		"two extensions":       {rawHello(prefixed(2, nameExtension(entry("a.example"))+nameExtension(entry("b.example"))), ""), doubt},
		"bytes after":          {rawHello(prefixed(2, nameExtension(entry("a.example"))), "x"), doubt},
		"a cut extension":      {rawHello(prefixed(2, nameExtension(entry("a.example"))[:9]), ""), doubt},
		"an alert first":       {append([]byte("\x16\x03\x01\x00\x01\x01\x15\x03\x01\x00\x02\x01\x00"), rawHello("", "")...), doubt},
		"another message":      {[]byte("\x16\x03\x01\x00\x04\x02\x00\x00\x00"), doubt},
		"another protocol":     {[]byte("\x16\x01hello"), glimpse{}},
		"more after it":        {append(rawHello(prefixed(2, nameExtension(entry("a.example"))), ""), "\x14\x03\x03\x00\x01\x01"...), glimpse{from: fromSNI, names: []string{"a.example"}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, st := look(tt.head, afresh)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(glimpse{}), cmpopts.IgnoreFields(glimpse{}, "end", "then")); diff != "" || st != settled {
				t.Errorf("stage %d (-want +got):\n%s", st, diff)
			}
		})
	}
}
