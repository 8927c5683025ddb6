package warn

import (
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/glob"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A containment says whether a value of an operator has all that another value has. It never says yes wrongly, and no if it cannot tell.
type containment func(wide, narrow string) bool

// containments are by operator. What a value of a rule that allows surely has, a value of a rule that refuses may have: that is enough.
// It is not for the forms surely_…, and not for two rules that hold for one value.
var containments = map[string]containment{
	"runs":     containsCommand,
	"reads":    containsPlace,
	"writes":   containsPlace,
	"removes":  containsPlace,
	"path_in":  containsPlace,
	"host_in":  containsHost,
	"connects": func(wide, narrow string) bool { return wide == "*" || containsHost(wide, narrow) },
}

// sameValue is the containment of operators whose values are compared as they are.
func sameValue(wide, narrow *yamlfile.Node) bool {
	return wide.Kind == narrow.Kind && wide.Text == narrow.Text
}

func containsCommand(wide, narrow string) bool {
	return shell.NewPattern(wide).Covers(shell.NewPattern(narrow))
}

// containsHost compares names of hosts. Addresses have several spellings, and a * alone does not match hosts that are only guessed.
func containsHost(wide, narrow string) bool {
	if host, _, found := strings.Cut(narrow, ":"); found {
		narrow = host // the port narrows it further
	}
	if strings.Trim(wide, "*") == "" || !isHostName(wide) || !isHostName(narrow) {
		return false
	}
	return glob.Match(strings.ToLower(wide), strings.ToLower(narrow))
}

// isHostName says whether a text is surely a name, or a glob of names: its last part begins with a letter.
func isHostName(text string) bool {
	plain := func(r rune) bool {
		return r == '*' || r == '.' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	odd := strings.ContainsFunc(text, func(r rune) bool { return !plain(r) })
	dot := strings.LastIndexByte(text, '.')
	return !odd && dot > 0 && dot+1 < len(text) && strings.IndexByte("*-0123456789", text[dot+1]) < 0
}

// containsPlace compares places name by name, and then asks the engine about a file under each of its names: folders of users and drives
// have several, and some folders are links to others.
func containsPlace(wide, narrow string) bool {
	w, n := newLocation(wide), newLocation(narrow)
	if w.odd || n.odd || w.root != "" && w.root != n.root || !containsNames(w.names, n.names) || n.mayHaveOtherNames() {
		return false
	}
	here := strings.NewReplacer(condition.Project, someProject)
	of, err := fileuse.NewPlaces([]string{here.Replace(wide)})
	only, errNarrow := fileuse.NewPlaces([]string{here.Replace(narrow)})
	if err != nil || errNarrow != nil {
		return false
	}
	file := strings.NewReplacer("**", "a/b", "*", "a").Replace(here.Replace(narrow))
	return of.In(file) == truth.Yes && !slices.ContainsFunc(otherNames(file), func(other string) bool {
		return only.In(other) == truth.Yes && of.In(other) == truth.No
	})
}

// aliases are folders that have other names, too.
var aliases = []struct {
	folder *regexp.Regexp
	others []string
}{
	{regexp.MustCompile(`(?i)^/(?:usr/|export/)?(?:home|users)/([^/]+)(.*)$`), []string{"~$1$2", "/home/$1$2", "/Users/$1$2"}},
	{regexp.MustCompile(`(?i)^/(?:var/)?root(.*)$`), []string{"~root$1", "/root$1"}},
	{regexp.MustCompile(`(?i)^/(?:mnt/|cygdrive/)?([a-z])(/.*)?$`), []string{"$1:$2"}},
}

// otherNames are other names of a file.
func otherNames(file string) (out []string) {
	for _, alias := range aliases {
		if alias.folder.MatchString(file) {
			for _, other := range alias.others {
				out = append(out, alias.folder.ReplaceAllString(file, strings.NewReplacer("$1", "${1}", "$2", "${2}").Replace(other)))
			}
		}
	}
	return out
}

// someProject is in the place of the project's folder where the engine is asked.
const someProject = "/home/ann/project"

// A location is a place in its parts.
type location struct {
	root  string // "": it is in any folder
	names []string
	odd   bool // it has signs that are not compared here
}

// roots are what places that are not in any folder begin with.
var roots = []string{condition.Project + "/", "~/", "./", "/"}

const anyNames = "**"

func newLocation(text string) (p location) {
	p.odd = strings.ContainsAny(text, `?[\:%`) || strings.Contains(text, "//")
	for _, root := range roots {
		if rest, ok := strings.CutPrefix(text, root); ok {
			p.root, text = root, rest
			break
		}
	}
	p.odd = p.odd || strings.ContainsAny(text, "~$") || text == ""
	p.names = strings.Split(strings.TrimSuffix(text, "/"), "/")
	if p.root == "" {
		p.names = slices.Insert(p.names, 0, anyNames)
	}
	return p
}

// mayHaveOtherNames says whether a wildcard of the place could be the folder of a user or a drive: one file does not tell then.
func (p location) mayHaveOtherNames() bool {
	wild := func(name string) bool { return name != anyNames && strings.Contains(name, "*") }
	parents := []string{"usr", "export", "var", "mnt", "cygdrive", "private", "proc", "system"}
	return p.root == "/" && (wild(p.names[0]) || len(p.names) > 1 && wild(p.names[1]) && slices.Contains(parents, strings.ToLower(p.names[0])))
}

// maxNames is how many names of a place are compared: each ** of the wide one is tried at each of them.
const maxNames = 30

// containsNames says whether the names of a place match all that the names of another one match.
func containsNames(wide, narrow []string) bool {
	if len(wide) > maxNames || len(narrow) > maxNames {
		return false
	}
	// fits[i] says whether the names of wide so far match the first i names of narrow.
	fits := make([]bool, len(narrow)+1)
	fits[0] = true
	for at, name := range wide {
		next := make([]bool, len(fits))
		for i := range fits {
			switch {
			case name != anyNames:
				next[i] = i > 0 && fits[i-1] && narrow[i-1] != anyNames && glob.Match(name, narrow[i-1])
			case at == len(wide)-1: // at the end it is everything below, not the folder
				next[i] = i > 0 && (fits[i-1] || next[i-1])
			default:
				next[i] = fits[i] || i > 0 && next[i-1]
			}
		}
		fits = next
	}
	return fits[len(narrow)]
}
