package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// An address is the location of a database, and opens it.
type address interface {
	open(ctx context.Context) (*Store, error)
	openReadOnly(ctx context.Context) (*View, error)
	// schemaVersion reads the version of the database's schema, 0 if it has none. It changes nothing.
	schemaVersion(ctx context.Context) (int64, error)
	// location is URL.Location. It begins with a scheme of the kind.
	location() string
	// String names the database without its password.
	String() string
}

// A URL names a store, as Open has it. It may hold a password.
type URL string

// kind returns the kind of database that a URL names.
func (u URL) kind() (kind, bool) {
	for _, k := range databaseKinds {
		for _, scheme := range k.schemes {
			if strings.HasPrefix(string(u), scheme+"://") {
				return k, true
			}
		}
	}
	return kind{}, false
}

func (u URL) address() (address, error) {
	if k, known := u.kind(); known {
		return k.parse(string(u))
	}
	// The URL may hold a password: no error shows more than its scheme.
	scheme, _, found := strings.Cut(string(u), ":")
	if !found {
		return nil, fmt.Errorf("store: url: this is not the URL of a store; %s", forms())
	}
	return nil, fmt.Errorf("store: url: %q is not a known kind of store; %s", scheme, forms())
}

// Check reports what is wrong with a URL, without opening it, and what to do about it. env looks up variables of the environment.
// The report shows nothing of the URL.
func (u URL) Check(env func(string) (string, bool), report func(what, cure string)) {
	k, known := u.kind()
	if !known {
		report("this is not a store", "write "+Forms.Advised)
		return
	}
	k.check(string(u), env, report)
}

// File returns the path in a URL, if it names a file.
func (u URL) File() (path string, isFile bool) {
	k, _ := u.kind()
	_, path, _ = strings.Cut(string(u), "://")
	return path, k.files != nil
}

// Files returns the files that the store is in, or may come to be in. There are none if it is on a server.
func (u URL) Files() (all []string) {
	location, err := u.Location()
	if err != nil {
		return nil
	}
	path, _ := URL(location).File()
	k, _ := URL(location).kind()
	for _, end := range k.files {
		all = append(all, filepath.FromSlash(path)+end)
	}
	return all
}

// LogFolder returns the folder for the logs of the processes that write to the store, whose events the store does not have yet: beside
// its file, or in the state folder if it is on a server.
func (u URL) LogFolder(stateDir string) (string, error) {
	location, err := u.Location()
	if err != nil {
		return "", err
	}
	if path, isFile := URL(location).File(); isFile {
		return filepath.FromSlash(path) + logSuffix, nil
	}
	sum := sha256.Sum256([]byte(location))
	return filepath.Join(stateDir, "log", hex.EncodeToString(sum[:8])), nil
}

// IndexFolder returns the folder of the index of the logs beside a file.
func (u URL) IndexFolder() (string, error) {
	location, err := u.Location()
	if err != nil {
		return "", err
	}
	path, _ := URL(location).File()
	return filepath.FromSlash(path) + indexSuffix, nil
}

// What the names of the folders beside a file end with: of its logs, and of their index.
const (
	logSuffix   = "-log"
	indexSuffix = "-index"
)

// Location is the location of the store, the same for every user: the file itself, or server, database and schema. It has no user
// and no password.
func (u URL) Location() (string, error) {
	a, err := u.address()
	if err != nil {
		return "", err
	}
	return a.location(), nil
}

// String is the URL as it can be shown: without password and options.
func (u URL) String() string {
	if _, isFile := u.File(); isFile {
		return string(u)
	}
	parsed, err := url.Parse(string(u))
	if err != nil || parsed.Host == "" && parsed.Path == "" || ambiguous(parsed) {
		scheme, _, _ := strings.Cut(string(u), ":")
		return scheme + "://..."
	}
	return nameOf(parsed)
}

// ambiguous says whether a part of the password may be parsed as something else: a / ? or # in it that is not written as %XX ends
// the user part early.
func ambiguous(u *url.URL) bool {
	return u.Fragment != "" || strings.Contains(u.Path, "@") || u.User == nil && u.Host != "" && strings.Contains(u.RawQuery, "@")
}

// nameOf returns a URL without the parts that may be secret.
func nameOf(u *url.URL) string {
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if user := u.User.Username(); user != "" {
		shown.User = url.User(user)
	}
	return shown.String()
}
