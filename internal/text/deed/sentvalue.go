package deed

import (
	"slices"

	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/truth"
)

// sentParts says for all that a deed sends, each file and what else there is, whether it counts.
func (p *Pattern) sentParts(d *Deed) []truth.Value {
	if p.sent[input] && d.what == input {
		return nil // all that it sends is its input
	}
	var parts []truth.Value
	if p.hasPlaces {
		parts = p.places.Touched(slices.DeleteFunc(slices.Clone(d.uses), d.isAside), fileuse.Reads)
	} else if len(d.uses) > 0 {
		parts = append(parts, truth.No)
	}
	switch {
	case d.what == environment:
		parts = append(parts, p.matchWhat(d))
	case d.others:
		parts = append(parts, truth.No)
	}
	return parts
}

// isAside reports a use of what hardly is a file.
func (d *Deed) isAside(u fileuse.Use) bool {
	return slices.ContainsFunc(d.aside, func(other fileuse.Use) bool { return other.Path == u.Path })
}

// matchWhat says whether what a deed sends beside files counts.
func (p *Pattern) matchWhat(d *Deed) truth.Value {
	if d.what != file && p.sent[d.what] || p.sent[input] && d.what == environment {
		return truth.Yes
	}
	return truth.No
}

// matchSent says whether what a deed sends counts.
func (p *Pattern) matchSent(d *Deed) truth.Value {
	best := p.matchWhat(d)
	if p.hasPlaces && best != truth.Yes {
		for _, a := range p.places.Touched(d.uses, fileuse.Reads) {
			best = max(best, a)
		}
	}
	return best
}

// makesText reports a command whose output comes from no file and no other command.
func (f *finder) makesText(i int) bool {
	c := &f.commands[i]
	return !quiet[programName(c.Words[0].Text)] && len(f.readsAt(i)) == 0 && len(sourcesOf(c)) == 0
}

// quiet are programs that print nothing, or only what their words say.
var quiet = wordSet("cd pushd popd true false : test [ [[ mkdir sleep set echo printf date wait exit")
