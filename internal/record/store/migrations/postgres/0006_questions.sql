-- +goose Up

-- More of what the text says, so that events can be found and counted without reading it.
ALTER TABLE events
    ADD COLUMN within         TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN surface        TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN would_be       TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN reason         TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN org            TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN team           TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN employee       TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN key            TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN provider       TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN model          TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN request_id     TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN response_id    TEXT COLLATE "C" NOT NULL DEFAULT '',
    -- Of a tool_result.
    ADD COLUMN result_bytes   BIGINT  NOT NULL DEFAULT 0,
    ADD COLUMN result_failed  BOOLEAN NOT NULL DEFAULT FALSE,
    -- Of a response_done. Times are in microseconds, the cost in millionths of a US dollar.
    ADD COLUMN calls          BIGINT  NOT NULL DEFAULT 0,
    ADD COLUMN input_tokens   BIGINT  NOT NULL DEFAULT 0,
    ADD COLUMN cache_tokens   BIGINT  NOT NULL DEFAULT 0,
    ADD COLUMN output_tokens  BIGINT  NOT NULL DEFAULT 0,
    ADD COLUMN cost_micros    BIGINT  NOT NULL DEFAULT 0,
    ADD COLUMN upstream_us    BIGINT  NOT NULL DEFAULT 0,
    ADD COLUMN held_us        BIGINT  NOT NULL DEFAULT 0,
    ADD COLUMN judged_us      BIGINT  NOT NULL DEFAULT 0,
    ADD COLUMN recorded_us    BIGINT  NOT NULL DEFAULT 0,
    ADD COLUMN total_us       BIGINT  NOT NULL DEFAULT 0,
    -- For statistics: the combination of names it is counted under, and a lot for samples. One in 2^n has lot n or higher.
    ADD COLUMN facet          BYTEA,
    ADD COLUMN lot            BIGINT  NOT NULL DEFAULT 0,
    -- The names of tool and server in the form in which policies compare them: no case, nothing invisible.
    ADD COLUMN tool_folded    TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN server_folded  TEXT COLLATE "C" NOT NULL DEFAULT '';

-- An event that has no facet yet was recorded before there were these columns. Its columns may be filled in, once.
DROP TRIGGER events_no_update ON events;

CREATE TRIGGER events_no_update BEFORE UPDATE ON events FOR EACH ROW
WHEN (OLD.facet IS NOT NULL OR (NEW.row_id, NEW.chain, NEW.seq, NEW.hash, NEW.time, NEW.text)
    IS DISTINCT FROM (OLD.row_id, OLD.chain, OLD.seq, OLD.hash, OLD.time, OLD.text))
EXECUTE FUNCTION events_stay();

-- The new columns of names hold at most 256 characters, which an index takes. Of older ones it holds the beginning.
CREATE INDEX events_request ON events (request_id, type, facet) WHERE request_id <> '';
CREATE INDEX events_response ON events (response_id, row_id) WHERE response_id <> '';
CREATE INDEX events_employee ON events (employee, row_id) WHERE employee <> '';
CREATE INDEX events_team ON events (team, row_id) WHERE team <> '';
CREATE INDEX events_org ON events (org, row_id) WHERE org <> '';
CREATE INDEX events_key ON events (key, row_id) WHERE key <> '';
CREATE INDEX events_model ON events (model, row_id) WHERE model <> '';
CREATE INDEX events_provider ON events (provider, row_id) WHERE provider <> '';
DROP INDEX events_tool;
CREATE INDEX events_tool ON events (left(tool_folded, 200), row_id);
CREATE INDEX events_server ON events (left(server_folded, 200), row_id) WHERE server_folded <> '';
CREATE INDEX events_rule ON events (left(rule, 200), row_id) WHERE rule <> '';
CREATE INDEX events_code ON events (code, row_id) WHERE code <> '';
CREATE INDEX events_blocked ON events (row_id) WHERE blocked;
-- Everything that percentiles are made of, so that they need not read the events.
CREATE INDEX events_timings ON events (facet, lot, time)
    INCLUDE (request_id, total_us, upstream_us, held_us, judged_us, recorded_us) WHERE type = 'response_done';

-- The combinations of names under which events are counted. The key is a digest of them. Each event is counted twice: under its
-- own, and under a summary, which has no names of persons and things.
CREATE TABLE facets (
    facet    BYTEA   NOT NULL PRIMARY KEY,
    summary  BOOLEAN NOT NULL,
    type     TEXT COLLATE "C" NOT NULL,
    surface  TEXT COLLATE "C" NOT NULL,
    provider TEXT COLLATE "C" NOT NULL,
    model    TEXT COLLATE "C" NOT NULL,
    server   TEXT COLLATE "C" NOT NULL,
    tool     TEXT COLLATE "C" NOT NULL,
    verdict  TEXT COLLATE "C" NOT NULL,
    would_be TEXT COLLATE "C" NOT NULL,
    blocked  BOOLEAN NOT NULL,
    code     TEXT COLLATE "C" NOT NULL,
    rule     TEXT COLLATE "C" NOT NULL,
    org      TEXT COLLATE "C" NOT NULL,
    team     TEXT COLLATE "C" NOT NULL,
    employee TEXT COLLATE "C" NOT NULL,
    key      TEXT COLLATE "C" NOT NULL,
    tool_folded   TEXT COLLATE "C" NOT NULL, -- these two follow from the names
    server_folded TEXT COLLATE "C" NOT NULL
);

