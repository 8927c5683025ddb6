package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// A Journal stores the content of files before they were changed. An entry is on disk before the first file is written.
type Journal struct {
	dir string
	now func() time.Time
}

// NewJournal returns the journal in weir's state folder. Its folder need not exist yet.
func NewJournal(stateDir string) *Journal {
	return &Journal{dir: filepath.Join(stateDir, "setup"), now: time.Now}
}

// An Entry is one recorded setup.
type Entry struct {
	Name  string
	Time  time.Time // when it was made
	Files []string
	// Changed are the files that were edited since.
	Changed []string
	// Stale says that a setup or its undo broke off: some files may be changed and others not.
	Stale bool
}

// record is the stored form of an entry.
type record struct {
	Time time.Time `json:"time"`
	// Done is false while files are being written.
	Done  bool         `json:"done"`
	Files []fileRecord `json:"files"`
}

// A fileRecord says how one file was changed. The difference between Before and After is exactly what weir has set.
type fileRecord struct {
	Path    string `json:"path"`
	Format  Format `json:"format"`
	Existed bool   `json:"existed"`
	Before  []byte `json:"before,omitempty"`
	After   []byte `json:"after"`
	// Interim is the content of the file when an earlier setup was changed; none: it was Before.
	Interim []byte   `json:"interim,omitempty"`
	Folders []string `json:"folders,omitempty"` // folders made for it, the innermost first
}

// names matches valid names of entries.
var names = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

func (j *Journal) path(name string) (string, error) {
	if !names.MatchString(name) {
		return "", fmt.Errorf("%q is not the name of a setup", name)
	}
	return filepath.Join(j.dir, name+".json"), nil
}

// load reads an entry; nil: there is none.
func (j *Journal) load(name string) (*record, error) {
	path, err := j.path(name)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var r record
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		return nil, fmt.Errorf("read the changes of weir setup %s: %w; if you have undone them yourself, remove %s", name, err, path)
	}
	return &r, nil
}

// save makes an entry durable.
func (j *Journal) save(name string, r *record) error {
	path, err := j.path(name)
	if err != nil {
		return err
	}
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("record the setup: %w", err)
	}
	return Replace(path, data, nil)
}

func (j *Journal) forget(name string) error {
	path, err := j.path(name)
	if err != nil {
		return err
	}
	return remove(path)
}

// restore restores an entry; nil: there was none.
func (j *Journal) restore(name string, r *record) error {
	if r == nil {
		return j.forget(name)
	}
	return j.save(name, r)
}

// List returns the recorded setups.
func (j *Journal) List() ([]Entry, error) {
	files, err := os.ReadDir(j.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list setups: %w", err)
	}
	var all []Entry
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), ".json")
		if !ok || !names.MatchString(name) {
			continue
		}
		r, err := j.load(name)
		if err != nil {
			return nil, err
		}
		if r == nil {
			continue // it was undone just now
		}
		entry := Entry{Name: name, Time: r.Time, Stale: !r.Done}
		for _, f := range r.Files {
			entry.Files = append(entry.Files, f.Path)
			now, err := f.now()
			if err != nil || !now.exists || !bytes.Equal(now.data, f.After) {
				entry.Changed = append(entry.Changed, f.Path)
			}
		}
		all = append(all, entry)
	}
	return all, nil
}

// file finds the record of a file.
func (r *record) file(path string) (fileRecord, bool) {
	if r != nil {
		for _, f := range r.Files {
			if f.Path == path {
				return f, true
			}
		}
	}
	return fileRecord{}, false
}
