package shell

import "slices"

// maxAlternatives bounds how many values of a variable or a word are remembered; beyond it nothing is known of it.
const maxAlternatives = 8

// A value is a list of possible texts. It is never empty; a nil value means that there is none.
type value []string

var unknownValue = value{anyWords}

// union returns a value that may be a or b.
func union(a, b value) value {
	out := slices.Clone(a)
	for _, v := range b {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	if len(out) > maxAlternatives {
		return unknownValue
	}
	return out
}

// A variable holds a text or, if lists is not nil, one of these arrays.
type variable struct {
	text  value
	lists [][]string
	ref   string // the variable that it is another name of
}

var (
	unknownVariable = variable{text: unknownValue}
	hereVariable    = variable{text: value{hereWord}}
)

// array returns a variable that holds this list.
func array(list []string) variable { return variable{text: unknownValue, lists: [][]string{list}} }

func (v variable) equal(w variable) bool {
	return v.ref == w.ref && slices.Equal(v.text, w.text) && slices.EqualFunc(v.lists, w.lists, slices.Equal)
}

// join returns a variable that may be either.
func (v variable) join(w variable) variable {
	switch {
	case v.equal(w):
		return v
	case v.ref != "" || w.ref != "":
		return unknownVariable
	case v.lists == nil && w.lists == nil:
		return variable{text: union(v.text, w.text)}
	}
	lists := slices.Clone(v.asLists())
	for _, list := range w.asLists() {
		if !slices.ContainsFunc(lists, func(l []string) bool { return slices.Equal(l, list) }) {
			lists = append(lists, list)
		}
	}
	if len(lists) > maxAlternatives {
		return array([]string{anyWords})
	}
	return variable{text: unknownValue, lists: lists}
}

// asLists returns the possible elements of the variable: a text is an array of one.
func (v variable) asLists() [][]string {
	if v.lists != nil {
		return v.lists
	}
	var lists [][]string
	for _, text := range v.text {
		lists = append(lists, []string{text})
	}
	return lists
}

// A scope holds the variables that a part of the text has set. Its parent has the others.
type scope struct {
	parent *scope
	vars   map[string]variable // the positional parameters have the name @
	shell  string              // $0; "": that of the parent
	// folders are the variable with the folders, which every command needs; nil: those of the parent.
	folders value

	contained bool // commands here run in a container
	away      bool // commands here run on another machine
	slipped   bool // commands here are slipped into another program by an option or a variable
	apart     bool // and that program has other work than to run programs of a project

	alters alteration // what variables set here do to commands
}

func newScope(parent *scope) *scope {
	if parent == nil {
		return &scope{}
	}
	return &scope{parent: parent, contained: parent.contained, away: parent.away, slipped: parent.slipped, apart: parent.apart}
}

// slippedScope is the scope of commands that an option or a variable slips into another program.
func slippedScope(parent *scope) *scope {
	s := newScope(parent)
	s.slipped = true
	return s
}

// apartScope is slippedScope for a program that has other work than to run programs of a project, such as one that sorts or packs.
func apartScope(parent *scope) *scope {
	s := slippedScope(parent)
	s.apart = true
	return s
}

// newContainer returns the scope of commands in a container.
func newContainer() *scope { return &scope{contained: true} }

// newLogin returns the scope of commands on another machine, where a session begins in the user's folder.
func newLogin() *scope {
	s := &scope{away: true}
	s.setText(folderName, value{homeWord})
	return s
}

// get returns a variable and whether the text set it.
func (s *scope) get(name string) (variable, bool) {
	v, set := s.own(s.target(name))
	if v.ref != "" {
		return unknownVariable, true // it refers to itself
	}
	return v, set
}

// target returns the name of the variable that a name stands for: that of another one, if declare -n made it a reference.
func (s *scope) target(name string) string {
	for range maxAlternatives {
		v, _ := s.own(name)
		if v.ref == "" {
			break
		}
		name = v.ref
	}
	return name
}

// own is get for a name itself, even if it is a reference.
func (s *scope) own(name string) (variable, bool) {
	for ; s != nil; s = s.parent {
		if v, ok := s.vars[name]; ok {
			return v, true
		}
	}
	if name == folderName {
		return hereVariable, true
	}
	return unknownVariable, false
}

func (s *scope) set(name string, v variable) {
	if s.vars == nil {
		s.vars = map[string]variable{}
	}
	s.vars[name] = v
	if name == folderName {
		s.folders = v.text
	}
	s.alters |= alteredBy(name, v)
}

func (s *scope) setText(name string, v value) { s.set(name, variable{text: v}) }

// setArgs sets the positional parameters.
func (s *scope) setArgs(args []string) { s.set("@", array(args)) }

// args returns the possible positional parameters.
func (s *scope) args() [][]string {
	v, _ := s.get("@")
	return v.asLists()
}

// shellName returns $0.
func (s *scope) shellName() (string, bool) {
	for ; s != nil; s = s.parent {
		if s.shell != "" {
			return s.shell, true
		}
	}
	return "", false
}

// mayBe adds the variables that a part of the text has set, if that part may have run.
func (s *scope) mayBe(ran *scope) {
	for name, v := range ran.vars {
		old, _ := s.get(name)
		s.set(name, old.join(v))
	}
}

// did adopts the variables that a part of the text has set, if that part has run.
func (s *scope) did(ran *scope) {
	for name, v := range ran.vars {
		s.set(name, v)
	}
}