-- How many events of each combination there were in each hour, and in each day. Tokens and cost are those of the responses; a call
-- has its share of its response's, and the combinations of calls have those added up. Room is left for rows to change in place.
CREATE TABLE tallies (
    facet         BYTEA  NOT NULL,
    span          BIGINT NOT NULL, -- in hours: 1 or 24
    begins        BIGINT NOT NULL, -- in microseconds since 1970
    events        BIGINT NOT NULL,
    input_tokens  BIGINT NOT NULL,
    cache_tokens  BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost_micros   BIGINT NOT NULL,
    PRIMARY KEY (facet, span, begins)
) WITH (fillfactor = 80);

CREATE INDEX tallies_time ON tallies (span, begins);

-- Between which rows the events of an hour are.
CREATE TABLE hours (
    hour      BIGINT NOT NULL PRIMARY KEY,
    first_row BIGINT NOT NULL,
    last_row  BIGINT NOT NULL
) WITH (fillfactor = 50);

-- Up to which row events have no facet yet; empty: all have one.
CREATE TABLE unfilled (upto BIGINT NOT NULL);
INSERT INTO unfilled SELECT max(row_id) FROM events HAVING max(row_id) IS NOT NULL;

-- The statistics of an hour or a day go when no event is as old. It acts with the rights of the tables' owner.

-- +goose StatementBegin
CREATE FUNCTION events_deleted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    an_hour CONSTANT BIGINT := 3600000000;
    oldest  CONSTANT BIGINT := coalesce((SELECT min(time) FROM events), 9223372036854775807);
BEGIN
    DELETE FROM hours WHERE hour < oldest / an_hour;
    WITH gone AS (DELETE FROM tallies WHERE span = 1 AND begins <= oldest - an_hour OR span = 24 AND begins <= oldest - 24 * an_hour RETURNING facet)
        DELETE FROM facets f WHERE f.facet IN (SELECT facet FROM gone)
            AND NOT EXISTS (SELECT FROM tallies t WHERE t.facet = f.facet AND t.begins > oldest - t.span * an_hour);
    RETURN NULL;
END;
$$;
-- +goose StatementEnd

CREATE TRIGGER events_deleted AFTER DELETE ON events FOR EACH STATEMENT EXECUTE FUNCTION events_deleted();

-- +goose StatementBegin
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION events_deleted() SET search_path = %I, pg_temp', current_schema());
END;
$$;
-- +goose StatementEnd

REVOKE ALL ON FUNCTION events_deleted() FROM PUBLIC;

-- What people ask. The columns are described in docs/record.md. Arguments are found by where they stand in the text: as JSON,
-- PostgreSQL would refuse some that are on record, and with them the whole answer.
CREATE VIEW activity AS
SELECT
    c.row_id,
    c.time AS micros,
    to_timestamp(c.time / 1000000.0) AS time,
    c.employee, c.team, c.org, c.key, c.session, c.provider, c.model, c.server, c.tool, c.server_folded, c.tool_folded, c.surface,
    c.verdict, c.blocked, c.would_be, c.code, c.rule, c.reason,
    substring(c.text FROM ',"args":(.*),"chain":"[^"]*","seq":[0-9]+,"prev_hash":"[^"]*"}$') AS args,
    c.request_id, c.response_id, c.call_id, c.wire_id, c.within,
    (SELECT r.result_bytes FROM events r WHERE left(r.call_id, 200) = left(c.call_id, 200) AND r.call_id = c.call_id
        AND r.type = 'tool_result' ORDER BY r.row_id LIMIT 1) AS result_bytes,
    (SELECT r.result_failed FROM events r WHERE left(r.call_id, 200) = left(c.call_id, 200) AND r.call_id = c.call_id
        AND r.type = 'tool_result' ORDER BY r.row_id LIMIT 1) AS result_failed,
    (SELECT d.cost_micros / d.calls / 1000000.0 FROM events d
        WHERE d.request_id = c.request_id AND d.request_id <> '' AND d.type = 'response_done' AND d.calls > 0
            AND c.within = '' AND c.surface = 'response' LIMIT 1) AS cost_usd
FROM events c WHERE c.type = 'tool_call';

CREATE VIEW activity_hours AS
SELECT
    t.begins AS micros,
    to_timestamp(t.begins / 1000000) AS hour,
    f.type, f.employee, f.team, f.org, f.key, f.provider, f.model, f.server, f.tool, f.surface,
    f.verdict, f.blocked, f.would_be, f.code, f.rule,
    t.events, t.input_tokens, t.cache_tokens, t.output_tokens, t.cost_micros / 1000000.0 AS cost_usd
FROM facets f JOIN tallies t ON t.facet = f.facet AND t.span = 1 WHERE f.summary = FALSE;

CREATE VIEW activity_days AS
SELECT
    t.begins AS micros,
    (to_timestamp(t.begins / 1000000) AT TIME ZONE 'UTC')::date AS day,
    f.type, f.employee, f.team, f.org, f.key, f.provider, f.model, f.server, f.tool, f.surface,
    f.verdict, f.blocked, f.would_be, f.code, f.rule,
    t.events, t.input_tokens, t.cache_tokens, t.output_tokens, t.cost_micros / 1000000.0 AS cost_usd
FROM facets f JOIN tallies t ON t.facet = f.facet AND t.span = 24 WHERE f.summary = FALSE;

-- Moments to compare the column micros with.
CREATE VIEW since AS
SELECT
    (extract(epoch FROM now())::bigint - 3600) * 1000000 AS hour,
    (extract(epoch FROM now())::bigint - 86400) * 1000000 AS day,
    (extract(epoch FROM now())::bigint - 604800) * 1000000 AS week,
    (extract(epoch FROM now())::bigint - 2592000) * 1000000 AS month;
