package store

import "strings"

// databaseKinds are the databases that can hold the record.
var databaseKinds = []kind{sqliteKind, postgresKind}

// A kind is a kind of database. Each has its own source files, and one entry in databaseKinds.
type kind struct {
	schemes []string // what its URLs begin with, up to ://
	// Its URL for people: with all its parts, as an example, in the schema of the configuration, and in advice for a wrong URL.
	form, example, described, advised string

	parse func(storeURL string) (address, error)
	// check reports what is wrong with a URL: see URL.Check.
	check func(storeURL string, env func(string) (string, bool), report func(what, cure string))
	// files are the suffixes of its file names, if it is a file, whose path follows the scheme; nil: it is on a server.
	files []string
	// trouble explains failures of its driver that a person can fix.
	trouble func(error) (trouble, bool)
	// passing says whether a failure is temporary. A failure that is not known may still be one of the network.
	passing func(error) (goesAway, known bool)
}

// Forms say for people which URLs name a store: a URL of each kind as an example, the parts that a URL of each kind has, and what to
// write instead of a URL of no known kind.
var Forms = struct{ Examples, Described, Advised string }{
	Examples:  oneOf(" or ", func(k kind) string { return k.example }),
	Described: oneOf(", or ", func(k kind) string { return k.described }),
	Advised:   oneOf(", or ", func(k kind) string { return k.advised }),
}

// forms are the URLs that name a store.
func forms() string { return "write " + oneOf(" or ", func(k kind) string { return k.form }) }

// oneOf lists a text of each kind.
func oneOf(or string, text func(kind) string) string {
	var all []string
	for _, k := range databaseKinds {
		all = append(all, text(k))
	}
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + or + all[last]
}
