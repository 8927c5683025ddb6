-- +goose Up

-- What weir knows of MCP servers and their tools. The keys are digests, as ids and names may be of any length. Texts are as they
-- are, or quoted where a database would not take them. Times are in microseconds since 1970.

-- The servers that were met.
CREATE TABLE mcp_servers (
    server_key TEXT   NOT NULL PRIMARY KEY,
    server     TEXT   NOT NULL, -- its id
    type       TEXT   NOT NULL,
    addr       TEXT   NOT NULL,
    name       TEXT   NOT NULL, -- this and the version are what it calls itself
    version    TEXT   NOT NULL,
    first      BIGINT NOT NULL,
    last       BIGINT NOT NULL
);

-- Their tools, as they were seen last.
CREATE TABLE mcp_tools (
    server_key    TEXT   NOT NULL,
    tool_key      TEXT   NOT NULL,
    server        TEXT   NOT NULL,
    tool          TEXT   NOT NULL,
    title         TEXT   NOT NULL,
    description   TEXT   NOT NULL,
    input_schema  TEXT   NOT NULL, -- this and the next four are JSON; empty: there is none
    output_schema TEXT   NOT NULL,
    annotations   TEXT   NOT NULL,
    meta          TEXT   NOT NULL,
    other         TEXT   NOT NULL,
    hash          TEXT   NOT NULL,
    first         BIGINT NOT NULL, -- when it was seen first
    since         BIGINT NOT NULL, -- when it was first seen with this hash
    gone          BIGINT NOT NULL, -- when its server was seen without it; 0: it is offered
    PRIMARY KEY (server_key, tool_key)
);

-- What someone trusts: a tool, as it was defined then.
CREATE TABLE mcp_pins (
    server_key    TEXT   NOT NULL,
    tool_key      TEXT   NOT NULL,
    server        TEXT   NOT NULL,
    tool          TEXT   NOT NULL,
    title         TEXT   NOT NULL,
    description   TEXT   NOT NULL,
    input_schema  TEXT   NOT NULL,
    output_schema TEXT   NOT NULL,
    annotations   TEXT   NOT NULL,
    meta          TEXT   NOT NULL,
    other         TEXT   NOT NULL,
    hash          TEXT   NOT NULL,
    trusted_by    TEXT   NOT NULL, -- empty: it was trusted because it was seen first
    time          BIGINT NOT NULL,
    PRIMARY KEY (server_key, tool_key)
);

-- How often these tables were changed. It has one row.
CREATE TABLE mcp_revision (revision BIGINT NOT NULL);
INSERT INTO mcp_revision (revision) VALUES (0);

-- Calls of the tools of MCP servers are among the calls: once, where a model asked for one and a client then made it.
DROP VIEW activity;

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
FROM events c
-- Without the index of types, which finds too many.
WHERE +c.type IN ('tool_call', 'mcp_tool_call_intercepted') OR +c.type = 'mcp_tool_called'
    AND NOT EXISTS (SELECT 1 FROM events a WHERE a.call_id = c.call_id AND +a.type = 'mcp_tool_call_intercepted');
