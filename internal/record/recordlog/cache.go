package recordlog

import (
	"container/list"
	"sync"
)

// A cache remembers what was made last, as far as it has room. What several goroutines want at once is made once.
type cache[K comparable, V any] struct {
	room int64

	mu    sync.Mutex
	taken int64
	items map[K]*list.Element
	order list.List // of items, the one that was used last first
}

type cached[K comparable, V any] struct {
	key  K
	once sync.Once
	v    V
	size int64
	err  error
}

// get returns what is remembered under a key, or makes it, and returns how much room it takes. Failures are not remembered.
func (c *cache[K, V]) get(key K, produce func() (V, int64, error)) (V, error) {
	c.mu.Lock()
	if c.items == nil {
		c.items = map[K]*list.Element{}
	}
	e, found := c.items[key]
	if found {
		c.order.MoveToFront(e)
	} else {
		e = c.order.PushFront(&cached[K, V]{key: key})
		c.items[key] = e
	}
	c.mu.Unlock()
	item, _ := e.Value.(*cached[K, V]) // it is never anything else
	item.once.Do(func() {
		v, size, err := produce()
		item.v, item.err = v, err
		c.mu.Lock()
		defer c.mu.Unlock()
		if err != nil {
			c.drop(e)
			return
		}
		if c.items[key] == e { // else it was dropped meanwhile
			item.size = size
			c.taken += size
		}
		for c.taken > c.room && c.order.Len() > 0 {
			c.drop(c.order.Back())
		}
	})
	return item.v, item.err
}

// drop forgets an item. Whoever has it can still use it.
func (c *cache[K, V]) drop(e *list.Element) {
	item, _ := e.Value.(*cached[K, V]) // it is never anything else
	if c.items[item.key] == e {
		delete(c.items, item.key)
		c.order.Remove(e)
		c.taken -= item.size
	}
}
