package daemon

import (
	"sync"
	"time"
)

// seldom limits how often something frequent is logged.
type seldom struct {
	mu   sync.Mutex
	last time.Time
	sum  int
}

// seldomAfter is the least time between two logs.
const seldomAfter = 30 * time.Second

// add adds n. If it is time to log, it returns the sum since the last log; 0: do not log.
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

// rest returns the sum that was not logged yet.
func (s *seldom) rest() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.sum
	s.sum = 0
	return n
}
