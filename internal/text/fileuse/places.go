package fileuse

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/text/truth"
)

// Places are files and folders, given as patterns.
type Places struct{ places []place }

// A place is the files that one pattern matches.
type place struct {
	spots    []spot
	anywhere bool // the pattern has only names: it matches at the end of any path
}

// NewPlaces parses patterns: absolute paths, paths that begin with ~ or with a dot, or names. In each name * matches any run of
// characters, ? one character, [a-z] one of a set. ** instead of a name matches any number of names; at the end it matches
// everything below. ~ is the folder of any user, the dot the folder where the call runs. Names alone are compared with the end of a
// path.
func NewPlaces(patterns []string) (Places, error) {
	var out Places
	for _, pattern := range patterns {
		p, err := newPlace(pattern)
		if err != nil {
			return Places{}, fmt.Errorf("%q is not a pattern of files: %w", pattern, err)
		}
		out.places = append(out.places, p)
	}
	return out, nil
}

func newPlace(pattern string) (place, error) {
	text := strings.ReplaceAll(pattern, `\`, "/")
	switch {
	case strings.Trim(text, " ") == "" || !utf8.ValidString(text):
		return place{}, fmt.Errorf("it names nothing; write a path such as ~/.ssh/** or a name such as *.pem")
	case strings.HasPrefix(text, "$"), strings.HasPrefix(text, "%"):
		return place{}, fmt.Errorf("variables are not read here; write ~ for the folder of a user")
	}
	s, rooted := start(text)
	rest := text
	if rooted {
		rest = text[startLength(text):]
	} else if after, ok := strings.CutPrefix(text+"/", "./"); ok {
		s, rooted, rest = spot{root: atHere}, true, after
	}
	for name := range strings.SplitSeq(rest, "/") {
		e, err := patternElement(name)
		switch {
		case err != nil:
			return place{}, err
		case name == "." || name == "..":
			return place{}, fmt.Errorf("dots lead nowhere here; write an absolute path, one that begins with ~ or ./, or the names it ends with")
		case name != "":
			s.names = append(s.names, e)
		}
	}
	if rooted {
		return place{spots: s.readings()}, nil
	}
	if !slices.ContainsFunc(s.names, element.hasLiteral) {
		return place{}, fmt.Errorf("it names every file; write a name such as *.pem, or a path")
	}
	return place{spots: []spot{s}, anywhere: true}, nil
}

// patternElement parses one name of a pattern.
func patternElement(name string) (element, error) {
	if name == "**" {
		return element{deep: true}, nil
	}
	if !strings.ContainsAny(name, "*?[") {
		return element{text: name}, nil
	}
	var atoms []atom
	for name != "" {
		r, size := utf8.DecodeRuneInString(name)
		a := atom{char: r}
		switch r {
		case '*':
			a = atom{kind: anyRun}
		case '?':
			a = atom{kind: anyRune}
		case '[':
			set, length, ok := readSet(name)
			if !ok {
				return element{}, fmt.Errorf("a [ is not closed; write [[] for the sign itself")
			}
			a, size = atom{kind: runeSet, set: set}, length
		}
		atoms = append(atoms, a)
		name = name[size:]
	}
	return element{atoms: atoms}, nil
}

// readSet parses [abc], [a-z] or [!abc] and returns its length.
func readSet(text string) (set *runeRanges, length int, ok bool) {
	set = &runeRanges{}
	i := 1
	if i < len(text) && (text[i] == '!' || text[i] == '^') {
		set.negated = true
		i++
	}
	for first := true; i < len(text); first = false {
		if text[i] == ']' && !first {
			return set, i + 1, true
		}
		low, size := utf8.DecodeRuneInString(text[i:])
		high := low
		i += size
		if strings.HasPrefix(text[i:], "-") && len(text) > i+1 && text[i+1] != ']' {
			high, size = utf8.DecodeRuneInString(text[i+1:])
			i += 1 + size
		}
		set.ranges = append(set.ranges, low, high)
	}
	return nil, 0, false
}

// Counts reports whether the use counts as that deed. Removing a file also counts as writing it.
func (u *Use) Counts(deed Deed) bool { return u.Deed == deed || deed == Writes && u.Deed == Removes }

// Touched says, for each use that counts as the deed, whether it is of one of the places: Yes if all of it surely is, Maybe if some
// of it could be, for example if a folder that contains the place is removed.
func (p Places) Touched(uses []Use, deed Deed) []truth.Value {
	var out []truth.Value
	for i := range uses {
		u := &uses[i]
		if !u.Counts(deed) {
			continue
		}
		best := p.of(u, deed)
		if u.unread {
			best = truth.Maybe
		}
		out = append(out, best)
	}
	return out
}

// of says whether a use is of one of the places. A use that could be of several files surely is only if each of them is.
func (p Places) of(u *Use, deed Deed) truth.Value {
	most, least := truth.No, truth.Yes
	c := comparison{tree: u.Tree, emptied: deed == Removes}
	for _, readings := range u.spots {
		best := truth.No
		for i := 0; i < len(p.places) && best != truth.Yes; i++ {
			best = max(best, p.places[i].holds(readings, c))
		}
		most, least = max(most, best), min(least, best)
	}
	if most == truth.Yes && least != truth.Yes {
		return truth.Maybe
	}
	return most
}

// holds compares a file, under every name that it could have, with the place.
func (p *place) holds(readings []spot, c comparison) truth.Value {
	c.anywhere = p.anywhere
	best := truth.No
	for i := range readings {
		for j := range p.spots {
			best = max(best, compare(&readings[i], &p.spots[j], c))
		}
	}
	return best
}
