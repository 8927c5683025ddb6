package control

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/call"
)

// Pins records changes of pins.
type Pins interface {
	// PinsChanged records changes that the client made in the registry. It fails if the registry of this weir does not have them.
	PinsChanged(ctx context.Context, who call.Actor, changes []call.PinChange) error
}

// maxPinChanges is how many changes one request may have.
const maxPinChanges = 20_000

type pinsRequest struct {
	Changes []call.PinChange `json:"changes"`
}

type pinsResponse struct {
	// Trouble says why the changes are not recorded; "": they are.
	Trouble string `json:"trouble,omitzero"`
}

func (s *Server) pins(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q pinsRequest
	if !understood(w, r, &q) {
		return
	}
	var a pinsResponse
	if len(q.Changes) > maxPinChanges {
		a.Trouble = "too many changes at once"
	} else if err := s.cfg.Pins.PinsChanged(r.Context(), actor, q.Changes); err != nil {
		a.Trouble = err.Error()
	}
	encode(w, a)
}

// PinsChanged asks a running weir to record changes of pins. It fails if none runs, or if that weir does not have the changes.
func (c *Client) PinsChanged(ctx context.Context, changes []call.PinChange) error {
	var a pinsResponse
	body, err := json.Marshal(pinsRequest{changes}, lenient)
	if err != nil {
		return fmt.Errorf("write the request: %w", err)
	}
	if err := c.do(ctx, http.MethodPost, pathPins, body, &a); err != nil {
		return err
	}
	if a.Trouble != "" {
		return errors.New(a.Trouble)
	}
	return nil
}
