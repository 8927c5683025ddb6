package judge

import "sync"

// remembered bounds how many values a recent set keeps for sure. It may keep twice as many.
const remembered = 4096

// A recent set keeps the values that were added last, by their keys. The zero set is empty and safe for concurrent use.
type recent[V any] struct {
	mu       sync.Mutex
	new, old map[string]V // the old ones go when the new ones are many
}

func (r *recent[V]) get(key string) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	v, ok := r.new[key]
	if !ok {
		v, ok = r.old[key]
	}
	return v, ok
}

func (r *recent[V]) add(key string, v V) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.new == nil || len(r.new) >= remembered {
		r.new, r.old = map[string]V{}, r.new
	}
	r.new[key] = v
}

func (r *recent[V]) remove(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.new, key)
	delete(r.old, key)
}
