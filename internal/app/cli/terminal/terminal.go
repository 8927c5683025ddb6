// Package terminal is what weir does differently on a terminal: widths, colours, a pager, and a line that shows progress.
package terminal

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Is says whether an output is a terminal that can do more than print lines.
func Is(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// usualWidth is the width of a terminal that does not know its own.
const usualWidth = 80

// Width is how many columns a terminal has; 0: the output is none, and lines may be of any length.
func Width(out io.Writer) int {
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		return usualWidth
	}
	return width
}

// WantsColours says whether to colour an output: on a terminal, unless NO_COLOR is set to anything, CLICOLOR is 0 or the terminal is
// dumb. CLICOLOR_FORCE, set to anything but 0, colours everything, unless NO_COLOR forbids it.
func WantsColours(out io.Writer) bool {
	switch force := os.Getenv("CLICOLOR_FORCE"); {
	case os.Getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	case os.Getenv("CLICOLOR") == "0":
		return false
	}
	return Is(out)
}
