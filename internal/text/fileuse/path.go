package fileuse

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// homeNames are the variables for the user's folder, as written before a shell expands them.
var homeNames = []string{"${HOME}", "$HOME", "${env:USERPROFILE}", "$env:USERPROFILE", "${env:HOME}", "$env:HOME"}

// In says whether a path that no shell expands, such as the argument of a tool that reads files, is in one of the places. Variables
// for the user's folder and file URLs are understood; other variables are unknown names.
func (p Places) In(path string) truth.Value {
	if len(path) > maxPath {
		return truth.Maybe
	}
	return p.of(&Use{spots: locate(hereMark, plainPath(path), false)}, Reads)
}

// Named is the use of a file that the argument of a tool names. No shell expands it.
func Named(deed Deed, path string, tree bool) Use {
	if len(path) > maxPath {
		return Use{Deed: deed, Path: "…", Tree: tree, unread: true}
	}
	plain := plainPath(path)
	if !tree {
		plain = globMarks(plain) // what is searched may be filtered by a pattern
	}
	spots := locate(hereMark, plain, false)
	if rooted := fromRoot(path); rooted != "" {
		spots = append(spots, locate(hereMark, rooted, false)...)
	}
	return Use{Deed: deed, Path: path, Tree: tree, spots: spots}
}

// globMarks marks the wildcards of a path: tools that take several files expand them.
func globMarks(path string) string {
	return strings.NewReplacer("**", belowMark, "*", runMark).Replace(path)
}

// fromRoot is the path that one leads to that climbs to the root or to a home: one that names a folder of the system, or a hidden folder,
// behind its dots; "": none.
func fromRoot(path string) string {
	rest := strings.TrimLeft(strings.ReplaceAll(path, `\`, "/"), "./")
	first, _, below := strings.Cut(rest, "/")
	if !below || !strings.HasPrefix(path, "..") {
		return ""
	}
	switch first {
	case "etc", "usr", "root", "boot", "proc", "sys":
		return "/" + rest
	}
	if hidden := strings.TrimLeft(strings.ReplaceAll(path, `\`, "/"), "/"); strings.Contains(hidden, "../."+first+"/") {
		return homeMark + "/." + rest
	}
	return ""
}

// plainPath converts a text to a path with marks.
func plainPath(path string) string {
	path = strings.ToValidUTF8(strings.TrimSpace(path), "\uFFFD")
	path = strings.TrimPrefix(path, "view-source:")
	if len(path) > 5 && strings.EqualFold(path[:5], "file:") {
		path = "/" + strings.TrimPrefix(strings.TrimLeft(unescape(path[5:]), "/"), "localhost/")
		if len(path) > 2 && path[2] == ':' {
			path = path[1:]
		}
	}
	for _, name := range homeNames {
		if len(path) >= len(name) && strings.EqualFold(path[:len(name)], name) {
			rest := path[len(name):]
			if rest == "" || rest[0] == '/' || rest[0] == '\\' {
				return homeMark + rest
			}
		}
	}
	return path
}

// unescape decodes %XX.
func unescape(s string) string {
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if high, low := hexDigit(s[i+1]), hexDigit(s[i+2]); high >= 0 && low >= 0 {
				out = append(out, byte(high<<4|low))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return strings.ToValidUTF8(string(out), "\uFFFD")
}

func hexDigit(c byte) int { return strings.IndexByte("0123456789abcdef", c|0x20) }
