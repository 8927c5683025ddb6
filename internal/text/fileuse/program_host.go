package fileuse

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// container reads docker and similar programs: a mounted folder can be read and changed from inside.
func container(l line) {
	for _, args := range leaves(l.read()) {
		if args.Entry.Is("cp") {
			l.copied(args)
		} else {
			l.volumes(args)
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
