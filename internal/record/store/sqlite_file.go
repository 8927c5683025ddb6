package store

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// The ways to open a file, as parameters of a data source name. A writer waits for another process's transaction for
// as long as the busy timeout says, takes the write lock when a transaction begins, and syncs at every commit: on macOS through the
// cache of the disk, too, which its ordinary sync does not empty. SQLite lets writers in without order, so a waiting writer may need
// many tries.
const (
	writeMode = "mode=rw&_txlock=immediate&_pragma=busy_timeout(20000)&_pragma=synchronous(full)&_pragma=fullfsync(1)" +
		"&_pragma=foreign_keys(1)&_pragma=journal_size_limit(67108864)" // journalLimit
	readMode      = "mode=ro&_pragma=busy_timeout(5000)&_pragma=query_only(1)"
	immutableMode = readMode + "&immutable=1"
)

// dsn is the driver's name for the file.
func dsn(path, mode string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: mode}
	return u.String()
}

// sqliteKind is SQLite. Its options are not part of the URL.
var sqliteKind = kind{
	schemes:   []string{"sqlite"},
	form:      "sqlite:///absolute/path.db",
	example:   "sqlite:///path/to/weir.db",
	described: "sqlite:// and a path",
	advised:   "sqlite:// and a path, such as sqlite:///var/lib/weir/weir.db",
	parse:     func(storeURL string) (address, error) { return parseSQLite(strings.TrimPrefix(storeURL, "sqlite://")) },
	check:     checkSQLite,
	files:     []string{"", "-wal", "-shm", "-journal", logSuffix, indexSuffix},
	trouble:   sqliteTrouble,
	passing:   sqlitePassing,
}

func checkSQLite(storeURL string, _ func(string) (string, bool), report func(what, cure string)) {
	const cure = "write sqlite:// and the path of a file, such as sqlite:///var/lib/weir/weir.db"
	path := strings.TrimPrefix(storeURL, "sqlite://")
	switch {
	case path == "" || strings.HasSuffix(path, "/"):
		report("no file is named", cure)
	case strings.ContainsAny(path, "?#"):
		report("a path with ? or # is not supported", cure)
	}
}

// parseSQLite parses the part of a store URL after sqlite://. Nothing in it is decoded or expanded.
func parseSQLite(path string) (sqliteAddress, error) {
	switch {
	case path == "" || strings.HasSuffix(path, "/"):
		return sqliteAddress{}, errors.New("store: url: no file is named; write sqlite:///absolute/path.db")
	case strings.ContainsAny(path, "?#\x00"):
		return sqliteAddress{}, errors.New("store: url: options are not supported; write sqlite:// and a path without ? and #")
	case path == "~" || strings.HasPrefix(path, "~/"):
		return sqliteAddress{}, errors.New("store: url: ~ is not expanded; write the whole path")
	}
	abs, err := filepath.Abs(filepath.FromSlash(path))
	if err != nil {
		return sqliteAddress{}, fmt.Errorf("store: url: %w; write an absolute path", err)
	}
	return sqliteAddress{abs}, nil
}

// prepareFile creates the file at path if it is missing, makes sure that only its owner can use it, and returns its real path.
//
// It must not open an existing file: closing it would drop the locks that SQLite holds on it for another connection of this
// process.
func prepareFile(path string) (string, error) {
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return "", err
	}
	if err := createFile(path); err != nil {
		return "", err
	}
	path, err := findFile(path)
	if err != nil {
		return "", err
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := tighten(path + suffix); err != nil {
			return "", err
		}
	}
	return path, nil
}

func makeFolder(dir string) error {
	if exists(dir) {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("store: create folder: %w; create it or change store.url", err)
	}
	if err := os.Chmod(dir, 0o700); err != nil { // whatever the umask says
		return fmt.Errorf("store: create folder: %w", err)
	}
	return nil
}

// createFile creates an empty file, which is an empty database, durably. SQLite gives the files beside it the same permissions.
func createFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("store: create database: %w; make the folder writable or change store.url", err)
	}
	if err := errors.Join(f.Chmod(0o600), f.Sync(), f.Close(), syncFolder(filepath.Dir(path))); err != nil {
		return fmt.Errorf("store: create database: %w", err)
	}
	return nil
}

// syncFolder makes the entries of a folder durable.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// A missingError says that there is no database at a path. It is fs.ErrNotExist.
type missingError string

func (path missingError) Error() string {
	return fmt.Sprintf("store: there is no database at %s; start weir serve, which creates it, or change store.url", string(path))
}

func (missingError) Is(target error) bool { return target == fs.ErrNotExist }

// findFile returns the real path of the file at path. SQLite puts its other files beside it.
func findFile(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", missingError(path)
	}
	if err != nil {
		return "", fmt.Errorf("store: find database: %w", err)
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		return "", fmt.Errorf("store: find database: %w", err)
	case info.IsDir():
		return "", fmt.Errorf("store: %s is a folder; let store.url name a file in it", path)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("store: %s is not a regular file; change store.url", path)
	}
	return target, nil
}

// tighten removes the permissions of other users from a file, if it exists.
func tighten(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(path, info.Mode().Perm()&0o700)
	}
	if err != nil {
		return fmt.Errorf("store: protect database: %w; make it readable for its owner alone", err)
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
