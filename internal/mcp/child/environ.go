package child

import (
	"maps"
	"runtime"
	"slices"
	"strings"
)

// Lists say which variables of an environment a process gets. Names are globs: * is any run of characters, ? is one. Case counts,
// except on Windows.
type Lists struct {
	// Allow are the variables that it gets beside those that programs need (see Environ); nil: all.
	Allow []string
	Deny  []string // variables that it does not get, whatever Allow says
	// Set are variables that it gets in any case. They replace variables of the same name.
	Set map[string]string
}

// own are weir's own variables, such as its keys. A process gets one of them only if Set has it.
var own = []string{"WEIR_*"}

// least are the variables without which ordinary programs do not start, or print unreadable text.
var least = []string{"PATH", "HOME", "USER", "LANG", "LC_*", "TERM", "TMPDIR", "SHELL"}

// leastOnWindows is least for Windows.
var leastOnWindows = append(slices.Clone(least), "SystemRoot")

// Environ returns the entries of all, in the form of os.Environ, that the lists allow. Without lists these are all variables except
// those that begin with WEIR_. With Allow these are the allowed ones, and PATH, HOME, USER, LANG, LC_*, TERM, TMPDIR, SHELL, and on
// Windows SystemRoot. Entries without a name are left out.
func Environ(all []string, lists Lists) []string {
	return environ(all, lists, runtime.GOOS == "windows")
}

// environ is Environ for a system that is Windows or not.
func environ(all []string, lists Lists, windows bool) []string {
	names := matcher{fold: windows}
	needed := least
	if windows {
		needed = leastOnWindows
	}
	var kept []string
	for _, entry := range all {
		name, _, ok := cutEntry(entry)
		switch {
		case !ok, names.match(own, name), names.match(lists.Deny, name), names.isIn(lists.Set, name):
		case lists.Allow == nil, names.match(lists.Allow, name), names.match(needed, name):
			kept = append(kept, entry)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lists.Set)) {
		kept = append(kept, name+"="+lists.Set[name])
	}
	if kept == nil {
		// For os/exec, nil means weir's whole environment.
		kept = []string{}
	}
	return kept
}

// cutEntry returns the name and the value of an entry. Windows has names that begin with "=".
func cutEntry(entry string) (name, value string, ok bool) {
	if entry == "" {
		return "", "", false
	}
	i := strings.IndexByte(entry[1:], '=')
	if i < 0 || entry[0] == '=' && i == 0 {
		return "", "", false
	}
	return entry[:i+1], entry[i+2:], true
}

// A matcher compares names of variables.
type matcher struct{ fold bool }

// match reports whether one of the globs matches the name.
func (m matcher) match(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		if m.fold {
			return matches(strings.ToUpper(glob), strings.ToUpper(name))
		}
		return matches(glob, name)
	})
}

// isIn reports whether one of the keys is the name.
func (m matcher) isIn(set map[string]string, name string) bool {
	if !m.fold {
		_, is := set[name]
		return is
	}
	for key := range set {
		if strings.EqualFold(key, name) {
			return true
		}
	}
	return false
}

// matches reports whether the glob matches all of the name. On a mismatch it only goes back to the last *, so its time is at most
// the product of both lengths.
func matches(glob, name string) bool {
	g, n := 0, 0
	star, from := -1, 0 // the last *, and the position in the name at which the rest was tried
	for n < len(name) {
		switch {
		case g < len(glob) && glob[g] == '*':
			star, from = g, n
			g++
		case g < len(glob) && (glob[g] == '?' || glob[g] == name[n]):
			g, n = g+1, n+1
		case star >= 0:
			from++
			g, n = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(glob[g:], "*") == ""
}
