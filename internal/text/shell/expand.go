package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxPhrases bounds how many versions of one command are read because its variables have several values.
const maxPhrases = 16

// fields are the fields that are built from the parts of a word.
type fields struct {
	done []string
	open bool // the last field exists, even if it is empty
	last []byte
}

func (f *fields) clone() *fields {
	return &fields{done: append([]string(nil), f.done...), open: f.open, last: append([]byte(nil), f.last...)}
}

func (f *fields) add(text string) {
	f.open = true
	f.last = append(f.last, text...)
}

func (f *fields) split() {
	if f.open {
		f.done = append(f.done, string(f.last))
		f.open, f.last = false, nil
	}
}

// An expansion is what a part of a word becomes: one of these lists of texts. Each text is a separate field.
type expansion struct {
	lists  [][]string
	quoted bool
	array  bool // the lists are those of an array, not of a text that is one word in quotes
}

func expandTo(texts value, quoted bool) expansion {
	e := expansion{quoted: quoted}
	for _, text := range texts {
		e.lists = append(e.lists, []string{text})
	}
	return e
}

// phrases returns the lists of fields that words could become.
func (r *reader) phrases(words []*syntax.Word, s *scope) [][]string {
	out := [][]string{make([]string, 0, len(words))}
	for _, word := range words {
		if text, ok := literal(word); ok && strings.IndexByte(text, '{') < 0 {
			r.spendBytes(len(text))
			for i := range out {
				out[i] = append(out[i], text)
			}
			continue
		}
		for _, plain := range r.braces(word) {
			ways := r.word(plain, s)
			if len(out)*len(ways) > maxPhrases {
				ways = [][]string{{anyWords}}
			}
			if len(ways) == 1 {
				for i := range out {
					out[i] = append(out[i], ways[0]...)
				}
				continue
			}
			var next [][]string
			for _, phrase := range out {
				for _, way := range ways {
					next = append(next, append(append([]string(nil), phrase...), way...))
				}
			}
			out = next
		}
	}
	return out
}

// word returns the lists of fields that a word without braces could become.
func (r *reader) word(word *syntax.Word, s *scope) [][]string {
	if text, ok := literal(word); ok {
		r.spendBytes(len(text))
		return [][]string{{text}}
	}
	ways := []*fields{{}}
	separators, known := r.separators(s)
	for _, part := range word.Parts {
		e := r.part(part, s, false)
		if len(e.lists)*len(ways) > maxAlternatives {
			e = expandTo(unknownValue, e.quoted)
		}
		var next []*fields
		for i, list := range e.lists {
			for _, way := range ways {
				if i < len(e.lists)-1 {
					way = way.clone()
				}
				r.append(way, list, e.quoted, separators, known)
				next = append(next, way)
			}
		}
		ways = next
	}
	out := make([][]string, len(ways))
	for i, way := range ways {
		way.split()
		out[i] = way.done
	}
	return out
}

// literal returns the text of a word that has nothing to expand, the common case.
func literal(word *syntax.Word) (string, bool) {
	if len(word.Parts) != 1 {
		return "", false
	}
	lit, ok := word.Parts[0].(*syntax.Lit)
	if !ok || strings.ContainsAny(lit.Value, `\*?[`) {
		return "", false
	}
	return lit.Value, true
}

// append adds the texts of an expansion to an unfinished word.
func (r *reader) append(f *fields, texts []string, quoted bool, separators string, known bool) {
	for i, text := range texts {
		if i > 0 {
			f.split()
		}
		if !r.spendBytes(len(text)) {
			return
		}
		switch {
		case quoted:
			f.add(text)
		case !known && text != "":
			f.add(anyWords)
		default:
			splitInto(f, text, separators)
		}
	}
}

// splitInto adds an unquoted text, which separators split into fields.
func splitInto(f *fields, text, separators string) {
	text = globHoles(unquoteHoles.Replace(text))
	for text != "" {
		end := strings.IndexAny(text, separators)
		if separators == "" || end < 0 {
			f.add(text)
			return
		}
		if end > 0 {
			f.add(text[:end])
		}
		f.split()
		text = text[end+1:]
	}
}

// separators returns the characters at which the shell splits unquoted expansions, and whether they are known.
func (r *reader) separators(s *scope) (string, bool) {
	v, set := s.get("IFS")
	if !set {
		return " \t\n", true
	}
	if len(v.text) != 1 || hasHole(v.text[0]) {
		return "", false
	}
	return v.text[0], true
}

// part expands one part of a word.
func (r *reader) part(part syntax.WordPart, s *scope, inQuotes bool) expansion {
	switch part := part.(type) {
	case *syntax.Lit:
		if inQuotes {
			return expandTo(value{unescapeQuoted(part.Value)}, true)
		}
		return expandTo(value{unescape(part.Value)}, true)
	case *syntax.SglQuoted:
		if part.Dollar {
			return expandTo(value{unescapeANSI(part.Value)}, true)
		}
		return expandTo(value{part.Value}, true)
	case *syntax.DblQuoted:
		return r.quotedPart(part, s)
	case *syntax.ParamExp:
		e := r.parameter(part, s, inQuotes)
		e.quoted = inQuotes
		return e
	case *syntax.CmdSubst:
		return expandTo(r.substitute(part, s), inQuotes)
	case *syntax.ArithmExp:
		r.arithmetic(part.X, part.Left, part.Right, s)
		return expandTo(value{oneWord}, true)
	case *syntax.ProcSubst:
		return expandTo(value{r.process(part, s)}, true)
	case *syntax.ExtGlob:
		return expandTo(value{fileRun}, true)
	default:
		return expandTo(unknownValue, inQuotes)
	}
}

