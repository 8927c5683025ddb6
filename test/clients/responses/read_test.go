package responses

import (
	"maps"

	"github.com/weir-gate/weir/internal/weirtest/keeping"
	"github.com/weir-gate/weir/test/clients"
)

// again is what is recorded when calls are read once more.
func again(things ...thing) []recorded {
	var list []recorded
	for _, one := range things {
		if one.isCall() {
			r := one.recorded()
			r.Reread = true
			list = append(list, r)
		}
	}
	return list
}

// user is a message of the user's as the provider keeps it.
func user(s string) item { return item{Type: "message", Role: "user", Text: s} }

// output is what the provider keeps as the output of a call.
func output(t thing, s string) item {
	return item{Type: t.seen.Type + "_output", ID: t.seen.ID, Text: s}
}

// readScenes read what the provider keeps, in all the ways that the API has.
func readScenes() []scene {
	things := []thing{thought, hello, shell, weather}
	begun := []item{user("Please begin."), thought.seen, hello.seen, shell.noticed(), weather.seen}
	answered := append(append([]item{}, begun...), output(weather, "done")) // and nothing of the refused call
	list := func(items ...item) answer { return answer{Items: items} }
	return []scene{
		{
			Name: "read again", Door: replace, For: can(byHand), Model: says(turn(things...)),
			Options: options{"steps": []string{"ask", "get", "replay", "get", "ask", "input_items"}},
			Want: func(k clients.Kind) outcome {
				o := left(things...)(k)
				one := told("completed", things...)
				o.Later, o.Listed = []answer{one, one, one, ends, list(answered...)}, true
				o.Calls = append(o.Calls, append(again(things...), append(again(things...), append(again(things...), again(things...)...)...)...)...)
				return o
			},
		},
		{
			Name: "conversation read again", Door: replace, For: can(byHand), Model: says(turn(things...)),
			Options: options{"chain": "conversation", "steps": []string{"ask", "conversation_items", "ask", "conversation_items"}},
			Want: andOpened(0, func(k clients.Kind) outcome {
				o := left(things...)(k)
				o.Listed = true
				o.Later = []answer{list(begun...), ends, list(append(append([]item{}, answered...), ends.Items...)...)}
				o.Calls = append(o.Calls, append(again(things...), again(things...)...)...)
				return o
			}),
		},
		{
			Name: "one item of a conversation", Door: replace, For: can(manage), Model: says(turn(things...)),
			Options: options{"chain": "conversation", "item": shell.said.ID, "steps": []string{"ask", "conversation_item"}},
			Want: func(k clients.Kind) outcome {
				o := left(things...)(k)
				o.Later = []answer{list(shell.noticed())}
				o.Asked, o.Silent, o.Listed, o.Told = 3, 1, true, nil
				o.Calls = append(o.Calls, again(shell)...)
				return o
			},
		},
		{
			Name: "items added, response deleted", Door: replace, For: can(manage), Model: says(turn(things...)),
			Options: options{"chain": "conversation", "steps": []string{"ask", "add", "delete", "ask"}},
			Want: andOpened(1, func(k clients.Kind) outcome {
				o := left(things...)(k)
				o.Later, o.Listed = []answer{list(user("By the way.")), ends}, true
				return o
			}),
		},
		{
			// What answered the refused call was in a request that came to nothing, so that it is still missing.
			Name: "failed between two turns of a conversation", Door: replace, For: can(manage),
			Model:   model{turns: []keeping.Turn{turn(things...), {Status: "failed"}, lastTurn}},
			Options: options{"chain": "conversation", "steps": []string{"ask", "fail", "ask"}},
			Want: andOpened(1, func(k clients.Kind) outcome {
				o := left(things...)(k)
				o.Later = []answer{ends}
				return o
			}),
		},
		{
			// The SDK tries again by itself.
			Name: "overloaded between two turns of a conversation", Door: replace,
			For:     func(k clients.Kind) bool { return k.Can(manage) && !k.Streamed },
			Model:   model{turns: []keeping.Turn{turn(things...), {Fault: &keeping.Fault{Status: 503, Message: "Overloaded"}}, lastTurn}},
			Options: options{"chain": "conversation"}, Want: andOpened(1, left(things...)),
		},
		{
			Name: "dropped and read again", Door: drop, For: can(byHand), Model: says(turn(hello, shell, weather)),
			Options: options{"steps": []string{"ask", "get", "replay", "ask"}},
			Want: func(k clients.Kind) outcome {
				o := left(hello, shell, weather)(k)
				o.Turn = told("completed", hello, weather)
				o.Later = []answer{o.Turn, o.Turn, ends}
				o.Calls = append(o.Calls, append(again(shell, weather), again(shell, weather)...)...)
				return o
			},
		},
		backgroundScene(), cancelScene(),
	}
}

