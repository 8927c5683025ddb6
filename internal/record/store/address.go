package store

import (
	"context"
	"fmt"
	"net/url"
	"strings"
)

// An address is where a database is, and the way to open it.
type address interface {
	open(ctx context.Context) (*Store, error)
	openReadOnly(ctx context.Context) (*Reader, error)
	// schemaVersion reads the version of the database's schema, 0 if it has none. It changes nothing.
	schemaVersion(ctx context.Context) (int64, error)
	// place is Place.
	place() string
	// String names the database without its password.
	String() string
}

// forms are the URLs that name a store.
const forms = "write sqlite:///absolute/path.db or postgres://user:password@host:5432/database"

// parseAddress reads a store URL.
func parseAddress(storeURL string) (address, error) {
	// The URL may hold a password: no error shows more than its scheme.
	scheme, rest, found := strings.Cut(storeURL, "://")
	switch {
	case found && scheme == "sqlite":
		return parseSQLite(rest)
	case found && (scheme == "postgres" || scheme == "postgresql"):
		return parsePostgres(storeURL)
	}
	scheme, _, found = strings.Cut(storeURL, ":")
	if !found {
		return nil, fmt.Errorf("store: url: this is not the URL of a store; %s", forms)
	}
	return nil, fmt.Errorf("store: url: %q is not a known kind of store; %s", scheme, forms)
}

// Name is a store URL that can be shown: it has no password and no options.
func Name(storeURL string) string {
	if strings.HasPrefix(storeURL, "sqlite://") {
		return storeURL
	}
	u, err := url.Parse(storeURL)
	if err != nil || u.Host == "" && u.Path == "" || ambiguous(u) {
		scheme, _, _ := strings.Cut(storeURL, ":")
		return scheme + "://..."
	}
	return nameOf(u)
}

// ambiguous says whether a part of the password may stand where it is taken for something else: a / ? or # in it, which
// nobody wrote as %XX, ends what comes before the host.
func ambiguous(u *url.URL) bool {
	return u.Fragment != "" || strings.Contains(u.Path, "@") || u.User == nil && u.Host != "" && strings.Contains(u.RawQuery, "@")
}

// nameOf shows a URL without what may be secret.
func nameOf(u *url.URL) string {
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if user := u.User.Username(); user != "" {
		shown.User = url.User(user)
	}
	return shown.String()
}
