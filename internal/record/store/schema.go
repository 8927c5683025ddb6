package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations
var migrationFiles embed.FS

// versionTable is the table of applied migrations.
const versionTable = "schema_version"

// knownVersion is the version of the schema that this weir knows: the number of the newest migration of every backend.
const knownVersion = 11

const selectVersion = "SELECT coalesce(max(version_id), 0) FROM " + versionTable

// Versions returns the schema version of the database, 0 if it has none yet, and the version that this weir knows.
// It changes nothing. A database of a newer weir is an error.
func (u URL) Versions(ctx context.Context) (found, known int64, err error) {
	a, err := u.address()
	if err != nil {
		return 0, 0, err
	}
	if found, err = a.schemaVersion(ctx); err != nil {
		return 0, 0, err
	}
	return found, knownVersion, nil
}

// Migrate upgrades the schema of the database, as Open does, and returns the versions before and after.
func (u URL) Migrate(ctx context.Context) (from, to int64, err error) {
	from, to, err = u.Versions(ctx)
	if err != nil || from == to {
		return from, to, err
	}
	s, err := Open(ctx, string(u))
	if err != nil {
		return 0, 0, err
	}
	return from, to, s.Close()
}

// A schema is the state of a database's tables.
type schema struct {
	empty   bool // there are no tables
	version int64
}

// demandKnown fails if a newer weir made the schema.
func (s schema) demandKnown(name string) error {
	if s.version > knownVersion {
		return fmt.Errorf("store: %s has schema version %d, this weir knows %d; use the newer weir that wrote it, or change store.url",
			name, s.version, knownVersion)
	}
	return nil
}

// demandCurrent fails if the schema is older than the version that this weir knows.
func (s schema) demandCurrent(name string) error {
	if s.version < knownVersion {
		return fmt.Errorf("store: %s is not up to date; run weir store migrate, or start weir serve once, which upgrades it", name)
	}
	return nil
}

// newMigrations returns the migrations of a database.
func newMigrations(db database, options ...goose.ProviderOption) (*goose.Provider, error) {
	files, err := fs.Sub(migrationFiles, "migrations/"+db.flavour.migrations)
	if err != nil {
		return nil, fmt.Errorf("store: migrations: %w", err)
	}
	options = append(options, goose.WithTableName(versionTable))
	p, err := goose.NewProvider(db.flavour.dialect, db.DB, files, options...)
	if err != nil {
		return nil, fmt.Errorf("store: migrations: %w", err)
	}
	return p, nil
}
