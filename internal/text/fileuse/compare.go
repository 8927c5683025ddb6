package fileuse

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// A comparison says how a used spot relates to a place that it counts as a use of.
type comparison struct {
	anywhere bool // the place may stand anywhere, only its names count
	tree     bool // a folder that has the place in it counts
	emptied  bool // all that is in the place counts
}

// compare says whether the use is of the place.
func compare(u, p *spot, c comparison) truth.Value {
	if c.apart(u, p) {
		return truth.No
	}
	sure := surely
	if u.root == atVolume {
		sure = exactly // Windows does not tell cases apart
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

// apart sees at a glance that a use has nothing to do with a place, as most have not.
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
	// Only a search from the top, or from the folder of a user, is sure to come by.
	fromTop := (u.root == atHome || u.root == atRoot) && len(u.names) > 0 && u.names[0].deep
	return walk{pattern: p.names, anywhere: c.anywhere, how: how, bridges: !c.anywhere || fromTop}
}

// reaches reports whether a use that is not of the place itself has to do with it: as it is of a folder above, or of all
// that is in it.
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

// sameRoot reports whether two paths begin in the same place.
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

// holdsHomes reports whether the spot is above the folders of users, and the place in one.
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

// reached says where the names of a path lead in those of a pattern.
type reached struct {
	end    bool // to its end
	inside bool // to a folder above its end
}

// A walk goes through the names of a path and keeps the places in the pattern that can be reached: state j says that the
// first j names of the pattern are met.
type walk struct {
	pattern  []element
	anywhere bool // the pattern may begin at any name
	how      strictness
	// bridges says that what a search finds may be in the folders that the pattern names, though the path does not.
	bridges bool
}

// A state is a place in the pattern and how it was reached.
type state struct {
	on bool
	// literal: a name of which something is known met one of the pattern that is not a mere wildcard. Without that, any
	// wildcard would meet a pattern that may stand anywhere.
	literal bool
	// bridged: folders of the pattern were met by a search that does not name them, so that the rest must fit closely.
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

// along takes the names of a path.
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

// step takes one name.
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

// search takes what a search goes through: no name, or any number of them.
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

// skipDeep adds the states behind a ** that stands for no name, which one at the end does not.
func (w walk) skipDeep(at []state) {
	for j, name := range w.pattern {
		if name.deep && j+1 < len(w.pattern) {
			at[j+1].join(at[j])
		}
	}
}
