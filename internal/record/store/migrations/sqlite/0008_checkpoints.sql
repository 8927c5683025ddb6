-- +goose Up

-- How much text the events of a chain have, so that the size of the record is known at any time.
ALTER TABLE chains ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;

UPDATE chains SET bytes = (SELECT coalesce(sum(octet_length(text)), 0) FROM events WHERE events.chain = chains.chain);

-- Signed statements that a chain stood at an event. The text is the statement; the columns beside it repeat what is in it.
CREATE TABLE checkpoints (
    row_id    INTEGER PRIMARY KEY,
    key_id    TEXT    NOT NULL, -- who signed it
    n         BIGINT  NOT NULL, -- its place among those of the key
    chain     TEXT    NOT NULL,
    seq       BIGINT  NOT NULL,
    cut       BOOLEAN NOT NULL, -- the chain's events up to seq were removed with it
    closed    BOOLEAN NOT NULL, -- nobody writes the chain any more
    time      BIGINT  NOT NULL, -- microseconds since 1970
    text      TEXT    NOT NULL,
    signature TEXT    NOT NULL,
    UNIQUE (key_id, n)
);

CREATE INDEX checkpoints_chain ON checkpoints (chain, key_id, seq);
CREATE INDEX checkpoints_cut ON checkpoints (time) WHERE cut;

-- +goose StatementBegin
CREATE TRIGGER checkpoints_no_update BEFORE UPDATE ON checkpoints
BEGIN
    SELECT RAISE(ABORT, 'checkpoints are immutable');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER checkpoints_no_delete BEFORE DELETE ON checkpoints
BEGIN
    SELECT RAISE(ABORT, 'checkpoints are immutable');
END;
-- +goose StatementEnd

-- Rulings are forgotten by their age.
CREATE INDEX kept_rulings_time ON kept_rulings (time);
