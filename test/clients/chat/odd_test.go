package chat

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/test/clients"
)

// shapeScenes are answers of shapes that not all APIs and clients have.
func shapeScenes() []scene {
	script := saidCall{kind: "custom", id: "call_01Script", name: "run_script", pieces: []string{"print(", "1)"}}
	imports := saidCall{kind: "custom", id: "call_01Import", name: "run_script", pieces: []string{"import ", marker}}
	noImport := notice("run_script", "args_denied, rule no-imports", "Scripts import nothing.")
	old := weather
	old.kind, old.id = "legacy", ""
	oldShell := shell
	oldShell.kind, oldShell.id = "legacy", ""
	return []scene{
		{
			Name: "two choices", Door: replace, For: can(choices),
			Model: model{turn: turn{choices: []said{
				{text: hello, calls: list(weather), finish: "tool_calls"}, {text: []string{"Or ", "so."}, calls: list(shell, hosts), finish: "tool_calls"},
			}}},
			Want: func(k clients.Kind) outcome {
				o := left("tool_calls", told(hello), list(weather), weather.passed(), shell.denied(), hosts.passed())(k)
				o.Turn.Choices = append(o.Turn.Choices, seen(k, "tool_calls", told([]string{"Or so."}, noShell), hosts))
				return o
			},
		},
		{
			Name: "two choices, one all denied", Door: replace, For: can(choices),
			Model: model{turn: turn{choices: []said{
				{calls: list(weather), finish: "tool_calls"}, {calls: list(shell), finish: "tool_calls"},
			}}},
			Want: func(k clients.Kind) outcome {
				o := left("tool_calls", "", list(weather), weather.passed(), shell.denied())(k)
				o.Turn.Choices = append(o.Turn.Choices, seen(k, "stop", noShell))
				return o
			},
		},
		{
			// Clients that know of one choice take pieces of both for one. They too must have the released calls and no other.
			Name: "two choices, mixed up", Door: replace, For: func(k clients.Kind) bool { return k.Streamed && !k.Can(choices) },
			Model: model{turn: turn{choices: []said{
				{text: hello, calls: list(weather), finish: "tool_calls"}, {text: []string{"Or ", "so."}, calls: list(shell, hosts), finish: "tool_calls"},
			}}},
			Want: func(k clients.Kind) outcome {
				finish := "tool_calls"
				if strings.HasPrefix(k.Name, "langchain") {
					finish += finish // it adds up everything
				}
				text := told([]string{"Let me ", "Or ", "see.", "so."}, noShell)
				return left(finish, text, list(weather, hosts), weather.passed(), shell.denied(), hosts.passed())(k)
			},
		},
		{
			Name: "function_call", Door: replace, For: can(function), Model: model{turn: calling(hello, old).ending("function_call")},
			Want: left("function_call", told(hello), list(old), old.passed()),
		},
		{
			Name: "function_call denied", Door: replace, Model: model{turn: calling(hello, oldShell).ending("function_call")},
			Want: left("stop", told(hello, noShell), nil, oldShell.denied()),
		},
		{
			Name: "custom call", Door: replace, For: can(custom), Model: model{turn: calling(hello, script)},
			Want: left("tool_calls", told(hello), list(script), script.passed()),
		},
		{
			Name: "custom call denied", Door: replace, Model: model{turn: calling(hello, imports)},
			Want: left("stop", told(hello, noImport), nil, imports.refused("args_denied", "no-imports")),
		},
		{
			Name: "custom call partly denied", Door: replace, Model: model{turn: calling(hello, imports, weather)},
			Want: left("tool_calls", told(hello, noImport), list(weather), imports.refused("args_denied", "no-imports"), weather.passed()),
		},
	}
}

// entries is a delta with whole calls in it, each with what is put ahead of its members.
func entries(ahead func(i int) string, calls ...saidCall) string {
	all := make([]string, len(calls))
	for i, c := range calls {
		all[i] = `{` + ahead(i) + c.whole()[1:]
	}
	return `"tool_calls":[` + strings.Join(all, ",") + `]`
}

func counted(i int) string  { return fmt.Sprintf(`"index":%d,`, i) }
func unnumbered(int) string { return "" }
func allZero(int) string    { return `"index":0,` }

