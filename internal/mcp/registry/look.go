package registry

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/lookalike"
)

// A Likeness is how two names are alike: one of the constants.
type Likeness string

// The likenesses, from the closest.
const (
	SameFolded Likeness = "folded"     // the same but for case, invisible characters and Unicode's compatible forms: rules take them for one
	SameLook   Likeness = "confusable" // they look the same: letters of other scripts, digits for letters, accents
	OneEdit    Likeness = "near"       // long names of different servers in which one character is another, too many, or missing
)

// same says that a reader takes one name for the other. Names that are only near each other are told apart by who looks.
func (l Likeness) same() bool { return l == SameFolded || l == SameLook }

// A LookAlike is a tool that could be taken for others.
type LookAlike struct {
	Tool     Identity   `json:"tool"`
	Likeness Likeness   `json:"likeness"`
	Like     []Identity `json:"like"`          // at most eight of them, sorted
	More     int        `json:"more,omitzero"` // how many others there are, at least
}

// A Collision is one name that several servers have.
type Collision struct {
	Name    string   `json:"name"`
	Servers []string `json:"servers"` // sorted; the one that was listed is among them
}

// maxLike bounds how many tools a LookAlike names.
const maxLike = 8

// maxCompared bounds how many tools one is compared with that are alike: a server could have all its tools alike, and each would be
// compared with each.
const maxCompared = 64

// The lengths, in characters, of the names in which one edit is noticed. Short names are near each other by chance, and one that is
// longer than any name in use costs more than it tells.
const (
	minNear = 8
	maxNear = 128
)

// A look is what names are compared by.
type look struct {
	keys     []key
	folded   string
	skeleton string // names that look the same have the same
}

func newLook(name string) look {
	return look{keys: keysOf(name), folded: toolname.Fold(name), skeleton: skeleton(name)}
}

// skeleton reduces a name to what a reader sees: case and accents are left out, and each letter that looks like one of ASCII is
// that one. Capitals come first, since some of them look like other letters than they do when they are small.
func skeleton(name string) string {
	capitals := strings.Map(asCapital, norm.NFKC.String(lunate.Replace(name)))
	var b strings.Builder
	for _, r := range norm.NFD.String(toolname.Fold(capitals)) {
		if unicode.Is(unicode.Mn, r) {
			continue
		}
		if as, ok := lookalike.InName(r); ok {
			r = as
		}
		b.WriteRune(r)
	}
	return ligatures.Replace(b.String())
}

// The capitals of Greek that look like those of other letters of ASCII than they do when they are small, and those letters.
const (
	greekCapitals = "ΗΝΥΜ"
	asciiCapitals = "HNYM"
)

// asCapital is a capital of Greek as the one of ASCII that it looks like.
func asCapital(r rune) rune {
	if at := strings.IndexRune(greekCapitals, r); at >= 0 {
		return rune(asciiCapitals[at/len("Η")])
	}
	return r
}

var (
	// lunate makes the sigma that looks like a c that letter, before NFKC makes it one that does not.
	lunate = strings.NewReplacer("ϲ", "c", "Ϲ", "c")
	// ligatures are letters that look like another one when they stand side by side. An l is an i by then.
	ligatures = strings.NewReplacer("rn", "m", "vv", "w", "ci", "d")
)

// compareLooks finds what could be taken for the named tools of a server. Of tools that are gone only those count that look the same: a
// server could offer one, take it back, and offer another in its place.
func compareLooks(v *view, server string, names []string) ([]LookAlike, []Collision) {
	g := newGallery(v, server, names)
	var alikes []LookAlike
	var collisions []Collision
	for _, name := range names {
		l := v.servers[server].entries[name].look
		self := Identity{server, name}
		if same := g.names[name]; len(same) > 1 {
			collisions = append(collisions, Collision{name, slices.Sorted(slices.Values(same))})
		}
		told := map[Identity]bool{self: true}
		for _, group := range []struct {
			likeness Likeness
			members  []Identity
		}{
			{SameFolded, g.folded[l.folded]},
			{SameLook, g.skeletons[l.skeleton]},
			{OneEdit, g.nearTo(l.skeleton, server)},
		} {
			if a, ok := lookAlike(self, group.likeness, group.members, told); ok {
				alikes = append(alikes, a)
			}
		}
	}
	return alikes, collisions
}

