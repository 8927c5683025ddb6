package kept

import (
	"sync"
	"time"
)

// failures are those in the background that were reported.
type failures struct {
	mu   sync.Mutex
	told map[string]time.Time
}

const (
	// quiet is how long the same failure is not reported again.
	quiet = 30 * time.Second
	// mostFailures is how many different ones are remembered.
	mostFailures = 100
)

// isNew says whether a failure was not reported just now.
func (f *failures) isNew(text string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.told[text]) < quiet {
		return false
	}
	if f.told == nil || len(f.told) >= mostFailures {
		f.told = map[string]time.Time{}
	}
	f.told[text] = time.Now()
	return true
}

// report reports a failure in the background, unless the same was reported just now.
func (r *Record) report(err error) {
	if r.failures.isNew(err.Error()) {
		r.config.OnError(err)
	}
}
