// Package pathname reads the paths of files as programs would.
//
// Only the text is read. Where symbolic links lead is not known, so a path that is inside a folder by its text may end elsewhere.
package pathname

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// A Place is where a path is used.
type Place struct {
	// Folder is the absolute path of the current folder, against which relative paths are resolved; "": not known.
	Folder string
	// Home is the absolute path of the user's folder; "": not known.
	Home string
}

// Within says whether the path lies inside one of the roots or is one. It is cleaned first: dots, slashes, ~ and variables for the
// user's folder, file URLs, the forms of Windows. Yes means that every reading of the text is inside, No that none is. Names that
// are the same only on systems that ignore case or the form of letters give Maybe, and so do parts that are filled in later, such
// as variables and patterns, where they matter.
func Within(path string, roots []Root, at Place) truth.Value {
	p := newPlace(at)
	l := p.locateAll(read(path))
	best := truth.No
	for _, root := range roots {
		best = max(best, l.inside(root, p))
	}
	if len(roots) > 1 && best < truth.Yes && l.allInside(roots, p) {
		return truth.Yes // each reading is inside a root, perhaps not the same one
	}
	return best
}

// locations are where the readings of one path lead.
type locations struct {
	main   []location
	others []location // only raise No to Maybe
	odd    bool
}

func (p place) locateAll(r readings) locations {
	out := locations{odd: r.odd}
	for _, reading := range r.main {
		l := p.locate(reading)
		out.main = append(out.main, l)
		out.others = append(out.others, l.sameAs()...)
	}
	for _, reading := range r.others {
		l := p.locate(reading)
		out.others = append(append(out.others, l), l.sameAs()...)
	}
	return out
}

// inside compares with one root.
func (l locations) inside(root Root, p place) truth.Value {
	where, ok := root.at(p)
	if !ok {
		return truth.Maybe
	}
	lowest, highest := truth.Yes, truth.No
	for _, at := range l.main {
		a := at.inside(where)
		lowest, highest = min(lowest, a), max(highest, a)
	}
	if lowest == truth.Yes && !l.odd {
		return truth.Yes
	}
	for _, at := range l.others {
		highest = max(highest, at.inside(where))
	}
	return min(highest, truth.Maybe)
}

func (l locations) allInside(roots []Root, p place) bool {
	for _, at := range l.main {
		inside := false
		for _, root := range roots {
			where, ok := root.at(p)
			inside = inside || ok && at.inside(where) == truth.Yes
		}
		if !inside {
			return false
		}
	}
	return !l.odd
}

// place is a Place with its folders parsed.
type place struct {
	folder, home location // of kind unknownFolder and unknownHome if they are not known
}

func newPlace(at Place) place {
	known := func(text string, unknown anchor) location {
		if text == "" {
			return location{anchor: unknown}
		}
		r := readPlain(text, isWindows(text))
		if r.start != startRoot {
			return location{anchor: unknown}
		}
		return location{anchor: absolute, volume: r.volume}.walk(r.names)
	}
	return place{folder: known(at.Folder, unknownFolder), home: known(at.Home, unknownHome)}
}

// locate resolves one reading of a path.
func (p place) locate(r reading) location {
	switch r.start {
	case startFolder:
		return p.folder.walk(r.names)
	case startHome:
		return p.home.walk(r.names)
	case startRoot:
		return location{anchor: absolute, volume: r.volume}.walk(r.names)
	case startVolume:
		// On Windows a path without a drive is on the drive of the current folder.
		if p.folder.anchor == absolute && p.folder.volume != "" {
			return location{anchor: absolute, volume: p.folder.volume}.walk(r.names)
		}
		return location{anchor: absolute}.walk(r.names)
	default:
		return location{anchor: nowhere}
	}
}

// A Root is a folder that paths are compared with.
type Root struct{ reading reading }

func (r Root) at(p place) (location, bool) {
	where := p.locate(r.reading)
	return where, where.anchor != nowhere && !where.open
}

// isWindows reports a path with the letter of a drive or the name of a server.
func isWindows(path string) bool {
	return len(path) >= 2 && isLetter(path[0]) && path[1] == ':' || strings.HasPrefix(path, `\\`)
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
