package deed

import (
	"path"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/truth"
)

// removedAway notes that a command on another machine removes a folder there, with all that is in it. Folders for what can be made again
// do not count, nor do those in the folder of the user who logs in.
func (f *finder) removedAway(i int) {
	l := f.lines[i]
	if !l.c.Away {
		return
	}
	kind := "cloud"
	if l.c.Contained {
		kind = "cluster"
	}
	for _, use := range fileuse.Find(f.commands[i : i+1]) {
		if use.Deed == fileuse.Removes && use.Tree && strings.HasPrefix(use.Path, "/") && !isMadeAgain(use.Path) {
			f.note(l, DeletesRemote, kind, truth.Yes)
			return
		}
	}
}

// isMadeAgain reports a path for temporary files, logs, or what builds and installations make.
func isMadeAgain(name string) bool {
	const longest = 4096
	if len(name) > longest {
		return false
	}
	parts := strings.Split(path.Clean(name), "/")
	return slices.ContainsFunc(parts, func(part string) bool {
		part = strings.ToLower(strings.TrimLeft(part, "._"))
		return madeAgain[part] || strings.HasSuffix(part, "cache") || strings.HasSuffix(part, "cache__")
	})
}

var madeAgain = wordSet(`tmp temp shm run cache caches log logs node_modules dist build out target vendor coverage next nuxt output old
	releases artifacts sessions pids apt lists`)
