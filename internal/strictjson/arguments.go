package strictjson

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sync"
	"unicode/utf8"
)

// CheckArguments checks that text may be the arguments of a call: one strict JSON object that all parsers read alike. It checks
// more than Parse: there are no lone surrogates, and no object has two names that are equal when case is ignored.
//
// The error wraps ErrSyntax, ErrBounds, ErrNotObject, ErrSurrogate or ErrAmbiguous.
func CheckArguments(text []byte) error {
	c := checkers.Get().(*checker)
	defer checkers.Put(c)
	return c.check(text)
}

// checkers holds checkers for reuse.
var checkers = sync.Pool{New: func() any { return &checker{seed: maphash.MakeSeed()} }}

// A checker checks one text after the other.
type checker struct {
	doc   Doc
	seed  maphash.Seed // unknown to the author of the text, who therefore cannot choose names that collide
	names []hashedName // of the current object
	fold  []byte       // the current folded name
}

// A hashedName is a name and the hash of its folded form.
type hashedName struct {
	hash  uint64
	index uint32
}

// check does the work of CheckArguments.
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

// forget releases the text, and memory that a text of ordinary size does not need.
func (c *checker) forget() {
	c.doc.data = nil
	if cap(c.doc.nodes) > keptNodes {
		c.doc.nodes, c.names = nil, nil
	}
	if cap(c.fold) > keptNodes {
		c.fold = nil
	}
}

// unique checks that no two names of an object have the same folded form. Sorted by hash, such names are adjacent. Sorting takes n
// log n steps, whatever the names.
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
			// Different names with equal hashes are too rare to be worth a comparison, and a refusal is safe.
			return located(int(c.doc.nodes[c.names[i].index].start), ErrAmbiguous)
		}
	}
	return nil
}

// hash returns the hash of the folded form of a name.
func (c *checker) hash(name Value) uint64 {
	c.fold = c.fold[:0]
	for body := name.body(); len(body) > 0; {
		r, size := decode(body)
		c.fold = utf8.AppendRune(c.fold, fold(r))
		body = body[size:]
	}
	return maphash.Bytes(c.seed, c.fold)
}