// quotedPart expands the text between double quotes.
func (r *reader) quotedPart(quoted *syntax.DblQuoted, s *scope) expansion {
	ways := [][]string{{""}}
	for _, part := range quoted.Parts {
		e := r.part(part, s, true)
		if len(e.lists)*len(ways) > maxAlternatives {
			e = expandTo(value{oneWord}, true)
		}
		var next [][]string
		for _, way := range ways {
			for _, list := range e.lists {
				next = append(next, r.joinLists(way, list, e.array, len(quoted.Parts) == 1))
			}
		}
		ways = next
	}
	return expansion{lists: ways, quoted: true}
}

// joinLists appends list b to a, and joins the first text of b to the last of a. An empty list alone in its quotes, such as "$@"
// without arguments, gives no field.
func (r *reader) joinLists(a, b []string, array, alone bool) []string {
	if len(b) == 0 {
		if alone {
			return nil
		}
		return a
	}
	out := append([]string(nil), a...)
	for i, text := range b {
		text = quoteUnlessList(text, array)
		r.spendBytes(len(text) + len(out[len(out)-1]))
		if r.spent {
			return []string{oneWord}
		}
		if i == 0 {
			out[len(out)-1] += text
		} else {
			out = append(out, text)
		}
	}
	return out
}

// quoteUnlessList keeps a quoted text one word. The unknown rest of a list stays any number of words.
func quoteUnlessList(text string, array bool) string {
	if array && (text == anyWords || text == unsetWords) {
		return text
	}
	return quoteHoles.Replace(text)
}

// single expands a word that is not split, such as the value of a variable.
func (r *reader) single(word *syntax.Word, s *scope) value { return r.whole(word, s, false) }

// whole is single for a word that may be within double quotes.
func (r *reader) whole(word *syntax.Word, s *scope, inQuotes bool) value {
	if word == nil {
		return value{""}
	}
	out := value{""}
	for _, part := range word.Parts {
		e := r.part(part, s, inQuotes)
		var texts value
		for _, list := range e.lists {
			texts = append(texts, strings.Join(list, " "))
		}
		out = r.concat(out, texts)
	}
	return out
}

// document expands a here-document.
func (r *reader) document(redirect *syntax.Redirect, s *scope) value {
	if redirect.Hdoc == nil {
		return value{""}
	}
	quoted := isQuoted(redirect.Word)
	out := value{""}
	for _, part := range redirect.Hdoc.Parts {
		var texts value
		if lit, ok := part.(*syntax.Lit); ok {
			text := lit.Value
			if !quoted {
				text = unescapeDocument(text)
			}
			if redirect.Op == syntax.DashHdoc {
				text = withoutTabs(text)
			}
			texts = value{text}
		} else {
			for _, list := range r.part(part, s, true).lists {
				texts = append(texts, strings.Join(list, " "))
			}
		}
		if texts == nil {
			texts = value{""}
		}
		out = r.concat(out, texts)
	}
	return out
}

func withoutTabs(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, "\t")
	}
	return strings.Join(lines, "")
}

// isQuoted reports whether any part of a word is quoted, as in <<'EOF'.
func isQuoted(word *syntax.Word) bool {
	for _, part := range word.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, `\`) {
			return true
		}
	}
	return false
}

// substitute returns the output that replaces $( ).
func (r *reader) substitute(subst *syntax.CmdSubst, s *scope) value {
	out := unknownValue
	if subst.Backquotes {
		r.backquotes++
		defer func() { r.backquotes-- }()
		if r.backquotes == 2 && hasBackslash(subst) {
			r.noteUnknown() // the parser does not remove the backslashes that each level has more
		}
	}
	r.deeper(func() {
		written := r.stmts(subst.Stmts, newScope(s), pipes{want: true})
		if subst.ReplyVar {
			return
		}
		out = nil
		for _, text := range written {
			out = append(out, strings.TrimRight(text, "\n"))
		}
	})
	return out
}

// hasBackslash reports whether a literal text within a node has a backslash.
func hasBackslash(node syntax.Node) bool {
	found := false
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Lit:
			found = found || strings.Contains(n.Value, `\`)
		case *syntax.SglQuoted:
			found = found || strings.Contains(n.Value, `\`)
		}
		return !found
	})
	return found
}

// process returns the name of the file that replaces a process substitution. Nothing else has that name.
func (r *reader) process(subst *syntax.ProcSubst, s *scope) string {
	const firstStream = 63
	name := "/dev/fd/" + strconv.Itoa(firstStream+r.streams)
	r.streams++
	r.files[name] = unknownValue
	r.deeper(func() {
		if subst.Op == syntax.CmdOut {
			r.stmts(subst.Stmts, slippedScope(s), pipes{in: unknownValue, from: r.feeds}) // the command may pass on what it gets
			if r.sinks == nil {
				r.sinks = map[string]sink{}
			}
			r.sinks[name] = sink{subst.Stmts, s, r.feeds}
			return
		}
		r.files[name] = r.stmts(subst.Stmts, newScope(s), pipes{want: true})
	})
	return name
}
