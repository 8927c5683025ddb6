package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/weir-gate/weir/internal/record"
)

// TestPainter colours on devices that a person looks at, and nowhere else.
func TestPainter(t *testing.T) {
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close() //nolint:errcheck // nothing was written
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // likewise
	refused := record.Event{Blocked: true, Verdict: "deny"}
	const plain, coloured = "refused", "\x1b[31mrefused\x1b[0m"
	for _, test := range []struct {
		out           io.Writer
		noColor, term string
		want          string
	}{
		{device, "", "xterm", coloured},
		{device, "1", "xterm", plain},
		{device, "", "dumb", plain},
		{file, "", "xterm", plain},
		{&bytes.Buffer{}, "", "xterm", plain},
	} {
		t.Setenv("NO_COLOR", test.noColor)
		t.Setenv("TERM", test.term)
		if got := painterFor(test.out).outcome("refused", refused); got != test.want {
			t.Errorf("%T, NO_COLOR=%q, TERM=%q: %q, want %q", test.out, test.noColor, test.term, got, test.want)
		}
	}
	on := painter{on: true}
	for want, e := range map[string]record.Event{
		"\x1b[32mx\x1b[0m": {Verdict: "allow"}, "\x1b[33mx\x1b[0m": {Verdict: "audit"}, "x": {},
	} {
		if got := on.outcome("x", e); got != want {
			t.Errorf("%+v: %q, want %q", e, got, want)
		}
	}
}
