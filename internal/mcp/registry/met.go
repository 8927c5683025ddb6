package registry

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/weir-gate/weir/internal/text/inert"
)

// A Server is a server that was met: a client used it through weir.
type Server struct {
	ID   string `json:"id"`            // as declared, or as given to the shim; never what the server calls itself
	Type string `json:"type,omitzero"` // stdio, http or sse
	Addr string `json:"addr,omitzero"` // the program, or the URL without its query
	// Name and Version are what the server calls itself, inert and cut to 128 characters.
	Name    string    `json:"name,omitzero"`
	Version string    `json:"version,omitzero"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"` // or up to an hour before
}

const (
	// metAgain is how long meeting an unchanged server again is not written down.
	metAgain = time.Hour
	// maxSelfName is the largest length of a server's own name, in characters.
	maxSelfName = 128
)

// Met notes that a server was met, and returns whether that was the first time. It sets First and Last. If the server does not give
// its name, the name and version that it gave before stay. An unchanged server is not written again within an hour.
func (r *Registry) Met(ctx context.Context, s Server) (fresh bool, err error) {
	const step = "take note of a server"
	r.writing.Lock()
	defer r.writing.Unlock()
	now := r.current.Load()
	was, known := now.met[s.ID]
	if !known && len(now.met) >= r.bounds.Servers {
		return false, fmt.Errorf("%s: %w", step, &BoundError{"servers that are known", len(now.met) + 1, r.bounds.Servers})
	}
	s.Name, s.Version = inert.Text(s.Name, maxSelfName), inert.Text(s.Version, maxSelfName)
	s.Last = r.time()
	s.First = s.Last
	if known {
		s.First = was.First
		if s.Name == "" && s.Version == "" {
			s.Name, s.Version = was.Name, was.Version
		}
		same := was
		same.Last = s.Last
		// The absolute difference also covers a clock that was set back: else Last would stay in the future.
		if same == s && s.Last.Sub(was.Last).Abs() < metAgain {
			return false, nil
		}
	}
	written, err := r.store.UpdateRegistry(ctx, Update{Servers: []Server{s}})
	if err != nil {
		return false, fmt.Errorf("%s: %w", step, err)
	}
	r.current.Store(now.meeting(s).after(written))
	return !known, nil
}

// Server returns a server that was met. Ids are compared exactly.
func (r *Registry) Server(id string) (Server, bool) {
	s, ok := r.current.Load().met[id]
	return s, ok
}

// Known returns the servers that were met, sorted by id.
func (r *Registry) Known() []Server {
	var out []Server
	for _, s := range r.current.Load().met {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b Server) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
