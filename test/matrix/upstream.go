package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
)

// cellHeader says which cell a request is of. weir sends it on.
const cellHeader = "X-Matrix-Cell"

// An upstream answers each request as its cell has it.
type upstream struct {
	cells  []*cell
	server *http.Server
	url    string
}

func startUpstream(cells []*cell) (*upstream, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the upstream: %w", err)
	}
	u := &upstream{cells: cells, url: "http://" + listener.Addr().String()}
	u.server = &http.Server{Handler: u}
	go u.server.Serve(listener) // it ends with close; what else ends it shows at the client
	return u, nil
}

func (u *upstream) close() { u.server.Close() } // nobody is served any more

// ServeHTTP implements http.Handler.
func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		panic(http.ErrAbortHandler)
	}
	n, err := strconv.Atoi(r.Header.Get(cellHeader))
	if err != nil || n < 0 || n >= len(u.cells) {
		http.Error(w, "no cell is asked for", http.StatusNotImplemented)
		return
	}
	if err := u.cells[n].play(w); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// play sends a cell's answer.
func (c *cell) play(w http.ResponseWriter) error {
	writes, err := c.chunking.writes(c.frames(), c.encoding)
	if err != nil {
		return err
	}
	h := w.Header()
	h["Content-Type"] = nil // else net/http guesses one
	if label := c.label.of[c.mode]; label != "" {
		h.Set("Content-Type", label)
	}
	if c.encoding.header != "" {
		h.Set("Content-Encoding", c.encoding.header)
	}
	if c.chunking.length {
		h.Set("Content-Length", strconv.Itoa(len(writes[0])))
	}
	ctl := http.NewResponseController(w)
	for _, b := range writes {
		if _, err := w.Write(b); err != nil {
			return err
		}
		if err := ctl.Flush(); err != nil {
			return err
		}
	}
	return nil
}
