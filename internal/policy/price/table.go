// Package price computes what a response costs, from a table of models that users can override.
package price

import (
	_ "embed"
	"math/bits"
	"strings"
	"sync"

	"github.com/weir-gate/weir/internal/call"
)

//go:embed prices.yaml
var builtin []byte

// Config sets up a Table.
type Config struct {
	// File names the user's own table, for messages.
	File string
	// Data is the user's own table. Its models count first, and the built-in table is used for the others. Its default, if it has one,
	// replaces the built-in one. nil: there is none.
	Data []byte
}

// A Table has the prices of models.
type Table struct {
	version  string
	layers   [][]entry // the user's, then the built-in one
	fallback tariff
}

// An entry is the price of the models that one pattern matches.
type entry struct {
	provider pattern // empty: any
	model    pattern
	tariff
}

// A tariff is what tokens cost.
type tariff struct {
	prices
	// over is the number of tokens in a prompt above which the whole response costs long instead; 0: never.
	over int64
	long prices
}

// prices are in millionths of a dollar for a million tokens. For one token that is a millionth of a micro-dollar.
type prices struct {
	input, output, cacheRead, cacheWrite uint64
}

// maxCost is the highest cost that one response can have, in micro-dollars: about 17 million dollars. If an upstream claims more,
// that is nonsense and could make sums overflow.
const maxCost = 1 << 44

// standard is the built-in table, parsed once: it never changes.
var standard = sync.OnceValues(func() (file, error) { return parse("prices.yaml", builtin, whole) })

// New parses the built-in table and the user's own. The error lists everything that is wrong with the user's table. It is of type
// yamlfile.Problems.
func New(c Config) (*Table, error) {
	base, err := standard()
	if err != nil {
		return nil, err
	}
	t := &Table{version: base.version, layers: [][]entry{base.entries}, fallback: *base.fallback}
	if c.Data == nil {
		return t, nil
	}
	own, err := parse(c.File, c.Data, override)
	if err != nil {
		return nil, err
	}
	t.layers = [][]entry{own.entries, base.entries}
	if own.fallback != nil {
		t.fallback = *own.fallback
	}
	if own.version != "" {
		t.version += "+" + own.version
	}
	return t, nil
}

// Version identifies the prices: the date of the built-in table and, after a plus sign, the version of the user's table.
func (t *Table) Version() string { return t.version }

// Cost returns what a response cost, in millionths of a US dollar, rounded up. A model that no entry matches costs the table's
// default, and known is false. Input must not include the tokens of CacheRead and CacheCreation. Negative counts are zero.
func (t *Table) Cost(provider, model string, u call.Usage) (micro int64, known bool) {
	tariff, known := t.find(provider, model)
	p := tariff.prices
	input, read, written := count(u.Input), count(u.CacheRead), count(u.CacheCreation)
	if tariff.over > 0 && addUp(input, addUp(read, written)) > uint64(tariff.over) {
		p = tariff.long
	}
	var sum uint64
	for _, part := range []struct{ tokens, price uint64 }{
		{input, p.input}, {count(u.Output), p.output}, {read, p.cacheRead}, {written, p.cacheWrite},
	} {
		sum = addUp(sum, multiply(part.tokens, part.price))
	}
	const unit = 1_000_000
	cost := sum / unit
	if sum%unit > 0 {
		cost++
	}
	return int64(min(cost, maxCost)), known
}

// find returns the tariff of a model, by the first of its names that an entry matches.
func (t *Table) find(provider, model string) (tariff, bool) {
	provider = strings.ToLower(provider)
	names := namesOf(model)
	for _, layer := range t.layers {
		for _, name := range names {
			if e := best(layer, provider, name); e != nil {
				return e.tariff, true
			}
		}
	}
	return t.fallback, false
}

// best returns the entry with the longest matching pattern. If two are equally long, the one for the provider wins.
func best(layer []entry, provider, model string) *entry {
	var found *entry
	for i := range layer {
		e := &layer[i]
		if e.provider.text != "" && !e.provider.matches(provider) || !e.model.matches(model) {
			continue
		}
		if found == nil || e.model.literal > found.model.literal ||
			e.model.literal == found.model.literal && e.provider.literal > found.provider.literal {
			found = e
		}
	}
	return found
}

func count(tokens int64) uint64 { return uint64(max(tokens, 0)) }

// addUp and multiply return the largest number if the result overflows.
func addUp(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry > 0 {
		return 1<<64 - 1
	}
	return sum
}

func multiply(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi > 0 {
		return 1<<64 - 1
	}
	return lo
}
