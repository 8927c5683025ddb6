-- +goose Up

-- The text is the event. The columns beside it repeat some of its members, so that events can be found.
CREATE TABLE events (
    row_id  INTEGER PRIMARY KEY,
    chain   TEXT    NOT NULL,
    seq     BIGINT  NOT NULL,
    hash    TEXT    NOT NULL,
    time    BIGINT  NOT NULL, -- microseconds since 1970
    type    TEXT    NOT NULL,
    session TEXT    NOT NULL,
    server  TEXT    NOT NULL,
    tool    TEXT    NOT NULL,
    verdict TEXT    NOT NULL,
    blocked BOOLEAN NOT NULL,
    code    TEXT    NOT NULL,
    rule    TEXT    NOT NULL,
    text    TEXT    NOT NULL,
    UNIQUE (chain, seq)
);

CREATE INDEX events_time ON events (time);
CREATE INDEX events_type ON events (type);
CREATE INDEX events_session ON events (session);
CREATE INDEX events_tool ON events (lower(tool));
CREATE INDEX events_verdict ON events (verdict);

-- Events do not change and do not go. This stops accidents, not an attacker: who can write the file can drop the
-- triggers. The hash chain is what shows such an act.

-- +goose StatementBegin
CREATE TRIGGER events_no_update BEFORE UPDATE ON events
BEGIN
    SELECT RAISE(ABORT, 'events are immutable');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER events_no_delete BEFORE DELETE ON events
BEGIN
    SELECT RAISE(ABORT, 'events are immutable');
END;
-- +goose StatementEnd
