package run

import (
	"slices"
	"sync"
)

// maxTroubles is how many troubles are remembered.
const maxTroubles = 20

// troubles are what went wrong while the agent had the terminal: meanwhile nothing else may be written there. Each is reported
// once.
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
