package fileuse

import (
	"slices"
	"strings"
)

// readings are the spot and its other names: users' folders have absolute paths, and some paths are links on every system of their
// kind.
func (s spot) readings() []spot {
	s = s.withoutLinks()
	out := []spot{s}
	switch s.root {
	case atRoot:
		out = append(out, s.homes()...)
		if drive, ok := s.drive(); ok {
			out = append(out, drive)
			out = append(out, drive.homes()...)
		}
	case atVolume:
		out = append(out, s.homes()...)
	case atUnknown:
		if s.ups >= manyUps || s.ups >= someUps && (slices.Contains(rootNames, s.at(0)) || s.namesDotFile()) {
			top := spot{root: atRoot, names: s.names}
			out = append(out, top.readings()...)
			for i := range out[1:] {
				out[i+1].doubtful = true
			}
		}
	}
	return out
}

// namesDotFile reports a path such as home/ann/.ssh, which projects hardly have.
func (s spot) namesDotFile() bool {
	return (s.at(0) == "home" || s.at(0) == "Users") && strings.HasPrefix(s.at(2), ".")
}

// at returns the text of the name at index i, or "".
func (s spot) at(i int) string {
	if i < len(s.names) {
		return s.names[i].text
	}
	return ""
}

// withoutLinks replaces well-known links by their targets.
func (s spot) withoutLinks() spot {
	if s.root != atRoot {
		return s
	}
	switch {
	case s.at(0) == "private" && (s.at(1) == "etc" || s.at(1) == "var" || s.at(1) == "tmp"):
		s.names = s.names[1:]
	case s.at(0) == "System" && s.at(1) == "Volumes" && s.at(2) == "Data":
		s.names = s.names[3:]
	case s.at(0) == "proc" && s.at(2) == "root":
		s.names = s.names[3:]
		return s.withoutLinks()
	case s.at(0) == "proc" && s.at(2) == "cwd":
		s.root, s.names = atHere, s.names[3:]
	}
	return s
}

// drive returns a path below the mount point of a Windows drive as a path on that drive.
func (s spot) drive() (spot, bool) {
	skip := 0
	if s.at(0) == "mnt" || s.at(0) == "cygdrive" {
		skip = 1
	}
	letter := s.at(skip)
	if len(letter) != 1 || !isLetter(letter[0]) || skip == 0 && letter != "c" {
		return spot{}, false
	}
	return spot{root: atVolume, volume: string(letter[0]|0x20) + ":", names: s.names[skip+1:]}, true
}

// homeFolders are the folders that contain the users' folders.
var homeFolders = [][]element{
	{{text: "home"}}, {{text: "Users"}}, {{text: "usr"}, {text: "home"}}, {{text: "export"}, {text: "home"}},
}

// rootHomes are the folders of root.
var rootHomes = [][]element{{{text: "root"}}, {{text: "var"}, {text: "root"}}}

// homes returns the spot as one in a user's folder, in each possible way.
func (s spot) homes() []spot {
	var out []spot
	for _, folder := range homeFolders {
		n := len(folder)
		if len(s.names) > n && couldBe(s.names[:n], folder) && !s.names[n].deep {
			user := s.names[n]
			out = append(out, spot{root: atHome, user: &user, names: s.names[n+1:]})
		}
	}
	for _, folder := range rootHomes {
		if n := len(folder); len(s.names) >= n && s.root == atRoot && couldBe(s.names[:n], folder) {
			out = append(out, spot{root: atHome, user: &element{text: "root"}, names: s.names[n:]})
		}
	}
	// A search that begins above the users' folders finds what is in them.
	for i, name := range s.names {
		if i > 2 || name.deep {
			if name.deep && (i == 0 || slices.ContainsFunc(homeFolders, func(f []element) bool { return i == len(f) && couldBe(s.names[:i], f) })) {
				out = append(out, spot{root: atHome, names: s.names[i:]})
			}
			break
		}
	}
	return out
}

func couldBe(names, want []element) bool {
	for i, w := range want {
		if names[i].deep || !names[i].covers(w, perhaps) {
			return false
		}
	}
	return true
}
