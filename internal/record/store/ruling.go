package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// insertRuling stores a ruling. Of two rulings on the same call the stricter stays, and of two refusals the first.
const insertRuling = `INSERT INTO kept_rulings
	(upstream, response_id, response_key, conversation_id, conversation_key, wire_id, wire_key, unit, notice, notice_key,
		tool, released, code, reason, rule, policy_version, time, answered)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
	ON CONFLICT (upstream, response_key, wire_key, conversation_key) DO UPDATE SET
		unit = excluded.unit, notice = excluded.notice, notice_key = excluded.notice_key, tool = excluded.tool,
		released = excluded.released, code = excluded.code, reason = excluded.reason, rule = excluded.rule,
		policy_version = excluded.policy_version, time = excluded.time, answered = excluded.answered
	WHERE kept_rulings.released = TRUE AND excluded.released = FALSE`

const selectRulings = `SELECT upstream, response_id, conversation_id, wire_id, unit, notice, tool, released, code, reason, rule,
	policy_version FROM kept_rulings`

// storeRuling stores the ruling of an entry.
//
// A call that is refused when it is read again was released before. The agent has the call and sends its output itself, so weir
// must not add another output to the conversation.
func storeRuling(e record.Entry) statement {
	k, answered := e.With.Remember, e.Type == record.Types.Reread
	return statement{insertRuling, []any{
		quote(k.Upstream), quote(k.Response), key(k.Response), quote(k.Conversation), key(k.Conversation), quote(k.WireID),
		key(k.WireID), quote(k.Unit), quote(k.Notice), key(k.Notice), quote(k.Tool), k.Ruling.Released, quote(k.Ruling.Code),
		quote(k.Ruling.Reason), quote(k.Ruling.Rule), quote(k.Ruling.Policy), e.Micros, answered,
	}}
}

// Ruled returns the strictest stored ruling on a call: in the exchange's response if that is known, else in its conversation, else
// on any call with that id. Rulings that were stored without a response or a conversation could belong to any, and count, too. A
// call without an id is found by its response alone.
func (r *View) Ruled(ctx context.Context, x call.Exchange, wireID string) (call.Ruling, bool, error) {
	if wireID == "" && x.ResponseID == "" {
		return call.Ruling{}, false, nil
	}
	clause, args := ruledClause(x, wireID)
	k, found, err := r.firstRuling(ctx, clause, args...)
	return k.Ruling, found, err
}

// ruledClause selects the ruling that Ruled returns. If only the id is known, the calls may be many, and an index returns them in
// order. Otherwise the order is one that no index has, so that the database uses the narrowest index.
func ruledClause(x call.Exchange, wireID string) (clause string, args []any) {
	clause, args = " WHERE upstream = ? AND wire_key = ?", []any{quote(x.Provider), key(wireID)}
	order := " ORDER BY NOT released DESC, row_id LIMIT 1"
	switch {
	case wireID == "":
		clause += " AND response_key = ?"
		args = append(args, key(x.ResponseID))
	case x.ResponseID != "" && x.Conversation != "":
		clause += " AND response_key IN (?, '') AND (response_key <> '' OR conversation_key IN (?, ''))"
		args = append(args, key(x.ResponseID), key(x.Conversation))
	case x.ResponseID != "":
		clause += " AND response_key IN (?, '')"
		args = append(args, key(x.ResponseID))
	case x.Conversation != "":
		// Naming both values of released lets the index be used to its last column.
		clause += " AND released IN (FALSE, TRUE) AND conversation_key IN (?, '')"
		args = append(args, key(x.Conversation))
	default:
		order = " ORDER BY released, row_id LIMIT 1"
	}
	return clause + order, args
}

// Refused returns the refused calls of a response whose output the provider waits for, in the order recorded.
func (r *View) Refused(ctx context.Context, upstream, response string) ([]call.Remembered, error) {
	if response == "" {
		return nil, nil
	}
	return r.missing(ctx, refusedClause, quote(upstream), key(response))
}

// RefusedIn returns the refused calls of a conversation whose output the provider waits for, in the order recorded.
func (r *View) RefusedIn(ctx context.Context, upstream, conversation string) ([]call.Remembered, error) {
	if conversation == "" {
		return nil, nil
	}
	return r.missing(ctx, refusedInClause, quote(upstream), key(conversation))
}

