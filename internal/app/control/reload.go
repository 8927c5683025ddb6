package control

import (
	"context"
	"net/http"
	"time"
)

// pathReload asks weir to read its configuration again.
const pathReload = "/v1/reload"

// Reloaded is what came of reading the configuration again.
type Reloaded struct {
	// ClientFiles is where this weir reads clients, beside its configuration; "": nowhere.
	ClientFiles string `json:"client_files,omitzero"`
	// Trouble says why the old configuration stays in force; "": the new one is.
	Trouble string `json:"trouble,omitzero"`
}

// reload needs no key: who can reach the socket could also send SIGHUP.
func (s *Server) reload(w http.ResponseWriter, r *http.Request) {
	encode(w, s.cfg.Reload(r.Context()))
}

// reloadWithin is how long weir may take to read its configuration again.
const reloadWithin = 10 * time.Second

// Reload has a running weir read its configuration again, and waits until that is done. It fails if no weir runs.
func (c *Client) Reload(ctx context.Context) (Reloaded, error) {
	ctx, cancel := context.WithTimeout(ctx, reloadWithin)
	defer cancel()
	var a Reloaded
	err := c.do(ctx, http.MethodPost, pathReload, nil, &a)
	return a, err
}
