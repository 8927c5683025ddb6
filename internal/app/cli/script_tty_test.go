package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/creack/pty"
)

// tty COLUMNS PROGRAM [ARG]... runs a program on a terminal of so many columns, and prints what a person sees there, line by line.
func tty(args []string) int {
	if len(args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: tty COLUMNS PROGRAM [ARG]...")
		return 2
	}
	columns, err := strconv.ParseUint(args[0], 10, 16)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	c := exec.Command(args[1], args[2:]...)
	screen, err := pty.StartWithSize(c, &pty.Winsize{Rows: 24, Cols: uint16(columns)})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	text, _ := io.ReadAll(screen) // a terminal whose program has ended cannot be read
	fmt.Print(strings.ReplaceAll(string(text), "\r\n", "\n"))
	if exited, ok := errors.AsType[*exec.ExitError](c.Wait()); ok {
		return exited.ExitCode()
	}
	return 0
}
