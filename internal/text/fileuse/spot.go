package fileuse

import (
	"slices"
	"strings"
)

// A rootKind is where a path begins.
type rootKind uint8

const (
	atRoot    rootKind = iota // /
	atHome                    // the folder of a user
	atVolume                  // a drive of Windows
	atHere                    // the folder where the call runs, or a folder above it
	atUnknown                 // not known
)

// A spot is a location in the file system.
type spot struct {
	root   rootKind
	user   *element // of atHome: the user; nil: any user
	volume string   // of atVolume, in lower case
	names  []element
	// ups counts the steps above the folder where the call runs, for atUnknown. doubtful says that the spot is a guess where they
	// lead.
	ups      int
	doubtful bool
	above    bool // of atUnknown: the steps began in the folder where the call runs
}

// manyUps is how many steps above an unknown folder are likely to reach the root.
const manyUps = 5

// someUps is how many steps are likely to if a folder of the root follows.
const someUps = 3

// rootNames are folders of the root that projects hardly have.
var rootNames = []string{"etc", "proc", "sys", "boot", "root"}

// locate returns the locations that a path with marks could be, seen from a folder, each in all its readings. With accidents, an
// unset variable also counts as empty, as in rm -rf "$DIR"/*.
func locate(folder, path string, accidents bool) [][]spot {
	out := [][]spot{locateIn(strings.ReplaceAll(folder, unsetMark, unknownMark), strings.ReplaceAll(path, unsetMark, unknownMark))}
	if accidents && (strings.Contains(path, unsetMark) || strings.Contains(folder, unsetMark)) {
		if path = strings.ReplaceAll(path, unsetMark, ""); path != "" {
			out = append(out, locateIn(strings.ReplaceAll(folder, unsetMark, ""), path))
		}
	}
	if accidents {
		out = append(out, out[0][0].climbed()...)
	}
	return out
}

// projectNames are folders that projects have, and that are hardly the name of a user.
var projectNames = strings.Fields(`app apps assets bin build cache client cmd common config coverage core data deps dist docs examples
	fixtures frontend backend generated gen internal lib libs log logs node_modules obj out output packages pkg plugins public release
	reports samples scripts server services shared site src static target temp test tests tmp tools vendor venv web website www`)

// climbed returns what a path that leads above the folder where the call runs may be. A folder above it may be that of the user, and
// next to one further above may be those of users. With everything in such a folder, the folder where the call runs is gone, too.
func (s spot) climbed() [][]spot {
	switch {
	case s.root == atUnknown && s.ups >= someUps && len(s.names) > 1 && (s.names[0].text == "home" || s.names[0].text == "Users") &&
		s.names[1].plain():
		return [][]spot{{{root: atHome, user: &s.names[1], names: s.names[2:], doubtful: true}}}
	case s.root != atUnknown || !s.above || len(s.names) > 3:
		return nil
	case len(s.names) == 2 && s.names[1].wildOnly() && s.ups > 1 && s.names[0].couldBeUser():
		return [][]spot{{{root: atHome, user: &s.names[0], names: s.names[1:], doubtful: true}}}
	case len(s.names) > 1:
		return nil
	case len(s.names) == 0 || s.names[0].wildOnly():
		return [][]spot{{{root: atHome, names: s.names, doubtful: true}}, {{root: atHere, doubtful: true}}}
	case s.ups > 1 && s.names[0].couldBeUser():
		return [][]spot{{{root: atHome, user: &s.names[0], doubtful: true}}}
	}
	return nil
}

// couldBeUser reports a name that users have, and folders of projects hardly.
func (e element) couldBeUser() bool {
	letters := strings.IndexFunc(e.text, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
	return e.plain() && e.text != "" && letters && !slices.Contains(projectNames, e.text)
}

func locateIn(folder, path string) []spot {
	path = withoutDevice(path)
	s, ok := start(path)
	if ok {
		return s.walk(path[startLength(path):]).readings()
	}
	if s, ok = start(folder); !ok {
		s = spot{root: atUnknown}
	}
	return s.walk(folder[startLength(folder):]).walk(path).readings()
}

// start returns where a path begins if it does not begin in the current folder.
func start(path string) (spot, bool) {
	switch n := startLength(path); {
	case n == 0 && path != "" && (path[0] == '/' || path[0] == '\\'):
		return spot{root: atRoot}, true
	case n == 0:
		return spot{}, false
	case path[0] == homeMark[0] || path[0] == '%':
		return spot{root: atHome}, true
	case path[0] == hereMark[0] || path[:n] == "~+":
		return spot{root: atHere}, true
	case path[0] == unknownMark[0]:
		return spot{root: atUnknown}, true
	case path[0] == '~' && n > 1:
		user := newElement(path[1:n])
		return spot{root: atHome, user: &user}, true
	case path[0] == '~':
		return spot{root: atHome}, true
	default:
		return spot{root: atVolume, volume: strings.ToLower(path[:2])}, true
	}
}

// homeVariables are the variables for the user's folder on Windows.
var homeVariables = []string{"%userprofile%", "%homedrive%%homepath%", "%homepath%", "%home%"}

// startLength returns the length of the part of a path, other than a slash, that says where it begins.
func startLength(path string) int {
	if path == "" {
		return 0
	}
	end := strings.IndexAny(path, `/\`)
	if end < 0 {
		end = len(path)
	}
	first := path[:end]
	switch path[0] {
	case homeMark[0], hereMark[0]:
		if end == 1 {
			return 1
		}
		return 0
	case unknownMark[0]:
		return end
	case '~':
		return end
	case '%':
		for _, variable := range homeVariables {
			if strings.EqualFold(first, variable) {
				return end
			}
		}
	}
	if len(first) >= 2 && first[1] == ':' && isLetter(first[0]) {
		return 2
	}
	return 0
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// walk follows a relative path.
func (s spot) walk(path string) spot {
	names := append(make([]element, 0, len(s.names)+strings.Count(path, "/")+1), s.names...)
	for part := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '/' || r == '\\' }) {
		switch {
		case part == ".":
		case part != "..":
			names = append(names, newElement(part))
		case len(names) > 0:
			if last := names[len(names)-1]; last.deep || last.unknown() {
				s, names = spot{root: atUnknown}, nil
			} else {
				names = names[:len(names)-1]
			}
		case s.root == atHome && s.user != nil && s.user.plain() && s.user.text == "root":
			s = spot{root: atRoot}
		case s.root == atHome:
			s, names = spot{root: atRoot}, []element{{text: "home"}}
		case s.root == atHere:
			s.root, s.ups, s.above = atUnknown, 1, true // next to the folder where the call runs
		case s.root == atUnknown:
			s.ups++
		}
	}
	s.names = names
	return s
}
