-- +goose Up

-- More of what the text says, so that events can be found and counted without reading it.
ALTER TABLE events ADD COLUMN within         TEXT    NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN surface        TEXT    NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN would_be       TEXT    NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN reason         TEXT    NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN org            TEXT    NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN team           TEXT    NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN employee       TEXT    NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN key            TEXT    NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN provider       TEXT    NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN model          TEXT    NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN request_id     TEXT    NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN response_id    TEXT    NOT NULL DEFAULT '';
-- Of a tool_result.
ALTER TABLE events ADD COLUMN result_bytes   BIGINT  NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN result_failed  BOOLEAN NOT NULL DEFAULT FALSE;
-- Of a response_done. Times are in microseconds, the cost in millionths of a US dollar.
ALTER TABLE events ADD COLUMN calls          BIGINT  NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN input_tokens   BIGINT  NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN cache_tokens   BIGINT  NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN output_tokens  BIGINT  NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN cost_micros    BIGINT  NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN upstream_us    BIGINT  NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN held_us        BIGINT  NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN judged_us      BIGINT  NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN recorded_us    BIGINT  NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN total_us       BIGINT  NOT NULL DEFAULT 0;
-- For statistics: the combination of names it is counted under, and a lot for samples. One in 2^n has lot n or higher.
ALTER TABLE events ADD COLUMN facet          BLOB;
ALTER TABLE events ADD COLUMN lot            BIGINT  NOT NULL DEFAULT 0;
-- The names of tool and server in the form in which policies compare them: no case, nothing invisible.
ALTER TABLE events ADD COLUMN tool_folded    TEXT    NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN server_folded  TEXT    NOT NULL DEFAULT '';

-- An event that has no facet yet was recorded before there were these columns. Its columns may be filled in, once.
DROP TRIGGER events_no_update;

-- +goose StatementBegin
CREATE TRIGGER events_no_update BEFORE UPDATE ON events
WHEN OLD.facet IS NOT NULL OR (NEW.row_id, NEW.chain, NEW.seq, NEW.hash, NEW.time, NEW.text) IS NOT (OLD.row_id, OLD.chain, OLD.seq, OLD.hash, OLD.time, OLD.text)
BEGIN
    SELECT RAISE(ABORT, 'events are immutable');
END;
-- +goose StatementEnd

-- A weir from before these columns that still runs would write events that nobody finds, and past the end of their chains. It refuses
-- calls instead, and says why.
DROP TRIGGER IF EXISTS events_wait;

-- +goose StatementBegin
CREATE TRIGGER events_complete BEFORE INSERT ON events WHEN NEW.facet IS NULL
BEGIN
    SELECT RAISE(ABORT, 'a newer weir upgraded this store; restart this one with the new version');
END;
-- +goose StatementEnd

-- SQLite takes an index without empty texts only if it is told that they do not matter.
CREATE INDEX events_request ON events (request_id, type, facet) WHERE request_id <> '';
CREATE INDEX events_response ON events (response_id) WHERE response_id <> '';
CREATE INDEX events_employee ON events (employee);
CREATE INDEX events_team ON events (team);
CREATE INDEX events_org ON events (org);
CREATE INDEX events_key ON events (key);
CREATE INDEX events_model ON events (model);
CREATE INDEX events_provider ON events (provider);
DROP INDEX events_tool;
CREATE INDEX events_tool ON events (tool_folded);
CREATE INDEX events_server ON events (server_folded) WHERE server_folded <> '';
CREATE INDEX events_rule ON events (rule) WHERE rule <> '';
CREATE INDEX events_code ON events (code) WHERE code <> '';
CREATE INDEX events_blocked ON events (blocked) WHERE blocked = TRUE;
-- Everything that percentiles are made of, so that they need not read the events.
CREATE INDEX events_timings ON events (facet, lot, time, request_id, total_us, upstream_us, held_us, judged_us, recorded_us)
    WHERE type = 'response_done';

-- The combinations of names under which events are counted. The key is a digest of them. Each event is counted twice: under its
-- own, and under a summary, which has no names of persons and things.
CREATE TABLE facets (
    facet    BLOB    NOT NULL PRIMARY KEY,
    summary  BOOLEAN NOT NULL,
    type     TEXT    NOT NULL,
    surface  TEXT    NOT NULL,
    provider TEXT    NOT NULL,
    model    TEXT    NOT NULL,
    server   TEXT    NOT NULL,
    tool     TEXT    NOT NULL,
    verdict  TEXT    NOT NULL,
    would_be TEXT    NOT NULL,
    blocked  BOOLEAN NOT NULL,
    code     TEXT    NOT NULL,
    rule     TEXT    NOT NULL,
    org      TEXT    NOT NULL,
    team     TEXT    NOT NULL,
    employee TEXT    NOT NULL,
    key      TEXT    NOT NULL,
    tool_folded   TEXT NOT NULL, -- these two follow from the names
    server_folded TEXT NOT NULL
) WITHOUT ROWID;

