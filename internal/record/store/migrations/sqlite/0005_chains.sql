-- +goose Up

-- Where each chain stands. It moves in the transaction that stores the chain's next events, and only from where those
-- events say that they follow.
CREATE TABLE chains (
    chain     TEXT   NOT NULL PRIMARY KEY,
    seq       BIGINT NOT NULL,           -- the newest event; 0: there was none yet
    hash      TEXT   NOT NULL,           -- its hash
    first_seq BIGINT NOT NULL DEFAULT 1  -- the oldest event that is kept: those before it may be deleted
);

-- Of a group's rows SQLite takes the hash from the one with the highest seq.
INSERT INTO chains (chain, seq, hash) SELECT chain, max(seq), hash FROM events GROUP BY chain;

DROP TRIGGER events_no_delete;

-- +goose StatementBegin
CREATE TRIGGER events_no_delete BEFORE DELETE ON events
WHEN NOT EXISTS (SELECT 1 FROM chains WHERE chains.chain = OLD.chain AND chains.first_seq > OLD.seq)
BEGIN
    SELECT RAISE(ABORT, 'events are immutable');
END;
-- +goose StatementEnd

-- A weir that does not know of chains and still runs must not add events to them. This one stands until the next migration has its own.

-- +goose StatementBegin
CREATE TRIGGER events_wait BEFORE INSERT ON events
BEGIN
    SELECT RAISE(ABORT, 'a newer weir is upgrading this store; restart this one with the new version');
END;
-- +goose StatementEnd
