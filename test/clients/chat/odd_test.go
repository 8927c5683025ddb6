package chat

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/test/clients"
)

// Short names for what the model says.
var (
	hello   = clients.Hello
	weather = clients.Weather
	hosts   = clients.Hosts
	shell   = clients.Shell
)

// free is a call of a tool that takes any text.
func free(id string, pieces ...string) saying {
	s := clients.Calling(id, "run_script", pieces...)
	s.Input = map[string]any{"input": s.Said()}
	return s.As(saidCall{kind: "custom", id: id, name: s.Tool, pieces: pieces})
}

// legacy is a call where older clients look for it. It has no id.
func legacy(s saying) saying {
	s.ID = ""
	return s.As(saidCall{kind: "legacy", name: s.Tool, pieces: s.Pieces})
}

// shapeScenes are answers of shapes that not all APIs and clients have.
func shapeScenes() []scene {
	imports := free("call_01Import", "import ", marker).DeniedBy("args_denied", "no-imports", clients.ByUse("Scripts import nothing.", "import"))
	or := clients.Text("Or ", "so.")
	mixed := common.Played("two choices, mixed up", clients.Text("Let me ", "Or ", "see.", "so."), weather, shell, hosts)
	mixed.Model = model{turn: turn{choices: []said{spoken(hello, weather), spoken(or, shell, hosts)}}}
	// Clients that know of one choice take pieces of both for one. They too must have the released calls and no other.
	mixed.For = func(k clients.Kind) bool { return k.Streamed && !k.Can(choices) }
	want := mixed.Want
	mixed.Want = func(k clients.Kind) outcome {
		if strings.HasPrefix(k.Name, "langchain") {
			return ended("tool_callstool_calls", want)(k) // it adds up everything
		}
		return want(k)
	}
	old := common.Played("function_call", hello, legacy(weather))
	script := common.Played("custom call", hello, free("call_01Script", "print(", "1)"))
	old.For, script.For = can(function), can(custom)
	return []scene{
		twoChoices("two choices", []saying{hello, weather}, []saying{or, shell, hosts}),
		twoChoices("two choices, one all denied", []saying{weather}, []saying{shell}),
		mixed, old, script,
		common.Played("function_call denied", hello, legacy(shell)),
		common.Played("custom call denied", hello, imports),
		common.Played("custom call partly denied", hello, imports, weather),
	}
}

// twoChoices is a scene for clients that show both choices. They go on with the first.
func twoChoices(name string, first, second []saying) scene {
	return scene{
		Name: name, Door: replace, For: can(choices), Model: model{turn: turn{choices: []said{spoken(first...), spoken(second...)}}},
		Want: func(k clients.Kind) outcome {
			o, other := common.Left(first...)(k), common.Left(second...)(k)
			o.Turn.Choices = append(o.Turn.Choices, other.Turn.Choices...)
			o.Calls = append(o.Calls, other.Calls...)
			return o
		},
	}
}

// entries is a delta with whole calls in it, each with what is put ahead of its members.
func entries(ahead func(i int) string, calls ...saying) string {
	all := make([]string, len(calls))
	for i, c := range calls {
		all[i] = `{` + ahead(i) + called(c).whole()[1:]
	}
	return `"tool_calls":[` + strings.Join(all, ",") + `]`
}

func counted(i int) string  { return fmt.Sprintf(`"index":%d,`, i) }
func unnumbered(int) string { return "" }
func allZero(int) string    { return `"index":0,` }

// opening is the first delta of streams that are not regular.
var opening = delta(0, `{"role":"assistant","content":"Let me see."}`)

// streamedAs is a scene of a turn whose stream is not the regular one.
func streamedAs(name string, list []saying, deltas ...string) scene {
	s := common.Played(name, list...)
	s.Model = model{turn: says(list...).in(deltas...)}
	return s
}

