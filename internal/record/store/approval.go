package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/approval"
)

const (
	approvalColumns = "id, match_key, holder_key, state, is_open, unsettled, version, created, ends, body"
	selectApprovals = "SELECT id, version, body FROM approvals"
	countPending    = "SELECT count(*) FROM approvals WHERE is_open AND holder_key = ? AND state = '" + string(approval.Pending) + "'"
	changeApproval  = "UPDATE approvals SET state = ?, is_open = ?, unsettled = ?, version = ?, ends = ?, body = ?" +
		" WHERE id = ? AND version = ?"
	defaultListed = 1000
	idsAtOnce     = 500
	mostTries     = 1000
	stepApprovals = "read approvals"
)

var insertApproval = insertInto("approvals", approvalColumns) + " ON CONFLICT DO NOTHING"

// errRaced says that somebody else changed the request in between.
var errRaced = errors.New("the request was changed meanwhile")

// OpenApproval implements approval.Store.
//
// The insert decides between two that ask at once: the index of open requests has room for one of them, and the other one finds it.
func (s *Store) OpenApproval(ctx context.Context, r approval.Request, limit int) (out approval.Opened, err error) {
	body, err := approvalBody(r)
	if err != nil {
		return out, err
	}
	err = s.tryApproval(ctx, "write an approval", func(ctx context.Context, tx transaction) error {
		out = approval.Opened{}
		open, err := readWithin(ctx, tx, scanApproval, selectApprovals+" WHERE match_key = ? AND is_open", string(r.Match))
		if err != nil {
			return err
		}
		for _, had := range open {
			aged := had.Aged(r.Created)
			if aged.State.Open() {
				out.Request = had
				return nil
			}
			if aged, err = writeApproval(ctx, tx, had, aged); err != nil {
				return err
			}
			out.Ended = append(out.Ended, aged)
		}
		pending := 0
		if err := tx.queryRow(ctx, countPending, key(r.Holder())).Scan(&pending); err != nil {
			return err
		}
		if pending >= limit {
			return approval.ErrFlood
		}
		done, err := tx.exec(ctx, insertApproval, r.ID, string(r.Match), key(r.Holder()), string(r.State), r.State.Open(), unsettled(r),
			r.Version, r.Created.UnixMicro(), microsOrZero(r.Ends()), body)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n != 1 {
			return errors.Join(errRaced, err)
		}
		out.Request, out.New = r, true
		return nil
	})
	return out, err
}

// ChangeApproval implements approval.Store.
func (s *Store) ChangeApproval(
	ctx context.Context, id string, change func(approval.Request) (approval.Request, error),
) (out approval.Request, err error) {
	err = s.tryApproval(ctx, "write an approval", func(ctx context.Context, tx transaction) error {
		out, err = changeWithin(ctx, tx, id, change)
		return err
	})
	return out, err
}

// UseApproval implements approval.Store.
func (s *Store) UseApproval(
	ctx context.Context, id string, use func(approval.Request) (approval.Request, error), now time.Time,
) (out approval.Request, err error) {
	err = s.tryApproval(ctx, "use an approval", func(ctx context.Context, tx transaction) error {
		if out, err = changeWithin(ctx, tx, id, use); err != nil {
			return err
		}
		if g, granted := out.Granted(now); granted {
			return insertGrant(ctx, tx, g)
		}
		return nil
	})
	return out, err
}

func changeWithin(
	ctx context.Context, tx transaction, id string, change func(approval.Request) (approval.Request, error),
) (approval.Request, error) {
	found, err := readWithin(ctx, tx, scanApproval, selectApprovals+" WHERE id = ?", id)
	if err != nil {
		return approval.Request{}, err
	}
	if len(found) == 0 {
		return approval.Request{}, approval.ErrUnknown
	}
	changed, err := change(found[0])
	if err != nil {
		return changed, refusedChange{err}
	}
	return writeApproval(ctx, tx, found[0], changed)
}

