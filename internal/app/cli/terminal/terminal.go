// Package terminal is what weir does differently on a terminal: colours, and a line that shows progress.
package terminal

import (
	"io"
	"os"
)

// Is says whether an output is a terminal.
func Is(out io.Writer) bool {
	f, ok := out.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// WantsColours says that an output is a terminal, and that the user has not set NO_COLOR, to any value, for plain text.
func WantsColours(out io.Writer) bool { return Is(out) && os.Getenv("NO_COLOR") == "" }
