package reading

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// TestFiles runs commands with real programs: each file that was read, written or removed must be among the uses that are read in
// the text.
func TestFiles(t *testing.T) {
	templates := lines(t, "testdata/files.txt")
	shapes := readShapes(t)
	jobs := make([]job, max(*cases/2, len(templates)))
	for i := range jobs {
		g := &generator{Rand: rand.New(rand.NewPCG(*seed, uint64(i))), shapes: shapes, bash: true}
		jobs[i] = job{Shell: "bash", Text: g.fileCommand(templates[i%len(templates)]), Real: true}
	}
	count := map[truth.Value]int{}
	idle, unknown := 0, 0
	for i, o := range observe(t, jobs) {
		commands := shell.Read(jobs[i].Text, shell.Start{Folders: []string{project}})
		uses := fileuse.Find(commands)
		anything := slices.ContainsFunc(commands, func(c shell.Command) bool { return !c.Words[0].Known }) // that it could run
		if len(o.Read)+len(o.Written)+len(o.Removed) == 0 {
			idle++
			if testing.Verbose() {
				t.Logf("idle: %s\n\t%s", jobs[i].Text, o.Output)
			}
		}
		if strings.Contains(jobs[i].Text, "git ") {
			o.Read = nil // git reads the files of its work tree as it likes
		}
		for _, seen := range []struct {
			deed  fileuse.Deed
			verb  string
			paths []string
		}{{fileuse.Reads, "read", o.Read}, {fileuse.Writes, "written", o.Written}, {fileuse.Removes, "removed", o.Removed}} {
			for _, path := range seen.paths {
				answer := touched(t, uses, seen.deed, path)
				switch {
				case answer != truth.No:
					count[answer]++
				case anything || unknownUse(uses, seen.deed, path) || seen.deed == fileuse.Writes && folderUse(uses, path):
					unknown++
				default:
					t.Errorf("seed %d: %s\n%s was %s\nread %s", *seed, jobs[i].Text, path, seen.verb, shownUses(uses))
				}
			}
		}
	}
	if idle*4 > len(jobs) {
		t.Errorf("%d of %d commands used no file: the templates or the sandbox are broken", idle, len(jobs))
	}
	// Of the files used, about one in 15 is read as an unknown file.
	if total := count[truth.Yes] + count[truth.Maybe] + unknown; unknown*5 > total {
		t.Errorf("%d of %d files that were used are read as unknown ones", unknown, total)
	}
	t.Logf("seed %d: %d commands, %d of them used no file; of the files used, read for certain %d, perhaps %d, as unknown files %d",
		*seed, len(jobs), idle, count[truth.Yes], count[truth.Maybe], unknown)
}

// touched says whether one of the uses is of the file.
func touched(t *testing.T, uses []fileuse.Use, deed fileuse.Deed, path string) truth.Value {
	t.Helper()
	places, err := fileuse.NewPlaces([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	answer := truth.No
	for _, one := range places.Touched(uses, deed) {
		answer = max(answer, one)
	}
	return answer
}

// unknownUse reports whether a use of a file that is not known could be of this one. It is in no place of a rule, so that everyday
// commands such as rm "$x" are not taken for the removal of everything.
func unknownUse(uses []fileuse.Use, deed fileuse.Deed, path string) bool {
	return slices.ContainsFunc(uses, func(u fileuse.Use) bool {
		if !u.Counts(deed) || !strings.Contains(u.Path, "…") {
			return false
		}
		names := []string{filepath.Clean(u.Path)}
		if deed == fileuse.Writes {
			names = append(names, filepath.Dir(u.Path)) // it may be made, too
		}
		return slices.ContainsFunc(names, func(name string) bool {
			pattern := strings.NewReplacer("…", ".*", `\*`, "[^/]*").Replace(regexp.QuoteMeta(name))
			pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, "~"), "/")
			return regexp.MustCompile("(^|/)" + pattern + "$").MatchString(path)
		})
	})
}

// folderUse reports that the file is in a folder that was written as one thing, or is a folder above what was written. A folder that
// is copied or moved to a new name, and folders that a program makes on the way to another, count as one use.
func folderUse(uses []fileuse.Use, path string) bool {
	return slices.ContainsFunc(uses, func(u fileuse.Use) bool {
		used := strings.Replace(u.Path, "~", home, 1)
		if !filepath.IsAbs(used) {
			used = filepath.Join(project, used)
		}
		used = filepath.Clean(used)
		return u.Deed == fileuse.Writes && (strings.HasPrefix(path, used+"/") || strings.HasPrefix(used, path+"/"))
	})
}

func shownUses(uses []fileuse.Use) string {
	var b strings.Builder
	for _, u := range uses {
		fmt.Fprintf(&b, "[%s %s] ", []string{"read", "write", "remove"}[u.Deed], u.Path)
	}
	return b.String()
}

// fileCommand fills a template of testdata/files.txt, and puts it into some layers.
func (g *generator) fileCommand(template string) string {
	file := pick(g, []string{"a.txt", "b.txt", "c d.txt", "notes.md", "src/one.go", "src/deep/x.c", "old.log"})
	if strings.Contains(template, "%F") || strings.Contains(template, "patch") {
		file = "a.txt"
	}
	other := pick(g, []string{"main.c", "src/two.go", "build/o.bin"})
	folder, fresh := pick(g, []string{"src", "build", "src/deep"}), pick(g, []string{"new.txt", "out.o"})
	text := strings.NewReplacer("%f", g.path(file), "%h", g.path(other), "%d", g.path(folder), "%g", g.path(fresh),
		"%F", file, "%D", folder, "%G", fresh).Replace(template)
	for len(g.before) > 0 {
		last := len(g.before) - 1
		text = g.before[last] + "\n" + text
		g.before = g.before[:last]
	}
	for range g.IntN(*depth) {
		if l := pick(g, g.layers); l.kind != toSh || !strings.Contains(l.template, "git") {
			text = g.around(l, text)
		}
	}
	return text
}

// path writes the path of a file of the project in one of its spellings.
func (g *generator) path(name string) string {
	dir, base := filepath.Split(name)
	switch g.IntN(12) {
	case 0:
		return `"$PWD"/` + quote(name)
	case 1:
		return "~/project/" + quote(name)
	case 2:
		return `"$HOME/project/` + name + `"`
	case 3:
		return quote(project + "/" + name)
	case 4:
		return quote("../project/" + name)
	case 5:
		return quote("src/../" + name)
	case 6:
		return quote("./" + name)
	case 7:
		return g.word("./" + name)
	case 8:
		if fixtures["project/"+name] != "" && len(base) > 4 && !strings.Contains(name, " ") {
			return dir + base[:2] + pick(g, []string{"*" + base[3:], "?" + base[3:], "[" + base[2:3] + "]" + base[3:]})
		}
	case 9:
		return "$(echo " + quote(name) + ")"
	}
	return g.word(name)
}
