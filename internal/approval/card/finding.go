package card

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/deed"
	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// A Finding is something that the call does, as weir's parsers understand its commands and patches.
type Finding struct {
	Verb  string // runs, reads, writes, removes, or that of a deed
	What  string // a stranger's text
	Maybe bool   // it could also be read in another way
}

// maxFindings bounds them. The arguments themselves are always shown whole.
const maxFindings = 50

// commandNames are the usual names of arguments that are commands, and patchNames of those that are patches.
var (
	commandNames = []string{"command", "cmd", "script", "commandline", "command_line"}
	patchNames   = []string{"input", "patch", "patchtext", "diff"}
)

// find lists what the commands and patches among the arguments do, each finding once.
func find(args []Argument) []Finding {
	var out finder
	for _, a := range args {
		switch name := strings.ToLower(a.Name); {
		case slices.Contains(commandNames, name):
			out.commands(shell.Read(a.Text, shell.Start{}))
		case slices.Contains(patchNames, name):
			uses, _ := fileuse.FindPatch(a.Text, shell.Start{})
			out.uses(uses)
		}
	}
	return out.found
}

type finder struct{ found []Finding }

func (f *finder) add(one Finding) {
	if len(f.found) < maxFindings && one.What != "" && !slices.Contains(f.found, one) {
		f.found = append(f.found, one)
	}
}

func (f *finder) commands(all []shell.Command) {
	for _, c := range all {
		switch {
		case c.Unread || c.Nothing():
			f.add(Finding{Verb: "runs", What: "(text that could not be read)", Maybe: true})
		case len(c.Folders) > 0: // others are only other spellings
			f.add(Finding{Verb: "runs", What: c.String()})
		}
	}
	uses := fileuse.Find(all)
	f.uses(uses)
	for _, d := range deed.Find(all, uses) {
		_, what, _ := strings.Cut(d.String(), string(d.Verb))
		f.add(Finding{
			Verb: strings.ReplaceAll(string(d.Verb), "_", " "), What: strings.TrimLeft(what, ": "), Maybe: d.Certainty == truth.Maybe,
		})
	}
}

func (f *finder) uses(all []fileuse.Use) {
	verbs := map[fileuse.Deed]string{fileuse.Reads: "reads", fileuse.Writes: "writes", fileuse.Removes: "removes"}
	for _, u := range all {
		what := u.Path
		if u.Tree {
			what += " and all below"
		}
		f.add(Finding{Verb: verbs[u.Deed], What: what})
	}
}
