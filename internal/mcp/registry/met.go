package registry

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/weir-gate/weir/internal/text/inert"
)

// A Server is one that was met: someone spoke with it by way of weir.
type Server struct {
	ID   string `json:"id"`            // as declared, or as the shim was told; never what the server says of itself
	Type string `json:"type,omitzero"` // stdio, http or sse
	Addr string `json:"addr,omitzero"` // the program, or the URL without its query
	// Name and Version are what the server calls itself, inert and cut to 128 characters.
	Name    string    `json:"name,omitzero"`
	Version string    `json:"version,omitzero"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"` // or up to an hour before
}

const (
	// metAgain is how long a server that stays as it is can be met again before that is written down.
	metAgain = time.Hour
	// maxSelfName bounds what a server calls itself, in characters.
	maxSelfName = 128
)

// Met takes note that a server was met, and says whether that was for the first time. First and Last are set. A server that does
// not say what it is called keeps the name and version that it gave before. What is known already is not written again within an hour.
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
		// A clock that was set back counts, too: else the last time would stay in the future.
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

// Known are the servers that were met, sorted by id.
func (r *Registry) Known() []Server {
	var out []Server
	for _, s := range r.current.Load().met {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b Server) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
