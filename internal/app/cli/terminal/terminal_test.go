package terminal

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/creack/pty"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// pair is a terminal of so many columns: what a program writes to, and what a person sees.
func pair(t *testing.T, columns uint16) (program, person *os.File) {
	t.Helper()
	person, program, err := pty.Open()
	if err != nil {
		need.Missing(t, "terminals", err.Error())
	}
	t.Cleanup(func() {
		program.Close() // nothing was written
		person.Close()  // likewise
	})
	if err := pty.Setsize(program, &pty.Winsize{Rows: 24, Cols: columns}); err != nil {
		t.Fatal(err)
	}
	return program, person
}

// TestWantsColours colours on terminals that a person looks at, and elsewhere only if it is forced.
func TestWantsColours(t *testing.T) {
	tty, _ := pair(t, 80)
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
		out                             io.Writer
		noColor, cliColor, force, termi string
		want                            bool
	}{
		{tty, "", "", "", "xterm", true},
		{tty, "", "1", "", "xterm", true},
		{tty, "1", "", "", "xterm", false},
		{tty, "0", "1", "1", "xterm", false},
		{tty, "", "0", "", "xterm", false},
		{tty, "", "0", "1", "xterm", true},
		{tty, "", "", "", "dumb", false},
		{device, "", "", "", "xterm", false},
		{file, "", "1", "", "xterm", false},
		{file, "", "", "0", "xterm", false},
		{file, "", "", "1", "xterm", true},
		{&bytes.Buffer{}, "", "", "", "xterm", false},
	} {
		for name, value := range map[string]string{
			"NO_COLOR": test.noColor, "CLICOLOR": test.cliColor, "CLICOLOR_FORCE": test.force, "TERM": test.termi,
		} {
			t.Setenv(name, value)
		}
		if got := WantsColours(test.out); got != test.want {
			t.Errorf("%+v: %t", test, got)
		}
	}
}

// TestWidth asks the terminal; nothing else has a width.
func TestWidth(t *testing.T) {
	narrow, _ := pair(t, 20)
	unknown, _ := pair(t, 0)
	for _, test := range []struct {
		out  io.Writer
		want int
	}{{narrow, 20}, {unknown, 80}, {&bytes.Buffer{}, 0}} {
		if got := Width(test.out); got != test.want {
			t.Errorf("%d columns, want %d", got, test.want)
		}
	}
}
