package store

import (
	"path/filepath"
	"strings"
)

// databaseKinds are the databases that can hold the record.
var databaseKinds = []Kind{sqliteKind, postgresKind}

// A Kind is a kind of database. Each has its own source files, and one entry in databaseKinds.
type Kind struct {
	schemes []string // what its URLs begin with, up to ://
	// Its URL for people: with all its parts, as an example, in the schema of the configuration, and in advice for a wrong URL.
	form, example, described, advised string

	parse func(storeURL string) (address, error)
	// Check finds what is wrong with a URL without opening it. env looks up variables of the environment.
	Check func(storeURL string, env func(string) (string, bool)) []Problem
	// files are the suffixes of its file names, if it is a file, whose path follows the scheme; nil: it is on a server.
	files []string
	// trouble explains failures of its driver that a person can fix.
	trouble func(error) (trouble, bool)
	// passing says whether a failure is temporary. A failure that is not known may still be one of the network.
	passing func(error) (goesAway, known bool)
}

// A Problem is what is wrong with a URL, and what to do about it. It shows nothing of the URL, which may hold a password.
type Problem struct{ What, Cure string }

// KindOf returns the kind of database that a URL names.
func KindOf(storeURL string) (Kind, bool) {
	for _, k := range databaseKinds {
		for _, scheme := range k.schemes {
			if strings.HasPrefix(storeURL, scheme+"://") {
				return k, true
			}
		}
	}
	return Kind{}, false
}

// File returns the path in a URL of this kind, if the kind is a file.
func (k Kind) File(storeURL string) (path string, isFile bool) {
	_, path, _ = strings.Cut(storeURL, "://")
	return path, k.files != nil
}

// Files returns the files that the store of a URL is in, or may come to be in. There are none if it is on a server.
func Files(storeURL string) (all []string) {
	place, err := Location(storeURL)
	if err != nil {
		return nil
	}
	k, _ := KindOf(place)
	path, _ := k.File(place)
	for _, end := range k.files {
		all = append(all, filepath.FromSlash(path)+end)
	}
	return all
}

// Examples shows a URL of each kind.
func Examples() string { return oneOf(" or ", func(k Kind) string { return k.example }) }

// Described says which parts a URL of each kind has.
func Described() string { return oneOf(", or ", func(k Kind) string { return k.described }) }

// Advised says what to write instead of a URL of no known kind.
func Advised() string { return oneOf(", or ", func(k Kind) string { return k.advised }) }

// forms are the URLs that name a store.
func forms() string { return "write " + oneOf(" or ", func(k Kind) string { return k.form }) }

// oneOf lists a text of each kind.
func oneOf(or string, text func(Kind) string) string {
	var all []string
	for _, k := range databaseKinds {
		all = append(all, text(k))
	}
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + or + all[last]
}
