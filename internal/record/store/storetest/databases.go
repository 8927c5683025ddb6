package storetest

import (
	"path/filepath"
	"testing"

	"github.com/weir-gate/weir/internal/record/store/postgrestest"
)

// Databases are the kinds of database that tests run on, by the folder of their
// migrations, and functions that return the URL of a database that does not exist yet, or is empty.
var Databases = map[string]func(t testing.TB) string{
	"sqlite":   func(t testing.TB) string { return "sqlite://" + filepath.Join(t.TempDir(), "new", "weir.db") },
	"postgres": postgrestest.Database,
}
