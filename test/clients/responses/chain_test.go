package responses

import (
	"github.com/weir-gate/weir/internal/weirtest/keeping"
	"github.com/weir-gate/weir/test/clients"
)

// ownHistory has clients keep the conversation themselves, because the provider stores nothing.
var ownHistory = options{
	"chain":         "own",
	"request":       object{"store": false, "include": []string{"reasoning.encrypted_content"}},
	"ai":            object{"store": false, "include": []string{"reasoning.encrypted_content"}},
	"agents":        object{"store": false, "providerData": object{"include": []string{"reasoning.encrypted_content"}}},
	"agents_python": object{"store": false, "response_include": []string{"reasoning.encrypted_content"}},
}

// storedHistory has clients send all of the conversation to a provider that stores it nevertheless.
var storedHistory = options{"chain": "own"}

// chainScenes are conversations that go on from the provider's memory, or from the client's.
func chainScenes() []scene {
	things := []thing{thought, shell, hello, weather, secret}
	var all []scene
	for _, way := range []struct {
		name  string
		chain options
	}{
		{"own history", ownHistory},
		{"own history that is stored", storedHistory},
		{"previous response", options{"chain": "previous"}},
		{"conversation", options{"chain": "conversation"}},
	} {
		name := way.name
		partly := played(name+", partly denied", replace, things...)
		none := played(name+", all denied", replace, thought, shell)
		gone := dropped(name+", dropped", hello, shell, weather)
		// Reasoning is not taken back without what follows it, so that something must stand there.
		thinking := dropped(name+", dropped behind reasoning", thought, shell, weather, secret)
		thinking.Want = func(k clients.Kind) outcome {
			o := left(thought, shell, weather, secret)(k)
			o.Turn, o.Told = told("completed", thought, shell, weather), []string{shell.refusal()}
			return o
		}
		for _, s := range []scene{partly, none, gone, thinking} {
			s.Options = way.chain
			if name == "conversation" {
				s.Want = andOpened(0, s.Want)
			}
			all = append(all, s)
		}
	}
	all = append(all, longScenes()...)
	for _, chain := range []string{"previous", "conversation"} {
		text := played("text after a refusal, "+chain, replace, hello, shell)
		text.For, text.Options = can(manage), options{"chain": chain, "text": true}
		if chain == "conversation" {
			text.Want = andOpened(0, text.Want)
		}
		all = append(all, text)
	}
	unstored := played("conversation, not stored otherwise", replace, hello, shell, weather)
	unstored.For, unstored.Want = can(byHand), andOpened(0, unstored.Want)
	unstored.Options = options{"chain": "conversation", "request": object{"store": false}}
	// Both of the later turns go on from the first, so that both lack the output.
	branched := played("two turns after the same response", replace, hello, shell, weather)
	branched.For, branched.Options = can(manage), options{"steps": []string{"ask", "branch", "ask"}}
	branched.Want = func(k clients.Kind) outcome {
		o := left(hello, shell, weather)(k)
		o.Later = []answer{ends, ends}
		return o
	}
	return append(all, unstored, branched)
}

// andOpened is an outcome of a conversation that is opened first. more is the number of steps that bring no turn.
func andOpened(more int, want func(clients.Kind) outcome) func(clients.Kind) outcome {
	return func(k clients.Kind) outcome {
		o := want(k)
		o.Asked = len(o.Later) + 2 + more
		if o.Later == nil {
			o.Asked++ // the turn that ends every conversation
		}
		o.Silent = 1
		return o
	}
}

// longScenes are conversations of three turns, with refusals in two of them.
func longScenes() []scene {
	other := function("02Weather", "get_weather", `{"city":"Bruges"}`)
	first, second := []thing{hello, shell, weather}, []thing{secret, other}
	var all []scene
	for _, chain := range []string{"own", "previous", "conversation"} {
		want := func(k clients.Kind) outcome {
			o := left(append(append([]thing{}, first...), second...)...)(k)
			o.Turn = told("completed", first...)
			o.Later = []answer{told("completed", second...), ends}
			return o
		}
		if chain == "conversation" {
			want = andOpened(0, want)
		}
		all = append(all, scene{
			Name: chain + ", twice denied", Door: replace, For: can(byHand),
			Model:   model{turns: []keeping.Turn{turn(first...), turn(second...), lastTurn}},
			Options: options{"chain": chain, "steps": []string{"ask", "ask", "ask"}}, Want: want,
		})
	}
	return all
}
