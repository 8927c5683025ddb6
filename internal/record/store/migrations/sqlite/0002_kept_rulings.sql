-- +goose Up

-- The rulings on calls that a provider keeps and will speak of again. An id may be of any length and hold any bytes, so
-- calls are found by keys: digests of the ids, empty where there is no id.
CREATE TABLE kept_rulings (
    row_id           INTEGER PRIMARY KEY,
    upstream         TEXT    NOT NULL,
    response_id      TEXT    NOT NULL,
    response_key     TEXT    NOT NULL,
    conversation_id  TEXT    NOT NULL,
    conversation_key TEXT    NOT NULL,
    wire_id          TEXT    NOT NULL,
    wire_key         TEXT    NOT NULL,
    unit             TEXT    NOT NULL, -- empty: the provider ran the call and waits for no output
    notice           TEXT    NOT NULL,
    notice_key       TEXT    NOT NULL,
    tool             TEXT    NOT NULL,
    released         BOOLEAN NOT NULL,
    code             TEXT    NOT NULL,
    reason           TEXT    NOT NULL,
    rule             TEXT    NOT NULL,
    policy_version   TEXT    NOT NULL,
    time             BIGINT  NOT NULL, -- microseconds since 1970
    answered         BOOLEAN NOT NULL, -- the conversation has the call's output
    -- The conversation is part of it for calls that were seen outside of their response.
    UNIQUE (upstream, response_key, wire_key, conversation_key)
);

CREATE INDEX kept_rulings_wire ON kept_rulings (upstream, wire_key, released);
CREATE INDEX kept_rulings_conversation ON kept_rulings (upstream, conversation_key, released, wire_key);
CREATE INDEX kept_rulings_notice ON kept_rulings (upstream, notice_key) WHERE released = FALSE;
