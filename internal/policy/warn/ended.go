package warn

import (
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/when"
)

// checkEnded warns of rules whose time is over: what conditions.time.until says has passed.
func (f *Finder) checkEnded(now when.Moment) {
	for _, r := range f.rules {
		if r.At == nil || !r.Ended(now) {
			continue
		}
		f.add(policy.WarnRule, r, r.Until(), "the rule has ended", "remove it, or give it another end")
	}
}
