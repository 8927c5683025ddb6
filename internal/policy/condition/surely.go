package condition

import (
	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// surely corrects the answer whether the commands of a value are those of patterns, for rules that must be sure of all. It is yes only
// if each surely is, and if what is beside them, files that their redirections write, is in the project or soon removed. Rules for which
// one command is enough do not see a difference: for them yes and maybe are the same.
func (f *Facts) surely(a answer, v *argument.Value, patterns shell.PatternSet) answer {
	if a != yes && a != maybe {
		return a
	}
	commands := f.commandsOf(v)
	for i := range commands {
		f.work.spend(commands[i].Cost(patterns))
	}
	if patterns.AllSurely(commands) && f.redirectsInside(commands) {
		return yes
	}
	return maybe
}

// insidePlaces are where the redirections of a command that is allowed may write.
var insidePlaces = []string{
	"./**", "/tmp/**", "/private/tmp/**", "/var/tmp/**", "/dev/null", "/dev/stdout",
	"/dev/stderr", "/dev/fd/*", "/dev/tty", "nul",
}

// redirectsInside says whether all files that redirections write are surely inside.
func (f *Facts) redirectsInside(commands []shell.Command) bool {
	var plain []shell.Command
	for i := range commands {
		c := &commands[i]
		for _, r := range c.Redirects {
			if r.Writes {
				// The same redirection of a command that does nothing else.
				nothing := shell.Word{Text: ":", Known: true}
				plain = append(plain, shell.Command{
					Path: nothing, Words: []shell.Word{nothing}, Folders: c.Folders, Redirects: []shell.Redirect{r}, Contained: c.Contained, Away: c.Away,
				})
			}
		}
	}
	if len(plain) == 0 {
		return true
	}
	places := insidePlaces
	if folder, ok := f.projectFolder(); ok {
		places = append(places[:len(places):len(places)], folder+"/**")
	}
	inside, err := fileuse.NewPlaces(places)
	if err != nil {
		return false
	}
	uses := fileuse.Find(plain)
	f.work.spend(inside.Cost(uses, fileuse.Writes))
	for _, part := range inside.Touched(uses, fileuse.Writes) {
		if part != truth.Yes {
			return false
		}
	}
	return true
}
