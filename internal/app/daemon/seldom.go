package daemon

import (
	"sync"
	"time"
)

// seldom keeps what happens often from being logged as often.
type seldom struct {
	mu   sync.Mutex
	last time.Time
	sum  int
}

// seldomAfter is how long nothing is logged again.
const seldomAfter = 30 * time.Second

// add counts n more and returns the sum since the last time, if that is to be logged now; 0: it is not.
func (s *seldom) add(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sum += n
	if now := time.Now(); now.Sub(s.last) >= seldomAfter {
		n, s.sum, s.last = s.sum, 0, now
		return n
	}
	return 0
}

// rest returns what was not logged yet.
func (s *seldom) rest() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.sum
	s.sum = 0
	return n
}
