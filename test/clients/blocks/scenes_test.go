package blocks

import (
	"net/http"
	"slices"

	"github.com/weir-gate/weir/test/clients"
)

// Short names for what scenes are made of.
type (
	scene   = clients.Scene[answer]
	outcome = clients.Outcome[answer]
	saying  = clients.Saying
	raised  = clients.Raised
)

const marker = clients.Marker

// toolsJSON are in the words of the Messages API. Those with a type are the provider's, and only in that format.
const toolsJSON = `[
	{"name":"get_weather","description":"The weather.","input_schema":{"type":"object","properties":{"city":{"type":"string"}}}},
	{"name":"list_files","description":"All files.","input_schema":{"type":"object","properties":{}}},
	{"name":"read_file","description":"A file.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}},
	{"name":"run_shell","description":"A shell.","input_schema":{"type":"object","properties":{"command":{"type":"string"}}}},
	{"type":"web_search_20250305","name":"web_search"},
	{"type":"web_fetch_20250910","name":"web_fetch"}]`

// What the provider runs, and thoughts.
var (
	search = hosted("srvtoolu_search", "web_search", `{"query":`, `"weirs"}`)
	found  = saying{}.As(result(search.ID, providerResult,
		`[{"type":"web_search_result","title":"Weirs","url":"https://example.org/","encrypted_content":"c2VjcmV0","page_age":"2 days ago"}]`, "Weirs"))
	fetch = hosted("srvtoolu_fetch", "web_fetch", `{"url":"https://`+marker, `.example/"}`).
		DeniedBy("tool_denied", "no-fetch", "Pages are not to be fetched.")
	fetched = saying{}.As(result(fetch.ID, "web_fetch_tool_result",
		`{"type":"web_fetch_result","url":"https://`+marker+`.example/","retrieved_at":"2026-01-31T08:00:00Z",`+
			`"content":{"type":"document","title":"Page","source":{"type":"text","media_type":"text/plain","data":"`+marker+`"}}}`, marker))
	pondered = saying{}.As(thinking("Let me think. ", "EqoBCkgIBRABGAIiQL0+sig=="))
)

// hosted is a call that the provider runs.
func hosted(id, tool string, pieces ...string) saying {
	s := clients.Calling(id, tool, pieces...)
	s.Hosted = true
	return s
}

// turnOf is a turn of what the model says.
func turnOf(said []saying) turn {
	t := turn{stop: "end_turn"}
	for _, s := range said {
		switch own, ok := s.Own.(block); {
		case ok:
			t.blocks = append(t.blocks, own)
		case s.Tool == "":
			t.blocks = append(t.blocks, text(s.Pieces...))
		default:
			t.blocks = append(t.blocks, call(s))
			if !s.Hosted {
				t.stop = "tool_use"
			}
		}
	}
	return t
}

// seen is a turn as a client has it.
func seen(k clients.Kind, said []saying) answer {
	t := turnOf(said)
	a := answer{Content: blocks(t.blocks...), StopReason: t.stop}
	for i, b := range a.Content {
		if b.Type == providerResult && k.Upstream == "bedrock" && !k.Can(native) {
			a.Content[i].Type = "tool_result"
		}
	}
	return a
}

// common are the scenes that all formats have.
var common = clients.Common[answer]{
	Says:     func(p clients.Play, said ...saying) clients.Model { return model{turnOf(said), p} },
	Seen:     seen,
	Breaking: clients.Breaking,
	Cut:      []clients.Recorded{clients.Cut.Recorded()},
	Errors:   errorsOf,
}

// errorsOf are what SDKs raise.
func errorsOf(k clients.Kind) clients.Errors {
	if k.Upstream == "anthropic" {
		return clients.Errors{
			Malformed:  "a frame is not strict JSON.",
			Overloaded: raised{Type: "overloaded_error"}, Busy: raised{Type: "overloaded_error", Status: 529},
			Died:       raised{Type: "api_error", Status: http.StatusBadGateway},
			Rejected:   raised{Type: "invalid_request_error", Status: http.StatusBadRequest, Message: "The tools are bad."},
			Redirected: raised{Type: "invalid_request_error", Status: http.StatusBadRequest, Message: "(firewall_blocked)"},
			NoKey:      raised{Type: "authentication_error", Status: http.StatusUnauthorized},
		}
	}
	named := func(name string, status int, message string) raised {
		if !k.Can(names) {
			name = ""
		}
		return raised{Name: name, Status: status, Message: message}
	}
	return clients.Errors{
		Malformed:  "a frame can be read in more than one way, or its checksum is wrong.",
		Overloaded: raised{Message: "Too many requests"}, Busy: raised{Status: http.StatusTooManyRequests, Message: "Too many requests"},
		Died:       raised{Status: http.StatusBadGateway},
		Rejected:   named("ValidationException", http.StatusBadRequest, "The tools are bad."),
		Redirected: named("ValidationException", http.StatusBadRequest, "(firewall_blocked)"),
		NoKey:      named("AccessDeniedException", http.StatusUnauthorized, "weir does not know this client"),
	}
}

// briefly are the scenes for clients that differ only in how they connect.
var briefly = []string{"allowed", "partly denied", "denied by the last piece of an argument"}

func scenes() []scene {
	all := append(common.Scenes(), ownScenes()...)
	for i, s := range all {
		all[i].For = func(k clients.Kind) bool {
			return (!k.Can(brief) || slices.Contains(briefly, s.Name)) && (s.For == nil || s.For(k))
		}
	}
	return all
}

// ownScenes are those with what only these formats have.
func ownScenes() []scene {
	tells := func(k clients.Kind) bool { return k.Can(provider) }
	ran := common.Played("run by the provider", clients.Hello, search, found, clients.Text("Found."))
	denied := common.Played("run by the provider and denied by name", clients.Hello, fetch, fetched, clients.Text("Fetched."))
	denied.Want = func(k clients.Kind) outcome {
		return common.Left(clients.Hello, fetch, clients.Text("[weir] The result of a refused call was removed."), clients.Text("Fetched."))(k)
	}
	ran.For, denied.For = tells, tells
	cut := turnOf([]saying{clients.Hello, clients.Cut})
	cut.stop = "max_tokens"
	large := common.Played("request too large", clients.Hello, clients.Weather)
	large.For = func(k clients.Kind) bool { return k.Upstream == "anthropic" }
	large.Padding = 64 << 20
	large.Want = clients.Always(outcome{
		Err:   &raised{Type: "request_too_large", Status: http.StatusRequestEntityTooLarge},
		Asked: clients.None,
	})
	return []scene{
		common.Played("thinking before an allowed call", pondered, clients.Hello, clients.Weather),
		common.Played("thinking before partly denied calls", pondered, clients.Shell, clients.Weather),
		ran, denied, large,
		{Name: "cut by the token limit", Door: clients.Replace, Model: model{turn: cut}, Want: wantCut},
	}
}

// wantCut tells the two forms apart: a stream shows the piece of an argument, a body has no room for it.
func wantCut(k clients.Kind) outcome {
	o := common.Left(clients.Hello, clients.Cut)(k)
	o.Turn.StopReason = "max_tokens"
	if !k.Streamed {
		o.Calls[0].Args = map[string]any{}
	}
	return o
}
