-- +goose Up

-- What weir knows of MCP servers and their tools. The keys are digests, as ids and names may be of any length. Texts are as they
-- are, or quoted where a database would not take them. Times are in microseconds since 1970.

-- The servers that were met.
CREATE TABLE mcp_servers (
    server_key TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    server     TEXT COLLATE "C" NOT NULL, -- its id
    type       TEXT COLLATE "C" NOT NULL,
    addr       TEXT COLLATE "C" NOT NULL,
    name       TEXT COLLATE "C" NOT NULL, -- this and the version are what it calls itself
    version    TEXT COLLATE "C" NOT NULL,
    first      BIGINT NOT NULL,
    last       BIGINT NOT NULL
);

-- Their tools, as they were seen last.
CREATE TABLE mcp_tools (
    server_key    TEXT COLLATE "C" NOT NULL,
    tool_key      TEXT COLLATE "C" NOT NULL,
    server        TEXT COLLATE "C" NOT NULL,
    tool          TEXT COLLATE "C" NOT NULL,
    title         TEXT COLLATE "C" NOT NULL,
    description   TEXT COLLATE "C" NOT NULL,
    input_schema  TEXT COLLATE "C" NOT NULL, -- this and the next four are JSON; empty: there is none
    output_schema TEXT COLLATE "C" NOT NULL,
    annotations   TEXT COLLATE "C" NOT NULL,
    meta          TEXT COLLATE "C" NOT NULL,
    other         TEXT COLLATE "C" NOT NULL,
    hash          TEXT COLLATE "C" NOT NULL,
    first         BIGINT NOT NULL, -- when it was seen first
    since         BIGINT NOT NULL, -- when it was first seen with this hash
    gone          BIGINT NOT NULL, -- when its server was seen without it; 0: it is offered
    PRIMARY KEY (server_key, tool_key)
);

-- What someone trusts: a tool, as it was defined then.
CREATE TABLE mcp_pins (
    server_key    TEXT COLLATE "C" NOT NULL,
    tool_key      TEXT COLLATE "C" NOT NULL,
    server        TEXT COLLATE "C" NOT NULL,
    tool          TEXT COLLATE "C" NOT NULL,
    title         TEXT COLLATE "C" NOT NULL,
    description   TEXT COLLATE "C" NOT NULL,
    input_schema  TEXT COLLATE "C" NOT NULL,
    output_schema TEXT COLLATE "C" NOT NULL,
    annotations   TEXT COLLATE "C" NOT NULL,
    meta          TEXT COLLATE "C" NOT NULL,
    other         TEXT COLLATE "C" NOT NULL,
    hash          TEXT COLLATE "C" NOT NULL,
    trusted_by    TEXT COLLATE "C" NOT NULL, -- empty: it was trusted because it was seen first
    time          BIGINT NOT NULL,
    PRIMARY KEY (server_key, tool_key)
);

-- How often these tables were changed. It has one row.
CREATE TABLE mcp_revision (revision BIGINT NOT NULL);
INSERT INTO mcp_revision (revision) VALUES (0);

-- Calls of the tools of MCP servers are among the calls: once, where a model asked for one and a client then made it.
CREATE OR REPLACE VIEW activity AS
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
FROM events c
WHERE c.type IN ('tool_call', 'mcp_tool_call_intercepted') OR c.type = 'mcp_tool_called'
    AND NOT EXISTS (SELECT FROM events a WHERE left(a.call_id, 200) = left(c.call_id, 200) AND a.call_id = c.call_id
        AND a.type = 'mcp_tool_call_intercepted');
