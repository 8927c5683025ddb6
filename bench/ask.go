package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/model/wire"
)

// errBroken says that a whole response did not come.
var errBroken = errors.New("no whole response came")

// ask sends a request for the turn that the query names.
func (t *target) ask(ctx context.Context, query string) (*http.Response, error) {
	path, body := t.format.Request(wire.Turn{Model: "scripted", Prompt: "Go on.", Stored: true}, true)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.base+path+"?"+query, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := t.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask %s: %w: %w", t.name, errBroken, err)
	}
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
		resp.Body.Close() // it is of no use
		return nil, fmt.Errorf("ask %s: %w: %s: %s", t.name, errBroken, resp.Status, text)
	}
	return resp, nil
}

// exactly says whether a text turn arrives as it is sent.
func (t *target) exactly(ctx context.Context, turn string, frames int) (bool, error) {
	resp, err := t.ask(ctx, fmt.Sprintf("turn=%s&frames=%d", turn, frames))
	if err != nil {
		return false, err
	}
	defer resp.Body.Close() // it was read to its end, or is broken
	hash := sha256.New()
	if _, err := io.Copy(hash, resp.Body); err != nil {
		return false, fmt.Errorf("ask %s: %w: %w", t.name, errBroken, err)
	}
	want := textTurn(t.format, frames).sum
	return bytes.Equal(hash.Sum(nil), want[:]), nil
}

// firstFrame is how long the first frame of a response takes, from the request on.
func (t *target) firstFrame(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	arrived, err := t.arrival(ctx, "turn=fast&frames=1", "\n")
	return arrived.Sub(began), err
}

// call is how long a call takes, from its last argument byte to its arrival.
func (t *target) call(ctx context.Context, sent *sentTimes, id string) (time.Duration, error) {
	_, _, _, line := t.format.call(id)
	arrived, err := t.arrival(ctx, "turn=call&id="+id, line)
	if err != nil {
		return 0, err
	}
	from, ok := sent.take(id)
	if !ok {
		return 0, fmt.Errorf("ask %s: a call arrived that was not sent", t.name)
	}
	return arrived.Sub(from), nil
}

// arrival asks for a turn, reads it to its end and returns when the line arrived.
func (t *target) arrival(ctx context.Context, query, line string) (time.Time, error) {
	resp, err := t.ask(ctx, query)
	if err != nil {
		return time.Time{}, err
	}
	defer resp.Body.Close() // it was read to its end, or is broken
	lines := bufio.NewReader(resp.Body)
	if err := readUntil(lines, line); err != nil {
		return time.Time{}, fmt.Errorf("ask %s: %w", t.name, err)
	}
	arrived := time.Now()
	if _, err := io.Copy(io.Discard, lines); err != nil {
		return time.Time{}, fmt.Errorf("ask %s: %w: %w", t.name, errBroken, err)
	}
	return arrived, nil
}

// readUntil reads lines until one is this.
func readUntil(lines *bufio.Reader, this string) error {
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return fmt.Errorf("%w: %w", errBroken, err)
		}
		if line == this {
			return nil
		}
	}
}
