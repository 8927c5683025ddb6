package budget

import (
	"errors"
	"sync"
)

// portion is the number of bytes that an account takes from the budget at once.
const portion = 32 << 10

// errClosed says that an account was closed, and can take nothing more.
var errClosed = errors.New("the account is closed")

// An Account counts the memory that one connection holds. All methods may be called on nil, which has no limit, and from several
// goroutines.
type Account struct {
	budget *Budget
	holder *holder

	mu     sync.Mutex
	held   [kinds]int64
	sum    int64 // of held
	taken  int64 // from the budget; at least sum
	closed bool
}

// Take takes n bytes, or returns why there is no room.
func (a *Account) Take(k Kind, n int) error {
	if a == nil || n <= 0 {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return errClosed
	}
	if over := a.sum + int64(n) - a.taken; over > 0 {
		more := roundUp(over)
		if err := a.budget.take(a.holder, a.taken, more); err != nil {
			return err
		}
		a.taken += more
	}
	a.held[k] += int64(n)
	a.sum += int64(n)
	return nil
}

// Give gives back n bytes that were taken for the kind.
func (a *Account) Give(k Kind, n int) {
	if a == nil || n <= 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return // Close gave everything back
	}
	if a.held[k] -= int64(n); a.held[k] < 0 {
		panic("budget: more is given back than was taken")
	}
	a.sum -= int64(n)
	if spare := a.taken - roundUp(a.sum); spare > portion { // one portion stays for later
		spare -= portion
		a.taken -= spare
		a.budget.give(a.holder, spare)
	}
}

// Close gives back everything. Later calls of Take fail.
func (a *Account) Close() {
	if a == nil {
		return
	}
	a.mu.Lock()
	taken := a.taken
	a.closed = true
	a.held, a.sum, a.taken = [kinds]int64{}, 0, 0
	a.mu.Unlock()
	a.budget.give(a.holder, taken)
	a.budget.leave(a)
}

// Open opens another account of the same client, for memory that is held longer than the connection.
func (a *Account) Open() *Account {
	if a == nil {
		return nil
	}
	return a.budget.Open(a.holder.name)
}

// Share returns a new share of the account, for one kind.
func (a *Account) Share(k Kind) *Share { return &Share{account: a, kind: k} }

func (a *Account) read() [kinds]int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.held
}

func roundUp(n int64) int64 { return (n + portion - 1) / portion * portion }

// A Share is the memory of one part of a connection. Only one goroutine may use it. A nil Share has no limit.
type Share struct {
	account *Account
	kind    Kind
	held    int
}

// Set sets the share to n bytes: it takes more, or gives some back. After an error nothing has changed.
func (s *Share) Set(n int) error {
	if s == nil {
		return nil
	}
	if more := n - s.held; more > 0 {
		if err := s.account.Take(s.kind, more); err != nil {
			return err
		}
	} else {
		s.account.Give(s.kind, -more)
	}
	s.held = n
	return nil
}

// Add takes n bytes more.
func (s *Share) Add(n int) error {
	if s == nil {
		return nil
	}
	return s.Set(s.held + n)
}

// Held is the size of the share in bytes.
func (s *Share) Held() int {
	if s == nil {
		return 0
	}
	return s.held
}

// Free gives the whole share back.
func (s *Share) Free() {
	if s != nil {
		_ = s.Set(0) // less never fails
	}
}
