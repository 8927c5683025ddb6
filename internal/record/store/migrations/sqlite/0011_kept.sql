-- +goose Up

-- Events are kept in logs beside this file, and found by an index of them. This file notes where each chain is.
ALTER TABLE chains ADD COLUMN log    TEXT   NOT NULL DEFAULT ''; -- the log that has its events; empty: they are in the table events
ALTER TABLE chains ADD COLUMN begins BIGINT NOT NULL DEFAULT 0;  -- no event of the chain that is kept comes before this position

-- Up to which position the effects of a log's events are in this file: rulings, spent money, and the notes about chains.
CREATE TABLE kept_logs (
    log  TEXT   NOT NULL PRIMARY KEY,
    upto BIGINT NOT NULL
);
