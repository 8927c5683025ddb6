package control

import (
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/call"
)

// session opens a session, which lasts until the client is gone.
func (s *Server) session(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q SessionRequest
	if !understood(w, r, &q) {
		return
	}
	if actor.Session != "" {
		encode(w, SessionResponse{Trouble: "a session cannot be opened from within a session"})
		return
	}
	response, done, err := s.cfg.Sessions.Open(actor, q)
	if err != nil {
		encode(w, SessionResponse{Trouble: err.Error()})
		return
	}
	defer done()
	text, err := json.Marshal(response, lenient)
	if err != nil {
		http.Error(w, "the response cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if _, err := w.Write(append(text, '\n')); err != nil {
		return
	}
	if err := http.NewResponseController(w).Flush(); err != nil {
		return
	}
	select {
	case <-r.Context().Done():
	case <-s.ending:
	}
}

func (s *Server) started(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q SessionStarted
	if understood(w, r, &q) {
		s.cfg.Sessions.Started(actor, q)
		encode(w, struct{}{})
	}
}

func (s *Server) ended(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q SessionEnded
	if understood(w, r, &q) {
		encode(w, s.cfg.Sessions.Ended(r.Context(), actor, q))
	}
}

// connect rules on a connection of the session that asks.
func (s *Server) connect(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q connectRequest
	if !understood(w, r, &q) {
		return
	}
	if actor.Session == "" {
		http.Error(w, "only sessions have connections", http.StatusForbidden)
		return
	}
	q.Connection.Actor = actor
	encode(w, rulingOf(s.cfg.Connections.Connect(r.Context(), q.Connection)))
}
