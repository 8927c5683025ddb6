package chat

import (
	"net/http"

	"github.com/weir-gate/weir/test/clients"
)

// brokenScenes are answers that go wrong.
func brokenScenes() []scene {
	never := 0
	broken := call("call_01Broken", "get_weather", `{"city":"`+marker, ` city"}`)
	t := calling(hello, broken)
	cut := call("call_01Cut", "get_weather", `{"city":"`+marker)
	const inText = 2              // after the first piece of text
	const inCall = inText + 1 + 2 // after the first piece of an argument
	return []scene{
		{Name: "malformed", Door: replace, Model: model{t, garbled(inText)}, Want: wantMalformed},
		{Name: "cut by the token limit", Door: replace, Model: model{turn: calling(hello, cut).ending("length")}, Want: func(k clients.Kind) outcome {
			record := cut.refused("cut_short", "")
			if k.Name == "openai-python-helper" || k.Name == "openai-js-run-whole" {
				// These take no cut turn, whatever is in it.
				return outcome{Err: &raised{Name: "LengthFinishReasonError"}, Asked: 1, Calls: []recorded{record}}
			}
			said := notice("get_weather", "cut_short", "The response ended before the call was complete.")
			return left("length", told(hello, said), nil, record)(k)
		}},
		{
			Name: "overloaded", Door: replace, Model: model{t, overloaded(inCall)}, Retries: &never,
			Want: wantBroken(raised{Message: "Overloaded"}, raised{Status: http.StatusServiceUnavailable, Code: "overloaded"}),
		},
		{
			Name: "died in a call", Door: replace, Model: model{t, dying(inCall)}, Retries: &never,
			Want: wantBroken(raised{}, raised{Status: http.StatusBadGateway, Code: "server_error"}),
		},
		{Name: "rejected", Door: replace, Model: model{t, rejecting}, Want: clients.Always(outcome{
			Err: &raised{Status: http.StatusBadRequest, Code: "bad_tools", Message: "The tools are bad."}, Asked: 1,
		})},
		{Name: "redirected", Door: replace, Model: model{t, redirecting}, Want: clients.Always(outcome{
			Err: &raised{Status: http.StatusBadRequest, Code: "firewall_blocked"}, Asked: 1,
		})},
	}
}

// wantMalformed is a turn that ends in order, with one notice. Of a stream, what came before stays.
func wantMalformed(k clients.Kind) outcome {
	refusal := func(reason string) string {
		return "[weir] The rest of this response was refused (malformed): " + reason + " Nothing after this point was delivered; tell the user."
	}
	o := left("stop", refusal("the response is not JSON."), nil)(k)
	if k.Streamed {
		o = left("stop", told(hello[:1], refusal("a frame is not strict JSON.")), nil)(k)
	}
	o.Refused, o.Broken = "malformed", true
	return o
}

// wantBroken is an error, and nothing of the call in which a stream broke off.
func wantBroken(inStream, asBody raised) func(clients.Kind) outcome {
	return func(k clients.Kind) outcome {
		if !k.Streamed {
			return outcome{Err: &asBody, Asked: 1}
		}
		return outcome{Err: &inStream, Asked: 1, Calls: []recorded{{
			Tool: "get_weather", ID: "call_01Broken", Verdict: "deny", Blocked: true, Code: "cut_short", Args: `{"city":"` + marker,
		}}}
	}
}
