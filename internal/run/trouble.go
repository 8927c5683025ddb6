package run

import (
	"slices"
	"sync"
)

// maxTroubles is how many are kept.
const maxTroubles = 20

// troubles are what went wrong while the agent had the terminal, where nothing else may be written. Each is told once.
type troubles struct {
	mu    sync.Mutex
	texts []string
}

func (t *troubles) note(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text := err.Error(); len(t.texts) < maxTroubles && !slices.Contains(t.texts, text) {
		t.texts = append(t.texts, text)
	}
}

func (t *troubles) list() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.texts)
}
