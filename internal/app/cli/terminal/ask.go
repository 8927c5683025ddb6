package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// ErrNobody says that there is no terminal to ask on.
var ErrNobody = errors.New("there is no terminal to ask on")

// CanAsk says that the input of a command is a terminal: a person can answer.
func CanAsk(cmd *cobra.Command) bool {
	in, ok := cmd.InOrStdin().(*os.File)
	return ok && term.IsTerminal(int(in.Fd()))
}

// Ask asks a question on the terminal. Only y or yes counts as yes. The end of the input is no answer.
func Ask(cmd *cobra.Command, question string) (yes bool, err error) {
	if !CanAsk(cmd) {
		return false, ErrNobody
	}
	if _, err := fmt.Fprintf(cmd.ErrOrStderr(), "%s [y/N] ", question); err != nil {
		return false, err
	}
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(cmd.InOrStdin()).ReadString('\n') // if it cannot be read, there is no answer
		answer <- line
	}()
	select {
	case <-cmd.Context().Done(): // the goroutine ends with the process
		return false, cmd.Context().Err()
	case line := <-answer:
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return true, nil
		}
		if line == "" {
			return false, ErrNobody
		}
		return false, nil
	}
}
