package bodies

import (
	"cmp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/redact"
)

// secrets are the presets that are always hidden: credentials. Personal data is hidden if the policy says so.
var secrets = []string{"secrets"}

// A hider replaces everything that any of its sets finds in a body.
//
// A body is JSON, or lines of which most are JSON, and may be cut anywhere. It is searched as a whole, and so is each text that the
// frames of a stream carry in pieces. Both are searched as they are, and with the escapes of JSON decoded repeatedly. Findings are
// replaced in place, and all other bytes stay. If a number was replaced, the body may not be JSON any more.
type hider struct {
	sets []*redact.Set
}

// maxRounds bounds how often a body is searched again: a token separates the words beside it, so that more may be found there.
const maxRounds = 4

func (h hider) hide(body string) string {
	for range maxRounds {
		found := h.locate(body)
		found = merge(append(found, h.inPieces(body)...))
		if len(found) == 0 {
			break
		}
		body = replace(body, found)
	}
	return body
}

// maxNesting is how often escapes are decoded: arguments are JSON inside a string of JSON, and may contain such strings themselves.
const maxNesting = 5

// locate returns what any of the sets finds in a text: as it is, or with escapes decoded.
func (h hider) locate(text string) []redact.Finding {
	all := h.find(text)
	var layers []escapes
	for range maxNesting {
		plain, made := unescape(text)
		if len(made) == 0 {
			break
		}
		layers = append(layers, made)
		for _, f := range h.find(plain) {
			for _, layer := range slices.Backward(layers) {
				f.Start, f.End = layer.begin(f.Start), layer.finish(f.End)
			}
			all = append(all, f)
		}
		text = plain
	}
	return merge(all)
}

func (h hider) find(text string) (all []redact.Finding) {
	for _, s := range h.sets {
		all = append(all, s.Find(text)...)
	}
	return all
}

// merge sorts findings, and merges those that overlap.
func merge(all []redact.Finding) []redact.Finding {
	slices.SortStableFunc(all, func(a, b redact.Finding) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	merged := all[:0]
	for _, f := range all {
		if n := len(merged); n > 0 && f.Start < merged[n-1].End {
			last := &merged[n-1]
			last.End, last.Name = max(last.End, f.End), cmp.Or(last.Name, f.Name)
			continue
		}
		merged = append(merged, f)
	}
	return merged
}

// replace replaces findings by tokens, as package redact does. A finding without a name gets no token: it is the rest of a secret
// that began elsewhere.
func replace(text string, found []redact.Finding) string {
	var out strings.Builder
	kept := 0
	for _, f := range found {
		out.WriteString(text[kept:f.Start])
		if f.Name != "" {
			out.WriteString("[redacted:" + f.Name + "]") // nothing in it needs an escape
		}
		kept = f.End
	}
	out.WriteString(text[kept:])
	return out.String()
}
