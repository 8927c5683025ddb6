package store

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// asOwner runs f with the rights of the folder's owner, who is not root: root may write anywhere.
func asOwner(t *testing.T, dir string, f func()) {
	t.Helper()
	if os.Getuid() != 0 {
		f()
		return
	}
	const nobody = 65534
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chown(path, nobody, nobody)
	})
	if err != nil {
		t.Fatal(err)
	}
	// On Linux the user id for files belongs to a thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := syscall.Setfsuid(nobody); err != nil {
		t.Fatal(err)
	}
	defer syscall.Setfsuid(0) // root may
	f()
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func TestWithoutPermission(t *testing.T) {
	for _, test := range []struct {
		name         string
		folder, file os.FileMode // 0: no file
		problem      string      // of Open
		reads        string      // what OpenReadOnly reads; "": it fails
	}{
		{"folder not writable, no file", 0o500, 0, "make the folder writable", ""},
		{"folder not accessible", 0o000, 0o600, "permission denied", ""},
		{"folder not writable", 0o500, 0o600, "make the file and its folder writable", "a"},
		{"file not writable", 0o700, 0o400, "make the file and its folder writable", "a"},
		{"neither writable", 0o500, 0o400, "make the file and its folder writable", "a"},
		{"file not readable", 0o700, 0o000, "make the file and its folder accessible", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "weir.db")
			if test.file != 0 || test.folder == 0o700 {
				s, err := Open(t.Context(), "sqlite://"+path)
				if err != nil {
					t.Fatal(err)
				}
				recordAll(t, s, "a")
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				chmod(t, path, test.file)
			}
			chmod(t, dir, test.folder)
			defer chmod(t, dir, 0o700)
			asOwner(t, dir, func() {
				s, err := Open(t.Context(), "sqlite://"+path)
				wantError(t, "Open", err, test.problem)
				if err == nil {
					s.Close()
				}
				r, err := OpenReadOnly(t.Context(), "sqlite://"+path)
				if err == nil {
					defer r.Close()
				}
				switch {
				case test.reads == "":
					wantError(t, "OpenReadOnly", err, "store: ")
				case err != nil:
					t.Error(err)
				default:
					if got := tools(t, r); got != test.reads {
						t.Errorf("read %q, want %q", got, test.reads)
					}
				}
			})
		})
	}
}
