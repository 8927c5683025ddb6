package policy

import "slices"

// Meets returns the rules that match a recorded call, as indexes in Rules, and whether any rule is about its tool.
func (p *Policy) Meets(q Query) (places []int, covered bool) {
	q.Recorded = true
	f := p.facts(&q)
	readings := p.readings(&q)
	for i := range readings {
		rd := &readings[i]
		f.As = rd.subject()
		rules := p.relevant(rd)
		covered = covered || len(rules) > 0
		for _, m := range p.match(rd, rules, f) {
			own := m.rule.own != nil
			if own || m.some && m.rule.verdict != Allow || m.every && m.rule.verdict != Deny {
				places = append(places, p.placeOf(m.rule)...)
			}
		}
	}
	return places, covered
}

// placeOf is the index of a rule in Rules. Those of weir's own rules that are not in the policy have none.
func (p *Policy) placeOf(r *rule) []int {
	if r.own != nil {
		place := slices.IndexFunc(p.guard.summaries(), func(s RuleSummary) bool { return s.ID == r.id })
		if place < 0 {
			return nil
		}
		return []int{len(p.rules) + place}
	}
	return []int{r.place}
}
