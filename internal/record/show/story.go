package show

import (
	"fmt"
	"io"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// Story prints what became of a call in a line for each step: declared by a model, executed by a client, connected to the network,
// answered.
func (s Style) Story(out io.Writer, events []record.Event) {
	if len(events) < 2 {
		return // there is nothing to tell that the event itself does not say
	}
	fmt.Fprintf(out, "story of %s\n", inert.Name(string(events[0].CallID), 80))
	for _, e := range events {
		if text := step(e); text != "" {
			fmt.Fprintf(out, "  %s  %s\n", s.when(e.Time), text)
		}
	}
	fmt.Fprintln(out)
}

// step says what an event adds to the story of its call; "": nothing.
func step(e record.Event) string {
	if tell := tellings[e.Type].step; tell != nil {
		return tell(e)
	}
	return ""
}
