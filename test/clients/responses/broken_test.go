package responses

import (
	"github.com/weir-gate/weir/test/clients"
)

// brokenScenes are answers that say of themselves that they are not whole.
func brokenScenes() []scene {
	cut := thingOf(clients.Breaking).cut()
	incomplete, failed := turn(hello, cut), turn(hello, cut)
	incomplete.Status, failed.Status = "incomplete", "failed"
	return []scene{
		{Name: "cut by the token limit", Door: replace, Model: says(incomplete), Want: func(k clients.Kind) outcome {
			o := left(hello, cut)(k)
			o.Turn = told("incomplete", hello, cut)
			if k.Can(onlyWhole) {
				return outcome{Err: &raised{}, Asked: 1, Calls: o.Calls}
			}
			return o
		}},
		{Name: "failed", Door: replace, Model: says(failed), Want: func(k clients.Kind) outcome {
			if k.Can(trusting) {
				return left(hello, cut)(k)
			}
			return outcome{Err: &raised{}, Asked: 1, Calls: []recorded{cut.recorded()}}
		}},
	}
}
