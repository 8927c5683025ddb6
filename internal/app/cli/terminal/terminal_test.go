package terminal

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestWantsColours colours on devices that a person looks at, and nowhere else.
func TestWantsColours(t *testing.T) {
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, test := range []struct {
		out           io.Writer
		noColor, term string
		want          bool
	}{
		{device, "", "xterm", true},
		{device, "1", "xterm", false},
		{device, "", "dumb", false},
		{file, "", "xterm", false},
		{&bytes.Buffer{}, "", "xterm", false},
	} {
		t.Setenv("NO_COLOR", test.noColor)
		t.Setenv("TERM", test.term)
		if got := WantsColours(test.out); got != test.want {
			t.Errorf("%T, NO_COLOR=%q, TERM=%q: %t, want %t", test.out, test.noColor, test.term, got, test.want)
		}
	}
}
