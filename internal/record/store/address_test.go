package store

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	t.Setenv("PGSSLMODE", "")
	t.Setenv("PGDATABASE", "")
	t.Setenv("PGHOST", "")
	for _, test := range []struct{ url, name, problem string }{
		{"postgres://ann:hunter2@db.example:5433/weir", "postgres://ann@db.example:5433/weir", ""},
		{"postgresql://ann:hunter2@db.example/weir?sslmode=disable&password=hunter2", "postgresql://ann@db.example/weir", ""},
		{"postgres:///weir?host=/run/postgresql&user=ann&password=hunter2", "postgres:///weir", ""},
		{"postgres://ann:hunter2@one:1,two:2/weir?target_session_attrs=read-write", "postgres://ann@one:1,two:2/weir", ""},
		{"postgres://ann:hunter2@db.example/", "postgres://ann@db.example/", "no database is named"},
		{"postgres://ann:hunter2@db.example", "postgres://ann@db.example", "no database is named"},
		{"postgres://ann:hun%ter2@db.example/weir", "postgres://...", "it cannot be read"},
		{"postgres://ann:hunter2@db example/weir", "postgres://...", "it cannot be read"},
		{"postgres://ann:hunter2@db.example:port/weir", "postgres://...", "it cannot be read"},
		{"postgres://ann:hunter2@db.example/weir?sslmode=hunter2", "postgres://ann@db.example/weir", "cannot be used"},
		{"postgres://ann:hunter2@db.example/weir?sslrootcert=/nowhere/hunter2", "postgres://ann@db.example/weir", "cannot be used"},
		{"postgres://ann:12/hunter2@db.example/weir", "postgres://...", "it cannot be read"},
		{"postgres://ann:12?hunter2@db.example/weir", "postgres://...", "it cannot be read"},
		{"postgres://ann:12#hunter2@db.example/weir", "postgres://...", "it cannot be read"},
		{"postgres://ann:12@3/hunter2@db.example/weir", "postgres://...", "it cannot be read"},
		{"postgres://ann:hun@hunter2@db.example/weir", "postgres://ann@db.example/weir", ""},
		{"postgres:///weir?user=ann@acme&password=hunter2", "postgres:///weir", ""},
		{"mysql://ann:hunter2@host/db", "mysql://ann@host/db", `"mysql" is not a known kind of store; ` + forms()},
		{"postgres:hunter2", "postgres://...", `"postgres" is not a known kind of store; ` + forms()},
		{"/var/lib/weir.db", "", "not the URL of a store; " + forms()},
		{"", "", "not the URL of a store; " + forms()},
		{"sqlite:///var/lib/weir.db", "sqlite:///var/lib/weir.db", ""},
	} {
		a, err := URL(test.url).address()
		switch {
		case test.problem != "":
			wantError(t, test.url, err, test.problem)
		case err != nil:
			t.Errorf("%s: %v", test.url, err)
		case a.String() != strings.TrimPrefix(test.name, "sqlite://"):
			t.Errorf("%s is called %s, want %s", test.url, a, test.name)
		}
		if name := URL(test.url).String(); test.name != "" && name != test.name {
			t.Errorf("%s is shown as %s, want %s", test.url, name, test.name)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error tells a password: %v", err)
		}
	}
}

// TestTLSIsTheDefault: only a server on this machine may be spoken to in plain text without anybody saying so.
func TestTLSIsTheDefault(t *testing.T) {
	t.Setenv("PGHOST", "")
	for _, test := range []struct {
		url, mode  string
		tls, plain bool
	}{
		{"postgres://u@db.example/weir", "", true, false},
		{"postgres://u@192.0.2.1:5432/weir", "", true, false},
		{"postgres://u@db.example/weir?search_path=a%20b", "", true, false},
		{"postgres://u@localhost,db.example/weir", "", true, false},
		{"postgres:///weir?host=db.example", "", true, false},
		{"postgres://u@db.example/weir?sslmode=disable", "", false, true},
		{"postgres://u@db.example/weir?sslmode=prefer", "", true, true},
		{"postgres://u@db.example/weir", "prefer", true, true},
		{"postgres://u@127.0.0.1:5432/weir", "", true, true},
		{"postgres://u@[::1]:5432/weir", "", true, true},
		{"postgres://u@localhost/weir", "", true, true},
		{"postgres:///weir?host=/run/postgresql", "", false, true},
	} {
		t.Setenv("PGSSLMODE", test.mode)
		a, err := parsePostgres(test.url)
		if err != nil {
			t.Errorf("%s: %v", test.url, err)
			continue
		}
		if strings.Contains(test.url, "%20") && a.config.RuntimeParams["search_path"] != "a b" {
			t.Errorf("%s: search path %q", test.url, a.config.RuntimeParams["search_path"])
		}
		tls, plain := a.config.TLSConfig != nil, a.config.TLSConfig == nil
		for _, f := range a.config.Fallbacks {
			tls, plain = tls || f.TLSConfig != nil, plain || f.TLSConfig == nil
		}
		if tls != test.tls || plain != test.plain {
			t.Errorf("%s: TLS %v, plain text %v; want %v, %v", test.url, tls, plain, test.tls, test.plain)
		}
	}
}

// FuzzName says that what is shown of a URL never holds its password.
func FuzzName(f *testing.F) {
	f.Add("postgres://ann:", "@db.example/weir")
	f.Add("postgresql://", "@/?x=1")
	f.Add("mysql:", "")
	f.Add("postgres://db/weir?password=", "&x=y")
	f.Fuzz(func(t *testing.T, before, after string) {
		const secret = "hunter2"
		if _, isFile := URL(before).File(); isFile || !strings.Contains(before, ":") {
			return
		}
		url := before + secret + after
		inQuery := strings.Contains(before, "?")
		_, authority, whole := strings.Cut(before, "://")
		user, colon := strings.CutSuffix(authority, ":")
		asPassword := whole && colon && !strings.ContainsAny(user, ":/@[]") && strings.HasPrefix(after, "@") && strings.Count(after, "@") == 1
		if (inQuery || asPassword) && strings.Contains(URL(url).String(), secret) {
			t.Errorf("%s is shown as %s", url, URL(url).String())
		}
		if _, err := URL(url).address(); err != nil && strings.Contains(err.Error(), secret) && (inQuery || asPassword) {
			t.Errorf("%s: the error tells a password: %v", url, err)
		}
	})
}

// TestLogFolder: all who use a store find its logs in the same place, and those of another store elsewhere.
func TestLogFolder(t *testing.T) {
	dir := t.TempDir()
	folder := func(url string) string {
		t.Helper()
		path, err := URL(url).LogFolder("/state")
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := folder("sqlite://"+filepath.Join(dir, "weir.db")), filepath.Join(resolved, "weir.db-log"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	one := folder("postgres://ann:x@db.example/weir?sslmode=disable")
	if filepath.Dir(one) != filepath.FromSlash("/state/log") || one != folder("postgres://bob@db.example:5432/weir") {
		t.Errorf("one database: %s and %s", one, folder("postgres://bob@db.example:5432/weir"))
	}
	if other := folder("postgres://ann@db.example/other"); other == one {
		t.Errorf("two databases have one folder: %s", other)
	}
}
