package deed

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/truth"
)

// A Pattern says which deeds of one verb count: the value of an operator.
type Pattern struct {
	verb Verb
	all  bool
	// kinds and globs are side by side: a deed of the kind counts if a word that names its target matches the glob; "": always.
	kinds, globs []string
	ends         *Ends
	sent         [sentKinds]bool
	places       fileuse.Places
	hasPlaces    bool
	notOwn       bool // what is for tests, development or previews does not count
}

// NotOwn in the value of an operator says that a deed to what is for tests, development or previews does not count.
const NotOwn = "!own"

// NewPattern compiles the value of the operator of a verb.
func NewPattern(verb Verb, texts []string) (*Pattern, error) {
	p := &Pattern{verb: verb}
	switch verb {
	case Connects:
		var err error
		p.ends, err = NewEnds(texts)
		return p, err
	case RunsFetched:
		return p, p.fetched(texts)
	case Sends:
		return p, p.sending(texts)
	}
	for _, text := range texts {
		kind, glob, given := strings.Cut(text, ":")
		switch {
		case text == "*":
			p.all = true
			continue
		case text == NotOwn && verb != Rewrites:
			p.notOwn = true
			continue
		case verb == Rewrites:
			kind, glob = "", text
		case !slices.Contains(kinds[verb], kind):
			return nil, fmt.Errorf("%q is no kind of %s; write %s, or * for all", kind, verb, strings.Join(kinds[verb], ", "))
		case given && glob == "":
			return nil, fmt.Errorf("%q names nothing after the colon; write %s:* or a glob of names", text, kind)
		}
		p.kinds, p.globs = append(p.kinds, kind), append(p.globs, strings.ToLower(glob))
	}
	return p, nil
}

func (p *Pattern) fetched(texts []string) (err error) {
	hosts := []string{}
	for _, text := range texts {
		if text == "*" {
			p.all = true
		} else {
			hosts = append(hosts, text)
		}
	}
	p.ends, err = NewEnds(hosts)
	return err
}

func (p *Pattern) sending(texts []string) (err error) {
	var places []string
	for _, text := range texts {
		switch text {
		case "*":
			p.all = true
		case "environment":
			p.sent[environment] = true
		case "input":
			p.sent[input] = true
		default:
			places = append(places, text)
		}
	}
	p.hasPlaces = len(places) > 0
	p.places, err = fileuse.NewPlaces(places)
	return err
}

// Match says whether a deed counts. No is also the result for a deed of another verb.
func (p *Pattern) Match(d *Deed) truth.Value {
	switch {
	case d.Verb != p.verb:
		return truth.No
	case d.unread:
		return truth.Maybe
	case p.notOwn && d.Kind != "database" && d.own():
		return truth.No
	case p.all && d.Kind != computedKind && d.Kind != inlineKind && (d.Verb != Sends || d.Kind != messageKind):
		return d.Certainty
	case p.verb == Sends:
		return min(d.Certainty, p.matchSent(d))
	case p.ends != nil:
		best := truth.No
		for _, e := range d.hosts {
			best = max(best, p.ends.match(e))
		}
		return min(best, d.Certainty)
	}
	best := truth.No
	for i, glob := range p.globs {
		if p.kinds[i] == d.Kind {
			best = max(best, d.named(glob, d.names))
		}
	}
	return min(best, d.Certainty)
}

// named says whether one of the words that name a target matches a glob. A deed that names nothing could be to anything.
func (d *Deed) named(glob string, names []string) truth.Value {
	switch {
	case glob == "":
		return truth.Yes
	case len(names) == 0 && d.Verb == Rewrites:
		return truth.Maybe
	}
	globs := []string{glob}
	best := truth.No
	for _, name := range names {
		if best == truth.Yes {
			break
		}
		if holed(name) {
			if len(name) <= maxUnknown && couldBe(glob, foldHoles(name)) {
				best = max(best, truth.Maybe)
			}
			continue
		}
		best = max(best, matchKnown(globs, name))
	}
	return best
}

