package docs

import (
	"fmt"
	"strings"
)

// notes are what people add to the rows of a table.
type notes struct {
	order []string // the names, as they were written
	of    map[string]string
	taken map[string]bool
}

// parseNotes parses lines with a name, a colon and a note. A line that begins with a blank continues the one before it.
func parseNotes(text string) (*notes, error) {
	n := &notes{of: map[string]string{}, taken: map[string]bool{}}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		name, note, ok := strings.Cut(line, ": ")
		switch {
		case line == "":
		case strings.HasPrefix(line, " ") && len(n.order) > 0:
			n.of[n.order[len(n.order)-1]] += " " + strings.TrimSpace(line)
		case !ok || n.of[name] != "":
			return nil, fmt.Errorf("%q is not a new name with a note", line)
		default:
			n.order = append(n.order, name)
			n.of[name] = note
		}
	}
	return n, nil
}

// take is the note for a name; "": there is none.
func (n *notes) take(name string) string {
	n.taken[name] = true
	return n.of[name]
}

// unused is an error if a note is for nothing in the table.
func (n *notes) unused() error {
	for _, name := range n.order {
		if !n.taken[name] {
			return fmt.Errorf("the note for %q belongs to no row", name)
		}
	}
	return nil
}
