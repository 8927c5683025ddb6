-- +goose Up

-- Events of one call are found by its id, and what a client says of it by the id that the wire gives it.
ALTER TABLE events ADD COLUMN call_id TEXT NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN wire_id TEXT NOT NULL DEFAULT '';

-- The columns repeat the text; events that are there already get theirs now.
DROP TRIGGER events_no_update;

UPDATE events SET
    call_id = coalesce(replace(text ->> '$.call_id', char(0), char(65533)), ''),
    wire_id = coalesce(replace(text ->> '$.wire_id', char(0), char(65533)), '')
WHERE json_valid(text);

-- +goose StatementBegin
CREATE TRIGGER events_no_update BEFORE UPDATE ON events
BEGIN
    SELECT RAISE(ABORT, 'events are immutable');
END;
-- +goose StatementEnd

CREATE INDEX events_call ON events (call_id);
CREATE INDEX events_wire ON events (wire_id);
