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
	case p.all && d.Kind != computedKind && (d.Verb != Sends || d.Kind != messageKind):
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
			best = max(best, d.named(glob))
		}
	}
	return min(best, d.Certainty)
}

// named says whether a word that names the target matches a glob. A deed that names nothing could be to anything.
func (d *Deed) named(glob string) truth.Value {
	switch {
	case glob == "":
		return truth.Yes
	case len(d.names) == 0 && d.Verb == Rewrites:
		return truth.Maybe
	}
	globs := []string{glob}
	best := truth.No
	for _, name := range d.names {
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
		`tmp|temp|demo|previews?|ephemeral|pr-?\d+)\d*(?:$|[^a-z0-9])`)
	sharedName = regexp.MustCompile(`(?i)prod|prd|live|stag|stg|main|master|shared|backup|customer|latest|users?\b|billing|payments?`)
)

// own says that a name of the target says that it is for tests, development or previews, and that none says that it is for others.
func (d *Deed) own() bool {
	found := false
	for _, name := range d.names {
		if holed(name) || sharedName.MatchString(name) {
			return false
		}
		found = found || !isPlace(name) && ownName.MatchString(name)
	}
	return found
}

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

// Parts says for each end of a deed whether it counts: code may come from several hosts, and a command may connect to several.
func (p *Pattern) Parts(d *Deed) []truth.Value {
	if p.ends == nil || p.all || d.unread || d.Verb != p.verb || len(d.hosts) < 2 {
		return []truth.Value{p.Match(d)}
	}
	parts := make([]truth.Value, len(d.hosts))
	for i, e := range d.hosts {
		parts[i] = min(p.ends.match(e), d.Certainty)
	}
	return parts
}

// Cost is how many steps it takes to match a deed.
func (p *Pattern) Cost(d *Deed) int {
	cost := 1 + len(d.hosts)
	if d.Verb == p.verb && len(p.globs) > 0 {
		for _, name := range d.names {
			cost += len(p.globs) * (1 + len(name)/8)
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
