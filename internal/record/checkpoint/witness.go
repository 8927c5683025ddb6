package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Witness is a file beside the key that holds the newest checkpoint of the key in each store. Somebody who can write to a store,
// but not to that file, cannot remove checkpoints unnoticed. The zero Witness has no file and stores nothing.
type Witness struct {
	KeyPath  string // of the file of the key
	Location string // of the store
}

// Path is the path of the file; "": there is none.
func (w Witness) Path() string {
	if w.KeyPath == "" {
		return ""
	}
	return w.KeyPath + ".last"
}

// mostWitnessed is how many stores the file remembers: those that were signed last.
const mostWitnessed = 64

// A witnessText is the content of the file.
type witnessText struct {
	Stores []witnessed `json:"stores"`
}

// witnessed is the entry of one store.
type witnessed struct {
	Store      string         `json:"store"`
	Checkpoint jsontext.Value `json:"checkpoint"`
	Signature  string         `json:"signature"`
}

// Newest reads the newest checkpoint of the store from the file, whichever key signed it; zero: none.
func (w Witness) Newest() (Signed, error) {
	if w.KeyPath == "" {
		return Signed{}, nil
	}
	all, err := w.read()
	if err != nil {
		return Signed{}, err
	}
	at := slices.IndexFunc(all, func(e witnessed) bool { return e.Store == w.Location })
	if at < 0 {
		return Signed{}, nil
	}
	s, err := ReadSigned(all[at].Checkpoint, all[at].Signature)
	if err != nil {
		return Signed{}, w.unusable(err)
	}
	return s, nil
}

func (w Witness) unusable(err error) error {
	return fmt.Errorf("the newest checkpoint beside the audit key: %s: %w; run weir audit verify with what you keep elsewhere, and move the "+
		"file away if the record is as it should be: weir makes a new one", w.Path(), err)
}

func (w Witness) read() ([]witnessed, error) {
	// The file is no secret: its content is in the store as well. But somebody who can write it can make weir forget checkpoints.
	const look = "run weir audit verify with what you keep elsewhere"
	data, err := guarded{
		path: w.Path(), barred: 0o022, others: "can be written by others", suspect: look,
		elsewhere: "move it away, and " + look,
	}.read()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the newest checkpoint beside the audit key: %w. Until then weir signs nothing and removes nothing", err)
	}
	var t witnessText
	if err := json.Unmarshal(data, &t, json.RejectUnknownMembers(true)); err != nil {
		return nil, w.unusable(err)
	}
	return t.Stores, nil
}

// Store puts a checkpoint into the file, unless the file has a newer one: two processes with one key may come in any order.
func (w Witness) Store(s Signed) error {
	if w.KeyPath == "" || s.N == 0 {
		return nil
	}
	all, err := w.read()
	if err != nil {
		return err
	}
	newest := witnessed{w.Location, s.Text, s.Signature}
	at := slices.IndexFunc(all, func(e witnessed) bool { return e.Store == w.Location })
	if at >= 0 {
		if held, err := ReadSigned(all[at].Checkpoint, all[at].Signature); err == nil && held.Key == s.Key && held.N >= s.N {
			return nil
		}
		all = slices.Delete(all, at, at+1)
	}
	all = append(all, newest) // the last is the newest
	return w.write(all[max(0, len(all)-mostWitnessed):])
}

// write replaces the file atomically: the old or the new file exists, whatever happens meanwhile.
func (w Witness) write(all []witnessed) error {
	data, err := json.Marshal(witnessText{all})
	if err != nil {
		return fmt.Errorf("keep the newest checkpoint: %w", err)
	}
	if err := replaceSecret(w.Path(), append(data, '\n')); err != nil {
		return fmt.Errorf("keep the newest checkpoint: %w; make the folder of audit.key writable", err)
	}
	return nil
}

// replaceSecret replaces a file by one that only its owner can read and write, and syncs it.
func replaceSecret(path string, data []byte) error {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, ".audit-key-*") // with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // it has another name by then
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncFolder(dir)
}
