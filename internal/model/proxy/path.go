package proxy

import (
	"errors"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// errAmbiguousPath says that two servers could read a path differently.
var errAmbiguousPath = errors.New("the path can be read in more than one way")

// cleanPath returns an escaped path in its one canonical form: no empty and no "." segments, no slash at the end, the
// least escaping. It fails on everything that another server could read differently: "..", escaped slashes, backslashes, control
// and invisible characters, double escaping, path parameters, dots and blanks at the end. The result is used for sending and for
// finding the endpoint.
//
// One kind of segment may have escaped slashes: the name of a model that is an Amazon resource name, right before the last segment.
// The last segment alone says what the request is for.
func cleanPath(escaped string) (string, error) {
	if !strings.HasPrefix(escaped, "/") {
		return "", errAmbiguousPath
	}
	var b strings.Builder
	before := ""
	segments := strings.Split(strings.TrimRight(escaped, "/"), "/")
	for i, segment := range segments {
		plain, err := url.PathUnescape(segment)
		named := before == "model" && i == len(segments)-2 && isResourceName(plain)
		if err != nil || !named && !unambiguous(plain) {
			return "", errAmbiguousPath
		}
		if plain == "" || plain == "." {
			continue
		}
		b.WriteByte('/')
		b.WriteString(url.PathEscape(plain))
		before = plain
	}
	if b.Len() == 0 {
		return "/", nil
	}
	return b.String(), nil
}

// isResourceName says whether a segment is an Amazon resource name that every server reads the same.
func isResourceName(segment string) bool {
	if !strings.HasPrefix(segment, "arn:") {
		return false
	}
	for part := range strings.SplitSeq(segment, "/") {
		if part == "" || part == "." || !unambiguous(part) {
			return false
		}
	}
	return true
}

// unambiguous says whether every server reads a segment the same.
func unambiguous(segment string) bool {
	if !utf8.ValidString(segment) || segment != "." && strings.TrimRight(segment, ". ") != segment || strings.HasPrefix(segment, " ") {
		return false // some servers drop blanks and dots at the end
	}
	for _, c := range segment {
		if strings.ContainsRune(`/\%?#;`, c) || unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return false
		}
	}
	return true
}

// plainQuery says whether a raw query has only printable ASCII and no ';', at which some servers split it. Such a query is sent
// unchanged.
func plainQuery(query string) bool {
	for _, c := range []byte(query) {
		if c <= 0x20 || c >= 0x7f || c == '#' || c == ';' {
			return false
		}
	}
	return true
}

// cutSegment cuts the first segment off a clean path. What remains is a clean path.
func cutSegment(path string) (segment, rest string) {
	segment, rest, _ = strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return segment, "/" + rest
}

// startsWith says whether a clean path is at or below prefix, which is a clean path, too.
func startsWith(path, prefix string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '/')
}

// join appends a clean path to a base, which is a clean path too.
func join(base, path string) string {
	if base == "/" {
		return path
	}
	if path == "/" {
		return base
	}
	return base + path
}
