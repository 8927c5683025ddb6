-- +goose Up

-- What was spent in each minute, by scope. A scope may be of any length and hold any bytes, so it is found by a digest.
CREATE TABLE budgets (
    scope_key TEXT   NOT NULL,
    scope     TEXT   NOT NULL,
    minute    BIGINT NOT NULL, -- minutes since 1970
    spent     BIGINT NOT NULL, -- millionths of the currency's unit
    PRIMARY KEY (scope_key, minute)
);

CREATE INDEX budgets_minute ON budgets (minute);
