package responses

import (
	"net/http"

	"github.com/weir-gate/weir/test/clients"
)

// brokenScenes are answers that go wrong.
func brokenScenes() []scene {
	never := 0
	broken := function("01Broken", "get_weather", `{"city":"`+marker, ` city"}`)
	things := says(turn(hello, broken))
	with := func(p play) model { return model{turns: things.turns, play: p} }
	cut := broken.cut()
	incomplete, failed := turn(hello, cut), turn(hello, cut)
	incomplete.Status, failed.Status = "incomplete", "failed"
	return []scene{
		{Name: "malformed", Door: replace, Model: model{turns: says(turn(hello)).turns, play: garbled}, Want: wantMalformed},
		{Name: "cut by the token limit", Door: replace, Model: says(incomplete), Want: func(k clients.Kind) outcome {
			o := left(hello, cut)(k)
			o.Turn = told("incomplete", hello, cut)
			if k.Can(onlyWhole) {
				return outcome{Err: &raised{}, Asked: 1, Calls: o.Calls}
			}
			return o
		}},
		{Name: "failed", Door: replace, Model: says(failed), Want: func(k clients.Kind) outcome {
			if k.Can(trusting) {
				return left(hello, cut)(k)
			}
			return outcome{Err: &raised{}, Asked: 1, Calls: []recorded{cut.recorded()}}
		}},
		{
			Name: "overloaded", Door: replace, Model: with(overloaded), Retries: &never,
			Want: wantBroken(cut, raised{}, raised{Status: http.StatusServiceUnavailable, Code: "overloaded"}),
		},
		{
			Name: "died in a call", Door: replace, Model: with(dying), Retries: &never,
			Want: wantBroken(cut, raised{}, raised{Status: http.StatusBadGateway, Code: "server_error"}),
		},
		{Name: "rejected", Door: replace, Model: with(rejecting), Want: clients.Always(outcome{
			Err: &raised{Status: http.StatusBadRequest, Code: "bad_tools", Message: "The tools are bad."}, Asked: 1,
		})},
		{Name: "redirected", Door: replace, Model: with(redirecting), Want: clients.Always(outcome{
			Err: &raised{Status: http.StatusBadRequest, Code: "firewall_blocked"}, Asked: 1,
		})},
	}
}

// wantMalformed is a turn that ends in order, with one notice. Of a stream, what came before stays.
func wantMalformed(k clients.Kind) outcome {
	refusal := func(reason string) item {
		it := text("[weir] The rest of this response was refused (malformed): " + reason + " Nothing after this point was delivered; tell the user.")
		it.Notice = anyNotice
		return it
	}
	o := outcome{Turn: told("completed"), Refused: "malformed", Broken: true}
	o.Turn.Items = []item{refusal("the response is not JSON.")}
	if k.Streamed {
		o.Turn.Items = []item{text("Let me "), refusal("a frame is not strict JSON.")}
	}
	return o
}

// wantBroken is an error, and nothing of the call in which a stream broke off.
func wantBroken(cut thing, inStream, asBody raised) func(clients.Kind) outcome {
	return func(k clients.Kind) outcome {
		if !k.Streamed {
			return outcome{Err: &asBody, Asked: 1}
		}
		return outcome{Err: &inStream, Asked: 1, Calls: []recorded{cut.recorded()}}
	}
}
