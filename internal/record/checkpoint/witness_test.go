package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/record"
)

// signedRow are n checkpoints, each after the one before.
func signedRow(t *testing.T, key *Key, n int) []Signed {
	t.Helper()
	var all []Signed
	var last Signed
	for i := range n {
		next, err := key.Signer(nil).Sign(last, Statement{Head: record.Head{Chain: "chain_1", Seq: int64(i), Hash: record.Genesis}})
		if err != nil {
			t.Fatal(err)
		}
		all, last = append(all, next), next
	}
	return all
}

func TestWitness(t *testing.T) {
	key := newTestKey(t)
	row := signedRow(t, key, 3)
	w := Witness{KeyPath: key.path, Location: "sqlite:///a"}
	want := func(w Witness, n int64) {
		t.Helper()
		s, err := w.Newest()
		if err != nil || s.N != n || n > 0 && string(s.Text) != string(row[n-1].Text) {
			t.Errorf("%+v holds %d, %v; want %d", w, s.N, err, n)
		}
	}
	keep := func(w Witness, s Signed) {
		t.Helper()
		if err := w.Store(s); err != nil {
			t.Error(err)
		}
	}
	want(w, 0)
	keep(w, Signed{})
	want(w, 0)
	keep(w, row[1])
	want(w, 2)
	keep(w, row[0]) // of another process, which came late
	want(w, 2)
	keep(w, row[2])
	want(w, 3)
	other := Witness{KeyPath: key.path, Location: "sqlite:///b"}
	want(other, 0)
	keep(other, row[0])
	want(w, 3)
	want(other, 1)
	if info, err := os.Stat(w.Path()); err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	for i := range 2 * mostWitnessed {
		keep(Witness{KeyPath: key.path, Location: fmt.Sprint("sqlite:///many", i)}, row[0])
	}
	want(w, 0) // it was the oldest of too many
	want(Witness{KeyPath: key.path, Location: fmt.Sprint("sqlite:///many", 2*mostWitnessed-1)}, 1)
	if info, err := os.Stat(w.Path()); err != nil || info.Size() > 64<<10 {
		t.Errorf("it grew to %d bytes, %v", info.Size(), err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(key.path), ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	want(Witness{}, 0)
	keep(Witness{}, row[0])
}

func TestWitnessIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		text, want string
		mode       fs.FileMode
	}{
		"garbled":        {"x", "move the file away", 0o600},
		"a group":        {`{"stores":[]}`, "can be written by others (mode 0660); run chmod 600", 0o660},
		"others":         {`{"stores":[]}`, "can be written by others (mode 0602); run chmod 600", 0o602},
		"another member": {`{"stores":[],"x":1}`, "move the file away", 0o600},
		"no checkpoint":  {`{"stores":[{"store":"here","checkpoint":{},"signature":""}]}`, "move the file away", 0o600},
		"large":          {strings.Repeat(" ", maxKeyFile+1), "too large", 0o600},
	} {
		w := Witness{KeyPath: filepath.Join(t.TempDir(), "audit.key"), Location: "here"}
		if err := errors.Join(os.WriteFile(w.Path(), []byte(test.text), test.mode), os.Chmod(w.Path(), test.mode)); err != nil {
			t.Fatal(err)
		}
		_, err := w.Newest()
		wantError(t, name, err, test.want)
		if strings.Contains(err.Error(), "new key") {
			t.Errorf("%s: a key has nothing to do with it: %v", name, err)
		}
	}
}

// TestWitnessIsNoSecret: others may read it. Once it is kept anew they may not.
func TestWitnessIsNoSecret(t *testing.T) {
	key := newTestKey(t)
	row := signedRow(t, key, 2)
	w := Witness{KeyPath: key.path, Location: "here"}
	if err := errors.Join(w.Store(row[0]), os.Chmod(w.Path(), 0o644)); err != nil {
		t.Fatal(err)
	}
	if s, err := w.Newest(); err != nil || s.N != 1 {
		t.Errorf("read %d, %v", s.N, err)
	}
	if err := w.Store(row[1]); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(w.Path()); err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// TestSignerResumes only where the store's checkpoints go on from what it knows.
func TestSignerResumes(t *testing.T) {
	key, other := newTestKey(t), newTestKey(t)
	row, anew := signedRow(t, key, 4), signedRow(t, key, 4)
	anew[1].Text = append(anew[1].Text, ' ')
	column := row[3]
	column.Seq = 99
	for _, test := range []struct {
		name  string
		last  Signed
		found []Signed
		want  int64
		err   string
	}{
		{"a new store", Signed{}, nil, 0, ""},
		{"nothing is known", Signed{}, row[3:], 4, ""},
		{"the newest", row[3], row[3:], 4, ""},
		{"another process went on", row[1], row[1:], 4, ""},
		{"all are gone", row[1], nil, 0, ErrForgotten.Error()},
		{"it alone is gone", row[1], row[2:], 0, ErrForgotten.Error()},
		{"another in its place", row[1], signedRow(t, key, 2)[1:], 0, ErrForgotten.Error()},
		{"a hole", row[0], []Signed{row[0], row[2]}, 0, "does not follow"},
		{"spliced", row[0], []Signed{row[0], signedRow(t, key, 2)[1]}, 0, "does not follow"},
		{"changed", Signed{}, anew[1:2], 0, "is not as it was signed"},
		{"a column", Signed{}, []Signed{column}, 0, "is not as it was signed"},
		{"another key's", Signed{}, signedRow(t, other, 1), 0, "is not as it was signed"},
	} {
		got, err := key.Signer(nil).After(test.last).Resume(test.found)
		if test.err != "" {
			wantError(t, test.name, err, test.err)
		} else if err != nil || got.N != test.want {
			t.Errorf("%s: %d, %v; want %d", test.name, got.N, err, test.want)
		}
	}
}

// FuzzWitness reads whatever is in the file: a checkpoint that says what it is said to say, nothing, or an error.
func FuzzWitness(f *testing.F) {
	f.Add([]byte(`{"stores":[]}`))
	f.Add([]byte(`{"stores":[{"store":"here","checkpoint":{"v":1,"type":"checkpoint","n":3,"time":"2026-01-02T03:04:05Z","chain":"c","seq":1,"hash":"h",` +
		`"closed":false,"cut":true,"cut_first":1,"prev":"p","key":"k"},"signature":"s"}]}`))
	f.Add([]byte(`{"stores":[{"store":"here","checkpoint":null}]}`))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		w := Witness{KeyPath: filepath.Join(dir, "audit.key"), Location: "here"}
		if err := os.WriteFile(w.Path(), data, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := w.Newest()
		if err != nil || len(s.Text) == 0 {
			return
		}
		if c, err := s.Checkpoint(); err != nil || s.Differs(c) != "" || s.Authentic() {
			t.Errorf("read %+v from %q, %v", s, data, err)
		}
	})
}
