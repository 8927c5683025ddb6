// Package budget limits the memory that weir holds for clients: for one connection, for one client, and in all.
package budget

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// A Kind says what the memory is used for.
type Kind uint8

// The kinds.
const (
	Connections Kind = iota // what every connection takes: buffers, goroutines
	Requests                // bodies of requests, decoded and parsed
	Responses               // incomplete frames, and frames that are being parsed
	Calls                   // held calls, and frames that wait behind them
	Bodies                  // copies of bodies until they are stored
	Messages                // messages of MCP, and questions of shims and runners
	kinds
)

// String names the kind, as metrics do.
func (k Kind) String() string {
	return [...]string{"connections", "requests", "responses", "calls", "bodies", "messages"}[k]
}

// A Scope says whose limit is reached.
type Scope uint8

// The scopes.
const (
	OfClient Scope = iota // one client's
	OfAll                 // of all clients together
	scopes
)

// String names the scope, as metrics do.
func (s Scope) String() string { return [...]string{"client", "total"}[s] }

// Exceeded says that there is no room in the budget.
type Exceeded struct {
	Scope Scope
	// Alone says that the connection would exceed the limit even if it were the only one: trying again does not help.
	Alone bool
}

// Error implements error.
func (e *Exceeded) Error() string {
	switch {
	case e.Alone:
		return fmt.Sprintf("it takes more memory than weir has for it (bounds.held_%s)", e.Scope)
	case e.Scope == OfClient:
		return "weir holds as much for this client as it may (bounds.held_client)"
	}
	return "weir holds as much for all clients as it may (bounds.held_total)"
}

// Config sets up a Budget.
type Config struct {
	Total  int64 // bytes for all clients together; 0: 1 GiB
	Client int64 // bytes for one client; 0: half of Total
}

// A Budget is the memory that may be held. It is safe for concurrent use.
//
// Accounts take from it in portions, so that connections that hold little rarely touch shared counters. The unused rest of a
// portion counts for its client, but is not in Held.
type Budget struct {
	*books
	lenient bool // nothing is refused
}

// books are the counters and limits of a budget.
type books struct {
	cfg     Config
	used    atomic.Int64
	refused [scopes]atomic.Int64

	mu      sync.Mutex
	holders map[string]*holder // holders with an open account
}

// A holder is a client, or several clients that cannot be distinguished: they share one limit.
type holder struct {
	name     string
	used     atomic.Int64
	accounts map[*Account]struct{} // guarded by Budget.mu
}

// New returns a Budget.
func New(cfg Config) *Budget {
	if cfg.Total == 0 {
		cfg.Total = 1 << 30
	}
	if cfg.Client == 0 {
		cfg.Client = cfg.Total / 2
	}
	return &Budget{books: &books{cfg: cfg, holders: map[string]*holder{}}}
}

// Lenient returns the same budget for users that must not be refused: their memory is counted, but may exceed the limits.
func (b *Budget) Lenient() *Budget {
	if b == nil {
		return nil
	}
	return &Budget{books: b.books, lenient: true}
}

// Held is how many bytes are held now, by kind.
func (b *Budget) Held() map[Kind]int64 {
	held := make(map[Kind]int64, kinds)
	for k := range kinds {
		held[k] = 0
	}
	if b == nil {
		return held
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, h := range b.holders {
		for a := range h.accounts {
			for k, n := range a.read() {
				held[Kind(k)] += n
			}
		}
	}
	return held
}

// Used is how many bytes are taken now, including the unused rests of portions.
func (b *Budget) Used() int64 { return b.used.Load() }

// Refused is how often there was no room, by the scope of the limit.
func (b *Budget) Refused() map[Scope]int64 {
	all := make(map[Scope]int64, scopes)
	for s := range scopes {
		if all[s] = 0; b != nil {
			all[s] = b.refused[s].Load()
		}
	}
	return all
}

// Open opens an account for a connection of a client. The caller must close it. The account of a nil Budget is nil, and has no
// limit.
func (b *Budget) Open(name string) *Account {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	h := b.holders[name]
	if h == nil {
		h = &holder{name: name, accounts: map[*Account]struct{}{}}
		b.holders[name] = h
	}
	a := &Account{budget: b, holder: h}
	h.accounts[a] = struct{}{}
	return a
}

// leave removes an account.
func (b *Budget) leave(a *Account) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(a.holder.accounts, a)
	if len(a.holder.accounts) == 0 {
		delete(b.holders, a.holder.name)
	}
}

// take takes n bytes for an account that already has before bytes.
func (b *Budget) take(h *holder, before, n int64) error {
	if h.used.Add(n) > b.cfg.Client && !b.lenient {
		h.used.Add(-n)
		return b.refuse(OfClient, before+n > b.cfg.Client)
	}
	if b.used.Add(n) > b.cfg.Total && !b.lenient {
		b.used.Add(-n)
		h.used.Add(-n)
		return b.refuse(OfAll, before+n > b.cfg.Total)
	}
	return nil
}

func (b *Budget) refuse(s Scope, alone bool) error {
	b.refused[s].Add(1)
	return &Exceeded{Scope: s, Alone: alone}
}

// give gives bytes back.
func (b *Budget) give(h *holder, n int64) {
	b.used.Add(-n)
	h.used.Add(-n)
}
