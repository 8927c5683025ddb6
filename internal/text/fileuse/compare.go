package fileuse

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// A comparison says which spots count as a use of a place.
type comparison struct {
	anywhere bool // the place may be anywhere: only its names count
	tree     bool // a folder that contains the place counts
	emptied  bool // a use of everything in the place counts
}

// compare says whether the use is of the place.
func compare(u, p *spot, c comparison) truth.Value {
	if c.apart(u, p) {
		return truth.No
	}
	sure := surely
	if u.root == atVolume {
		sure = exactly // Windows ignores case
	}
	for _, how := range []strictness{sure, perhaps} {
		if !c.anywhere && !u.sameRoot(p, how) {
			continue
		}
		if c.walk(u, p, how).along(u.names).end {
			if u.doubtful {
				return truth.Maybe
			}
			return answerOf(how)
		}
	}
	if c.reaches(u, p) {
		return truth.Maybe
	}
	return truth.No
}

// apart finds quickly that a use has nothing to do with a place, which is the usual case.
func (c comparison) apart(u, p *spot) bool {
	n, m := len(u.names), len(p.names)
	if c.anywhere {
		first, last := p.names[0], p.names[m-1]
		if !c.tree && !last.deep && (n == 0 || u.names[n-1].plain() && !u.names[n-1].covers(last, perhaps)) {
			return true
		}
		meets := func(name element) bool { return !name.plain() || name.covers(first, perhaps) }
		return !first.deep && !slices.ContainsFunc(u.names, meets)
	}
	if u.root != p.root {
		return !c.tree || p.root != atHome || u.root != atRoot && u.root != atVolume
	}
	return n > 0 && m > 0 && u.names[0].plain() && p.names[0].plain() && !strings.EqualFold(u.names[0].text, p.names[0].text)
}

func answerOf(how strictness) truth.Value {
	if how == perhaps {
		return truth.Maybe
	}
	return truth.Yes
}

func (c comparison) walk(u, p *spot, how strictness) walk {
	// Only a search that starts at the root, or in a user's folder, is sure to reach the place.
	fromTop := (u.root == atHome || u.root == atRoot) && len(u.names) > 0 && u.names[0].deep
	return walk{pattern: p.names, anywhere: c.anywhere, how: how, bridges: !c.anywhere || fromTop}
}

// reaches reports whether a use concerns the place without naming it: it is of a folder above, or of everything in it.
func (c comparison) reaches(u, p *spot) bool {
	if !c.anywhere && !u.sameRoot(p, perhaps) {
		return c.tree && u.holdsHomes(p)
	}
	w := c.walk(u, p, perhaps)
	if c.tree && w.along(u.names).inside {
		return true
	}
	n := len(u.names) - 1
	return c.emptied && n >= 0 && u.names[n].wildOnly() && w.along(u.names[:n]).end
}

// sameRoot reports whether two paths begin at the same root.
func (s *spot) sameRoot(p *spot, how strictness) bool {
	switch {
	case s.root != p.root || s.root == atUnknown:
		return false
	case s.root == atVolume:
		return s.volume == p.volume
	case s.root == atHome && p.user != nil && s.user == nil:
		return how == perhaps
	case s.root == atHome && p.user != nil:
		return s.user.covers(*p.user, how)
	}
	return true
}

// holdsHomes reports whether the spot is above the users' folders, and the place is in one of them.
func (s *spot) holdsHomes(p *spot) bool {
	if p.root != atHome || s.root != atRoot && s.root != atVolume {
		return false
	}
	if len(s.names) == 0 {
		return true
	}
	for _, folder := range homeFolders {
		if n := len(s.names); n <= len(folder) && couldBe(s.names, folder[:n]) {
			return true
		}
	}
	return false
}

// reached says how far the names of a path get in those of a pattern.
type reached struct {
	end    bool // to its end
	inside bool // to a folder above its end
}

// A walk goes through the names of a path and tracks the positions in the pattern that can be reached: state j says that the first
// j names of the pattern have matched.
type walk struct {
	pattern  []element
	anywhere bool // the pattern may begin at any name
	how      strictness
	// bridges says that the results of a search may be in folders that the pattern names but the path does not.
	bridges bool
}

// A state is a position in the pattern and how it was reached.
type state struct {
	on bool
	// literal: a name that is partly known has matched a name of the pattern that is more than a wildcard. Otherwise any wildcard
	// would match a pattern that may begin anywhere.
	literal bool
	// bridged: a search matched folders of the pattern without naming them, so the rest must match closely.
	bridged bool
}

func (s *state) join(t state) {
	if !t.on {
		return
	}
	s.bridged = t.bridged && (!s.on || s.bridged)
	s.on = true
	s.literal = s.literal || t.literal
}

// along follows the names of a path.
func (w walk) along(names []element) reached {
	at := make([]state, len(w.pattern)+1)
	at[0] = state{on: true, literal: !w.anywhere}
	w.skipDeep(at)
	for _, name := range names {
		next := make([]state, len(w.pattern)+1)
		if w.anywhere {
			next[0] = state{on: true}
		}
		for j, s := range at {
			switch {
			case !s.on:
			case name.deep:
				w.search(next, s, j)
			default:
				w.step(next, s, j, name)
			}
		}
		w.skipDeep(next)
		at = next
	}
	var out reached
	for j, s := range at {
		switch {
		case !s.on || !s.literal:
		case j == len(w.pattern):
			out.end = true
		default:
			out.inside = out.inside || j > 0 || !w.anywhere
		}
	}
	return out
}

// step follows one name.
func (w walk) step(next []state, s state, j int, name element) {
	if j == len(w.pattern) {
		return
	}
	want := w.pattern[j]
	if want.deep {
		next[j].join(s)
		next[j+1].join(s)
		return
	}
	if !name.covers(want, w.how) || s.bridged && !name.fits(want) {
		return
	}
	s.literal = s.literal || name.hasLiteral() && want.hasLiteral()
	next[j+1].join(s)
}

// search follows a search: it passes no name, or any number of names.
func (w walk) search(next []state, s state, j int) {
	next[j].join(s)
	for k := j; k < len(w.pattern); k++ {
		if !w.pattern[k].deep {
			if w.how != perhaps || !w.bridges && (j == 0 || !s.literal) {
				return
			}
			s.bridged = true
		}
		next[k+1].join(s)
	}
}

// skipDeep adds the states after a ** that matches no name. A ** at the end must match a name.
func (w walk) skipDeep(at []state) {
	for j, name := range w.pattern {
		if name.deep && j+1 < len(w.pattern) {
			at[j+1].join(at[j])
		}
	}
}
