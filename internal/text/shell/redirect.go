package shell

import (
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
		r.giveUp()
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
		case syntax.WordHdoc:
			p.from = r.within(func() { p.in = r.concat(r.single(redirect.Word, s), value{"\n"}) })
		case syntax.RdrIn, syntax.RdrInOut:
			var names value
			p.from = r.within(func() { names = r.redirected(redirect.Word, s) })
			p.in = r.contents(names)
			r.open(names, Redirect{Reads: true, Writes: redirect.Op == syntax.RdrInOut})
		case syntax.DplIn:
			r.single(redirect.Word, s)
			p.in = unknownValue
		default:
			names := r.redirected(redirect.Word, s)
			if redirect.Op != syntax.DplOut || !slices.ContainsFunc(names, isDescriptor) {
				r.open(names, Redirect{Writes: true, Appends: redirect.Op == syntax.AppOut || redirect.Op == syntax.AppAll})
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

// named remembers the name of a file that the text wrote, by the last part of it.
func (r *reader) named(key string) {
	base := baseName(key)
	if known := r.names[base]; len(known) < maxAlternatives {
		r.names[base] = append(known, key)
	}
}
