package store

import (
	"path/filepath"
	"strings"
)

// databaseKinds are the databases that can hold the record.
var databaseKinds = []Kind{sqliteKind, postgresKind}

// A Kind is a kind of database. Each has files of its own, and one entry in databaseKinds.
type Kind struct {
	schemes []string // what its URLs begin with, up to ://
	// Its URL as people read it: with all its parts, as an example, in the schema of the configuration, and where that is wrong.
	form, example, described, advised string

	parse func(storeURL string) (address, error)
	// Check says what is wrong with a URL as far as that shows without opening it. env looks up variables of the environment.
	Check func(storeURL string, env func(string) (string, bool)) []Problem
	// files is how the names of its files end, if it is a file, whose path follows the scheme; nil: a server keeps it.
	files []string
	// trouble knows failures of its driver that a person can mend.
	trouble func(error) (trouble, bool)
	// passing says whether a failure goes away by itself. What is not known may still be a failure of the network.
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

// File returns the path in a URL of this kind, if it is a file's.
func (k Kind) File(storeURL string) (path string, isFile bool) {
	_, path, _ = strings.Cut(storeURL, "://")
	return path, k.files != nil
}

// Files returns the files that the store of a URL is in, or may come to be in. There are none if a server keeps it.
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

// Described says what a URL of each kind is made of.
func Described() string { return oneOf(", or ", func(k Kind) string { return k.described }) }

// Advised says what to write where a URL is of no kind.
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
