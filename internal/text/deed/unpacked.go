package deed

import (
	"path"
	"slices"
)

// unpackers are the programs that unpack an archive, with the options that name the folder.
var unpackers = map[string][]string{
	"tar": {"-C", "--directory"}, "bsdtar": {"-C", "--directory"}, "gtar": {"-C", "--directory"}, "unzip": {"-d"}, "7z": {"-o"},
	"7za": {"-o"}, "7zz": {"-o"}, "unar": {"-o", "-output-directory"}, "cpio": {"-D", "--directory"}, "expand-archive": {"-destinationpath"},
	"unrar": {}, "ouch": {"-d", "--dir"}, "ditto": {}, "pax": {},
}

// unpacks notes that a line unpacks an archive that the text fetched from a place that is no public forge: what comes out of it and is
// run is code of that place.
func (f *finder) unpacks(i int, l *line) {
	options, ok := unpackers[l.name]
	if !ok || len(f.clones) >= maxClones || len(f.allFetched()) == 0 {
		return
	}
	from := strangers(f.archiveFrom(i, l))
	if len(from) == 0 {
		return
	}
	folders := slices.Concat(l.values(options...), l.c.Folders)
	if l.values(options...) != nil {
		folders = folders[:len(folders)-len(l.c.Folders)]
	}
	for _, w := range folders {
		f.fills(w.Text, from)
	}
}

// fills notes a folder that has what comes from elsewhere.
func (f *finder) fills(folder string, from []end) {
	if folder = path.Clean(folder); folder != "." && folder != "/" && !holed(folder) && len(f.clones) < maxClones {
		f.clones = append(f.clones, clone{folder, from})
	}
}

// archiveFrom says where the archive of a line comes from: its input, or a file that a command before it fetched.
func (f *finder) archiveFrom(i int, l *line) []end {
	seen := map[int]bool{}
	out := f.origins(sourcesOf(l.c), seen)
	for _, it := range l.items {
		name := fileName(it.word.Text)
		if name == "" || holed(name) {
			continue
		}
		for _, j := range f.writers()[name] {
			if j != i {
				out = append(out, f.origin(j)...)
				out = append(out, f.origins(sourcesOf(&f.commands[j]), seen)...)
			}
		}
	}
	return out
}

// strangers are the ends that are no public forge and not this machine. A text that was only decompressed comes from nowhere.
func strangers(from []end) []end {
	return slices.DeleteFunc(slices.Clone(from), func(e end) bool {
		name := e.host.Name
		return e.local() || name == decodedEnd.host.Name || name == "" || (installer{forges: true}).usualForge("https://"+name+"/")
	})
}
