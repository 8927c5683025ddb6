package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/model/wire"
)

// patience is how long an exchange may take before it counts as hung.
const patience = 30 * time.Second

// An answer is what the client got.
type answer struct {
	status int
	header http.Header
	body   []byte // as it came
	err    error  // it did not come to its end
}

func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers, DisableCompression: true}}
}

// ask plays the client of a cell.
func (c *cell) ask(ctx context.Context, client *http.Client, address string) (a answer) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var body io.Reader
	if c.endpoint.verb() == http.MethodPost {
		body = strings.NewReader(c.request())
	}
	req, err := http.NewRequestWithContext(ctx, c.endpoint.verb(), address+c.target(), body)
	if err != nil {
		return answer{err: fmt.Errorf("make the request: %w", err)}
	}
	req.Header.Set(cellHeader, strconv.Itoa(c.number))
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return answer{err: fmt.Errorf("ask: %w", err)}
	}
	defer resp.Body.Close() // it was read to its end
	a = answer{status: resp.StatusCode, header: resp.Header}
	if a.body, err = io.ReadAll(resp.Body); err != nil {
		a.err = fmt.Errorf("read the answer: %w", err)
	}
	return a
}

// request is the body that asks for the cell's turn.
func (c *cell) request() string {
	_, body := c.format.kit.Request(wire.Turn{Model: "model", Prompt: "Go on.", Stored: true}, c.asked() != whole)
	return cmp.Or(c.format.request, body)
}
