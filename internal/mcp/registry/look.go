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

// A Likeness says in which way two names are alike: one of the constants.
type Likeness string

// The likenesses, from the closest.
const (
	SameFolded Likeness = "folded"     // differ only in case, invisible characters or Unicode's compatibility forms: equal to rules
	SameLook   Likeness = "confusable" // they look the same: letters of other scripts, digits for letters, accents
	OneEdit    Likeness = "near"       // long names of different servers that differ in one character
)

// same says whether a reader would take one name for the other. A careful reader can tell names apart that are only near.
func (l Likeness) same() bool { return l == SameFolded || l == SameLook }

// A LookAlike is a tool that could be taken for others.
type LookAlike struct {
	Tool     Identity   `json:"tool"`
	Likeness Likeness   `json:"likeness"`
	Like     []Identity `json:"like"`          // at most eight, sorted
	More     int        `json:"more,omitzero"` // the number of others, at least
}

// A Collision is one name that several servers have.
type Collision struct {
	Name    string   `json:"name"`
	Servers []string `json:"servers"` // sorted; the listed server is among them
}

// maxLike is how many tools a LookAlike names at most.
const maxLike = 8

// maxCompared is how many similar tools a tool is compared with at most. Else a server whose tools are all alike would make weir
// compare each with each.
const maxCompared = 64

// The lengths, in characters, of names for which OneEdit is checked. Short names are near each other by chance, and names longer
// than any in use are not worth the cost.
const (
	minNear = 8
	maxNear = 128
)

// A look is the forms of a name that are compared.
type look struct {
	keys     []key
	folded   string
	skeleton string // equal for names that look the same
}

func newLook(name string) look {
	return look{keys: keysOf(name), folded: toolname.Fold(name), skeleton: skeleton(name)}
}

// skeleton reduces a name to what a reader sees: it drops case and accents, and replaces each letter that looks like an ASCII
// letter by that letter. Capitals are replaced first, because some of them look like other letters than their small forms.
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

// The Greek capitals that look like other ASCII letters than their small forms, and those ASCII letters.
const (
	greekCapitals = "ΗΝΥΜ"
	asciiCapitals = "HNYM"
)

// asCapital returns the ASCII capital that a Greek capital looks like.
func asCapital(r rune) rune {
	if at := strings.IndexRune(greekCapitals, r); at >= 0 {
		return rune(asciiCapitals[at/len("Η")])
	}
	return r
}

var (
	// lunate replaces the sigma that looks like a c by c, before NFKC turns it into an ordinary sigma.
	lunate = strings.NewReplacer("ϲ", "c", "Ϲ", "c")
	// ligatures are pairs of letters that look like another letter. At that step an l is already an i.
	ligatures = strings.NewReplacer("rn", "m", "vv", "w", "ci", "d")
)

// compareLooks finds tools that could be taken for the named tools of a server. Tools that are gone count only if they look the
// same: a server could withdraw a tool and offer another in its place.
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

// lookAlike names the members of a group that were not reported yet. Tools with exactly the same name are collisions, not
// look-alikes.
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

// A gallery holds all tools by their looks. Those of the listed server come last, so that it cannot prevent the comparison with
// others by offering many similar tools.
type gallery struct {
	names     map[string][]string // servers by exact name
	folded    map[string][]Identity
	skeletons map[string][]Identity
	nearby    map[string][]string // skeletons of other servers, by the shortened forms of the skeletons that are looked for
}

// newGallery returns a gallery of all tools. nearby has only skeletons that are near one of the names of the server.
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

// nearTo returns the tools of other servers whose skeletons are one edit away.
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

// shortened returns a skeleton and every form of it without one character, each once: two skeletons that are one edit apart have
// such a form in common. It returns nothing for lengths outside of minNear and maxNear.
func shortened(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		n := utf8.RuneCountInString(s)
		if n < minNear || n > maxNear || !yield(s) {
			return
		}
		var before rune
		for i, r := range s {
			// Removing any of several equal characters in a row gives the same form.
			if (i == 0 || r != before) && !yield(s[:i]+s[i+utf8.RuneLen(r):]) {
				return
			}
			before = r
		}
	}
}

// oneEdit says whether a and b differ in one character, or one of them has one character more.
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
