package responses

import (
	"net/http"

	"github.com/weir-gate/weir/test/clients"
)

func scenes() []scene {
	all := policyScenes()
	all = append(all, liveScenes()...)
	all = append(all, chainScenes()...)
	all = append(all, toolScenes()...)
	all = append(all, oddScenes()...)
	all = append(all, readScenes()...)
	all = append(all, brokenScenes()...)
	return append(all, doorScenes()...)
}

// played is a scene in which the model says some things and the client is left with what may pass of them.
func played(name, door string, things ...thing) scene {
	return scene{Name: name, Door: door, Model: says(turn(things...)), Want: left(things...)}
}

// policyScenes are answers in order, of which the policy lets through more or less.
func policyScenes() []scene {
	return []scene{
		played("allowed", replace, hello, weather),
		played("allowed without text or arguments", replace, files),
		played("denied by name", replace, hello, shell),
		played("denied by the last piece of an argument", replace, hello, secret),
		played("partly denied", replace, hello, weather, shell, hosts, secret),
		played("first denied, without text", replace, shell, weather),
		played("all denied", replace, shell, secret),
		played("reasoning ahead", replace, thought, hello, weather, shell),
		played("reasoning ahead of a denied call", replace, thought, shell, weather),
		played("reasoning ahead of all that is denied", replace, thought, shell),
		dropped("denied and dropped", hello, shell),
		dropped("partly denied and dropped", hello, shell, weather, secret, hosts),
	}
}

// dropped is a scene in which refused calls vanish.
func dropped(name string, things ...thing) scene {
	s := played(name, drop, things...)
	s.Want = func(k clients.Kind) outcome {
		o := left(things...)(k)
		o.Turn, o.Told = told("completed", passing(things)...), nil
		return o
	}
	return s
}

// passing are the things that are not refused.
func passing(things []thing) []thing {
	var rest []thing
	for _, one := range things {
		if one.code == "" {
			rest = append(rest, one)
		}
	}
	return rest
}

// liveScenes wait for the client in the middle of an answer. A client that is not given its part at once gets stuck.
func liveScenes() []scene {
	text := played("text is live", replace, hello, weather, secret)
	text.Model, text.WaitsFor = model{turns: text.Model.(model).turns, play: waiting(firstText, 0)}, "text"
	call := played("a call does not wait for the next", replace, hello, weather, secret)
	call.Model, call.WaitsFor = model{turns: call.Model.(model).turns, play: waiting(callDone, 1)}, "call"
	return []scene{text, call}
}

// doorScenes are about who may ask, and how far the policy is enforced.
func doorScenes() []scene {
	ls := function("01List", "run_shell", `{"command":"ls"}`)
	watched := func(k clients.Kind) outcome {
		o := left(hello, ls)(k)
		o.Calls = []recorded{{
			Tool: ls.tool, ID: ls.seen.ID, Verdict: "audit", WouldBe: "deny", Code: "tool_denied", Rule: "no-shell", Args: ls.seen.Input,
		}}
		return o
	}
	m := says(turn(hello, weather))
	inHeader := played("key in the header", clients.Keyed, hello, weather)
	inHeader.Headers = map[string]string{"x-weir-key": clients.ClientKey}
	inPath := played("key in the path", clients.Keyed, hello, weather)
	inPath.Path = "/k/" + clients.ClientKey
	return []scene{
		{Name: "client without key", Door: clients.Keyed, Model: m, Want: clients.Always(outcome{
			Err: &raised{Status: http.StatusUnauthorized, Code: "invalid_api_key"}, Asked: clients.None,
		})},
		inHeader, inPath,
		{Name: "denied in shadow", Door: "shadow", Model: says(turn(hello, ls)), Want: watched},
		{Name: "denied while observed", Door: "observe", Model: says(turn(hello, ls)), Want: watched},
	}
}