// These match names of what is for tests, development or previews, and of what others depend on.
var (
	ownName = regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(?:dev|develop|development|tests?|testing|tst|testpypi|ci|sandbox|scratch|` +
		`tmp|temp|demo|previews?|review|ephemeral|pr-?\d+)\d*(?:$|[^a-z0-9])`)
	sharedName = regexp.MustCompile(`(?i)prod|prd|live|stag|stg|main|master|shared|backup|customer|latest|users?\b|billing|payments?`)
)

// own says that the names of all objects, or of their environment, say that they are for tests, development or previews, and that none
// says that it is for others.
func (d *Deed) own() bool {
	found := false
	for _, name := range d.names {
		if holed(name) || sharedName.MatchString(name) {
			return false
		}
		found = found || isOwn(name)
	}
	if !found || slices.ContainsFunc(d.around, isOwn) {
		return found
	}
	every := true
	for _, t := range d.targets {
		every = every && (slices.ContainsFunc(t, isOwn) || isPlace(t[0]))
	}
	return every
}

func isOwn(name string) bool { return !isPlace(name) && ownName.MatchString(name) }

// isPlace reports a file or a URL: where they are says nothing about the target.
func isPlace(name string) bool {
	return strings.HasPrefix(name, "/") || strings.HasPrefix(name, "~") || strings.Contains(name, "file:") || strings.Contains(name, "http")
}

func holed(s string) bool {
	for i := range len(s) {
		if isHole(s, i) {
			return true
		}
	}
	return false
}

// Parts says for each part of a deed whether it counts: each end, each file that is sent, each object that is named. Where all must
// count, each part must. The most certain of the parts is as certain as the deed.
func (p *Pattern) Parts(d *Deed) []truth.Value {
	whole := p.Match(d)
	if p.all || d.unread || whole == truth.No {
		return []truth.Value{whole}
	}
	var parts []truth.Value
	switch {
	case p.ends != nil:
		for _, e := range d.hosts {
			parts = append(parts, p.ends.match(e))
		}
	case p.verb == Sends:
		parts = p.sentParts(d)
	default:
		for _, t := range d.targets {
			parts = append(parts, p.matchTarget(d, t))
		}
	}
	most := truth.No
	for i := range parts {
		parts[i] = min(parts[i], d.Certainty)
		most = max(most, parts[i])
	}
	if most < whole {
		parts = append(parts, whole)
	}
	return parts
}

// matchTarget says whether one object of a deed counts. The environment counts for objects whose names do not say another one.
func (p *Pattern) matchTarget(d *Deed, t target) truth.Value {
	best := truth.No
	for i, glob := range p.globs {
		switch {
		case p.kinds[i] != d.Kind:
		case glob == "" || d.Verb == Rewrites:
			best = max(best, d.named(glob, t))
		default:
			if around := d.named(glob, d.around); around == truth.Yes && sharedName.MatchString(t[0]) {
				best = max(best, truth.Maybe)
			} else {
				best = max(best, around)
			}
			best = max(best, d.named(glob, t))
		}
	}
	return best
}

// Cost is how many steps it takes to match a deed.
func (p *Pattern) Cost(d *Deed) int {
	cost := 1 + len(d.hosts) + len(d.uses)*len(d.aside)
	if d.Verb == p.verb && len(p.globs) > 0 {
		for _, name := range d.names {
			cost += 2 * len(p.globs) * (1 + len(name)/8) // alone, and as one of the parts
		}
		for _, name := range d.around {
			cost += len(d.targets) * len(p.globs) * (1 + len(name)/8)
		}
	}
	if p.hasPlaces && d.Verb == Sends {
		cost += p.places.Cost(d.uses, fileuse.Reads)
	}
	return cost
}

// String is the deed for people.
func (d *Deed) String() string {
	text := string(d.Verb)
	if d.Kind != "" && d.Kind != "-" {
		text += " " + d.Kind
	}
	var where []string
	for _, e := range d.hosts {
		where = append(where, shown(e.String()))
	}
	if d.unread {
		return text + " (text that could not be parsed)"
	}
	if len(where) > 0 {
		text += " " + strings.Join(where, ", ")
	}
	return text + ": " + d.Command
}
