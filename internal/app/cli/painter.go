package cli

import (
	"io"
	"os"

	"github.com/weir-gate/weir/internal/record"
)

// A painter colours words on a terminal, and leaves them alone elsewhere.
type painter struct{ on bool }

// painterFor returns the painter for an output. NO_COLOR in the environment, set to anything, says that nobody wants colours.
func painterFor(out io.Writer) painter {
	return painter{on: isTerminal(out) && os.Getenv("NO_COLOR") == ""}
}

// The colours, as terminals know them.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (p painter) colour(code, text string) string {
	if !p.on || code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// outcome colours the word for what became of an event.
func (p painter) outcome(word string, e record.Event) string {
	switch {
	case e.Blocked:
		return p.colour(red, word)
	case e.WouldBe != "" || e.Verdict == "audit" || e.Verdict == "sanitize":
		return p.colour(yellow, word)
	case e.Verdict == "allow":
		return p.colour(green, word)
	}
	return word
}
