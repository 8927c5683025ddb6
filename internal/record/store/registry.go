package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/mcp/registry"
)

// The columns of the registry's tables, each beginning with the key of its rows.
const (
	serverColumns     = "server_key, server, type, addr, name, version, first, last"
	definitionColumns = "server_key, tool_key, server, tool, title, description, input_schema, output_schema, annotations, meta, other, hash"
	toolColumns       = definitionColumns + ", first, since, gone"
	pinColumns        = definitionColumns + ", trusted_by, time"
)

var (
	putServer = insertInto("mcp_servers", serverColumns) + orReplace("server_key", serverColumns)
	putTool   = insertInto("mcp_tools", toolColumns) + orReplace("server_key, tool_key", toolColumns)
	putPin    = insertInto("mcp_pins", pinColumns) + orReplace("server_key, tool_key", pinColumns)
	// putFirstPin leaves an existing pin as it is.
	putFirstPin = insertInto("mcp_pins", pinColumns) + " ON CONFLICT (server_key, tool_key) DO NOTHING"
)

const (
	selectServers = "SELECT " + serverColumns + " FROM mcp_servers"
	selectTools   = "SELECT " + toolColumns + " FROM mcp_tools"
	selectPins    = "SELECT " + pinColumns + " FROM mcp_pins"

	deleteTool   = "DELETE FROM mcp_tools WHERE server_key = ? AND tool_key = ?"
	deletePin    = "DELETE FROM mcp_pins WHERE server_key = ? AND tool_key = ?"
	deleteServer = "DELETE FROM mcp_servers WHERE server_key = ?"

	selectRevision = "SELECT revision FROM mcp_revision"
	raiseRevision  = "UPDATE mcp_revision SET revision = revision + 1 RETURNING revision"
)

// insertInto is the insert of one row, which flavour.each can use for many.
func insertInto(table, columns string) string {
	return "INSERT INTO " + table + " (" + columns + ") VALUES (?" + strings.Repeat(", ?", strings.Count(columns, ",")) + ")"
}

// orReplace makes an insert replace the row with the same key.
func orReplace(key, columns string) string {
	var set []string
	for _, c := range strings.Split(strings.TrimPrefix(columns, key+", "), ", ") {
		set = append(set, c+" = excluded."+c)
	}
	return " ON CONFLICT (" + key + ") DO UPDATE SET " + strings.Join(set, ", ")
}

// errNoRevision says that the counter of the registry's changes is missing.
var errNoRevision = errors.New("the table mcp_revision has no row: something else changed the store; restore it from a backup")

// RegistryRevision implements registry.Store.
func (r *View) RegistryRevision(ctx context.Context) (revision int64, err error) {
	const step = "read the revision of the registry"
	ctx, cancel := r.db.bounded(ctx)
	defer cancel()
	if err := r.demandPresent(); err != nil {
		return 0, sqlError(step, err)
	}
	if err := readRevision(r.db.queryRow(ctx, selectRevision), &revision); err != nil {
		return 0, sqlError(step, err)
	}
	return revision, nil
}

func readRevision(row *sql.Row, into *int64) error {
	err := row.Scan(into)
	if errors.Is(err, sql.ErrNoRows) {
		return errNoRevision
	}
	return err
}

// Registry implements registry.Store.
func (r *View) Registry(ctx context.Context) (k registry.Stored, err error) {
	const step = "read the registry"
	ctx, cancel := r.db.bounded(ctx)
	defer cancel()
	if err := r.demandPresent(); err != nil {
		return registry.Stored{}, sqlError(step, err)
	}
	tx, err := r.db.BeginTx(ctx, &sql.TxOptions{Isolation: r.db.flavour.snapshot, ReadOnly: true})
	if err != nil {
		return registry.Stored{}, sqlError(step, err)
	}
	defer tx.Rollback() // nothing was written
	t := transaction{tx, r.db.flavour}
	err = readRevision(t.queryRow(ctx, selectRevision), &k.Revision)
	if err == nil {
		k.Servers, err = readWithin(ctx, t, scanServer, selectServers)
	}
	if err == nil {
		k.Tools, err = readWithin(ctx, t, scanTool, selectTools)
	}
	if err == nil {
		k.Pins, err = readWithin(ctx, t, scanPin, selectPins)
	}
	if err != nil {
		return registry.Stored{}, sqlError(step, err)
	}
	return k, nil
}