const (
	refusedClause   = " WHERE upstream = ? AND response_key = ? AND released = FALSE ORDER BY row_id"
	refusedInClause = " WHERE upstream = ? AND conversation_key = ? AND released = FALSE AND answered = FALSE ORDER BY row_id"
	noticedClause   = " WHERE upstream = ? AND notice_key = ? AND released = FALSE ORDER BY row_id LIMIT 1"
)

// missing leaves out calls that need no output: those that the provider ran, and those without an id. A call that was stored
// several times is returned once.
func (r *View) missing(ctx context.Context, clause string, args ...any) ([]call.Remembered, error) {
	all, err := r.rulings(ctx, clause, args...)
	if err != nil {
		return nil, err
	}
	var missing []call.Remembered
	seen := map[string]bool{}
	for _, k := range all {
		if k.Unit == "" || k.WireID == "" || seen[k.WireID] {
			continue
		}
		seen[k.WireID] = true
		missing = append(missing, k)
	}
	return missing, nil
}

// Noticed returns the refused call that the notice with this id replaces.
func (r *View) Noticed(ctx context.Context, upstream, notice string) (call.Remembered, bool, error) {
	if notice == "" {
		return call.Remembered{}, false, nil
	}
	return r.firstRuling(ctx, noticedClause, quote(upstream), key(notice))
}

// SetAnswered notes whether a conversation has the outputs of refused calls. The note is durable when it returns.
func (s *Store) SetAnswered(ctx context.Context, upstream, conversation string, wireIDs []string, answered bool) error {
	if conversation == "" || len(wireIDs) == 0 {
		return nil
	}
	return s.transact(ctx, "write answered calls", func(ctx context.Context, tx transaction) error {
		for _, id := range wireIDs {
			if _, err := tx.exec(ctx, setAnswered, answered, quote(upstream), key(conversation), key(id)); err != nil {
				return err
			}
		}
		return nil
	})
}

const setAnswered = `UPDATE kept_rulings SET answered = ?
	WHERE upstream = ? AND conversation_key = ? AND released = FALSE AND wire_key = ?`

func (r *View) firstRuling(ctx context.Context, clause string, args ...any) (call.Remembered, bool, error) {
	all, err := r.rulings(ctx, clause, args...)
	if err != nil || len(all) == 0 {
		return call.Remembered{}, false, err
	}
	return all[0], true, nil
}

func (r *View) rulings(ctx context.Context, clause string, args ...any) ([]call.Remembered, error) {
	const step = "read rulings"
	if err := r.demandPresent(); err != nil {
		return nil, sqlError(step, err)
	}
	return readAll(ctx, r.db, step, scanRuling, selectRulings+clause, args...)
}

func scanRuling(rows *sql.Rows) (call.Remembered, error) {
	var k call.Remembered
	texts := []*string{
		&k.Upstream, &k.Response, &k.Conversation, &k.WireID, &k.Unit, &k.Notice, &k.Tool,
		&k.Ruling.Code, &k.Ruling.Reason, &k.Ruling.Rule, &k.Ruling.Policy,
	}
	err := rows.Scan(&k.Upstream, &k.Response, &k.Conversation, &k.WireID, &k.Unit, &k.Notice, &k.Tool, &k.Ruling.Released,
		&k.Ruling.Code, &k.Ruling.Reason, &k.Ruling.Rule, &k.Ruling.Policy)
	for _, text := range texts {
		if err == nil {
			*text, err = unquote(*text)
		}
	}
	return k, err
}

// key is a digest by which an id is found: not every database can index long texts.
func key(id string) string {
	if id == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:16])
}

// quote makes s fit for a text column of any database: not all accept NUL, and none is sure to preserve invalid UTF-8. Other texts
// stay as they are. unquote returns the same bytes.
func quote(s string) string {
	if utf8.ValidString(s) && !strings.HasPrefix(s, `"`) && !strings.Contains(s, "\x00") {
		return s
	}
	return strconv.Quote(s)
}

func unquote(s string) (string, error) {
	if !strings.HasPrefix(s, `"`) {
		return s, nil
	}
	u, err := strconv.Unquote(s)
	if err != nil {
		return "", errors.New("a text is not as it was written")
	}
	return u, nil
}
