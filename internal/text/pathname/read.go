package pathname

import (
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// A start says where a path begins.
type start int

const (
	startFolder start = iota
	startHome
	startRoot
	startVolume  // at the root of the current drive
	startUnknown // not known
)

type stepKind int

const (
	stepName stepKind = iota
	stepUp
	stepWild // one name, given by a pattern
	stepAny  // could be anything, of any length
)

// A step is one name of a path, or a move.
type step struct {
	kind stepKind
	text string
}

// A reading is one way to understand the text of a path.
type reading struct {
	start  start
	volume string
	names  []step
}

// readings are all ways to understand a path. main has those of ordinary programs; others only raise No to Maybe.
type readings struct {
	main, others []reading
	odd          bool // no program writes such paths: the result is never Yes
}

// read returns the readings of a path.
func read(path string) readings {
	var out readings
	if url, ok := cutFileURL(path); ok {
		plain := unescape(url)
		out.main = append(out.main, readFileURL(plain)...)
		if end := strings.IndexAny(url, "?#"); end >= 0 {
			out.main = append(out.main, readFileURL(unescape(url[:end]))...)
		}
		if again := unescape(plain); again != plain {
			out.main = append(out.main, readFileURL(again)...)
		}
		path = plain
	} else {
		out.main = readForms(path)
	}
	out.odd = path == "" || strings.ContainsFunc(path, isControl)
	other := func(text string) {
		if text != path {
			out.others = append(out.others, readForms(text)...)
		}
	}
	if trimmed := strings.TrimSpace(path); trimmed != path {
		out.main = append(out.main, readForms(trimmed)...)
	}
	if before, _, ok := strings.Cut(path, "\x00"); ok {
		other(before)
	}
	if out.odd {
		for line := range strings.FieldsFuncSeq(path, isControl) {
			other(line)
		}
		other(strings.Map(func(r rune) rune {
			if isControl(r) {
				return -1
			}
			return r
		}, path))
	}
	// Most programs take slashes and dots of other scripts, and escaped ones, for parts of names, but some take them for moves.
	for _, plain := range []string{norm.NFKC.String(path), unescape(path)} {
		if moves(plain) != moves(path) {
			out.main = append(out.main, readForms(plain)...)
		}
	}
	return out
}

// moves counts the slashes and dots that decide where a path leads.
func moves(path string) [3]int {
	return [3]int{strings.Count(path, "/"), strings.Count(path, `\`), strings.Count(path, "..")}
}

// readForms reads a path as Windows does, as other systems do, or both.
func readForms(path string) []reading {
	if rest, ok := cutHome(path); ok {
		out := readSteps(rest, true)
		return []reading{{start: startHome, names: out}}
	}
	if rest, ok := cutFolder(path); ok {
		return []reading{{start: startFolder, names: readSteps(rest, true)}}
	}
	if isWindows(path) {
		return []reading{readPlain(path, true)}
	}
	posix := readPlain(path, false)
	if !strings.Contains(path, `\`) {
		return []reading{posix}
	}
	return []reading{posix, readPlain(path, true)}
}

// readPlain reads a path that does not begin with a variable.
func readPlain(path string, windows bool) reading {
	if windows {
		return readWindows(strings.ReplaceAll(path, "/", `\`))
	}
	switch {
	case path == "~" || strings.HasPrefix(path, "~/"):
		return reading{start: startHome, names: readSteps(path[1:], false)}
	case strings.HasPrefix(path, "~"):
		return reading{start: startUnknown}
	case strings.HasPrefix(path, "/"):
		return reading{start: startRoot, names: readSteps(path, false)}
	default:
		return reading{start: startFolder, names: readSteps(path, false)}
	}
}

// readWindows reads a path whose slashes are all backslashes.
func readWindows(path string) reading {
	for _, prefix := range []string{`\\?\`, `\\.\`, `\??\`} {
		if rest, ok := strings.CutPrefix(path, prefix); ok {
			if unc, ok := cutPrefixFold(rest, `UNC\`); ok {
				path = `\\` + unc
			} else {
				path = rest
			}
			break
		}
	}
	switch {
	case strings.HasPrefix(path, `\\`):
		server, rest, _ := strings.Cut(strings.TrimLeft(path, `\`), `\`)
		share, rest, _ := strings.Cut(rest, `\`)
		return reading{start: startRoot, volume: strings.ToLower(`\\` + server + `\` + share), names: readSteps(rest, true)}
	case len(path) >= 2 && isLetter(path[0]) && path[1] == ':':
		if len(path) == 2 || path[2] != '\\' {
			return reading{start: startUnknown} // relative to the folder of a drive
		}
		return reading{start: startRoot, volume: strings.ToLower(path[:2]), names: readSteps(path[2:], true)}
	case strings.HasPrefix(path, `\`):
		return reading{start: startVolume, names: readSteps(path, true)}
	case path == "~" || strings.HasPrefix(path, `~\`):
		return reading{start: startHome, names: readSteps(path[1:], true)}
	default:
		return reading{start: startFolder, names: readSteps(path, true)}
	}
}

// readSteps splits a path into steps.
func readSteps(path string, windows bool) []step {
	if windows {
		path = strings.ReplaceAll(path, `\`, "/")
	}
	var out []step
	for part := range strings.SplitSeq(path, "/") {
		switch {
		case part == "" || part == ".":
		case part == "..":
			out = append(out, step{kind: stepUp})
		default:
			out = append(out, step{kindOf(part, windows), part})
		}
	}
	return out
}

// kindOf says what a name could mean.
func kindOf(part string, windows bool) stepKind {
	switch {
	case hasVariable(part), hasExtended(part), hasAlternatives(part):
		return stepAny
	case strings.Trim(part, ". ") == "":
		return stepAny // ".. " and "..." lead up on some systems
	case strings.ContainsAny(part, "*?["):
		if part[0] == '.' {
			return stepAny // .* and .? match .. in some shells; a pattern without a leading dot never does
		}
		return stepWild
	case strings.ContainsAny(part, "{}"), windows && isShortName(part):
		return stepWild
	default:
		return stepName
	}
}

// hasVariable reports parts that shells replace by any text: $X, ${X}, $(x), `x` and %X%.
func hasVariable(part string) bool {
	for i := range len(part) {
		switch part[i] {
		case '`':
			return true
		case '$':
			if i+1 < len(part) && (isNameStart(part[i+1]) || strings.IndexByte("{(@*?!#-0123456789", part[i+1]) >= 0) {
				return true
			}
		case '%':
			if i+1 < len(part) && isNameStart(part[i+1]) && strings.IndexByte(part[i+1:min(len(part), i+64)], '%') > 0 {
				return true
			}
		}
	}
	return false
}

func isNameStart(c byte) bool { return isLetter(c) || c == '_' }

// hasExtended reports shell patterns that may match dots: @(x), !(x).
func hasExtended(part string) bool {
	for _, open := range []string{"?(", "*(", "+(", "@(", "!("} {
		if strings.Contains(part, open) {
			return true
		}
	}
	return false
}

// hasAlternatives reports {a,b} and {a..b}, which could produce "..". Braces that are not closed in one name continue after a
// slash.
func hasAlternatives(part string) bool {
	if strings.Count(part, "{") != strings.Count(part, "}") {
		return true
	}
	return strings.Contains(part, "{") && strings.Contains(part, ".") && (strings.Contains(part, ",") || strings.Contains(part, ".."))
}

// isShortName reports the short names that Windows makes for old programs: PROGRA~1.
func isShortName(part string) bool {
	i := strings.IndexByte(part, '~')
	return i > 0 && i+1 < len(part) && part[i+1] >= '0' && part[i+1] <= '9'
}

// cutHome removes a variable for the user's folder from the front of a path.
func cutHome(path string) (rest string, ok bool) {
	return cutVariable(path, "$HOME", "${HOME}", "%USERPROFILE%", "%HOME%", "%HOMEDRIVE%%HOMEPATH%",
		"$env:USERPROFILE", "$env:HOME", "${env:HOME}")
}

// cutFolder removes a variable for the current folder.
func cutFolder(path string) (rest string, ok bool) {
	return cutVariable(path, "$PWD", "${PWD}", "%CD%", "~+", "$(pwd)", "`pwd`")
}

func cutVariable(path string, names ...string) (rest string, ok bool) {
	for _, name := range names {
		rest, ok := cutPrefixFold(path, name)
		if ok && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
			return rest, true
		}
	}
	return "", false
}

func cutPrefixFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// cutFileURL removes the scheme of a file URL.
func cutFileURL(path string) (rest string, ok bool) {
	return cutPrefixFold(strings.TrimSpace(path), "file:")
}

// readFileURL reads the unescaped text after the scheme: a server and a path, or a path.
func readFileURL(rest string) []reading {
	slashed := strings.ReplaceAll(rest, `\`, "/")
	path := slashed
	if after, ok := strings.CutPrefix(slashed, "//"); ok {
		host, below, _ := strings.Cut(after, "/")
		isDrive := len(host) == 2 && isLetter(host[0]) && (host[1] == ':' || host[1] == '|')
		switch {
		case isDrive:
			path = "/" + after
		case host != "" && !strings.EqualFold(host, "localhost") && host != "127.0.0.1" && host != ".":
			return []reading{readWindows(`\\` + host + `\` + strings.ReplaceAll(below, "/", `\`))}
		default:
			path = "/" + below
		}
	}
	if trimmed := strings.TrimLeft(path, "/"); len(trimmed) >= 2 && isLetter(trimmed[0]) && (trimmed[1] == ':' || trimmed[1] == '|') {
		return []reading{readPlain(trimmed[:1]+":"+trimmed[2:], true)}
	}
	out := []reading{readPlain(path, false)}
	if strings.Contains(rest, `\`) && !strings.HasPrefix(rest, `\`) {
		out = append(out, readPlain(strings.TrimPrefix(rest, "//"), false))
	}
	return out
}

// unescape decodes %XX.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
