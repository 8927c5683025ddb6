package shell

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// Under these names a scope stores the folder that a command would run in, and the folder before it. No variable of a text has such
// a name.
const (
	folderName  = "\x00folder"
	earlierName = "\x00earlier"
)

// maxFolder bounds the path of a folder that is followed.
const maxFolder = 1024

// folder returns the folders that a command could run in. Without a change of folders it is where the text runs.
func (s *scope) folder() value {
	for ; s != nil; s = s.parent {
		if s.folders != nil {
			return s.folders
		}
	}
	return hereVariable.text
}

// folder returns the possible folders; nil: where the call runs.
func (from Start) folder() value {
	var out value
	for _, folder := range from.Folders {
		out = union(out, value{enter(hereWord, startFolder(clean(folder)))})
	}
	if from.Unknown {
		out = union(out, value{oneWord})
	}
	return out
}

// Words returns the folders as words.
func (from Start) Words() []Word {
	folders := from.folder()
	if folders == nil {
		folders = value{hereWord}
	}
	return newWords(folders)
}

// Known reports whether the folder is one of those that are listed, and all of them can be followed.
func (from Start) Known() bool {
	tooLong := func(folder string) bool { return len(folder) > maxFolder-len(hereWord+"/") }
	return !from.Unknown && len(from.Folders) <= maxAlternatives && !slices.ContainsFunc(from.Folders, tooLong)
}

// startFolder replaces a variable for the user's folder by a hole, because some tools expand it.
func startFolder(folder string) string {
	for _, name := range []string{"$HOME", "${HOME}", "$env:USERPROFILE"} {
		rest, ok := strings.CutPrefix(folder, name)
		if ok && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
			return homeWord + rest
		}
	}
	return folder
}

// outermost returns the scope where the text begins.
func (r *reader) outermost() *scope {
	s := newScope(nil)
	if r.from != nil {
		s.setText(folderName, r.from)
	}
	return s
}

func (s *scope) setFolder(folder value) {
	s.setText(earlierName, s.folder())
	s.setText(folderName, folder)
}

// follow adopts the folder that a command changed to.
func (s *scope) follow(ran *scope) {
	for _, name := range []string{folderName, earlierName} {
		if v, ok := ran.vars[name]; ok {
			s.set(name, v)
		}
	}
}

// outside returns the value of a variable that the text does not set.
func outside(name string, s *scope) value {
	switch name {
	case "HOME", "USERPROFILE":
		return value{homeWords}
	case "PWD":
		return s.folder()
	case "OLDPWD":
		v, _ := s.get(earlierName)
		return v.text
	}
	if folder, ok := windowsFolders[name]; ok && folder != "" {
		return value{strings.Replace(folder, "~", homeWords, 1)}
	}
	if place, ok := program.PlaceVariables[name]; ok {
		return value{strings.Replace(place, "~", homeWords, 1), unsetWords}
	}
	if program.SecretVariable(name) {
		return value{secretWord}
	}
	return value{unsetWords}
}

// given returns the texts with their holes as values that were set: none of them is empty because a variable is unset.
func given(texts value) value {
	out := make(value, len(texts))
	for i, text := range texts {
		out[i] = givenHoles.Replace(text)
	}
	return out
}

// inFolder returns a scope whose folder is changed to dir, as with env -C.
func inFolder(s *scope, dir string) *scope {
	inner := newScope(s)
	inner.setFolder(entered(s.folder(), dir))
	return inner
}

// entered returns the folders that dir leads to.
func entered(from value, dir string) value {
	if dir == unsetWords {
		return value{unsetWord + homeWord} // without a word, cd goes home
	}
	var out value
	for _, folder := range from {
		out = union(out, value{enter(folder, dir)})
	}
	return out
}

// enter returns the folder that dir leads to from another.
func enter(from, dir string) string {
	dir = quoteHoles.Replace(dir)
	if dir == "" {
		return from
	}
	if !startsAnywhere(dir) {
		dir = from + "/" + dir
	}
	if dir = withoutDots(dir); len(dir) > maxFolder {
		return oneWord
	}
	return dir
}

