package gemini

import (
	"github.com/weir-gate/weir/test/clients"
)

// shapeScenes are answers that are not just text and calls.
func shapeScenes() []scene {
	pieces := weather.in(
		`{"partialArgs":[{"jsonPath":"$.city","stringValue":"Lis","willContinue":true}],"willContinue":true}`,
		`{"partialArgs":[{"jsonPath":"$.city","stringValue":"bon"}],"willContinue":true}`, `{}`)
	bad := secret.in(
		`{"partialArgs":[{"jsonPath":"$.path","stringValue":"/srv/`+marker+`","willContinue":true}],"willContinue":true}`,
		`{"partialArgs":[{"jsonPath":"$.path","stringValue":"/secret.txt"}]}`)
	two := turn{candidates: []said{
		{parts: list(hello, weather), finish: "STOP"},
		{parts: list(text("Or ", "so."), shell), finish: "STOP"},
	}}
	return []scene{
		{
			Name: "arguments in pieces", Door: replace, Model: model{turn: saying(hello, pieces)},
			Want: left(list(hello, weather), weather.passed()),
		},
		{
			Name: "arguments in pieces, and denied", Door: replace, Model: model{turn: saying(hello, bad, pieces)},
			Want: left(list(hello, behind(noSecret), weather), secret.denied(), weather.passed()),
		},
		{
			Name: "text and denied call in one part", Door: replace, Model: model{turn: saying(shell.with("I will. "), weather)},
			Want: left(list(text("I will. "), behind(noShell), weather), shell.denied(), weather.passed()),
		},
		{
			Name: "text and allowed call in one part", Door: replace, Model: model{turn: saying(weather.with("I will. "), secret)}, For: can(together),
			Want: left(list(weather.with("I will. "), behind(noSecret)), weather.passed(), secret.denied()),
		},
		{Name: "two candidates", Door: replace, Model: model{turn: two}, For: cannot(joins), Want: func(k clients.Kind) outcome {
			o := left(list(hello, weather), weather.passed(), shell.denied())(k)
			if k.Can(shows) {
				o.Turn.Candidates = append(o.Turn.Candidates, seen(k, "STOP", text("Or so."), behind(noShell)))
			}
			return o
		}},
		failedScene("failed call quoted", "get_weather(city='Lisbon')", recorded{Tool: "get_weather", Verdict: "allow"}),
		failedScene("failed call quoted and denied", "run_shell(command='"+marker+"')",
			recorded{Tool: "run_shell", Verdict: "deny", Blocked: true, Code: "tool_denied", Rule: "no-shell"}),
		{Name: "prompt blocked", Door: replace, Model: model{turn: turn{blocked: "SAFETY"}}, Want: clients.Always(outcome{
			Turn: answer{Blocked: "SAFETY"},
		})},
	}
}

// failedScene is a turn that ends with a message about a call that went wrong.
func failedScene(name, quoted string, record recorded) scene {
	message := "Malformed function call: print(default_api." + quoted + ")"
	record.Args = object{"message": message}
	failed := turn{candidates: []said{{finish: "MALFORMED_FUNCTION_CALL", message: message}}, closed: true}
	return scene{Name: name, Door: replace, Model: model{turn: failed}, Want: func(k clients.Kind) outcome {
		c := seen(k, "MALFORMED_FUNCTION_CALL")
		if !record.Blocked && k.Can(messages) {
			c.Message = message
		}
		return outcome{Turn: answer{Candidates: []candidate{c}}, Calls: []recorded{record}}
	}}
}

// hostedScenes are answers with parts that the provider has run itself.
func hostedScenes() []scene {
	code := part{typ: "executableCode", body: `{"language":"PYTHON","code":"print(1)"}`}
	ran := part{typ: "codeExecutionResult", body: `{"outcome":"OUTCOME_OK","output":"1\n"}`}
	search := part{typ: "toolCall", body: `{"id":"search-1","toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["` + marker + `"]}}`}
	found := part{typ: "toolResponse", body: `{"id":"search-1","toolType":"GOOGLE_SEARCH_WEB","response":{"search_suggestions":"` + marker + `"}}`}
	noSearch := notice("GOOGLE_SEARCH_WEB", "tool_denied, rule no-web", "The web is out of bounds.")
	return []scene{
		{
			Name: "run by the provider", Door: replace, Model: model{turn: saying(hello, code, ran, text("It is 1."))}, For: can(hosted),
			Want: left(list(hello, code, ran, text("It is 1.")), recorded{
				Tool: "code_execution", Verdict: "allow", Args: object{"language": "PYTHON", "code": "print(1)"},
			}),
		},
		{
			Name: "run by the provider and denied by name", Door: replace, Model: model{turn: saying(hello, search, found, text(" Found."))},
			Want: left(list(hello, behind(noSearch), text(" Found.")), recorded{
				Tool: "GOOGLE_SEARCH_WEB", ID: "search-1", Verdict: "deny", Blocked: true, Code: "tool_denied", Rule: "no-web",
				Args: object{"queries": []any{marker}},
			}),
		},
		{
			Name: "run by the provider and denied by name, dropped", Door: drop, Model: model{turn: saying(hello, search, found, weather)},
			Want: left(list(hello, weather), recorded{
				Tool: "GOOGLE_SEARCH_WEB", ID: "search-1", Verdict: "deny", Blocked: true, Code: "tool_denied", Rule: "no-web",
				Args: object{"queries": []any{marker}},
			}, weather.passed()),
		},
	}
}
