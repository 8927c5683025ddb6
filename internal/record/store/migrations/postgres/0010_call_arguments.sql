-- +goose Up

-- The arguments of a call that was refused before they were there are in an event of their own.
CREATE OR REPLACE VIEW activity AS
SELECT
    c.row_id,
    c.time AS micros,
    to_timestamp(c.time / 1000000.0) AS time,
    c.employee, c.team, c.org, c.key, c.session, c.provider, c.model, c.server, c.tool, c.server_folded, c.tool_folded, c.surface,
    c.verdict, c.blocked, c.would_be, c.code, c.rule, c.reason,
    coalesce(
        substring(c.text FROM ',"args":(.*),"chain":"[^"]*","seq":[0-9]+,"prev_hash":"[^"]*"}$'),
        (SELECT substring(f.text FROM ',"args":(.*),"chain":"[^"]*","seq":[0-9]+,"prev_hash":"[^"]*"}$') FROM events f
            WHERE left(f.call_id, 200) = left(c.call_id, 200) AND f.call_id = c.call_id AND f.call_id <> ''
                AND f.type = 'tool_call_arguments' ORDER BY f.row_id LIMIT 1)
    ) AS args,
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
