package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/approval"
)

const (
	grantColumns = "id, match_key, session_key, ends, revoked, created, body"
	selectGrants = "SELECT id, body FROM approval_grants"
	standing     = " WHERE NOT revoked AND ends > ?"
	revokeGrant  = "UPDATE approval_grants SET revoked = TRUE, body = ? WHERE id = ? AND NOT revoked"
	stepGrants   = "read grants"
)

var putGrant = insertInto("approval_grants", grantColumns)

func insertGrant(ctx context.Context, tx transaction, g approval.Grant) error {
	body, err := grantBody(g)
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, putGrant, g.ID, string(g.Match), key(g.Session), g.Expires.UnixMicro(), false, g.Created.UnixMicro(), body)
	return err
}

// GrantFor implements approval.Store.
func (r *View) GrantFor(ctx context.Context, match approval.Digest, session string, now time.Time) (approval.Grant, bool, error) {
	if session == "" {
		return approval.Grant{}, false, nil
	}
	if err := r.demandPresent(); err != nil {
		return approval.Grant{}, false, sqlError(stepGrants, err)
	}
	query := selectGrants + standing + " AND match_key = ? AND session_key = ? ORDER BY created, id"
	found, err := readAll(ctx, r.db, stepGrants, scanGrant, query,
		now.UnixMicro(), string(match), key(session))
	for _, g := range found {
		if g.Match == match && g.Holds(session, now) {
			return g, true, err
		}
	}
	return approval.Grant{}, false, err
}

// Grants implements approval.Store.
func (r *View) Grants(ctx context.Context, now time.Time) ([]approval.Grant, error) {
	if err := r.demandPresent(); err != nil {
		return nil, sqlError(stepGrants, err)
	}
	return readAll(ctx, r.db, stepGrants, scanGrant, selectGrants+standing+" ORDER BY created DESC, id DESC", now.UnixMicro())
}

// RevokeGrant implements approval.Store.
func (s *Store) RevokeGrant(ctx context.Context, id, by string, now time.Time) (out approval.Grant, err error) {
	err = s.tryApproval(ctx, "revoke a grant", func(ctx context.Context, tx transaction) error {
		found, err := readWithin(ctx, tx, scanGrant, selectGrants+standing+" AND id = ?", now.UnixMicro(), id)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return approval.ErrUnknown
		}
		out = found[0]
		out.Revoked, out.RevokedBy = now, by
		body, err := grantBody(out)
		if err != nil {
			return err
		}
		done, err := tx.exec(ctx, revokeGrant, body, id)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n != 1 {
			return errors.Join(errRaced, err)
		}
		return nil
	})
	return out, err
}

func grantBody(g approval.Grant) (string, error) {
	text, err := json.Marshal(g, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	return string(text), err
}

func scanGrant(rows *sql.Rows) (g approval.Grant, err error) {
	var id, body string
	if err := rows.Scan(&id, &body); err != nil {
		return g, err
	}
	if err := json.Unmarshal([]byte(body), &g); err != nil || g.ID != id {
		return g, errors.New("a row of approval_grants is not as it was written: something else changed the store")
	}
	return g, nil
}
