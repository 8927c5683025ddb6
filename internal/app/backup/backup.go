// Package backup copies the record of a running weir to a folder from which it can be restored.
package backup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/weir-gate/weir/internal/record/catchup"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/record/verify"
	_ "modernc.org/sqlite" // the driver of the files
)

// Config says what is copied, and where to.
type Config struct {
	URL      string // of the store
	StateDir string // "": none
	KeyPath  string // of the key that signs the record; "": it is not known
	To       string // the folder, which must not be there yet
	// WithKey also copies the key itself. Whoever has it can sign in weir's name.
	WithKey bool
	// Unverified leaves the copy as it is, without verifying it.
	Unverified bool
}

// A Result is what was copied.
type Result struct {
	Folder string `json:"folder"`
	Store  string `json:"store"` // the URL of the copy
	Bytes  int64  `json:"bytes"`
	// Events is how many events the copy has, if it was verified.
	Events   int64    `json:"events,omitzero"`
	Verified bool     `json:"verified"`
	Keys     []string `json:"keys"` // the ids of the keys that sign
}

// ErrServer says that the store is on a server, which has its own tools.
var ErrServer = errors.New("the store is a database on a server; back it up with pg_dump, which gives a consistent copy while weir runs")

// The names of files in the folder.
const (
	keyName     = "audit.key"
	witnessName = keyName + ".last"
	publicName  = keyName + ".pub"
)

// Take copies the record. What was durable before it began is in the copy, and the copy is one state of the record: the newest checkpoint
// beside the key is copied first, then the file, then the logs, and each is at least as new as the one before. The index is left out: it
// follows from the logs. The folder appears
// when the copy is complete and intact.
func Take(ctx context.Context, c Config) (r Result, err error) {
	path, isFile := store.URL(c.URL).File()
	if !isFile {
		return r, ErrServer
	}
	if _, err := os.Lstat(c.To); err == nil {
		return r, fmt.Errorf("%s is there already; name a folder that is not", c.To)
	}
	part, err := os.MkdirTemp(filepath.Dir(filepath.Clean(c.To)), ".weir-backup-*") // with mode 0700
	if err != nil {
		return r, fmt.Errorf("%w; create the folder above it, or name another one", err)
	}
	defer os.RemoveAll(part) // it has its final name by then
	if r.Keys, err = c.copyKeys(part); err != nil {
		return r, err
	}
	logs, err := store.URL(c.URL).LogFolder(c.StateDir)
	if err != nil {
		return r, err
	}
	name := filepath.Base(path)
	if err := copyDatabase(ctx, path, filepath.Join(part, name)); err != nil {
		return r, fmt.Errorf("copy the database: %w", err)
	}
	if err := copyLogs(ctx, logs, filepath.Join(part, name+strings.TrimPrefix(filepath.Base(logs), name))); err != nil {
		return r, fmt.Errorf("copy the logs: %w", err)
	}
	if !c.Unverified {
		if err := r.verify(ctx, "sqlite://"+filepath.Join(part, name)); err != nil {
			return r, err
		}
	}
	if r.Bytes, err = size(part); err != nil {
		return r, err
	}
	r.Folder, r.Store = c.To, "sqlite://"+filepath.Join(c.To, name)
	return r, os.Rename(part, c.To)
}

// copyKeys copies what is beside the key, and returns the ids of the keys.
func (c Config) copyKeys(to string) (ids []string, err error) {
	ids = []string{}
	if c.KeyPath == "" {
		return ids, nil
	}
	if ids, err = checkpoint.ReadKeyIDs(c.KeyPath); errors.Is(err, fs.ErrNotExist) {
		return []string{}, nil
	} else if err != nil {
		return nil, err
	}
	witness := checkpoint.Witness{KeyPath: c.KeyPath}.Path()
	if err := copyFile(witness, filepath.Join(to, witnessName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if c.WithKey {
		if err := copyFile(c.KeyPath, filepath.Join(to, keyName)); err != nil {
			return nil, err
		}
	}
	return ids, os.WriteFile(filepath.Join(to, publicName), []byte(strings.Join(ids, "\n")+"\n"), 0o600)
}

// copyDatabase copies a database as of one moment, while others write.
func copyDatabase(ctx context.Context, from, to string) error {
	if _, err := os.Stat(from); err != nil {
		return err
	}
	at := url.URL{Scheme: "file", OmitHost: true, Path: from, RawQuery: "mode=ro&_pragma=busy_timeout(60000)"}
	if !filepath.IsAbs(from) {
		at = url.URL{Scheme: "file", Opaque: (&url.URL{Path: from}).EscapedPath(), RawQuery: at.RawQuery}
	}
	db, err := sql.Open("sqlite", at.String())
	if err != nil {
		return err
	}
	defer db.Close() // nothing was written with it
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", to); err != nil {
		return err
	}
	return os.Chmod(to, 0o600)
}

// verify stores what the copied logs have, and verifies the copy.
func (r *Result) verify(ctx context.Context, copied string) error {
	var said []string
	view, err := catchup.Open(ctx, catchup.Config{URL: copied, Say: func(text string) { said = append(said, text) }})
	if err != nil {
		return fmt.Errorf("verify the copy: %w", err)
	}
	report, err := verify.Check{Record: view, Keys: keysOrAll(r.Keys)}.Run(ctx)
	if err = errors.Join(err, view.Close()); err != nil {
		return fmt.Errorf("verify the copy: %w", err)
	}
	if len(said) > 0 {
		return fmt.Errorf("verify the copy: %s; try again", strings.Join(said, "; "))
	}
	if report.Found > 0 {
		return fmt.Errorf("the copy is not intact: %d problems, the first: %s; run weir audit verify on the record itself",
			report.Found, report.Problems[0])
	}
	r.Events, r.Verified = report.Events, true
	return nil
}

// keysOrAll returns the keys whose checkpoints count; nil, every key's, if none is known.
func keysOrAll(ids []string) []string {
	if len(ids) == 0 {
		return nil
	}
	return ids
}

// copyTries is how often the logs are copied, if files of them are compressed or removed meanwhile.
const copyTries = 10

// copyLogs copies logs that may be written, compressed and removed meanwhile. What is half written at the end of the copy was not durable.
func copyLogs(ctx context.Context, from, to string) error {
	for n := 1; ; n++ {
		err := errors.Join(ctx.Err(), copyFolder(from, to))
		if n == copyTries || !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := os.RemoveAll(to); err != nil {
			return err
		}
	}
}

// copyFolder copies the files of a folder and of the folders in it. A folder that does not exist has no files. A file that is removed
// meanwhile is an error.
func copyFolder(from, to string) error {
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		at := filepath.Join(to, below)
		switch {
		case e.IsDir():
			return os.MkdirAll(at, 0o700)
		case !e.Type().IsRegular():
			return nil
		}
		return copyFile(path, at)
	})
}

// copyFile copies a file as it is now, for its owner alone.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() // nothing was written
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// size returns how many bytes the files of a folder have.
func size(folder string) (sum int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	return sum, err
}
