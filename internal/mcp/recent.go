package mcp

// maxRecent is how many values are remembered.
const maxRecent = 1000

// recent holds the latest values by their keys. The zero value is empty.
type recent[K comparable, V any] struct {
	by   map[K]*V
	keys []K // a ring, once it is full
	next int
}

// add adds a value. It replaces the value with the same key, or, if there are too many, the oldest.
func (r *recent[K, V]) add(key K, value V) {
	if r.by == nil {
		r.by = map[K]*V{}
	}
	if _, known := r.by[key]; !known {
		if len(r.keys) < maxRecent {
			r.keys = append(r.keys, key)
		} else {
			delete(r.by, r.keys[r.next])
			r.keys[r.next] = key
			r.next = (r.next + 1) % maxRecent
		}
	}
	r.by[key] = &value
}

// forget removes the value of a key. The key stays in the ring until it is the oldest.
func (r *recent[K, V]) forget(key K) {
	if _, known := r.by[key]; known {
		r.by[key] = nil
	}
}

// find returns the value of a key; nil: there is none.
func (r *recent[K, V]) find(key K) *V { return r.by[key] }
