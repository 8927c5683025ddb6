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

// A Witness is a file beside the key that holds the newest checkpoint of the key in each store. Who can write to a store, but not to
// that file, cannot have its checkpoints forgotten. The zero Witness holds nothing and takes nothing.
type Witness struct {
	path  string
	store string
}

// NewWitness is the one of a key file, for the store that this name stands for.
func NewWitness(keyPath, store string) Witness { return Witness{path: keyPath + ".last", store: store} }

// Path is where it is; "": nowhere.
func (w Witness) Path() string { return w.path }

// mostWitnessed is how many stores are remembered: those that were signed last.
const mostWitnessed = 64

// A witnessText is what is in the file.
type witnessText struct {
	Stores []witnessed `json:"stores"`
}

// witnessed is what is held of one store.
type witnessed struct {
	Store      string         `json:"store"`
	Checkpoint jsontext.Value `json:"checkpoint"`
	Signature  string         `json:"signature"`
}

// Newest reads the newest checkpoint that the file holds of the store, whoever signed it; its zero value: none.
func (w Witness) Newest() (Signed, error) {
	if w.path == "" {
		return Signed{}, nil
	}
	all, err := w.read()
	if err != nil {
		return Signed{}, err
	}
	at := slices.IndexFunc(all, func(e witnessed) bool { return e.Store == w.store })
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
		"file away if the record is as it should be: weir makes a new one", w.path, err)
}

func (w Witness) read() ([]witnessed, error) {
	// It is no secret: what it holds is in the store as well. But who can write it can have checkpoints forgotten.
	const look = "run weir audit verify with what you keep elsewhere"
	data, err := guarded{path: w.path, barred: 0o022, others: "can be written by others", suspect: look,
		elsewhere: "move it away, and " + look}.read()
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

// Keep puts a checkpoint into the file, unless a newer one is there: of two processes with one key either may come last.
func (w Witness) Store(s Signed) error {
	if w.path == "" || s.N == 0 {
		return nil
	}
	all, err := w.read()
	if err != nil {
		return err
	}
	kept := witnessed{w.store, s.Text, s.Signature}
	at := slices.IndexFunc(all, func(e witnessed) bool { return e.Store == w.store })
	if at >= 0 {
		if held, err := ReadSigned(all[at].Checkpoint, all[at].Signature); err == nil && held.Key == s.Key && held.N >= s.N {
			return nil
		}
		all = slices.Delete(all, at, at+1)
	}
	all = append(all, kept) // the last is the newest
	return w.write(all[max(0, len(all)-mostWitnessed):])
}

// write replaces the file: the old one or the new one is there, whatever happens meanwhile.
func (w Witness) write(all []witnessed) error {
	data, err := json.Marshal(witnessText{all})
	if err != nil {
		return fmt.Errorf("keep the newest checkpoint: %w", err)
	}
	if err := replaceSecret(w.path, append(data, '\n')); err != nil {
		return fmt.Errorf("keep the newest checkpoint: %w; make the folder of audit.key writable", err)
	}
	return nil
}

// replaceSecret puts a file in another's place, for the owner alone, and syncs it.
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
