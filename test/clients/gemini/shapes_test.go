package gemini

import (
	"github.com/weir-gate/weir/test/clients"
)

// shapeScenes are answers that are not just text and calls.
func shapeScenes() []scene {
	pieces := in(weather,
		`{"partialArgs":[{"jsonPath":"$.city","stringValue":"Lis","willContinue":true}],"willContinue":true}`,
		`{"partialArgs":[{"jsonPath":"$.city","stringValue":"bon"}],"willContinue":true}`, `{}`)
	bad := in(secret,
		`{"partialArgs":[{"jsonPath":"$.path","stringValue":"/srv/`+marker+`","willContinue":true}],"willContinue":true}`,
		`{"partialArgs":[{"jsonPath":"$.path","stringValue":"/secret.txt"}]}`)
	denied := common.Played("text and denied call in one part", clients.Text("I will. "), shell, weather)
	denied.Model = model{turn: says(with(shell, "I will. "), weather)}
	allowed := common.Played("text and allowed call in one part", with(weather, "I will. "), secret)
	allowed.For = can(together)
	or := clients.Text("Or ", "so.")
	two := turn{candidates: []said{spoken(hello, weather), spoken(or, shell)}}
	return []scene{
		common.Played("arguments in pieces", hello, pieces),
		common.Played("arguments in pieces, and denied", hello, bad, pieces),
		denied, allowed,
		{Name: "two candidates", Door: replace, Model: model{turn: two}, For: cannot(joins), Want: func(k clients.Kind) outcome {
			o, other := common.Left(hello, weather)(k), common.Left(or, shell)(k)
			o.Calls = append(o.Calls, other.Calls...)
			if k.Can(shows) {
				o.Turn.Candidates = append(o.Turn.Candidates, other.Turn.Candidates...)
			}
			return o
		}},
		failedScene("failed call quoted", "get_weather(city='Lisbon')", clients.Recorded{Tool: "get_weather", Verdict: "allow"}),
		failedScene("failed call quoted and denied", "run_shell(command='"+marker+"')",
			clients.Recorded{Tool: "run_shell", Verdict: "deny", Blocked: true, Code: "tool_denied", Rule: "no-shell"}),
		{Name: "prompt blocked", Door: replace, Model: model{turn: turn{blocked: "SAFETY"}}, Want: clients.Always(outcome{
			Turn: answer{Blocked: "SAFETY"},
		})},
	}
}

// failedScene is a turn that ends with a message about a call that went wrong.
func failedScene(name, quoted string, record clients.Recorded) scene {
	message := "Malformed function call: print(default_api." + quoted + ")"
	record.Args = map[string]any{"message": message}
	failed := turn{candidates: []said{{finish: "MALFORMED_FUNCTION_CALL", message: message}}, closed: true}
	return scene{Name: name, Door: replace, Model: model{turn: failed}, Want: func(k clients.Kind) outcome {
		c := seen(k, "MALFORMED_FUNCTION_CALL")
		if !record.Blocked && k.Can(messages) {
			c.Message = message
		}
		return outcome{Turn: answer{Candidates: []candidate{c}}, Calls: []clients.Recorded{record}}
	}}
}

// hostedScenes are answers with parts that the provider has run itself.
func hostedScenes() []scene {
	hosted := func(id, tool, args, member, body string) saying {
		s := clients.Calling(id, tool, args).As(part{typ: member, body: body})
		s.Hosted = true
		return s
	}
	const printing, searching = `{"language":"PYTHON","code":"print(1)"}`, `{"queries":["` + marker + `"]}`
	code := hosted("", "code_execution", printing, "executableCode", printing)
	ran := saying{}.As(part{typ: "codeExecutionResult", body: `{"outcome":"OUTCOME_OK","output":"1\n"}`})
	search := hosted("search-1", "GOOGLE_SEARCH_WEB", searching, "toolCall", `{"id":"search-1","toolType":"GOOGLE_SEARCH_WEB","args":`+searching+`}`).
		DeniedBy("tool_denied", "no-web", "The web is out of bounds.")
	found := saying{}.As(part{typ: "toolResponse", body: `{"id":"search-1","toolType":"GOOGLE_SEARCH_WEB","response":{"search_suggestions":"` + marker + `"}}`})
	allowed := common.Played("run by the provider", hello, code, ran, clients.Text("It is 1."))
	allowed.For = can(shown)
	denied := common.Played("run by the provider and denied by name", hello, search, clients.Text(" Found."))
	denied.Model = model{turn: says(hello, search, found, clients.Text(" Found."))}
	dropped := common.Dropped("run by the provider and denied by name, dropped", hello, search, weather)
	dropped.Model = model{turn: says(hello, search, found, weather)}
	return []scene{allowed, denied, dropped}
}