-- How many events of each combination there were in each hour, and in each day. Tokens and cost are those of the responses; a call
-- has its share of its response's, and the combinations of calls have those added up.
CREATE TABLE tallies (
    facet         BLOB   NOT NULL,
    span          BIGINT NOT NULL, -- in hours: 1 or 24
    begins        BIGINT NOT NULL, -- in microseconds since 1970
    events        BIGINT NOT NULL,
    input_tokens  BIGINT NOT NULL,
    cache_tokens  BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost_micros   BIGINT NOT NULL,
    PRIMARY KEY (facet, span, begins)
) WITHOUT ROWID;

CREATE INDEX tallies_time ON tallies (span, begins);

-- Between which rows the events of an hour are.
CREATE TABLE hours (
    hour      INTEGER PRIMARY KEY,
    first_row BIGINT NOT NULL,
    last_row  BIGINT NOT NULL
);

-- Up to which row events have no facet yet; empty: all have one.
CREATE TABLE unfilled (upto BIGINT NOT NULL);
INSERT INTO unfilled SELECT max(row_id) FROM events HAVING max(row_id) IS NOT NULL;

-- The statistics of an hour or a day go when no event is as old.

-- +goose StatementBegin
CREATE TRIGGER events_deleted AFTER DELETE ON events
BEGIN
    DELETE FROM hours WHERE hour < coalesce((SELECT min(time) FROM events) / 3600000000, 9223372036854775807);
    DELETE FROM tallies WHERE span = 1 AND begins <= coalesce((SELECT min(time) FROM events), 9223372036854775807) - 3600000000;
    DELETE FROM tallies WHERE span = 24 AND begins <= coalesce((SELECT min(time) FROM events), 9223372036854775807) - 86400000000;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER tallies_deleted AFTER DELETE ON tallies
BEGIN
    DELETE FROM facets WHERE facet = OLD.facet AND NOT EXISTS (SELECT 1 FROM tallies WHERE tallies.facet = OLD.facet);
END;
-- +goose StatementEnd

-- What people ask. The columns are described in docs/record.md.
CREATE VIEW activity AS
SELECT
    c.row_id,
    c.time AS micros,
    strftime('%Y-%m-%dT%H:%M:%fZ', c.time / 1000000.0, 'unixepoch') AS time,
    c.employee, c.team, c.org, c.key, c.session, c.provider, c.model, c.server, c.tool, c.server_folded, c.tool_folded, c.surface,
    c.verdict, c.blocked, c.would_be, c.code, c.rule, c.reason,
    CASE WHEN json_valid(c.text) THEN c.text -> '$.args' END AS args,
    c.request_id, c.response_id, c.call_id, c.wire_id, c.within,
    (SELECT r.result_bytes FROM events r WHERE r.call_id = c.call_id AND +r.type = 'tool_result' ORDER BY r.row_id LIMIT 1) AS result_bytes,
    (SELECT r.result_failed FROM events r WHERE r.call_id = c.call_id AND +r.type = 'tool_result' ORDER BY r.row_id LIMIT 1) AS result_failed,
    (SELECT d.cost_micros / d.calls / 1000000.0 FROM events d
        WHERE d.request_id = c.request_id AND d.request_id <> '' AND d.type = 'response_done' AND d.calls > 0
            AND c.within = '' AND c.surface = 'response' LIMIT 1) AS cost_usd
FROM events c WHERE +c.type = 'tool_call'; -- without its index, which finds too many

-- SQLite reads the tables of a cross join in their order: few combinations of names fit, and each has its hours together.
CREATE VIEW activity_hours AS
SELECT
    t.begins AS micros,
    strftime('%Y-%m-%dT%H:00:00Z', t.begins / 1000000, 'unixepoch') AS hour,
    f.type, f.employee, f.team, f.org, f.key, f.provider, f.model, f.server, f.tool, f.surface,
    f.verdict, f.blocked, f.would_be, f.code, f.rule,
    t.events, t.input_tokens, t.cache_tokens, t.output_tokens, t.cost_micros / 1000000.0 AS cost_usd
FROM facets f CROSS JOIN tallies t WHERE t.facet = f.facet AND t.span = 1 AND f.summary = FALSE;

CREATE VIEW activity_days AS
SELECT
    t.begins AS micros,
    strftime('%Y-%m-%d', t.begins / 1000000, 'unixepoch') AS day,
    f.type, f.employee, f.team, f.org, f.key, f.provider, f.model, f.server, f.tool, f.surface,
    f.verdict, f.blocked, f.would_be, f.code, f.rule,
    t.events, t.input_tokens, t.cache_tokens, t.output_tokens, t.cost_micros / 1000000.0 AS cost_usd
FROM facets f CROSS JOIN tallies t WHERE t.facet = f.facet AND t.span = 24 AND f.summary = FALSE;

-- Moments to compare the column micros with.
CREATE VIEW since AS
SELECT
    (unixepoch() - 3600) * 1000000 AS hour,
    (unixepoch() - 86400) * 1000000 AS day,
    (unixepoch() - 604800) * 1000000 AS week,
    (unixepoch() - 2592000) * 1000000 AS month;
