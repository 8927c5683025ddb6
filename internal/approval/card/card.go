// Package card is what people are shown of a call that waits for them, as a value: a command writes it as text, a page as HTML. It is
// pure: a View is made of what the store has of the request, and of nothing else.
//
//	v := card.Of(request)
//	v.Args      every argument in the order of the call; what the model only tells comes last (Told)
//	  .Text     the argument itself. It is a stranger's text: write it with inert, or escaped as HTML
//	  .Marks    characters that nobody sees, that turn letters around, or that look like others: where, which, and like what
//	v.Findings  what the parsers found: runs, reads, writes, removes, and the verbs of deeds such as sends; each with its object
//	v.Edits     texts that the call replaces in files, before and after
//	v.Large     the arguments are so long that nobody may approve before all of them were shown
//
// Who, where, which model, which rules and whether secrets are masked is in the request's own Card.
package card

import (
	"slices"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/strictjson"
)

// LargeSize is from how many bytes of arguments on all of them must have been shown before a yes.
const LargeSize = 64 << 10

// A View is what people are shown of the arguments of a request.
type View struct {
	Args     []Argument
	Findings []Finding
	Edits    []Edit
	Large    bool
}

// An Argument is one member of the arguments.
type Argument struct {
	Name  string // "": the arguments are no object, and this is all of them
	Text  string // a text as it is, anything else as JSON
	Told  bool   // the model only tells what it wants: nothing happens by it
	Marks []Mark // of the name and the text
}

// An Edit replaces a text in a file by another.
type Edit struct{ File, Before, After string }

// Of is the view of a request.
func Of(r approval.Request) View {
	k := r.Card
	v := View{Large: len(k.Args)+len(k.Beside) > LargeSize}
	var doc strictjson.Doc
	if len(k.Args) == 0 || doc.Parse(k.Args) != nil {
		return v.whole(k)
	}
	root := doc.Root()
	var told []Argument
	for member, value := range root.Members() {
		name, _ := member.Text() // the name of a member is a text
		a := Argument{Name: name, Text: string(value.Raw())}
		s, isText := value.Text()
		if isText {
			a.Text = s
			a.Told = slices.Contains(k.Prose, name)
		}
		a.Marks = append(marks(name, true), marks(a.Text, false)...)
		if a.Told {
			told = append(told, a)
			continue
		}
		v.Args = append(v.Args, a)
	}
	if len(v.Args)+len(told) == 0 && len(k.Args) > len("{}") {
		return v.whole(k)
	}
	v.Edits = edits(v.Args)
	v.Findings = find(v.Args)
	v.Args = append(v.Args, told...)
	return v
}

// whole is the view of arguments that are no object.
func (v View) whole(k approval.Card) View {
	if text := string(k.Args); text != "" {
		v.Args = []Argument{{Text: text, Marks: marks(text, false)}}
	}
	return v
}

// These are where tools for files have what is replaced, by what, and in which file.
var (
	oldNames  = []string{"old_string", "oldString", "old_str", "oldText", "old_text"}
	newNames  = []string{"new_string", "newString", "new_str", "newText", "new_text"}
	fileNames = []string{"file_path", "filePath", "path", "absolute_path", "target_file"}
)

func edits(args []Argument) []Edit {
	var e Edit
	replaces := false
	for _, a := range args {
		switch {
		case slices.Contains(oldNames, a.Name):
			e.Before, replaces = a.Text, true
		case slices.Contains(newNames, a.Name):
			e.After = a.Text
		case slices.Contains(fileNames, a.Name):
			e.File = a.Text
		}
	}
	if !replaces {
		return nil
	}
	return []Edit{e}
}
