package show

import (
	"fmt"
	"io"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// Story prints the history of a call, one line for each step: a model asked for it, a client executed it, a connection was made, a
// result came.
func (s Style) Story(out io.Writer, events []record.Event) {
	if len(events) < 2 {
		return // the event itself says everything
	}
	fmt.Fprintf(out, "story of %s\n", inert.Name(string(events[0].CallID), 80))
	for _, e := range events {
		if text := step(e); text != "" {
			fmt.Fprintf(out, "  %s  %s\n", s.when(e.Time), text)
		}
	}
	fmt.Fprintln(out)
}

// step says what an event adds to the history of its call; "": nothing.
func step(e record.Event) string {
	if tell := tellings[e.Type].step; tell != nil {
		return tell(e)
	}
	return ""
}
