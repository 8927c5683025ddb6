package responses

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/weirtest/keeping"
	"github.com/weir-gate/weir/test/clients"
)

// without is a stream that lacks the events of some items for which leave says so.
func without(leave func(e keeping.Event) bool) func([]keeping.Event) []keeping.Event {
	return func(events []keeping.Event) []keeping.Event { return slices.DeleteFunc(slices.Clone(events), leave) }
}

// oddScenes are streams that do not say everything in every place.
func oddScenes() []scene {
	things := []thing{hello, weather, secret}
	// The two calls have no events of their own.
	onlyAtEnd := turn(things...)
	onlyAtEnd.Stream = without(func(e keeping.Event) bool { return e.Index >= 1 })
	// The two calls come whole, without announcement.
	onlyDone := turn(things...)
	onlyDone.Stream = without(func(e keeping.Event) bool {
		return e.Index >= 1 && !strings.HasSuffix(e.Type, "output_item.done")
	})
	noPieces := turn(things...)
	noPieces.Stream = without(func(e keeping.Event) bool { return strings.Contains(e.Type, "function_call_arguments") })
	// What weir sends while it holds a call stands behind every event.
	life := turn(things...)
	life.Stream = func(events []keeping.Event) []keeping.Event {
		var all []keeping.Event
		for _, e := range events {
			all = append(all, e)
			if !strings.HasSuffix(e.Type, "completed") {
				all = append(all, keeping.Event{Type: "keepalive", Index: -1, Data: `{"type":"keepalive"}`})
			}
		}
		return all
	}
	return []scene{
		{Name: "signs of life", Door: replace, Model: says(life), For: isStreamed, Want: left(things...)},
		{
			Name: "calls only in the end", Door: replace, Model: says(onlyAtEnd), For: isStreamed, Options: storedHistory,
			Want: func(k clients.Kind) outcome {
				o := left(things...)(k)
				o.Unlike = true
				if k.Can(atDone) {
					o.Turn, o.Executed, o.Told = told("completed", hello), nil, nil
				}
				return o
			},
		},
		{Name: "calls without announcement", Door: replace, Model: says(onlyDone), For: isStreamed, Want: left(things...)},
		{Name: "calls without pieces", Door: replace, Model: says(noPieces), For: isStreamed, Want: left(things...)},
	}
}

func isStreamed(k clients.Kind) bool { return k.Streamed }
