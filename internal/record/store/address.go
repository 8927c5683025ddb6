package store

import (
	"context"
	"fmt"
	"net/url"
	"strings"
)

// An address is the location of a database, and opens it.
type address interface {
	open(ctx context.Context) (*Store, error)
	openReadOnly(ctx context.Context) (*Reader, error)
	// schemaVersion reads the version of the database's schema, 0 if it has none. It changes nothing.
	schemaVersion(ctx context.Context) (int64, error)
	// location is Location. It begins with a scheme of the kind.
	location() string
	// String names the database without its password.
	String() string
}

// parseAddress parses a store URL.
func parseAddress(storeURL string) (address, error) {
	if k, known := KindOf(storeURL); known {
		return k.parse(storeURL)
	}
	// The URL may hold a password: no error shows more than its scheme.
	scheme, _, found := strings.Cut(storeURL, ":")
	if !found {
		return nil, fmt.Errorf("store: url: this is not the URL of a store; %s", forms())
	}
	return nil, fmt.Errorf("store: url: %q is not a known kind of store; %s", scheme, forms())
}

// Location is the location of the store of a URL, the same for every user: the file itself, or server, database and schema. It has
// no user and no password.
func Location(storeURL string) (string, error) {
	a, err := parseAddress(storeURL)
	if err != nil {
		return "", err
	}
	return a.location(), nil
}

// Name is a store URL that can be shown: it has no password and no options.
func Name(storeURL string) string {
	k, _ := KindOf(storeURL)
	if _, isFile := k.File(storeURL); isFile {
		return storeURL
	}
	u, err := url.Parse(storeURL)
	if err != nil || u.Host == "" && u.Path == "" || ambiguous(u) {
		scheme, _, _ := strings.Cut(storeURL, ":")
		return scheme + "://..."
	}
	return nameOf(u)
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
