-- +goose Up

-- What people are asked about calls, and what they said. The body has all of it; the columns are what it is found by.
CREATE TABLE approvals (
    id TEXT NOT NULL PRIMARY KEY,
    match_key TEXT NOT NULL,
    holder_key TEXT NOT NULL,
    state TEXT NOT NULL,
    is_open BOOLEAN NOT NULL,
    unsettled BOOLEAN NOT NULL,
    version BIGINT NOT NULL,
    created BIGINT NOT NULL,
    ends BIGINT NOT NULL,
    body TEXT NOT NULL
);

-- There is one open request about a matter, whoever asks.
CREATE UNIQUE INDEX approvals_open ON approvals (match_key) WHERE is_open;
CREATE INDEX approvals_state ON approvals (state, created);
CREATE INDEX approvals_holder ON approvals (holder_key) WHERE is_open;
CREATE INDEX approvals_ends ON approvals (ends) WHERE is_open;
CREATE INDEX approvals_unsettled ON approvals (created) WHERE unsettled;

-- A yes for a session.
CREATE TABLE approval_grants (
    id TEXT NOT NULL PRIMARY KEY,
    match_key TEXT NOT NULL,
    session_key TEXT NOT NULL,
    ends BIGINT NOT NULL,
    revoked BOOLEAN NOT NULL,
    created BIGINT NOT NULL,
    body TEXT NOT NULL
);

CREATE INDEX approval_grants_match ON approval_grants (match_key, session_key);
CREATE INDEX approval_grants_ends ON approval_grants (ends);
