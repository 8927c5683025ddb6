package deed

import (
	"path"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// A clone is a repository that git fetches from a place that is no public forge.
type clone struct {
	folder string
	from   []end
}

// maxClones bounds them: every later command is compared with each.
const maxClones = 8

// cloned notes a repository that a line fetches. What comes over ssh comes from where the person has a key.
func (f *finder) cloned(l *line) {
	words := l.operands()
	at := slices.IndexFunc(words, func(w shell.Word) bool { return w.Text == "clone" || w.Text == "add" })
	if at < 0 || words[at].Text == "add" && (at == 0 || words[at-1].Text != "submodule") || len(f.clones) >= maxClones {
		return
	}
	for i, w := range words[at+1:] {
		if !strings.HasPrefix(w.Text, "http") && !strings.HasPrefix(w.Text, "git://") || !hasScheme(w.Text) {
			continue
		}
		folder := strings.TrimSuffix(path.Base(w.Text), ".git")
		if rest := words[at+1+i+1:]; len(rest) > 0 {
			folder = rest[0].Text
		}
		if (installer{forges: true}).usualForge(w.Text) || onThisMachine(w.Text) || folder == "" || holed(folder) {
			return
		}
		f.clones = append(f.clones, clone{path.Clean(folder), ends(w, "")})
		return
	}
}

// runsCloned notes a line that runs or builds what was cloned before it.
func (f *finder) runsCloned(l *line) {
	if l.name == "git" {
		f.cloned(l)
		return
	}
	for _, c := range f.clones {
		if f.runsIn(l, c.folder) {
			f.addOf(l, Deed{Verb: RunsFetched, Certainty: truth.Yes, hosts: c.from})
		}
	}
}

// runsIn reports a line that runs a program of a folder, or builds or runs there what the folder says.
func (f *finder) runsIn(l *line, folder string) bool {
	if isBelow(l.c.Path.Text, folder) {
		return true
	}
	inside := slices.ContainsFunc(l.c.Folders, func(w shell.Word) bool { return isBelow(w.Text, folder) })
	if inside && strings.HasPrefix(l.c.Path.Text, "./") {
		return true
	}
	name := strings.TrimRight(l.name, "0123456789.-")
	if !builders[name] && installers()[l.name] == nil && !shells[l.name] && !interpreters[name] {
		return false
	}
	if inside {
		return builders[name] || len(l.items) > 0
	}
	return slices.ContainsFunc(l.items, func(it item) bool { return isBelow(it.word.Text, folder) })
}

// builders are the programs that run what the files of a folder say.
var builders = wordSet(`make gmake cmake ninja meson bazel cargo go just task rake gradle gradlew mvn mvnw sbt docker docker-compose podman
	tox nox invoke poetry uv npm pnpm yarn bun npx pip pip3 pytest ant scons msbuild dotnet swift zig stack cabal mix composer bundle`)

// isBelow reports a path that is a folder, or in it.
func isBelow(file, folder string) bool {
	file = path.Clean(file)
	if !path.IsAbs(folder) {
		file = strings.TrimPrefix(file, "/")
		return file == folder || strings.HasPrefix(file, folder+"/") || strings.HasSuffix(file, "/"+folder) ||
			strings.Contains(file, "/"+folder+"/")
	}
	return file == folder || strings.HasPrefix(file, folder+"/")
}
