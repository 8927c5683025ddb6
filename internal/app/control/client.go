package control

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
)

// ClientConfig sets up a Client.
type ClientConfig struct {
	Path string // of the socket
	Key  string // the client's; "": none
	// Start starts a weir if none responds when Ensure is called; nil: none is started. It returns when the process runs, perhaps
	// before the new weir responds. The channel is closed when the process ends.
	Start func() (ended <-chan struct{}, err error)
	// Log is the path of the log of the started process, for error messages; "": there is none.
	Log string
	// StartWithin is how long a started weir may take until it responds; 0: 15 seconds.
	StartWithin time.Duration
	// BackWithin is how long to wait for a weir that responded before; 0: 10 seconds.
	BackWithin time.Duration
	// Folder is the folder that the calls work for; "": it is not known.
	Folder string
	// OnTrouble is called when the judge cannot be asked; nil: nothing is called.
	OnTrouble func(error)
}

// A Client asks the judge of this machine. It is an mcp.Judge. If the judge cannot be asked, the call is refused.
type Client struct {
	cfg  ClientConfig
	http *http.Client

	starting sync.Mutex // only one goroutine at a time starts a weir
	tellings tellings   // refusals to report; nobody waits for them until Close
}

// maxConnections is how many requests are sent at once: as many as a busy client of an MCP server has. Further requests wait.
// The connections stay open for the next requests.
const maxConnections = 64

// NewClient returns a Client.
func NewClient(cfg ClientConfig) *Client {
	if cfg.StartWithin == 0 {
		cfg.StartWithin = 15 * time.Second
	}
	if cfg.BackWithin == 0 {
		cfg.BackWithin = 10 * time.Second
	}
	dialer := net.Dialer{Timeout: 5 * time.Second}
	c := &Client{cfg: cfg, http: &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, "unix", cfg.Path)
		},
		MaxIdleConns:        maxConnections,
		MaxIdleConnsPerHost: maxConnections, // there is one host only
		MaxConnsPerHost:     maxConnections,
		IdleConnTimeout:     5 * time.Minute,
		DisableCompression:  true,
	}}}
	c.tellings.tell, c.tellings.failed = c.tell, c.report
	return c
}

// Close takes a short time to report refusals to the judge, and closes unused connections.
func (c *Client) Close() {
	c.tellings.close()
	c.http.CloseIdleConnections()
}

// Hello asks whether a weir responds, and which one it is.
func (c *Client) Hello(ctx context.Context) (Hello, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var h Hello
	err := c.do(ctx, http.MethodGet, pathHello, nil, &h)
	return h, err
}

// inFolder says which folder a call works for.
func (c *Client) inFolder(asked call.Call) call.Call {
	if asked.Folder == "" {
		asked.Folder = c.cfg.Folder
	}
	return asked
}

// Call implements mcp.Judge.
func (c *Client) Call(ctx context.Context, asked call.Call) call.Ruling {
	var a ruling
	if err := c.ask(ctx, pathCall, callRequestOf(c.inFolder(asked)), &a); err != nil {
		return c.unasked(ctx, err)
	}
	return a.ruling()
}

// Tools implements mcp.Judge.
func (c *Client) Tools(ctx context.Context, l call.Listing) (call.Offer, error) {
	q := toolsRequest{Listing: l, Tools: make([][]byte, len(l.Tools))}
	for i, t := range l.Tools {
		q.Tools[i] = t
	}
	q.Listing.Tools = nil
	var a toolsResponse
	if err := c.ask(ctx, pathTools, q, &a); err != nil {
		c.trouble(ctx, err)
		return call.Offer{}, err
	}
	if a.Trouble != "" {
		return call.Offer{}, errors.New(a.Trouble)
	}
	return a.Offer, nil
}

// Given implements mcp.Judge.
func (c *Client) Given(ctx context.Context, g call.Given) call.Ruling {
	q := givenRequest{Given: g, Result: g.Result, Error: g.Error}
	q.Given.Result, q.Given.Error = nil, nil
	var a ruling
	if err := c.ask(ctx, pathGiven, q, &a); err != nil {
		return c.unasked(ctx, err)
	}
	return a.ruling()
}

// Refused implements mcp.Judge. It does not wait.
func (c *Client) Refused(refused call.Call, r call.Ruling) {
	q := callRequestOf(refused)
	q.Ruling = rulingOf(r)
	c.tellings.add(q)
}

// tell reports a refusal to the judge.
func (c *Client) tell(ctx context.Context, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.StartWithin)
	defer cancel()
	return c.post(ctx, pathRefused, body, &struct{}{})
}

// unasked is the ruling if the judge cannot be asked.
func (c *Client) unasked(ctx context.Context, err error) call.Ruling {
	c.trouble(ctx, err)
	reason := "weir serve could not be asked."
	if errors.Is(err, errAway) {
		reason = "weir serve is not running; a person has to start it again."
	}
	return call.Ruling{Code: call.CodeStoreUnavailable, Reason: reason}
}

// trouble reports an error, unless the caller's context has ended.
func (c *Client) trouble(ctx context.Context, err error) {
	if ctx.Err() == nil {
		c.report(err)
	}
}

// report reports an error.
func (c *Client) report(err error) {
	if c.cfg.OnTrouble != nil {
		c.cfg.OnTrouble(err)
	}
}

// ask sends a request.
func (c *Client) ask(ctx context.Context, path string, request, response any) error {
	body, err := json.Marshal(request, lenient)
	if err != nil {
		return fmt.Errorf("write the request: %w", err)
	}
	return c.post(ctx, path, body, response)
}

// post sends a request. If weir does not respond, it may be restarting, so post waits for it. It does not start another weir,
// which could have another policy.
func (c *Client) post(ctx context.Context, path string, body []byte, response any) error {
	if err := c.do(ctx, http.MethodPost, path, body, response); !unreached(err) {
		return err
	}
	if err := c.await(ctx); err != nil {
		return err
	}
	return c.do(ctx, http.MethodPost, path, body, response)
}

func (c *Client) do(ctx context.Context, method, path string, body []byte, response any) error {
	r, err := http.NewRequestWithContext(ctx, method, "http://weir"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if c.cfg.Key != "" {
		r.Header.Set(admission.KeyHeader, c.cfg.Key)
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
		return decode(resp.Body, response, nil)
	case http.StatusUnauthorized:
		return errUnknown
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<16)) // so that the connection can be used again
	return fmt.Errorf("weir serve responds with status %d; it may have another version: restart it", resp.StatusCode)
}