// oddScenes are answers that clients read differently, or not at all, if they get them as they are.
func oddScenes() []scene {
	const role = `"role":"assistant",`
	const see = `"content":"Let me see.",`
	opening := delta(0, `{"role":"assistant","content":"Let me see."}`)
	signed := weather
	signed.extra = `{"google":{"thought_signature":"c2lnbmF0dXJl"}}`
	beside := signed
	beside.hidden = `,"parsed_arguments":{"city":"` + clients.Marker + `"},"json":"{\"city\":\"` + clients.Marker + `\"}"`
	flagged := signed.passed()
	flagged.Verdict = "audit"
	partly := left("tool_calls", told(hello, noShell), list(weather, hosts), weather.passed(), shell.denied(), hosts.passed())
	three := calling(hello, weather, shell, hosts)
	return []scene{
		{
			Name: "text and call in one delta", Door: replace,
			Model: model{turn: three.in(delta(0, `{`+role+see+entries(counted, weather, shell, hosts)+`}`), ending(0, `{}`, "tool_calls"))},
			Want:  partly,
		},
		{
			Name: "text, call and finish in one chunk", Door: replace,
			Model: model{turn: three.in(ending(0, `{`+role+see+entries(counted, weather, shell, hosts)+`}`, "tool_calls"))},
			Want:  partly,
		},
		{
			// One of the SDKs reads the arguments of a call as soon as another call has a piece.
			Name: "interleaved", Door: replace, Model: model{turn: three.in(
				opening, delta(0, weather.entry(0, 0)), delta(0, shell.entry(1, 0)), delta(0, hosts.entry(2, 0)),
				delta(0, shell.entry(1, 1)), delta(0, weather.entry(0, 1)), delta(0, hosts.entry(2, 1)), delta(0, weather.entry(0, 2)),
				delta(0, shell.entry(1, 2)), delta(0, weather.entry(0, 3)), ending(0, `{}`, "tool_calls"),
			)},
			Want: partly,
		},
		{
			Name: "without index, with a signature", Door: replace,
			Model: model{turn: calling(hello, signed).ending("stop").in(opening, delta(0, `{`+entries(unnumbered, signed)+`}`), ending(0, `{}`, "stop"))},
			Want:  left("stop", told(hello), list(signed), signed.passed()),
		},
		{
			// The next turn is refused without the signature.
			Name: "signed, with members that nobody documents", Door: replace, Model: model{turn: calling(hello, beside)},
			Want: left("tool_calls", told(hello), list(signed), flagged),
		},
		{
			Name: "all with index 0, with a signature", Door: replace, Model: model{turn: calling(hello, signed, shell, hosts).in(
				opening, delta(0, `{`+entries(allZero, signed)+`}`), delta(0, `{`+entries(allZero, shell)+`}`), delta(0, `{`+entries(allZero, hosts)+`}`),
				ending(0, `{}`, "tool_calls"),
			)},
			Want: left("tool_calls", told(hello, noShell), list(signed, hosts), signed.passed(), shell.denied(), hosts.passed()),
		},
	}
}

// spelledScenes are calls whose names or arguments are not written as they should be.
func spelledScenes() []scene {
	opening := delta(0, `{"role":"assistant","content":"Let me see."}`)
	passed := left("tool_calls", told(hello), list(weather), weather.passed())
	return []scene{
		{
			Name: "name in pieces", Door: replace, Model: model{turn: calling(hello, weather).in(
				opening, delta(0, `{"tool_calls":[{"index":0,"id":"call_01Weather","type":"function","function":{"name":"get_","arguments":""}}]}`),
				delta(0, `{"tool_calls":[{"index":0,"function":{"name":"weather","arguments":"{\"city\":\"Lisbon\"}"}}]}`), ending(0, `{}`, "tool_calls"),
			)},
			Want: passed,
		},
		{
			Name: "name in pieces, denied", Door: replace, Model: model{turn: calling(hello, shell).in(
				opening, delta(0, `{"tool_calls":[{"index":0,"id":"call_01Shell","type":"function","function":{"name":"run_","arguments":""}}]}`),
				delta(0, `{"tool_calls":[{"index":0,"function":{"name":"shell","arguments":`+quote(shell.text())+`}}]}`), ending(0, `{}`, "tool_calls"),
			)},
			Want: left("stop", told(hello, noShell), nil, shell.denied()),
		},
		{
			Name: "arguments as an object", Door: replace, Model: model{turn: objects()},
			Want: passed,
		},
	}
}

// lateScenes are calls that come when the turn is over.
func lateScenes() []scene {
	opening := delta(0, `{"role":"assistant","content":"Let me see."}`)
	tooLate := call("call_01Late", "get_weather", `{"city":"`+marker+`"}`)
	late := delta(0, `{`+entries(counted, tooLate)+`}`)
	return []scene{
		{
			Name: "call after the finish", Door: replace, For: isStreamed,
			Model: model{turn: calling(hello, tooLate).in(opening, ending(0, `{}`, "stop"), late)},
			Want:  left("stop", told(hello), nil, tooLate.refused("malformed", "")),
		},
		{
			Name: "call after the end", Door: replace, For: isStreamed,
			Model: model{turn: goingOn(late)},
			Want: func(k clients.Kind) outcome {
				o := left("stop", told(hello), nil)(k)
				o.Refused = "malformed"
				return o
			},
		},
	}
}

// objects is a turn whose arguments are not in a string.
func objects() turn {
	const entry = `"id":"call_01Weather","type":"function","function":{"name":"get_weather","arguments":{"city":"Lisbon"}}}]`
	t := calling(hello, weather).in(
		delta(0, `{"role":"assistant","content":"Let me see."}`), delta(0, `{"tool_calls":[{"index":0,`+entry+`}`), ending(0, `{}`, "tool_calls"),
	)
	t.body = `{"index":0,"message":{"role":"assistant","content":"Let me see.","tool_calls":[{` + entry + `},"finish_reason":"tool_calls"}`
	return t
}

// goingOn is a turn after whose [DONE] a chunk comes.
func goingOn(choices string) turn {
	t := calling(hello, shell).in(delta(0, `{"role":"assistant","content":"Let me see."}`), ending(0, `{}`, "stop"))
	t.late = event(t.chunk(choices, ""))
	return t
}
