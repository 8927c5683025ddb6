package strictjson

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sync"
	"unicode/utf8"
)

// CheckArguments checks that text is what a tool may be called with: one strict JSON object that every reader reads
// alike. On top of what Parse demands it has no lone surrogates, and no object in it has two names that are equal in
// any case.
//
// The error wraps ErrSyntax, ErrBounds, ErrNotObject, ErrSurrogate or ErrAmbiguous.
func CheckArguments(text []byte) error {
	c := checkers.Get().(*checker)
	defer checkers.Put(c)
	return c.check(text)
}

// checkers keeps checkers for reuse.
var checkers = sync.Pool{New: func() any { return &checker{seed: maphash.MakeSeed()} }}

// A checker checks one text after the other.
type checker struct {
	doc   Doc
	seed  maphash.Seed // unknown to who writes the text, so that names cannot be made to collide
	names []hashedName // of the object at hand
	fold  []byte       // the folded name at hand
}

// A hashedName is a name and the hash of what it folds to.
type hashedName struct {
	hash  uint64
	index uint32
}

// check is CheckArguments.
func (c *checker) check(text []byte) error {
	if err := c.doc.Parse(text); err != nil {
		return err
	}
	defer c.forget()
	if c.doc.Root().Kind() != Object {
		return ErrNotObject
	}
	for i := range c.doc.nodes {
		n := &c.doc.nodes[i]
		if n.traits&lone != 0 {
			return located(int(n.start), ErrSurrogate)
		}
		if n.kind == Object && n.count > 1 {
			if err := c.unique(Value{&c.doc, uint32(i)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// forget lets go of the text, and of memory that a text of ordinary size does not need.
func (c *checker) forget() {
	c.doc.data = nil
	if cap(c.doc.nodes) > keptNodes {
		c.doc.nodes, c.names = nil, nil
	}
	if cap(c.fold) > keptNodes {
		c.fold = nil
	}
}

// unique checks that no two names of an object fold to the same. Sorted by hash, such names are neighbours, which
// takes n log n steps whatever the names.
func (c *checker) unique(object Value) error {
	c.names = c.names[:0]
	for name := range object.Members() {
		c.names = append(c.names, hashedName{c.hash(name), name.index})
	}
	slices.SortFunc(c.names, func(a, b hashedName) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.index, b.index))
	})
	for i := 1; i < len(c.names); i++ {
		if c.names[i].hash == c.names[i-1].hash {
			// Equal hashes of different names are too rare to be worth a comparison, and refusing is the safe side.
			return located(int(c.doc.nodes[c.names[i].index].start), ErrAmbiguous)
		}
	}
	return nil
}

// hash returns the hash of what a name folds to.
func (c *checker) hash(name Value) uint64 {
	c.fold = c.fold[:0]
	for body := name.body(); len(body) > 0; {
		r, size := decode(body)
		c.fold = utf8.AppendRune(c.fold, fold(r))
		body = body[size:]
	}
	return maphash.Bytes(c.seed, c.fold)
}
