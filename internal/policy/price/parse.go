package price

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A file is one parsed table.
type file struct {
	version  string
	entries  []entry
	fallback *tariff // nil: not given
}

// These are the shapes of a table. A whole table must have a version and a default; a table that overrides another need not.
var (
	whole    = yamlfile.Shape{Required: []string{"version", "currency", "default", "models"}}
	override = yamlfile.Shape{Optional: []string{"version", "currency", "default", "models"}}
)

// parse parses a table. The error is of type yamlfile.Problems.
func parse(name string, data []byte, shape yamlfile.Shape) (file, error) {
	root, report := yamlfile.Parse(name, data)
	if root == nil {
		return file{}, report.Err()
	}
	r := reader{report}
	var f file
	if !r.Mapping(root, shape) {
		return file{}, report.Err()
	}
	if n := root.Get("version"); n != nil {
		f.version, _ = r.String(n, `a version, such as "2026-11-15"`)
	}
	if n := root.Get("currency"); n != nil {
		r.Word(n, yamlfile.Choice{What: "a currency that is built", Words: []string{"USD"}})
	}
	if n := root.Get("default"); n != nil {
		if r.Mapping(n, yamlfile.Shape{Required: []string{"input", "output"}, Optional: optionalPrices}) {
			t := r.tariff(n)
			f.fallback = &t
		}
	}
	if n := root.Get("models"); n != nil {
		f.entries = r.models(n)
	}
	return f, report.Err()
}

var optionalPrices = []string{"cache_read", "cache_write", "long"}

// A reader parses the parts of a table and reports what is wrong with them.
type reader struct{ *yamlfile.Report }

// models parses the list of entries. Two entries for the same model are a mistake: only one could ever count.
func (r reader) models(list *yamlfile.Node) []entry {
	items, ok := r.List(list)
	if !ok {
		return nil
	}
	var all []entry
	lines := map[[2]string]int{}
	shape := yamlfile.Shape{
		Required: []string{"model", "input", "output"}, Optional: append([]string{"provider"}, optionalPrices...),
	}
	for _, item := range items {
		if !r.Mapping(item, shape) {
			continue
		}
		var provider pattern
		if n := item.Get("provider"); n != nil {
			text, _ := r.String(n, "a provider's name")
			provider = newPattern(text)
		}
		t := r.tariff(item)
		n := item.Get("model")
		if n == nil {
			continue
		}
		names, ok := r.OneOrMore(n, `a model's name, such as "gpt-5*"`)
		if !ok {
			continue
		}
		for _, name := range names {
			e := entry{provider: provider, model: newPattern(name.Text), tariff: t}
			id := [2]string{provider.text, e.model.text}
			if line, twice := lines[id]; twice {
				r.Add(name, fmt.Sprintf("%s has a price already, on line %d", yamlfile.Quote(name.Text), line), "remove one of them")
				continue
			}
			lines[id] = name.Line
			all = append(all, e)
		}
	}
	return all
}

// tariff parses the prices of an entry, and those of long prompts if there are any.
func (r reader) tariff(n *yamlfile.Node) tariff {
	t := tariff{prices: r.prices(n)}
	long := n.Get("long")
	if long == nil {
		return t
	}
	shape := yamlfile.Shape{Required: []string{"over", "input", "output"}, Optional: []string{"cache_read", "cache_write"}}
	if !r.Mapping(long, shape) {
		return t
	}
	t.long = r.prices(long)
	if over := long.Get("over"); over != nil {
		t.over = r.tokens(over)
	}
	return t
}

// prices parses what tokens cost. Without their own price, cached tokens cost as much as others. That is never less than their real
// price, except for cache writes, and providers that charge more for those say so.
func (r reader) prices(n *yamlfile.Node) prices {
	var p prices
	if v := n.Get("input"); v != nil {
		p.input = r.dollars(v)
	}
	if v := n.Get("output"); v != nil {
		p.output = r.dollars(v)
	}
	p.cacheRead, p.cacheWrite = p.input, p.input
	if v := n.Get("cache_read"); v != nil {
		p.cacheRead = r.dollars(v)
	}
	if v := n.Get("cache_write"); v != nil {
		p.cacheWrite = r.dollars(v)
	}
	return p
}

// tokens parses a number of tokens.
func (r reader) tokens(n *yamlfile.Node) int64 {
	text, ok := r.Number(n)
	if !ok {
		return 0
	}
	tokens, err := strconv.ParseInt(text, 10, 64)
	if err != nil || tokens <= 0 {
		r.Add(n, text+" is not a number of tokens", "write a whole number, such as 200000")
		return 0
	}
	return tokens
}

// maxDollars is more than any million tokens cost: a higher price is a typing mistake.
const maxDollars = 1_000_000

// dollars parses a price in dollars for a million tokens. It is stored in millionths, exactly.
func (r reader) dollars(n *yamlfile.Node) uint64 {
	text, ok := r.Number(n)
	if !ok {
		return 0
	}
	before, fraction, _ := strings.Cut(text, ".")
	const digits = 6
	if strings.HasPrefix(text, "-") || strings.ContainsAny(text, "eE") || len(fraction) > digits {
		r.Add(n, yamlfile.Quote(text)+" is not a price",
			"write dollars for a million tokens, such as 2.50, with at most six digits after the point")
		return 0
	}
	micro, err := strconv.ParseUint(before+fraction+strings.Repeat("0", digits-len(fraction)), 10, 64)
	if err != nil || micro > maxDollars*1_000_000 {
		r.Add(n, yamlfile.Quote(text)+" is too much", fmt.Sprintf("write dollars for a million tokens, at most %d", maxDollars))
		return 0
	}
	return micro
}
