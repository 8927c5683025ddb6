package fileuse

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// container reads docker and similar programs: a mounted folder can be read and changed from inside.
func container(l line) {
	l.builds()
	for _, args := range leaves(l.read()) {
		if args.Entry.Is("cp") {
			l.copied(args)
		} else {
			l.volumes(args)
		}
	}
}

// builds notes the folder and the secrets that the build of an image gets.
func (l line) builds() {
	at := slices.Index(l.args, "build")
	if at < 0 || at > 1 || at == 1 && l.args[0] != "buildx" && l.args[0] != "image" && l.args[0] != "builder" {
		return
	}
	args := l.args[at+1:]
	for i, arg := range args {
		name, given, ok := strings.Cut(arg, "=")
		if !ok && i+1 < len(args) {
			given = args[i+1]
		}
		switch {
		case name == "--secret" || name == "--ssh" || name == "--build-context":
			for field := range strings.SplitSeq(given, ",") {
				if key, file, ok := strings.Cut(field, "="); ok && key != "id" && key != "type" {
					l.tree(Reads, file)
				}
			}
		case i+1 == len(args) && !strings.HasPrefix(arg, "-"):
			l.tree(Reads, arg)
		}
	}
}

// volumes notes the folders that a container gets.
func (l line) volumes(args *program.Line) {
	for _, volume := range args.Values("v") {
		source, rest, ok := cutVolume(volume)
		if ok {
			l.mounted(source, strings.HasSuffix(rest, ":ro") || strings.Contains(rest, ":ro,"))
		}
	}
	for _, mount := range args.Values("mount") {
		source, bind, readOnly := "", false, false
		for field := range strings.SplitSeq(mount, ",") {
			key, value, _ := strings.Cut(field, "=")
			switch key {
			case "type":
				bind = value == "bind"
			case "source", "src":
				source = value
			case "readonly", "ro":
				readOnly = value != "false"
			}
		}
		if bind {
			l.mounted(source, readOnly)
		}
	}
}

// cutVolume splits SOURCE:TARGET. A name without a slash is no folder of this machine.
func cutVolume(volume string) (source, rest string, ok bool) {
	from := 0
	if len(volume) > 2 && volume[1] == ':' && isLetter(volume[0]) && (volume[2] == '\\' || volume[2] == '/') {
		from = 2
	}
	i := strings.IndexByte(volume[from:], ':')
	if i < 0 {
		return "", "", false
	}
	source, rest = volume[:from+i], volume[from+i:]
	_, rooted := start(source)
	return source, rest, rooted || strings.HasPrefix(source, ".")
}

func (f *finder) mounted(source string, readOnly bool) {
	f.tree(Reads, source)
	if !readOnly {
		f.tree(Writes, source)
	}
}