// lookAlike names the members of a group that were not told of yet. Tools of the very same name are collisions, not look-alikes.
func lookAlike(self Identity, l Likeness, group []Identity, told map[Identity]bool) (LookAlike, bool) {
	a := LookAlike{Tool: self, Likeness: l}
	for _, id := range group[:min(len(group), maxCompared)] {
		if told[id] || id.Name == self.Name {
			continue
		}
		told[id] = true
		if len(a.Like) == maxLike {
			a.More++
			continue
		}
		a.Like = append(a.Like, id)
	}
	slices.SortFunc(a.Like, compareIdentities)
	return a, len(a.Like) > 0
}

// A gallery has all tools by how they look. Those of the server that was listed come last: it cannot make so many
// alike that others are not compared.
type gallery struct {
	names     map[string][]string // servers by exact name
	folded    map[string][]Identity
	skeletons map[string][]Identity
	nearby    map[string][]string // skeletons of other servers by what is left of the skeletons that are asked for without one character
}

// newGallery shows every tool. Of those that are near, only what is near one of the names of the server is stored.
func newGallery(v *view, server string, names []string) *gallery {
	g := &gallery{
		names: map[string][]string{}, folded: map[string][]Identity{}, skeletons: map[string][]Identity{}, nearby: map[string][]string{},
	}
	for _, name := range names {
		for d := range shortened(v.servers[server].entries[name].look.skeleton) {
			g.nearby[d] = nil
		}
	}
	others := map[string]bool{}
	ids := slices.Sorted(maps.Keys(v.servers))
	ids = append(slices.DeleteFunc(ids, func(id string) bool { return id == server }), server)
	for _, id := range ids {
		entries := v.servers[id].entries
		for _, name := range slices.Sorted(maps.Keys(entries)) {
			e := entries[name]
			self := Identity{id, name}
			g.folded[e.look.folded] = append(g.folded[e.look.folded], self)
			g.skeletons[e.look.skeleton] = append(g.skeletons[e.look.skeleton], self)
			if !e.tool.Gone.IsZero() {
				continue
			}
			g.names[name] = append(g.names[name], id)
			if id != server {
				others[e.look.skeleton] = true
			}
		}
	}
	for _, s := range slices.Sorted(maps.Keys(others)) {
		for d := range shortened(s) {
			if near, asked := g.nearby[d]; asked && len(near) < maxCompared {
				g.nearby[d] = append(near, s)
			}
		}
	}
	return g
}

// nearTo are the tools of other servers whose skeletons are one edit away.
func (g *gallery) nearTo(s, server string) []Identity {
	found := map[string]bool{}
	for d := range shortened(s) {
		for _, other := range g.nearby[d] {
			if !found[other] && oneEdit(s, other) {
				found[other] = true
			}
		}
	}
	var out []Identity
	for _, other := range slices.Sorted(maps.Keys(found)) {
		group := g.skeletons[other]
		for _, id := range group[:min(len(group), maxCompared)] {
			if id.Server != server {
				out = append(out, id)
			}
		}
	}
	slices.SortFunc(out, compareIdentities)
	return out
}

// shortened are a skeleton and all that is left of it without one character, each once: two that are one edit apart have one of
// them in common. Those of a length at which one edit is not noticed have none.
func shortened(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		n := utf8.RuneCountInString(s)
		if n < minNear || n > maxNear || !yield(s) {
			return
		}
		var before rune
		for i, r := range s {
			// Whichever of several equal characters in a row is left out, the same is left.
			if (i == 0 || r != before) && !yield(s[:i]+s[i+utf8.RuneLen(r):]) {
				return
			}
			before = r
		}
	}
}

// oneEdit says that one character of a is another in b, or that one is missing in either.
func oneEdit(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(y)-len(x) > 1 {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	if len(x) == len(y) {
		return i < len(x) && slices.Equal(x[i+1:], y[i+1:])
	}
	return slices.Equal(x[i:], y[i+1:])
}
