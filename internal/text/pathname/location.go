package pathname

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/weir-gate/weir/internal/text/truth"
)

// An anchor is where a location starts.
type anchor int

const (
	absolute      anchor = iota
	unknownFolder        // the session's folder, whose path is not known
	unknownHome          // the user's folder, whose path is not known
	nowhere              // nothing is known
)

// A location is a cleaned path. It is immutable: operations return new locations.
type location struct {
	anchor anchor
	volume string // "", or a drive or server and share, in lower case; only of absolute locations
	ups    int    // how many folders above an unknown anchor it goes before its names
	names  []name
	open   bool // some step in it could lead anywhere
}

// A name is one step of a path.
type name struct {
	text string
	wild bool // a pattern: matches any one name, perhaps none
}

// walk follows steps from a location. Steps above the top stay at the top.
func (l location) walk(steps []step) location {
	names := append(make([]name, 0, len(l.names)+len(steps)), l.names...)
	for _, s := range steps {
		switch s.kind {
		case stepName:
			names = append(names, name{s.text, false})
		case stepWild:
			names = append(names, name{s.text, true})
		case stepAny:
			l.open = true
		case stepUp:
			switch {
			case len(names) > 0:
				l.open = l.open || strings.Contains(names[len(names)-1].text, "**") && names[len(names)-1].wild
				names = names[:len(names)-1]
			case l.anchor != absolute:
				l.ups++
			}
		}
	}
	l.names = names
	return l
}

// inside says whether the location is inside a root.
func (l location) inside(root location) truth.Value {
	switch {
	case l.anchor == nowhere || l.open:
		return truth.Maybe
	case l.anchor != root.anchor:
		return l.insideOther(root)
	case l.volume != root.volume:
		return truth.No
	case l.ups < root.ups:
		return truth.Maybe // the names of the folders that the root leaves and l does not are unknown
	case l.ups > root.ups && len(l.names) == 0:
		return truth.No
	case l.ups > root.ups:
		return truth.Maybe // the path may lead back in
	}
	return l.below(root)
}

// insideOther compares locations if at least one of them has an unknown start.
func (l location) insideOther(root location) truth.Value {
	if root.anchor == absolute && root.volume == "" && len(root.names) == 0 {
		return truth.Yes // everything is below /
	}
	return truth.Maybe
}

// below compares names of locations with the same start.
func (l location) below(root location) truth.Value {
	if len(l.names) < len(root.names) {
		for i, n := range l.names {
			if n.wild && strings.Contains(n.text, "**") && equalNames(l.names[:i], root.names[:i]) > truth.No {
				return truth.Maybe
			}
		}
		return truth.No
	}
	return equalNames(l.names[:len(root.names)], root.names)
}

func equalNames(names, want []name) truth.Value {
	answer := truth.Yes
	for i, w := range want {
		switch n := names[i]; {
		case n.wild:
			answer = truth.Maybe
			if strings.Contains(n.text, "**") {
				return truth.Maybe
			}
		case n.text == w.text:
		case fold(n.text) == fold(w.text):
			answer = truth.Maybe
		default:
			return truth.No
		}
	}
	return answer
}

// fold removes differences that some file systems ignore: case, compatible and composed forms, invisible characters, dots and
// blanks at the end.
func fold(s string) string {
	plain := true
	for i := range len(s) {
		c := s[i]
		plain = plain && c < 0x80 && (c < 'A' || c > 'Z')
	}
	if plain {
		return strings.TrimRight(s, ". ")
	}
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		return r
	}, s)
	return strings.TrimRight(norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s))), ". ")
}

// sameAs returns other locations that are the same file on some systems.
func (l location) sameAs() []location {
	if l.anchor != absolute || l.open {
		return nil
	}
	var out []location
	add := func(volume string, names []name) {
		out = append(out, location{anchor: absolute, volume: volume, names: names})
	}
	at := func(i int) string {
		if i < len(l.names) {
			return l.names[i].text
		}
		return ""
	}
	drive := len(l.volume) == 2 && l.volume[1] == ':'
	switch {
	case drive: // where Linux, and Unix-like shells on Windows, mount the drive
		add("", append([]name{{text: "mnt"}, {text: l.volume[:1]}}, l.names...))
		add("", append([]name{{text: l.volume[:1]}}, l.names...))
		add("", append([]name{{text: "cygdrive"}, {text: l.volume[:1]}}, l.names...))
		add("", l.names)
	case l.volume != "":
		if strings.HasSuffix(l.volume, "$") { // \\server\c$ is a whole drive
			add(string(l.volume[len(l.volume)-2])+":", l.names)
		}
	case (at(0) == "mnt" || at(0) == "cygdrive") && len(at(1)) == 1:
		add(strings.ToLower(at(1))+":", l.names[2:])
	case len(at(0)) == 1 && isLetter(at(0)[0]):
		add(strings.ToLower(at(0))+":", l.names[1:])
	case at(0) == "private":
		add("", l.names[1:])
	case at(0) == "System" && at(1) == "Volumes" && at(2) == "Data":
		add("", l.names[3:])
	case at(0) == "proc" && at(2) == "root":
		add("", l.names[3:])
	case at(0) == "proc" && (at(2) == "cwd" || at(2) == "fd") || at(0) == "dev" && at(1) == "fd":
		out = append(out, location{anchor: nowhere})
	}
	return out
}
