package dialect

import "strings"

// PathEnds says whether a clean path ends in one of some ends. Case does not count: what is asked for in another case must not
// be treated in another way.
func PathEnds(path string, ends ...string) bool {
	path = strings.TrimRight(path, "/")
	for _, end := range ends {
		if len(path) >= len(end) && strings.EqualFold(path[len(path)-len(end):], end) {
			return true
		}
	}
	return false
}
