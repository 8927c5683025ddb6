package registry

import (
	"bufio"
	"io"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/text/inert"
)

// WriteDifferences writes differences for people. Every piece of a server's text has its own line, after a word by weir, and
// invisible characters are escaped: the text can neither hide nor look like another kind of line.
func WriteDifferences(w io.Writer, all []Difference) error {
	out := differenceWriter{bufio.NewWriter(w)} // it remembers its first error
	for _, d := range all {
		out.difference(d)
	}
	return out.Flush()
}

type differenceWriter struct{ *bufio.Writer }

func (w differenceWriter) difference(d Difference) {
	what := "changed"
	switch {
	case d.Before == nil:
		what = "added"
	case d.After == nil:
		what = "removed"
	}
	note := ""
	if d.Noted {
		note = " (not part of the hash)"
	}
	w.line(what+note, d.Path)
	if d.Words == nil {
		w.piece("  before ", string(d.Before))
		w.piece("  after  ", string(d.After))
		return
	}
	for _, words := range d.Words {
		w.piece("  same   ", ends(words.Same))
		w.piece("  removed", words.Removed)
		w.piece("  added  ", words.Added)
	}
}

// piece writes a text, if there is one.
func (w differenceWriter) piece(what, text string) {
	if text != "" {
		w.line(what, text)
	}
}

func (w differenceWriter) line(what, text string) {
	_, _ = w.WriteString(what + " " + inert.Text(text, len(text)) + "\n") // the writer remembers its error
}

// ends is the beginning and the end of a text that did not change.
func ends(text string) string {
	const shown = 60 // characters at either end
	if utf8.RuneCountInString(text) <= 2*shown+1 {
		return text
	}
	r := []rune(text)
	return string(r[:shown]) + "…" + string(r[len(r)-shown:])
}
