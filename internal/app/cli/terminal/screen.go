package terminal

import (
	"cmp"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// ErrLeft says that the person left the pager before everything was written. That is no failure.
var ErrLeft = errors.New("the pager was left")

// A Screen is where a command writes what people read. On a terminal it goes through a pager, which is started by the first write.
type Screen struct {
	Width   int  // in columns; 0: not a terminal, lines may be of any length
	Colours bool // see WantsColours
	out     io.Writer
	pager   []string // the command; nil: none
	running *exec.Cmd
	into    io.WriteCloser
	errOut  io.Writer
}

// noPager is the flag that leaves out the pager.
const noPager = "no-pager"

// RegisterScreen adds the flag for the screen to a command.
func RegisterScreen(cmd *cobra.Command) {
	cmd.Flags().Bool(noPager, false, "write to the terminal directly, not through $PAGER (else less)")
}

// OpenScreen returns the screen of a command. The caller must close it. live says that lines come as things happen: then there is no
// pager.
func OpenScreen(cmd *cobra.Command, live bool) *Screen {
	out := cmd.OutOrStdout()
	s := &Screen{Width: Width(out), Colours: WantsColours(out), out: out, errOut: cmd.ErrOrStderr()}
	off, err := cmd.Flags().GetBool(noPager)
	if Is(out) && !live && err == nil && !off {
		s.pager = pagerCommand()
	}
	return s
}

// Show lets a command write to its screen, and waits until the person has left it.
func Show(cmd *cobra.Command, write func(*Screen) error) error {
	s := OpenScreen(cmd, false)
	err := write(s)
	closed := s.Close()
	return cmp.Or(err, closed)
}

// pagerCommand is the command of the pager; nil: there is none.
func pagerCommand() []string {
	words := []string{"less"}
	for _, name := range []string{"WEIR_PAGER", "PAGER"} {
		if value, set := os.LookupEnv(name); set {
			words = strings.Fields(value)
			break
		}
	}
	if len(words) == 0 || words[0] == "cat" {
		return nil
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return nil
	}
	return words
}

// Write implements io.Writer.
func (s *Screen) Write(text []byte) (int, error) {
	if s.pager != nil && s.running == nil {
		if err := s.start(); err != nil {
			s.pager = nil // then without it
		}
	}
	if s.running == nil {
		return s.out.Write(text)
	}
	n, err := s.into.Write(text)
	if errors.Is(err, syscall.EPIPE) {
		err = ErrLeft
	}
	return n, err
}

// start starts the pager. It leaves at once if everything fits, shows colours, and leaves the text on the terminal.
func (s *Screen) start() error {
	c := exec.Command(s.pager[0], s.pager[1:]...)
	c.Stdout, c.Stderr = s.out, s.errOut
	c.Env = os.Environ()
	for _, name := range []string{"LESS=FRX", "LV=-c"} {
		before, _, _ := strings.Cut(name, "=")
		if !slices.ContainsFunc(c.Env, func(e string) bool { return strings.HasPrefix(e, before+"=") }) {
			c.Env = append(c.Env, name)
		}
	}
	into, err := c.StdinPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	// From here on a person who presses Ctrl-C means the pager. When it is left, the next write fails.
	signal.Ignore(os.Interrupt)
	s.running, s.into = c, into
	return nil
}

// Close waits until the person has left the pager. It may be called more than once.
func (s *Screen) Close() error {
	if s.running == nil {
		return nil
	}
	err := s.into.Close()
	err = cmp.Or(s.running.Wait(), err)
	s.running, s.pager = nil, nil
	if _, left := errors.AsType[*exec.ExitError](err); left || errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) {
		return nil // what the pager thinks of its end is of no interest
	}
	return err
}