// oddScenes are answers that clients read differently, or not at all, if they get them as they are.
func oddScenes() []scene {
	const role = `"role":"assistant",`
	const see = `"content":"Let me see.",`
	as := called(weather)
	as.extra = `{"google":{"thought_signature":"c2lnbmF0dXJl"}}`
	signed := weather.As(as)
	as.hidden = `,"parsed_arguments":{"city":"` + marker + `"},"json":"{\"city\":\"` + marker + `\"}"`
	// The next turn is refused without the signature.
	beside := common.Played("signed, with members that nobody documents", hello, signed)
	beside.Model = model{turn: says(hello, weather.As(as))}
	passed := beside.Want
	beside.Want = func(k clients.Kind) outcome {
		o := passed(k)
		o.Calls[0].Verdict = "audit"
		return o
	}
	unnumbered := streamedAs("without index, with a signature", []saying{hello, signed}, opening, delta(0, `{`+entries(unnumbered, signed)+`}`), ending(0, `{}`, "stop"))
	unnumbered.Model, unnumbered.Want = model{turn: unnumbered.Model.(model).turn.ending("stop")}, ended("stop", unnumbered.Want)
	three := []saying{hello, weather, shell, hosts}
	piece := func(s saying, index, piece int) string { return delta(0, called(s).entry(index, piece)) }
	return []scene{
		streamedAs("text and call in one delta", three, delta(0, `{`+role+see+entries(counted, three[1:]...)+`}`), ending(0, `{}`, "tool_calls")),
		streamedAs("text, call and finish in one chunk", three, ending(0, `{`+role+see+entries(counted, three[1:]...)+`}`, "tool_calls")),
		// One of the SDKs reads the arguments of a call as soon as another call has a piece.
		streamedAs("interleaved", three, opening, piece(weather, 0, 0), piece(shell, 1, 0), piece(hosts, 2, 0), piece(shell, 1, 1),
			piece(weather, 0, 1), piece(hosts, 2, 1), piece(weather, 0, 2), piece(shell, 1, 2), piece(weather, 0, 3), ending(0, `{}`, "tool_calls")),
		streamedAs("all with index 0, with a signature", []saying{hello, signed, shell, hosts}, opening,
			delta(0, `{`+entries(allZero, signed)+`}`), delta(0, `{`+entries(allZero, shell)+`}`), delta(0, `{`+entries(allZero, hosts)+`}`), ending(0, `{}`, "tool_calls")),
		unnumbered, beside,
	}
}

// spelledScenes are calls whose names or arguments are not written as they should be.
func spelledScenes() []scene {
	inPieces := func(name string, s saying, first, second string) scene {
		entry := `{"tool_calls":[{"index":0%s,"function":{"name":%q,"arguments":%s}}]}`
		return streamedAs(name, []saying{hello, s}, opening,
			delta(0, fmt.Sprintf(entry, `,"id":"`+s.ID+`","type":"function"`, first, `""`)),
			delta(0, fmt.Sprintf(entry, "", second, clients.Quote(s.Said()))), ending(0, `{}`, "tool_calls"))
	}
	const call = `"id":"call_01Weather","type":"function","function":{"name":"get_weather","arguments":{"city":"Lisbon"}}}]`
	objects := says(hello, weather).in(opening, delta(0, `{"tool_calls":[{"index":0,`+call+`}`), ending(0, `{}`, "tool_calls"))
	objects.body = `{"index":0,"message":{"role":"assistant","content":"Let me see.","tool_calls":[{` + call + `},"finish_reason":"tool_calls"}`
	return []scene{
		inPieces("name in pieces", weather, "get_", "weather"), inPieces("name in pieces, denied", shell, "run_", "shell"),
		{Name: "arguments as an object", Door: replace, Model: model{turn: objects}, Want: common.Left(hello, weather)},
	}
}

// lateScenes are calls that come when the turn is over.
func lateScenes() []scene {
	tooLate := clients.Calling("call_01Late", "get_weather", `{"city":"`+marker+`"}`).DeniedBy("malformed", "", "")
	late := delta(0, `{`+entries(counted, tooLate)+`}`)
	afterFinish := streamedAs("call after the finish", []saying{hello, tooLate}, opening, ending(0, `{}`, "stop"), late)
	afterFinish.Want = func(k clients.Kind) outcome {
		o := common.Left(hello)(k)
		o.Calls = []clients.Recorded{tooLate.Recorded()}
		return o
	}
	goingOn := says(hello, shell).in(opening, ending(0, `{}`, "stop"))
	goingOn.late = event(goingOn.chunk(late, ""))
	afterEnd := scene{Name: "call after the end", Door: replace, Model: model{turn: goingOn}, Want: func(k clients.Kind) outcome {
		o := common.Left(hello)(k)
		o.Refused = "malformed"
		return o
	}}
	afterFinish.For, afterEnd.For = isStreamed, isStreamed
	return []scene{afterFinish, afterEnd}
}
