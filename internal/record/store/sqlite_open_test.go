package store

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/record/query"
)

func TestSQLiteURL(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ url, path, problem string }{
		{"sqlite:///var/lib/weir.db", "/var/lib/weir.db", ""},
		{"sqlite://weir.db", here + "/weir.db", ""},
		{"sqlite://a/../b c%20.db", here + "/b c%20.db", ""},
		{"sqlite://", "", "no file is named"},
		{"sqlite:///var/", "", "no file is named"},
		{"sqlite://weir.db?mode=ro", "", "options are not supported"},
		{"sqlite://~/weir.db", "", "~ is not expanded"},
	} {
		a, err := URL(test.url).address()
		if test.problem == "" && (err != nil || a != address(sqliteAddress{test.path})) {
			t.Errorf("%s: %v, %v; want %q", test.url, a, err, test.path)
		}
		if test.problem != "" {
			wantError(t, test.url, err, test.problem)
		}
	}
}

// TestEveryCommitIsSynced pins the settings on which durability rests.
func TestEveryCommitIsSynced(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "weir.db"))
	for name, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "fullfsync": "1", "busy_timeout": "20000"} {
		var got string
		if err := s.write.QueryRow("PRAGMA " + name).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", name, got, err, want)
		}
	}
}

func TestFilesAreForTheOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b ?#%", "weir.db")
	// Opened by its folder, because a URL has no ? in it.
	t.Chdir(makeFolders(t, filepath.Dir(path)))
	s, err := Open(t.Context(), "sqlite://c/weir.db")
	if err != nil {
		t.Fatal(err)
	}
	recordAll(t, s, "Bash")
	files := []string{"c/weir.db", "c/weir.db-wal", "c/weir.db-shm"}
	wantMode(t, "c", 0o700)
	for _, f := range files {
		wantMode(t, f, 0o600)
	}
	for _, f := range files {
		if err := os.Chmod(f, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	again := openStore(t, "c/weir.db")
	for _, f := range files {
		wantMode(t, f, 0o600)
	}
	recordAll(t, again, "Read")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := tools(t, again.View); got != "Bash Read" {
		t.Errorf("read %q", got)
	}
}

func makeFolders(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func wantMode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != want {
		t.Errorf("%s: mode %o, want %o", path, got, want)
	}
}

// TestOpenSaysWhatIsWrong has every state of a file in which it cannot be used. The error is one line with a cure, and
// the file is left as it was.
func TestOpenSaysWhatIsWrong(t *testing.T) {
	write := func(text string) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	execute := func(query string) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.Exec(query); err != nil {
				t.Fatal(err)
			}
		}
	}
	newer := fmt.Sprintf("has schema version 99, this weir knows %d", knownVersion)
	for _, test := range []struct {
		name           string
		make           func(t *testing.T, path string)
		problem        string // of Open; "": there is none
		readingProblem string // of OpenReadOnly
	}{
		{"missing", func(*testing.T, string) {}, "", "there is no database at"},
		{"empty", write(""), "", "start weir serve once"},
		{"not a database", write(strings.Repeat("text ", 1000)), "not a SQLite database", "not a SQLite database"},
		{"a folder", func(t *testing.T, path string) { makeFolders(t, path) }, "is a folder", "is a folder"},
		{
			"a dangling link", func(t *testing.T, path string) {
				if err := os.Symlink("nowhere", path); err != nil {
					t.Fatal(err)
				}
			}, "there is no database at", "there is no database at",
		},
		{
			"another program's", execute("CREATE TABLE bookmarks (url TEXT)"),
			"is another program's database", "is another program's database",
		},
		{
			"a newer weir's", func(t *testing.T, path string) {
				openStore(t, path)
				execute("INSERT INTO schema_version (version_id, is_applied) VALUES (99, 1)")(t, path)
			}, newer, newer,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "weir.db")
			test.make(t, path)
			before, _ := os.ReadFile(path)
			r, err := OpenReadOnly(t.Context(), "sqlite://"+path)
			wantError(t, "OpenReadOnly", err, test.readingProblem)
			if err == nil {
				r.Close()
			}
			s, err := Open(t.Context(), "sqlite://"+path)
			if test.problem == "" {
				if err != nil {
					t.Fatal(err)
				}
				s.Close()
				return
			}
			wantError(t, "Open", err, test.problem)
			if err == nil {
				s.Close()
			}
			if after, _ := os.ReadFile(path); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestAFolderThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), "sqlite://"+file+"/sub/weir.db")
	wantError(t, "a file as folder", err, "create folder")
}

func wantError(t *testing.T, what string, err error, problem string) {
	t.Helper()
	switch {
	case err == nil:
		t.Errorf("%s: no error, want %q", what, problem)
	case !strings.Contains(err.Error(), problem) || !strings.HasPrefix(err.Error(), "store: ") || strings.Contains(err.Error(), "\n"):
		t.Errorf("%s: error %q, want one line with %q", what, err, problem)
	}
}

// TestReadOnly reads a database while it is written, after it was closed, and through a link.
func TestReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "weir.db")
	s, err := Open(t.Context(), "sqlite://"+path)
	if err != nil {
		t.Fatal(err)
	}
	recordAll(t, s, "a")
	r := openReadOnly(t, path)
	recordAll(t, s, "b")
	if got := tools(t, r); got != "a b" {
		t.Errorf("while open: read %q", got)
	}
	if _, err := r.db.Exec("DELETE FROM events"); err == nil {
		t.Error("a reader could write")
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := tools(t, openReadOnly(t, path)); got != "a b" {
		t.Errorf("after closing: read %q", got)
	}
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	recordAll(t, openStore(t, link), "c")
	if got := tools(t, openReadOnly(t, link)); got != "a b c" {
		t.Errorf("through a link: read %q", got)
	}
	if exists(link + "-wal") {
		t.Error("a log stands beside the link")
	}
}

func openReadOnly(t *testing.T, path string) *View {
	t.Helper()
	return readURL(t, "sqlite://"+path)
}

func tools(t testing.TB, r *View) string {
	t.Helper()
	var tools []string
	for e, err := range r.Entries(t.Context(), query.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		tools = append(tools, e.Tool)
	}
	return strings.Join(tools, " ")
}
