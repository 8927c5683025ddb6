package redact

import (
	"strings"

	"github.com/weir-gate/weir/internal/strictjson"
)

// A piece is a string of a document, with the replacements made so far.
type piece struct {
	value strictjson.Value
	about string
	text  string
	found []Finding // what was replaced in it
}

// A list is an array whose elements are strings, or each hold one string: the pieces from first to end.
type list struct {
	about      string
	first, end int
}

// window is how many bytes at the beginning and at the end of a long piece are searched together with its neighbours.
const window = 4096

// margin is how near to the end of a window the last line of a key may end: the next line may be cut off.
const margin = 256

// settle replaces the secrets in the pieces, first across them and then in each, until nothing more is found. If a document takes
// too many rounds, its findings go to Kept, so that it is not passed on.
func (e *editor) settle() {
	for round := 0; ; round++ {
		fresh := false
		for _, l := range e.lists {
			fresh = e.across(l.first, l.end, l.about, true) || fresh
		}
		fresh = e.across(0, len(e.pieces), "", false) || fresh
		for i := range e.pieces {
			p := &e.pieces[i]
			if found := e.set.find(p.text, p.about); len(found) > 0 {
				p.text, p.found, fresh = replace(p.text, found), append(p.found, found...), true
			}
		}
		if !fresh || len(e.pieces) == 1 {
			break
		}
		if round == maxRounds {
			for i := range e.pieces {
				note(&e.result.Kept, e.pieces[i].value, e.pieces[i].found)
			}
			break
		}
	}
	for i := range e.pieces {
		if p := &e.pieces[i]; len(p.found) > 0 {
			e.edits = append(e.edits, p.value.Replace(strictjson.AppendString(nil, p.text)))
			note(&e.result.Replaced, p.value, p.found)
		}
	}
}

// across replaces secrets that are spread over consecutive pieces. They are searched as lines of one text, long ones only near
// their ends. Patterns are not used here: a pattern that says where a secret ends does not mean the next string. With all, secrets
// inside one piece count as well, because another piece may say what they are, as a flag does for the next argument.
func (e *editor) across(first, end int, about string, all bool) (fresh bool) {
	if end-first < 2 || len(e.set.detectors) == 0 {
		return false
	}
	var run lines
	for i := first; i < end; i++ {
		text := e.pieces[i].text
		if len(text) <= 2*window {
			run.add(i, text, 0)
			continue
		}
		run.add(i, text[:window], 0)
		fresh = e.inRun(&run, about, all) || fresh
		run = lines{}
		// A replacement at its beginning may have made it shorter.
		if text = e.pieces[i].text; len(text) >= window {
			run.add(i, text[len(text)-window:], len(text)-window)
		}
	}
	return e.inRun(&run, about, all) || fresh
}

// lines are parts of pieces that are searched as one text.
type lines struct {
	text  strings.Builder
	parts []linePart
}

// A linePart is the position of a part of a piece in such a text.
type linePart struct {
	span
	piece  int
	offset int // of the part in its piece
}

// add adds a part of a piece as the next line.
func (l *lines) add(piece int, text string, offset int) {
	if len(l.parts) > 0 {
		l.text.WriteByte('\n')
	}
	start := l.text.Len()
	l.text.WriteString(text)
	l.parts = append(l.parts, linePart{span{start, l.text.Len()}, piece, offset})
}

// inRun replaces the secrets that are found in lines.
func (e *editor) inRun(run *lines, about string, all bool) (fresh bool) {
	if len(run.parts) < 2 {
		return false
	}
	edits := make(map[int][]Finding) // by piece
	part := 0
	for _, f := range e.set.known.find(run.text.String(), about) {
		for run.parts[part].end < f.Start {
			part++
		}
		spread := f.End > run.parts[part].end+1
		for i := part; i < len(run.parts) && run.parts[i].start < f.End; i++ {
			p := run.parts[i]
			size := len(e.pieces[p.piece].text)
			if !spread && (!all || size > 2*window) {
				continue
			}
			from, to := max(f.Start, p.start)-p.start+p.offset, min(f.End, p.end)-p.start+p.offset
			if length := p.end - p.start; spread && p.offset == 0 && length < size && to > length-margin {
				to = size // the secret may continue in the middle of the long piece, which was not searched
			}
			if from < to {
				edits[p.piece] = append(edits[p.piece], Finding{f.Name, from, to})
			}
		}
	}
	for i, found := range edits {
		p := &e.pieces[i]
		p.text, p.found = replace(p.text, found), append(p.found, found...)
	}
	return len(edits) > 0
}
