package gemini

import (
	"net/http"

	"github.com/weir-gate/weir/test/clients"
)

// brokenScenes are answers that go wrong.
func brokenScenes() []scene {
	never := 0
	broken := weather.in(`{"partialArgs":[{"jsonPath":"$.city","stringValue":"`+marker+`","willContinue":true}],"willContinue":true}`, `{}`)
	broken.args = `{"city":"` + marker + `"}`
	t := saying(hello, broken)
	const inText, inCall = 1, 4 // after the first piece of text; after the first piece of an argument
	return []scene{
		{Name: "malformed", Door: replace, Model: model{t, garbled(inText)}, Want: wantMalformed},
		{
			Name: "overloaded", Door: replace, Model: model{t, overloaded(inCall)}, Retries: &never,
			Want: wantBroken(broken, raised{Message: "Overloaded"}, raised{Status: http.StatusServiceUnavailable}),
		},
		{
			Name: "died in a call", Door: replace, Model: model{t, dying(inCall)}, Retries: &never,
			Want: wantBroken(broken, raised{}, raised{Status: http.StatusBadGateway}),
		},
		{Name: "rejected", Door: replace, Model: model{t, rejecting}, Want: clients.Always(outcome{
			Err: &raised{Status: http.StatusBadRequest, Message: "The tools are bad."}, Asked: 1,
		})},
		{Name: "redirected", Door: replace, Model: model{t, redirecting}, Want: clients.Always(outcome{
			Err: &raised{Status: http.StatusBadRequest, Message: "firewall_blocked"}, Asked: 1,
		})},
	}
}

// wantMalformed is a turn that ends in order, with one notice. Of a stream, what came before stays.
func wantMalformed(k clients.Kind) outcome {
	refusal := func(reason string) part {
		return text("[weir] The rest of this response was refused (malformed): " + reason + " Nothing after this point was delivered; tell the user.")
	}
	o := left(list(refusal("the response is not JSON.")))(k)
	if k.Streamed {
		o = left(list(text("Let me "), behind(refusal("a frame is not strict JSON."))))(k)
	}
	o.Refused, o.Broken = "malformed", true
	return o
}

// wantBroken is an error, and nothing of the call in which a stream broke off.
func wantBroken(cut part, inStream, asBody raised) func(clients.Kind) outcome {
	return func(k clients.Kind) outcome {
		if !k.Streamed {
			return outcome{Err: &asBody, Asked: 1}
		}
		return outcome{Err: &inStream, Asked: 1, Calls: []recorded{cut.refused("cut_short", "")}}
	}
}
