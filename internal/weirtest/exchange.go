package weirtest

import (
	"errors"
	"slices"
	"strconv"

	"github.com/rogpeppe/go-internal/txtar"
)

// An exchange is one request of a scenario and its answer.
type exchange struct {
	*scenario
	number int // from 1
	script script
}

// check finds what would be ignored.
func (x *exchange) check() error {
	mine := slices.ContainsFunc(x.archive.Files, func(f txtar.File) bool {
		number, _ := numbered(f.Name)
		return number == x.number
	})
	switch {
	case x.number == 1:
		return nil
	case !mine:
		return errors.New("there is none, but one after it")
	case x.has("weir.yaml") && !x.script.restart:
		return errors.New("a configuration is read only at a restart")
	case x.script.loseStore && !x.script.restart:
		return errors.New("the store is lost before all is recorded of the exchange ahead, unless there is a restart")
	}
	return nil
}

// name is a file's name in the archive.
func (x *exchange) name(name string) string {
	if x.number == 1 {
		return name
	}
	return strconv.Itoa(x.number) + "/" + name
}

// forms are those in which the exchange is answered.
func (x *exchange) forms() []form {
	var list []form
	for _, f := range answers {
		if x.has("upstream." + string(f)) {
			list = append(list, f)
		}
	}
	if list == nil {
		return []form{none}
	}
	return list
}

// formIn is the form in which the exchange is answered in a run that is of form f.
func (x *exchange) formIn(f form) form {
	if list := x.forms(); !slices.Contains(list, f) {
		return list[0]
	}
	return f
}

// alike are the forms that the scenario demands to come to the same: those that share their events. Fewer than two: none.
func (x *exchange) alike() []form {
	return slices.DeleteFunc(slices.Clone(readable), func(f form) bool {
		return !x.has("upstream."+string(f)) || x.has(special("events.jsonl", f))
	})
}

func (x *exchange) has(name string) bool {
	return slices.ContainsFunc(x.archive.Files, func(f txtar.File) bool { return f.Name == x.name(name) })
}

// file is the content of a file, in the version for the form if there is one.
func (x *exchange) file(name string, f form) (data []byte, ok bool) {
	for _, n := range []string{special(name, f), name} {
		for _, file := range x.archive.Files {
			if file.Name == x.name(n) {
				return file.Data, true
			}
		}
	}
	return nil, false
}

// text is the content of a file as a string; "" if it is not there.
func (x *exchange) text(name string, f form) string {
	data, _ := x.file(name, f)
	return string(data)
}

// inForce is the content of the file as this exchange or the last one before it has it; "" if none does.
func (x *exchange) inForce(name string) string {
	for _, earlier := range slices.Backward(x.exchanges[:x.number]) {
		if data, ok := earlier.file(name, none); ok {
			return string(data)
		}
	}
	return ""
}

// set replaces a file, adds it, or removes it if data is empty.
func (x *exchange) set(name string, f form, data []byte) {
	if x.has(special(name, f)) {
		name = special(name, f)
	}
	name = x.name(name)
	at := slices.IndexFunc(x.archive.Files, func(f txtar.File) bool { return f.Name == name })
	switch {
	case at < 0 && len(data) > 0:
		x.archive.Files = append(x.archive.Files, txtar.File{Name: name, Data: data})
	case at >= 0 && len(data) == 0:
		x.archive.Files = slices.Delete(x.archive.Files, at, at+1)
	case at >= 0:
		x.archive.Files[at].Data = data
	}
}
