package fileuse

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// A handler notes what a program does to files.
type handler func(line)

// handlers are the programs that do more to files than their entry in package program says.
var handlers = map[string]handler{}

func init() {
	for names, h := range map[string]handler{
		"apply_patch applypatch":  applyPatch,
		"patch":                   patchProgram,
		"cp ln install mv":        copyFiles,
		"rsync":                   synchronise,
		"scp":                     secureCopy,
		"rclone":                  cloudCopy,
		"aws gsutil gcloud":       bucketCopy,
		"kubectl oc k3s microk8s": podCopy,
		"docker podman nerdctl docker-compose podman-compose": container,
		"tar bsdtar": tapeArchive,
		"zip":        zip,
		"unzip":      unzip,
		"7z 7za 7zz": sevenZip,
		"gzip bzip2 xz zstd lz4 brotli compress pigz gunzip bunzip2 unxz unzstd": compress,
		"curl curlie":                   transfer,
		"wget":                          fetch,
		"http https xh xhs":             httpItems,
		"socat":                         relay,
		"awk mawk nawk gawk":            patternScanner,
		"jq gojq jaq yq":                queryJSON,
		"source .":                      sourced,
		"sh bash dash ash zsh ksh fish": script,
		"openssl":                       openssl,
		"python pypy ipython":           runsPython,
		"pip pipx":                      installs,
		"go":                            golang,
		"chmod chown chgrp chattr":      changeMode,
		"dd":                            duplicate,
		"truncate":                      cutOff,
		"fallocate":                     allocated,
		"getent":                        nameService,
		"sort":                          sorted,
		"tee sponge":                    copied,
		"gcore":                         coreDump,
		"asr":                           restoreDisk,
		"sqlite3 sqlite litecli duckdb": databaseFile,
		"ffmpeg avconv":                 mediaFiles,
		"rar arj":                       archiver,
		"split csplit":                  pieces,
		"sed":                           streamEditor,
		"perl ruby":                     inlineCode,
		"vi vim nvim ex view gvim nano pico micro emacs ed joe sudoedit vimdiff": edited,
		"git":             git,
		"find bfs":        search,
		"cpio pax":        copyArchive,
		"nc netcat ncat":  netSocket,
		"gdb lldb":        debugger,
		"ps":              processes,
		"procdump":        coreDump,
		"py-spy":          coreDump,
		"unar dtrx unrar": unarchive,
		"ditto":           duplicates,
		"nmap":            scanned,
		"parted":          partition,
		"diskutil":        diskUtility,
		"augtool":         settingsEditor,
		"trufflehog gitleaks detect-secrets ggshield noseyparker whispers kingfisher titus": secretScanner,
	} {
		for name := range strings.FieldsSeq(names) {
			handlers[name] = h
		}
	}
}

// program notes what the program of that name does.
func (l line) program(name string) {
	l.entry, l.name = program.Lookup(name)
	switch h := handlers[l.name]; {
	case h != nil:
		h(l)
	case l.entry != program.Unknown:
		l.known()
	default:
		l.stranger()
	}
	if client := program.LookupClient(l.name); client != nil && client.Language == program.SQL {
		for _, text := range append(slices.Clip(l.args), l.input...) {
			l.statement(text)
		}
	}
}

// known notes what a program does of which only the entry is known.
func (l line) known() {
	e := l.entry
	switch {
	case e.Style&program.Slashed != 0:
		l.windows()
	case e.Files != nil || len(e.Subs) > 0:
		l.planned(l.read())
	case e.Takes("<>%"):
		l.optionFiles(e.Anywhere(l.args))
	}
}

// planned notes what a line does as its entry says, and its subcommands.
func (l line) planned(args *program.Line) {
	l.optionFiles(args)
	if files := args.Entry.Files; files != nil {
		l.operands(files, args)
	}
	for _, sub := range args.Subcommands() {
		l.planned(sub)
	}
}

// operands notes the files in the operands of a line.
func (l line) operands(files *program.Files, args *program.Line) {
	only, trees := strings.Fields(files.Only), strings.Fields(files.Tree)
	if len(only) > 0 && !l.may(args, only...) || sure(args, strings.Fields(files.Never)...) || files.OptionsOnly {
		return
	}
	skip := files.Skip
	if files.Unless != "" && l.may(args, strings.Fields(files.Unless)...) {
		skip = 0
	}
	paths := texts(args, skip)
	if files.Single || files.Script {
		paths = args.Operand(skip)
	}
	tree := files.Tree == "*" || len(trees) > 0 && (l.loose || l.may(args, trees...))
	if files.Here && tree && (len(paths) == 0 || !args.Sure()) {
		paths = append(paths, ".")
	}
	for _, path := range paths {
		if !files.Named || strings.ContainsAny(path, `./\`) {
			l.note(files.Access, path, tree)
		}
	}
	if files.LastWritten {
		_, targets := sourcesAndTargets(args)
		l.each(Writes, targets, tree)
	}
}

// programNames returns the known programs that a word, without its folder, could mean.
func programNames(word string) []string {
	if hasMark(word) {
		return wildNames(word)
	}
	return []string{word}
}

// wildNames returns the known programs that a shell pattern could match.
func wildNames(word string) []string {
	e := newElement(word)
	if e.unknown() || e.deep || !e.hasLiteral() && e.wildOnly() {
		return nil
	}
	var out []string
	for _, name := range program.Names() {
		if e.covers(element{text: name}, perhaps) {
			out = append(out, name)
		}
	}
	return out
}

// each notes the same deed to several files.
func (f *finder) each(deed Deed, paths []string, tree bool) {
	for _, path := range paths {
		if f.full {
			return
		}
		f.note(deed, path, tree)
	}
}

// intoAll notes that sources are written to targets, each to each.
func (f *finder) intoAll(targets, sources []string, tree bool) {
	for _, source := range sources {
		for _, target := range targets {
			if f.full {
				return
			}
			f.into(target, source, tree)
		}
	}
}
