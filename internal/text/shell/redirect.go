package shell

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A target is a file that a statement writes.
type target struct {
	name   string
	append bool
}

// redirections reads redirections: they set the input of the statement, and name the files that it writes.
func (r *reader) redirections(list []*syntax.Redirect, s *scope, p *pipes) []target {
	if len(list) > maxRedirect {
		r.giveUp(TooLong)
		return nil
	}
	var targets []target
	for _, redirect := range list {
		number := ""
		if redirect.N != nil {
			number = redirect.N.Value
		}
		switch redirect.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			p.from = r.within(func() { p.in = r.document(redirect, s) })
			r.numbered(number, p.in)
		case syntax.WordHdoc:
			p.from = r.within(func() { p.in = r.concat(r.single(redirect.Word, s), value{"\n"}) })
			r.numbered(number, p.in)
		case syntax.RdrIn, syntax.RdrInOut:
			var names value
			p.from = r.within(func() { names = r.redirected(redirect.Word, s) })
			p.in = r.contents(names)
			if redirect.Op == syntax.RdrIn {
				r.numbered(number, p.in)
			}
			if fed, ok := r.coprocess(redirect.Word); ok {
				p.from = joined(p.from, fed.made)
			}
			r.open(names, Redirect{Reads: true, Writes: redirect.Op == syntax.RdrInOut})
		case syntax.DplIn:
			p.in = r.duplicated(r.single(redirect.Word, s))
			if fed, ok := r.coprocess(redirect.Word); ok {
				p.from = fed.made
			}
		default:
			names := r.redirected(redirect.Word, s)
			if redirect.Op != syntax.DplOut || !slices.ContainsFunc(names, isDescriptor) {
				r.open(names, Redirect{Writes: true, Appends: redirect.Op == syntax.AppOut || redirect.Op == syntax.AppAll})
			}
			if _, ok := r.coprocess(redirect.Word); ok {
				p.want = true
			}
			if redirect.Op == syntax.DplOut || number == "2" {
				continue
			}
			p.want = true
			for _, name := range names {
				targets = append(targets, target{name, redirect.Op == syntax.AppOut || redirect.Op == syntax.AppAll})
			}
		}
	}
	return targets
}

// numbered notes what an open file with a number of its own contains.
func (r *reader) numbered(number string, text value) {
	if number != "" && number != "0" && text != nil {
		r.write(target{name: "/dev/fd/" + number}, text)
	}
}

// duplicated returns what an open file contains of which the input becomes a copy.
func (r *reader) duplicated(numbers value) value {
	if len(numbers) != 1 || !isDescriptor(numbers[0]) {
		return unknownValue
	}
	return r.contents(value{"/dev/fd/" + strings.TrimSuffix(numbers[0], "-")})
}

// coprocess returns the coprocess whose output or input a word names, such as ${COPROC[0]}.
func (r *reader) coprocess(word *syntax.Word) (found coprocess, ok bool) {
	if len(r.coprocesses) == 0 || word == nil {
		return found, false
	}
	syntax.Walk(word, func(node syntax.Node) bool {
		if p, is := node.(*syntax.ParamExp); is && p.Param != nil && !ok {
			found, ok = r.coprocesses[p.Param.Value]
		}
		return !ok
	})
	return found, ok
}

// feedCoprocesses notes that the commands of a statement write to coprocesses, and reads those with what is written.
func (r *reader) feedCoprocesses(list []*syntax.Redirect, from []int, out value) {
	for _, redirect := range list {
		if redirect.Op != syntax.DplOut && redirect.Op != syntax.RdrOut && redirect.Op != syntax.AppOut {
			continue
		}
		fed, ok := r.coprocess(redirect.Word)
		if !ok {
			continue
		}
		for _, i := range fed.made {
			r.found[i].InputFrom = r.fed(r.found[i].InputFrom, from)
		}
		if !slices.ContainsFunc(out, anyNumber) {
			r.deeper(func() { r.stmt(fed.stmt, newScope(fed.scope), pipes{in: out, from: from}) })
		}
	}
}

// redirected returns the files that the word of a redirection could name.
func (r *reader) redirected(word *syntax.Word, s *scope) value {
	names := r.single(word, s)
	if other, ok := windowsRedirect(word); ok {
		return union(names, r.single(other, s))
	}
	return names
}

// within returns the commands that were noted while do ran.
func (r *reader) within(do func()) []int {
	before := len(r.noted)
	do()
	return slices.Clip(r.noted[before:])
}

// isDescriptor reports an operand of >& that is an open file, not a name.
func isDescriptor(name string) bool { return strings.Trim(name, "0123456789-") == "" }

// open notes the files of a redirection.
func (r *reader) open(names value, how Redirect) {
	for _, name := range names {
		how.File = newWord(name)
		r.redirects = append(r.redirects, how)
	}
}

// contents returns the contents of files, as far as the text wrote them.
func (r *reader) contents(names value) value {
	var out value
	for _, name := range names {
		known, ok := r.file(name)
		if !ok {
			return unknownValue
		}
		out = union(out, known)
	}
	return out
}

// file returns the contents that the text wrote to a file.
func (r *reader) file(name string) (value, bool) {
	if name == "/dev/null" {
		return value{""}, true
	}
	key := fileKey(name)
	if v, ok := r.files[key]; ok {
		return v, true
	}
	// The text may have changed the folder between the two names of the same file.
	for _, other := range r.names[baseName(key)] {
		if strings.HasSuffix(other, "/"+key) || strings.HasSuffix(key, "/"+other) && len(r.names[baseName(key)]) == 1 {
			return r.files[other], true
		}
	}
	return nil, false
}

// write notes the new contents of a file. The text may have run only in part, so the old contents stay possible.
func (r *reader) write(to target, v value) {
	if base := baseName(to.name); hasHole(base) && allHole(base) || to.name == "/dev/null" {
		return
	}
	key := fileKey(to.name)
	if to, ok := r.sinks[key]; ok && v != nil && !slices.ContainsFunc(v, hasHole) {
		r.deeper(func() { r.stmts(to.stmts, newScope(to.scope), pipes{in: v, from: to.from}) })
		return
	}
	old, ok := r.files[key]
	switch {
	case ok && to.append:
		v = union(r.concat(old, v), v)
	case ok:
		v = union(old, v)
	default:
		r.named(key)
	}
	r.files[key] = v
}

// wrote returns the files that the text wrote, sorted by name, but for those that stand for open files.
func (r *reader) wrote() (out []Script) {
	const most = 64
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		if strings.HasPrefix(name, "/dev/") || len(out) == most {
			continue
		}
		written := Script{Name: name}
		for _, text := range r.files[name] {
			if !allHole(text) {
				written.Texts = append(written.Texts, newWord(codeHoles.Replace(text)))
			}
		}
		if len(written.Texts) > 0 {
			out = append(out, written)
		}
	}
	return out
}

// named remembers the name of a file that the text wrote, by the last part of it.
func (r *reader) named(key string) {
	base := baseName(key)
	if known := r.names[base]; len(known) < maxAlternatives {
		r.names[base] = append(known, key)
	}
}