// cancelScene is a response that is given up when it is half done.
func cancelScene() scene {
	said := turn(hello, shell, weather, secret)
	said.Polls = 2
	return scene{
		Name: "cancelled", Door: replace, For: func(k clients.Kind) bool { return k.Can(byHand) && !k.Streamed },
		Model:   model{turns: []keeping.Turn{said}},
		Options: options{"request": object{"background": true}, "steps": []string{"ask", "cancel", "get"}},
		Want: func(k clients.Kind) outcome {
			things := []thing{hello, shell, weather, secret.cut()}
			given := told("cancelled", things...)
			o := outcome{Turn: told("queued"), Broken: true, Later: []answer{given, given}, Calls: left(things...)(k).Calls}
			o.Calls = append(o.Calls, again(things...)...)
			return o
		},
	}
}

// backgroundScene is a response that is asked for and then read until it is there.
func backgroundScene() scene {
	said := turn(hello, shell, weather, secret)
	said.Polls = 2
	return scene{
		Name: "in the background", Door: replace, For: func(k clients.Kind) bool { return k.Can(byHand) && !k.Streamed },
		Model:   model{turns: []keeping.Turn{said, lastTurn}},
		Options: options{"request": object{"background": true}, "steps": []string{"ask", "poll", "ask", "poll"}},
		Want: func(k clients.Kind) outcome {
			o := left(hello, shell, weather, secret)(k)
			o.Turn, o.Broken = told("queued"), true
			underWay := told("in_progress", hello, shell, weather)
			o.Later = []answer{underWay, underWay, told("completed", hello, shell, weather, secret), told("queued"), ends}
			o.Calls = append([]recorded{shell.recorded(), weather.recorded()}, again(shell, weather)...)
			o.Calls = append(append(o.Calls, again(shell, weather)...), secret.recorded())
			return o
		},
	}
}

// everything is a policy that lets all pass.
const everything = "policy: {version: 1, default: allow}\n"

// stories go on after weir was restarted with another policy.
func stories() []story {
	things := []thing{hello, shell, weather}
	begin := func(chain options, asked, silent int) act {
		begins := options{"steps": []string{"ask"}}
		maps.Copy(begins, chain)
		return act{Options: begins, Want: func(k clients.Kind) outcome {
			o := left(things...)(k)
			o.Later, o.Asked, o.Silent, o.Told = []answer{}, asked, silent, nil
			return o
		}}
	}
	// What was refused stays refused, although the policy now lets everything pass.
	reads := func(chain string) act {
		return act{
			Policy: everything, Options: options{"chain": chain, "steps": []string{"get", "replay", "ask"}},
			Want: func(clients.Kind) outcome {
				one := told("completed", things...)
				return outcome{Turn: one, Later: []answer{one, ends}, Calls: append(again(things...), again(things...)...)}
			},
		}
	}
	goesOn := act{Policy: everything, Options: options{"chain": "own", "steps": []string{"ask"}}, Want: func(clients.Kind) outcome {
		return outcome{Turn: ends, Later: []answer{}}
	}}
	return []story{
		{
			Name: "restarted, previous", Door: replace, For: can(byHand), Model: says(turn(things...)),
			Acts: []act{begin(options{"chain": "previous"}, 1, 0), reads("previous")},
		},
		{
			Name: "restarted, conversation", Door: replace, For: can(byHand), Model: says(turn(things...)),
			Acts: []act{begin(options{"chain": "conversation"}, 2, 1), reads("conversation")},
		},
		{
			Name: "restarted, own history", Door: replace, For: can(keeps), Model: says(turn(things...)),
			Acts: []act{begin(storedHistory, 1, 0), goesOn},
		},
		stricterStory(),
	}
}

// stricterStory is about a call that was released, and read again under a policy that refuses it. The client has run it, and
// tells the provider so.
func stricterStory() story {
	ls := function("01List", "run_shell", `{"command":"ls"}`)
	refused := ls.deniedBy(shell.code, shell.rule, shell.why)
	return story{
		Name: "restarted with a stricter policy", Door: replace, For: can(byHand), Model: says(turn(hello, ls, weather)),
		Acts: []act{
			{Policy: everything, Options: options{"steps": []string{"ask"}}, Want: func(k clients.Kind) outcome {
				o := left(hello, ls, weather)(k)
				o.Later = []answer{}
				return o
			}},
			{Options: options{"steps": []string{"get", "ask"}}, Want: func(clients.Kind) outcome {
				return outcome{Turn: told("completed", hello, refused, weather), Later: []answer{ends}, Calls: again(refused, weather)}
			}},
		},
	}
}
