package exemption

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy"
)

// looseNames are arguments that say nothing of what is done, or only what a file gets: a model rarely writes them twice in the same way.
// They may differ if they are not what is refused.
var looseNames = strings.Fields(`description explanation timeout timeout_ms offset limit
	content contents file_text new_string old_string new_str old_str new_source replace_all`)

// looseOf returns the arguments of a call that an exception need not compare: without them the same rules refuse the call, and they alone
// make no rule refuse it. At least one argument is always compared.
func looseOf(p *policy.Policy, q policy.Query, why refusal) (loose []string) {
	refusing := func(members []member) (refusal, bool) {
		changed := q
		changed.Args = objectOf(members)
		got, err := whyRefused(p, changed)
		return got, err == nil
	}
	all := membersOf(q.Args)
	bare, _ := refusing(nil)
	for _, m := range all {
		if len(loose)+1 == len(all) || !slices.Contains(looseNames, m.name) {
			continue
		}
		without, known := refusing(slices.DeleteFunc(slices.Clone(all), func(o member) bool {
			return o.name == m.name || slices.Contains(loose, o.name)
		}))
		alone, _ := refusing([]member{m})
		if known && without.is(why) && alone.is(bare) {
			loose = append(loose, m.name)
		}
	}
	return loose
}

// is says that the same rules refuse two calls.
func (r refusal) is(other refusal) bool {
	return r.byDefault == other.byDefault && slices.Equal(r.rules, other.rules)
}