// UpdateRegistry implements registry.Store.
//
// The counter is changed first. Its row is then locked, so that other writers wait there and nowhere else.
func (s *Store) UpdateRegistry(ctx context.Context, u registry.Update) (w registry.Written, err error) {
	if u.Empty() {
		return registry.Written{}, nil
	}
	err = s.transactAside(ctx, "write the registry", func(ctx context.Context, tx transaction) (err error) {
		w = registry.Written{}
		if err := readRevision(tx.queryRow(ctx, raiseRevision), &w.Revision); err != nil {
			return err
		}
		for _, change := range registryStatements(tx.flavour, u) {
			if _, err := tx.exec(ctx, change.query, change.args...); err != nil {
				return err
			}
		}
		w.Standing, err = standingPins(ctx, tx, u)
		return err
	})
	if err != nil {
		return registry.Written{}, err
	}
	return w, nil
}

// registryStatements are the statements of an update.
func registryStatements(f flavour, u registry.Update) []statement {
	var all []statement
	for _, id := range u.Forget {
		args := []any{key(id.Server), key(id.Name)}
		all = append(all, statement{deleteTool, args}, statement{deletePin, args})
	}
	for _, id := range u.ForgetServers {
		all = append(all, statement{deleteServer, []any{key(id)}})
	}
	var servers, tools, pins, firstPins [][]any
	for _, s := range u.Servers {
		servers = append(servers, serverRow(s))
	}
	for _, t := range u.Tools {
		tools = append(tools, append(definitionRow(t.Definition, t.Hash), t.First.UnixMicro(), t.Since.UnixMicro(), microsOrZero(t.Gone)))
	}
	for _, p := range u.Pins {
		row := append(definitionRow(p.Definition, p.Hash), quote(p.By), p.Time.UnixMicro())
		if p.By == "" {
			firstPins = append(firstPins, row)
		} else {
			pins = append(pins, row)
		}
	}
	all = append(all, f.each(putServer, servers)...)
	all = append(all, f.each(putTool, tools)...)
	all = append(all, f.each(putPin, pins)...)
	return append(all, f.each(putFirstPin, firstPins)...)
}

// standingPins are the stored pins of the tools for which the update has pins that no person set.
func standingPins(ctx context.Context, tx transaction, u registry.Update) (all []registry.Pin, err error) {
	names := map[string][]any{} // the keys of tools, by the keys of servers
	for _, p := range u.Pins {
		if p.By == "" {
			names[key(p.Server)] = append(names[key(p.Server)], key(p.Name))
		}
	}
	for server, tools := range names {
		for some := range slices.Chunk(tools, pinsAtOnce) {
			query := selectPins + " WHERE server_key = ? AND tool_key IN (?" + strings.Repeat(", ?", len(some)-1) + ")"
			standing, err := readWithin(ctx, tx, scanPin, query, append([]any{server}, some...)...)
			if err != nil {
				return nil, err
			}
			all = append(all, standing...)
		}
	}
	return all, nil
}

// pinsAtOnce is how many pins one query names.
const pinsAtOnce = 500

// serverRow is a server in the order of serverColumns.
func serverRow(s registry.Server) []any {
	return []any{
		key(s.ID), quote(s.ID), quote(s.Type), quote(s.Addr), quote(s.Name), quote(s.Version),
		s.First.UnixMicro(), s.Last.UnixMicro(),
	}
}

// definitionRow is a definition in the order of definitionColumns.
func definitionRow(d registry.Definition, h registry.Hash) []any {
	return []any{
		key(d.Server), key(d.Name), quote(d.Server), quote(d.Name), quote(d.Title), quote(d.Description),
		quote(string(d.InputSchema)), quote(string(d.OutputSchema)), quote(string(d.Annotations)), quote(string(d.Meta)),
		quote(string(d.Other)), string(h),
	}
}
