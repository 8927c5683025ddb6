-- +goose Up

-- What models were asked and what agents were answered, redacted and compressed. Bodies are let go by age and size, whatever becomes
-- of the events that name them by request_id.
CREATE TABLE bodies (
    row_id     INTEGER PRIMARY KEY,
    request_id TEXT   NOT NULL,
    side       TEXT   NOT NULL, -- request or response
    time       BIGINT NOT NULL, -- of the request, in microseconds since 1970
    digest     TEXT   NOT NULL, -- of the text
    size       BIGINT NOT NULL, -- of the text, in bytes
    full_size  BIGINT NOT NULL, -- of the whole body, if its end was cut off; else 0
    stored     BIGINT NOT NULL, -- bytes that the row takes, about
    content    BLOB   NOT NULL, -- the text, compressed with zstd
    UNIQUE (request_id, side)
);

-- The oldest go first, and how much there is must be known without reading it.
CREATE INDEX bodies_oldest ON bodies (time, row_id, stored);