// refusedChange is an error of whoever changes a request: the store is well.
type refusedChange struct{ error }

// Unwrap returns the error itself.
func (e refusedChange) Unwrap() error { return e.error }

// writeApproval replaces a request, unless somebody else has done so since it was read.
func writeApproval(ctx context.Context, tx transaction, was, r approval.Request) (approval.Request, error) {
	r.Version = was.Version + 1
	body, err := approvalBody(r)
	if err != nil {
		return r, err
	}
	done, err := tx.exec(ctx, changeApproval, string(r.State), r.State.Open(), unsettled(r), r.Version, microsOrZero(r.Ends()), body, r.ID,
		was.Version)
	if err != nil {
		return r, err
	}
	if n, err := done.RowsAffected(); err != nil || n != 1 {
		return r, errors.Join(errRaced, err)
	}
	return r, nil
}

// tryApproval does work in a transaction, again if somebody else was faster. Each time somebody has made progress.
func (s *Store) tryApproval(ctx context.Context, step string, work func(context.Context, transaction) error) error {
	for range mostTries {
		var own error
		err := s.transactAside(ctx, step, func(ctx context.Context, tx transaction) error {
			own = work(ctx, tx)
			return own
		})
		var refused refusedChange
		switch {
		case err == nil:
			return nil
		case errors.Is(own, errRaced):
		case errors.As(own, &refused):
			return refused.error
		case errors.Is(own, approval.ErrFlood), errors.Is(own, approval.ErrUnknown):
			return own
		default:
			return err
		}
	}
	return fmt.Errorf("store: %s: %w; try again", step, errRaced)
}

// Approvals implements approval.Store.
func (r *View) Approvals(ctx context.Context, f approval.Filter) (all []approval.Request, err error) {
	if err := r.demandPresent(); err != nil {
		return nil, sqlError(stepApprovals, err)
	}
	limit := f.Limit
	if limit == 0 {
		limit = defaultListed
	}
	ids := f.IDs
	for first := true; first || len(ids) > 0; first = false {
		some := ids[:min(len(ids), idsAtOnce)]
		ids = ids[len(some):]
		where, args := approvalClause(f, some)
		query := selectApprovals + where + " ORDER BY created DESC, id DESC LIMIT ?"
		found, err := readAll(ctx, r.db, stepApprovals, scanApproval, query, append(args, limit)...)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func approvalClause(f approval.Filter, ids []string) (where string, args []any) {
	var terms []string
	among := func(column string, n int) { terms = append(terms, column+" IN (?"+strings.Repeat(", ?", n-1)+")") }
	if len(ids) > 0 {
		among("id", len(ids))
		for _, id := range ids {
			args = append(args, id)
		}
	}
	if len(f.States) > 0 {
		among("state", len(f.States))
		for _, s := range f.States {
			args = append(args, string(s))
		}
	}
	if f.Unsettled {
		terms = append(terms, "unsettled")
	}
	if !f.EndedBy.IsZero() {
		terms, args = append(terms, "is_open AND ends <= ?"), append(args, f.EndedBy.UnixMicro())
	}
	if len(terms) == 0 {
		return "", nil
	}
	return " WHERE " + strings.Join(terms, " AND "), args
}

// unsettled says that it is not known whether the record has the call that used the yes.
func unsettled(r approval.Request) bool { return r.State == approval.Used && !r.Settled }

func approvalBody(r approval.Request) (string, error) {
	text, err := json.Marshal(r, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return "", fmt.Errorf("store: write an approval: %w", err)
	}
	return string(text), nil
}

func scanApproval(rows *sql.Rows) (r approval.Request, err error) {
	var id, body string
	var version int64
	if err := rows.Scan(&id, &version, &body); err != nil {
		return r, err
	}
	if err := json.Unmarshal([]byte(body), &r); err != nil || r.ID != id || r.Version != version {
		return r, errors.New("a row of approvals is not as it was written: something else changed the store")
	}
	return r, nil
}
