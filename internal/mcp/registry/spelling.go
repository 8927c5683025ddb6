package registry

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/weir-gate/weir/internal/policy/toolname"
)

// A Question is how a model names a tool.
type Question struct {
	Server string // if the model's response names one; else ""
	Name   string
	// Offered are the exact ids of the servers whose tools the model could mean; nil: all known servers.
	Offered []string
}

// A Candidate is a tool that a model could mean.
type Candidate struct {
	Identity
	// Bare says that the model gave only the name of the tool: nothing shows that it means this server, and it may mean one of the
	// agent's own tools.
	Bare bool `json:"bare,omitzero"`
	// Loose says that the names match only if all characters other than ASCII letters, digits and - count as underscores, as some
	// clients write them.
	Loose bool `json:"loose,omitzero"`
}

// Lookup returns every tool that a model could mean: the names of servers and tools are compared folded, as rules compare them, and
// in each spelling that clients use. Gone tools are included. The result is sorted by server and name.
func (r *Registry) Lookup(q Question) []Candidate {
	v := r.current.Load()
	said := newUtterance(q.Name)
	var out []Candidate
	ask := func(s *server) {
		if q.Server != "" && !s.speller.isServer(q.Server) {
			return
		}
		out = s.speller.qualified(out, said)
		out = s.speller.alone(out, said, q.Server == "")
		out = s.speller.dense(out, said, q.Server == "")
	}
	if q.Offered == nil {
		for _, s := range v.servers {
			ask(s)
		}
	}
	for _, id := range q.Offered {
		if s := v.servers[id]; s != nil {
			ask(s)
		}
	}
	return sortedCandidates(out)
}

// sortedCandidates leaves only the most certain candidate of each tool.
func sortedCandidates(all []Candidate) []Candidate {
	slices.SortFunc(all, func(a, b Candidate) int {
		return cmp.Or(compareIdentities(a.Identity, b.Identity), compareBool(a.Bare, b.Bare), compareBool(a.Loose, b.Loose))
	})
	return slices.CompactFunc(all, func(a, b Candidate) bool { return a.Identity == b.Identity })
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// An utterance is a name as a model wrote it.
type utterance struct {
	folded string
	plain  string // with underscores for characters that are not plain
	// replaced says that a client may have replaced characters in it: it has none of the characters that clients replace, except those
	// that can be between a server and a tool.
	replaced bool
	rests    []toolname.Rest
}

func newUtterance(name string) utterance {
	folded := toolname.Fold(name)
	replaced := !strings.ContainsFunc(folded, func(r rune) bool { return unplain(r) && !strings.ContainsRune("./:", r) })
	return utterance{folded, plain(folded), replaced, toolname.Rests(folded)}
}

// A spelling is one way to write a piece of a name.
type spelling struct {
	folded string // "": only clients that replace characters write this spelling
	plain  string
}

// spellings are the ways to write a piece: folded, and as a client writes it that replaces characters.
func spellings(piece string) []spelling {
	folded := toolname.FoldPiece(piece)
	out := []spelling{{folded, plain(folded)}}
	// A client replaces characters of the original name, before folding: a letter that folds to several is one letter to it.
	if replaced := strings.ToLower(plain(piece)); replaced != out[0].plain {
		out = append(out, spelling{"", replaced})
	}
	return out
}

// plain returns a text with an underscore for every UTF-16 code unit that is not an ASCII letter, an ASCII digit or -.
func plain(s string) string {
	if !strings.ContainsFunc(s, unplain) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !unplain(r):
			b.WriteRune(r)
		case utf16.RuneLen(r) == 2:
			b.WriteString("__")
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}

func unplain(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_')
}

// A speller has the names of one server's tools in all spellings.
type speller struct {
	id       string
	self     []spelling
	prefixes []spelling          // what clients write ahead of names; both folded and plain, or only plain
	tools    map[string][]spelt  // by their plain spelling
	letters  map[string][]string // their names, by the letters of the names
}

// A spelt is a tool with a certain plain spelling.
type spelt struct {
	name   string
	folded string // "": the plain spelling does not come from its folded name
	ends   string // the same, at the end of a longer name
}

// between are what clients write around the name of a server.
var between = []struct{ before, after string }{
	{"mcp__", "__"},
	{"", "."},
	{"", "/"},
	{"", ":"},
	{"", "__"},
	{"", "_"},
	{"mcp_", "_"},
}

func newSpeller(s *server) *speller {
	n := len(s.entries)
	sp := &speller{id: s.id, self: spellings(s.id), tools: make(map[string][]spelt, n), letters: make(map[string][]string, n)}
	for _, b := range between {
		for _, self := range sp.self {
			p := spelling{plain: plain(b.before + self.plain + b.after)}
			if self.folded != "" {
				p.folded = toolname.FoldPiece(b.before + s.id + b.after)
			}
			sp.prefixes = append(sp.prefixes, p)
		}
	}
	for name, e := range s.entries {
		for _, k := range e.look.keys {
			sp.tools[k.plain] = append(sp.tools[k.plain], spelt{name, k.folded, k.ends})
			for _, letters := range []string{toolname.Letters(k.plain), toolname.Letters(k.folded)} {
				if letters != "" && !slices.Contains(sp.letters[letters], name) {
					sp.letters[letters] = append(sp.letters[letters], name)
				}
			}
		}
	}
	return sp
}

// A key is a plain spelling of a tool's name, under which the tool is found.
type key struct{ plain, folded, ends string }

// keysOf returns the plain spellings of a name: alone, and at the end of a longer name, where leading blanks count.
func keysOf(name string) []key {
	alone := toolname.Fold(name)
	var out []key
	for _, s := range spellings(name) {
		ends := strings.TrimRightFunc(s.folded, unicode.IsSpace)
		k := key{plain: s.plain, ends: ends}
		if ends != "" {
			k.plain = plain(ends)
		}
		if ends == alone {
			k.folded = alone
		}
		out = append(out, k)
	}
	if out[0].ends != alone {
		out = append(out, key{plain: plain(alone), folded: alone})
	}
	return out
}

// qualified appends the tools that are named with their server.
func (sp *speller) qualified(out []Candidate, said utterance) []Candidate {
	for _, p := range sp.prefixes {
		rest, ok := strings.CutPrefix(said.plain, p.plain)
		if !ok {
			continue
		}
		for _, t := range sp.tools[rest] {
			exact := p.folded != "" && t.ends != "" && said.folded == p.folded+t.ends
			if exact || said.replaced {
				out = append(out, Candidate{Identity: Identity{sp.id, t.name}, Loose: !exact})
			}
		}
	}
	return out
}

// alone appends the tools that are named without their server.
func (sp *speller) alone(out []Candidate, said utterance, bare bool) []Candidate {
	for _, t := range sp.tools[said.plain] {
		exact := t.folded != "" && said.folded == t.folded
		if exact || said.replaced {
			out = append(out, Candidate{Identity: Identity{sp.id, t.name}, Bare: bare, Loose: !exact})
		}
	}
	return out
}

// isServer says whether a server name in a response may mean this server.
func (sp *speller) isServer(said string) bool {
	u := newUtterance(said)
	return u.folded == toolname.Fold(sp.id) || u.replaced && slices.ContainsFunc(sp.self, func(s spelling) bool { return s.plain == u.plain })
}
