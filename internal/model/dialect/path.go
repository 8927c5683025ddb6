package dialect

import "strings"

// PathEnds says whether a clean path ends in one of ends. Case is ignored: a path in another case must be treated the same.
func PathEnds(path string, ends ...string) bool {
	path = strings.TrimRight(path, "/")
	for _, end := range ends {
		if len(path) >= len(end) && strings.EqualFold(path[len(path)-len(end):], end) {
			return true
		}
	}
	return false
}
