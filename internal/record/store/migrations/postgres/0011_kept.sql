-- +goose Up

-- Only a file has something new: it keeps its events in logs.
SELECT 1;