// startsAnywhere reports whether a path does not begin in the current folder.
func startsAnywhere(path string) bool {
	switch path[0] {
	case '/', '\\', '~', oneWord[0], homeWord[0], unsetWord[0], hereWord[0]:
		return true
	}
	return len(path) > 1 && path[1] == ':'
}

// withoutDots removes "." and "..", with the names that ".." leaves, so that a path does not grow.
func withoutDots(path string) string {
	if !strings.Contains(path, "/.") && !strings.Contains(path, "//") {
		return path
	}
	names := strings.Split(path, "/")
	out := names[:1]
	for _, name := range names[1:] {
		last := out[len(out)-1]
		switch {
		case name == "" || name == ".":
		case name == ".." && len(out) > 1 && last != ".." && !hasHole(last):
			out = out[:len(out)-1]
		default:
			out = append(out, name)
		}
	}
	if len(out) == 1 && out[0] == "" {
		return "/"
	}
	return strings.Join(out, "/")
}

// folderPrograms are the programs that change the folder, or print one.
var folderPrograms = map[string]handler{
	"cd chdir pushd popd set-location sl push-location pop-location": changeFolder,
	"z zi j autojump":       leaveFolder,
	"pwd get-location gl":   currentFolder,
	"ls dir":                list,
	"rg":                    searchedFiles,
	"locate plocate mdfind": located,
	"gci get-childitem":     listItems,
	"dirname":               parentFolder,
	"realpath readlink":     fullPath,
}

// changeFolder reads cd and similar commands.
func changeFolder(_ *reader, c invocation) value {
	var dirs []string
	for _, arg := range c.args {
		if option := fold(arg); option == "-" || !strings.HasPrefix(arg, "-") && option != "/d" {
			dirs = append(dirs, arg)
		}
	}
	earlier, _ := c.scope.get(earlierName)
	switch {
	case c.name == "popd" || c.name == "pop-location" || len(dirs) == 1 && dirs[0] == "-":
		c.scope.setFolder(earlier.text)
	case len(dirs) == 0 && (c.name == "pushd" || c.name == "push-location"):
		c.scope.setFolder(earlier.text)
	case len(dirs) == 0:
		c.scope.setFolder(value{homeWord})
	case len(dirs) > 1 || strings.HasPrefix(dirs[0], "+"):
		c.scope.setFolder(value{oneWord})
	default:
		c.scope.setFolder(entered(c.scope.folder(), dirs[0]))
	}
	return value{""}
}

// leaveFolder reads programs that go to a folder of their own choice.
func leaveFolder(_ *reader, c invocation) value {
	c.scope.setFolder(value{oneWord})
	return value{""}
}

// currentFolder outputs the folder.
func currentFolder(_ *reader, c invocation) value {
	var out value
	for _, folder := range c.scope.folder() {
		out = append(out, folder+"\n")
	}
	return out
}

// parentFolder outputs the folder of a path.
func parentFolder(_ *reader, c invocation) value {
	if len(c.args) != 1 || c.args[0] == "" {
		return unknownValue
	}
	path := strings.TrimRight(quoteHoles.Replace(c.args[0]), "/")
	cut := strings.LastIndexByte(path, '/')
	switch {
	case path == "" || cut == 0:
		return value{"/\n"}
	case path[cut+1:] == hereWord || path[cut+1:] == homeWord:
		return value{path + "/..\n"}
	case path[cut+1:] == ".." || strings.HasSuffix(path, "/.."):
		return value{path + "/..\n"} // so it is if no folder is a link
	case hasHole(path[cut+1:]):
		return unknownValue // the unknown part may have slashes
	case cut < 0:
		return value{".\n"}
	}
	return value{path[:cut] + "\n"}
}

// fullPath outputs a path from the root. Links are not resolved.
func fullPath(_ *reader, c invocation) value {
	var paths []string
	for _, arg := range c.args {
		if !strings.HasPrefix(arg, "-") {
			paths = append(paths, arg)
		}
	}
	if len(paths) != 1 || paths[0] == "" || anyNumber(paths[0]) && paths[0] != homeWords && paths[0] != hereWords {
		return unknownValue
	}
	var out value
	for _, folder := range c.scope.folder() {
		out = union(out, value{enter(folder, paths[0]) + "\n"})
	}
	return out
}
