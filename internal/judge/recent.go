package judge

import "sync"

// remembered bounds how many values a recent set keeps for sure. It may keep twice as many.
const remembered = 4096

// A recent set keeps the values that were added last, by their keys. The zero set is empty and safe for concurrent use.
type recent[V any] struct {
	mu       sync.Mutex
	new, old map[string]V // the old ones go when the new ones are many
}

func (r *recent[V]) has(key string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.look(key)
	return ok
}

// get returns a value; nil: there is none.
func (r *recent[V]) get(key string) *V {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v, ok := r.look(key); ok {
		return &v
	}
	return nil
}

func (r *recent[V]) look(key string) (V, bool) {
	v, ok := r.new[key]
	if !ok {
		v, ok = r.old[key]
	}
	return v, ok
}

// update puts in place of a value, which is zero if there is none, what change makes of it.
func (r *recent[V]) update(key string, change func(V) V) {
	r.mu.Lock()
	defer r.mu.Unlock()
	v, _ := r.look(key)
	if r.new == nil || len(r.new) >= remembered {
		r.new, r.old = map[string]V{}, r.new
	}
	r.new[key] = change(v)
}

func (r *recent[V]) remove(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.new, key)
	delete(r.old, key)
}
