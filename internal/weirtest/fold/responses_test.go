package fold

import (
	"errors"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

const (
	created   = `{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}`
	addsText  = `{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"m","type":"message","role":"assistant","status":"in_progress","content":[]}}`
	addsPart  = `{"type":"response.content_part.added","sequence_number":2,"item_id":"m","output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}`
	textOne   = `{"type":"response.output_text.delta","sequence_number":3,"item_id":"m","output_index":0,"content_index":0,"delta":"a\ud83d"}`
	textTwo   = `{"type":"response.output_text.delta","sequence_number":4,"item_id":"m","output_index":0,"content_index":0,"delta":"\ude00"}`
	textDone  = `{"type":"response.output_text.done","sequence_number":5,"item_id":"m","output_index":0,"content_index":0,"text":"a😀"}`
	partDone  = `{"type":"response.content_part.done","sequence_number":6,"item_id":"m","output_index":0,"content_index":0,"part":{"type":"output_text","text":"a😀"}}`
	itemDone  = `{"type":"response.output_item.done","sequence_number":7,"output_index":0,"item":` + textItem + `}`
	addsCall  = `{"type":"response.output_item.added","sequence_number":8,"output_index":1,"item":{"id":"fc","type":"function_call","call_id":"c","name":"ls","arguments":""}}`
	argsOne   = `{"type":"response.function_call_arguments.delta","sequence_number":9,"item_id":"fc","output_index":1,"delta":"{\"a\":"}`
	argsTwo   = `{"type":"response.function_call_arguments.delta","sequence_number":10,"item_id":"fc","output_index":1,"delta":"1}"}`
	argsDone  = `{"type":"response.function_call_arguments.done","sequence_number":11,"item_id":"fc","output_index":1,"arguments":"{\"a\":1}"}`
	callDone  = `{"type":"response.output_item.done","sequence_number":12,"output_index":1,"item":` + callItem + `}`
	completed = `{"type":"response.completed","sequence_number":13,"response":` + wholeResponse + `}`

	textItem      = `{"id":"m","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"a😀"}]}`
	callItem      = `{"id":"fc","type":"function_call","call_id":"c","name":"ls","arguments":"{\"a\":1}","status":"completed"}`
	wholeResponse = `{"id":"r","object":"response","status":"completed","output":[` + textItem + `,` + callItem + `]}`
)

// regular is a stream with nothing odd in it.
var regular = []string{
	created, addsText, addsPart, textOne, textTwo, textDone, partDone, itemDone, addsCall, argsOne, argsTwo, argsDone, callDone, completed,
}

func TestFoldResponses(t *testing.T) {
	for name, end := range map[string]string{"": "", "with an end of its own": "data: [DONE]\n\n"} {
		got, err := foldFrames(append(frames(append(regular[:len(regular):len(regular)], `{"type":"keepalive"}`)...), end...), Events)
		expect.OK(t, err, "%s", name)
		want, err := Fold([]byte(wholeResponse), Whole)
		expect.OK(t, err)
		if diff := Difference(got.JSON, want.JSON); diff != "" || got.Format != &Responses || want.Format != &Responses {
			t.Errorf("%s: folded response (-got +want):\n%s", name, diff)
		}
	}
}

func TestFoldResponsesFailsWhereClientsStumble(t *testing.T) {
	all := string(frames(regular...))
	for name, change := range map[string][2]string{
		"output at the beginning":     {`"status":"in_progress","output":[]}}`, `"status":"in_progress","output":[` + callItem + `]}}`},
		"number goes back":            {`"sequence_number":8`, `"sequence_number":6`},
		"number is none":              {`"sequence_number":8`, `"sequence_number":"8"`},
		"gap":                         {`"sequence_number":8,"output_index":1`, `"sequence_number":8,"output_index":2`},
		"text of no item":             {`"sequence_number":3,"item_id":"m","output_index":0`, `"sequence_number":3,"item_id":"m","output_index":7`},
		"text of another item":        {`"sequence_number":3,"item_id":"m"`, `"sequence_number":3,"item_id":"fc"`},
		"text of no part":             {`"sequence_number":3,"item_id":"m","output_index":0,"content_index":0`, `"sequence_number":3,"item_id":"m","output_index":0,"content_index":1`},
		"part after a gap":            {`"sequence_number":2,"item_id":"m","output_index":0,"content_index":0`, `"sequence_number":2,"item_id":"m","output_index":0,"content_index":1`},
		"text is not its pieces":      {`"content_index":0,"text":"a😀"`, `"content_index":0,"text":"b"`},
		"part is not its pieces":      {`"part":{"type":"output_text","text":"a😀"}`, `"part":{"type":"output_text","text":"b"}`},
		"message is not its pieces":   {`"sequence_number":7,"output_index":0,"item":` + textItem, `"sequence_number":7,"output_index":0,"item":` + strings.Replace(textItem, "a😀", "b", 1)},
		"message has another part":    {`"sequence_number":7,"output_index":0,"item":` + textItem, `"sequence_number":7,"output_index":0,"item":` + strings.Replace(textItem, `[{`, `[{"type":"refusal"},{`, 1)},
		"arguments are not pieces":    {`"output_index":1,"arguments":"{\"a\":1}"`, `"output_index":1,"arguments":"{\"a\":2}"`},
		"pieces are not arguments":    {`"delta":"{\"a\":`, `"delta":"{\"b\":`},
		"call is not its pieces":      {`"sequence_number":12,"output_index":1,"item":` + callItem, `"sequence_number":12,"output_index":1,"item":` + strings.Replace(callItem, "1}", "2}", 1)},
		"call has another name":       {`"sequence_number":12,"output_index":1,"item":` + callItem, `"sequence_number":12,"output_index":1,"item":` + strings.Replace(callItem, "ls", "rm", 1)},
		"end lacks an item":           {`"output":[` + textItem + `,`, `"output":[`},
		"end has another item":        {`,` + callItem + `]`, `,` + strings.Replace(callItem, "ls", "rm", 1) + `]`},
		"end has no output":           {`"output":[` + textItem, `"outputs":[` + textItem},
		"item is not done":            {`response.output_item.done","sequence_number":12`, `response.odd","sequence_number":12`},
		"second created":              {`response.output_item.added","sequence_number":1`, `response.created","response":{"output":[]},"sequence_number":1`},
		"progress after output":       {`response.function_call_arguments.done"`, `response.in_progress","response":{"output":[]}`},
		"name is not type":            {"event: response.output_text.done", "event: response.output_text.delta"},
		"event after the end":         {`response.function_call_arguments.done"`, `response.completed","response":` + wholeResponse},
		"item added after it is done": {`response.output_item.added","sequence_number":8,"output_index":1`, `response.output_item.done","sequence_number":8,"output_index":0`},
	} {
		sse := strings.Replace(all, change[0], change[1], 1)
		if sse == all {
			t.Fatalf("%s: nothing was changed", name)
		}
		if got, err := foldFrames([]byte(sse), Events); err == nil {
			t.Errorf("%s: folded to %s", name, got.JSON)
		}
	}
	if _, err := foldFrames(append([]byte(all), "data: [DONE]\n\nevent: keepalive\ndata: {\"type\":\"keepalive\"}\n\n"...), Events); err == nil {
		t.Error("a frame after [DONE] was taken")
	}
	if _, err := foldFrames(append(frames(regular[:2]...), "data: [DONE]\n\n"...), Events); !errors.Is(err, ErrMarked) {
		t.Errorf("[DONE] before the end: %v", err)
	}
	if _, err := foldFrames(frames(regular[1:]...), Events); !errors.Is(err, ErrUncreated) {
		t.Errorf("without response.created: %v", err)
	}
	if _, err := foldFrames(frames(regular[:len(regular)-1]...), Events); !errors.Is(err, ErrUnfinished) {
		t.Errorf("without the last event: %v", err)
	}
	if _, err := foldFrames(frames(created, `{"type":"error","code":"server_error","message":"m","param":null}`), Events); !errors.Is(err, ErrFailed) {
		t.Errorf("with an error: %v", err)
	}
}

func TestAcceptableResponse(t *testing.T) {
	for item, fine := range map[string]bool{
		textItem: true,
		callItem: true,
		`{"type":"reasoning","id":"rs","summary":[]}`:                              true,
		`{"type":"message","role":"assistant","status":"incomplete","content":[]}`: true,
		`{"id":"x"}`: false,
		`{"type":"message","role":"assistant","content":[]}`:                                                false,
		`{"type":"message","content":[{"type":"output_text","text":"x"}]}`:                                  false,
		`{"type":"function_call","name":"f","arguments":"{}"}`:                                              false,
		`{"type":"function_call","call_id":"c","arguments":"{}"}`:                                           false,
		`{"type":"function_call","call_id":"c","name":"f","arguments":"{"}`:                                 false,
		`{"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":1,\"a\":2}"}`:                 false,
		`{"type":"function_call","call_id":"c","name":"f","arguments":"{}","status":"incomplete"}`:          false,
		`{"type":"function_call","call_id":"c","name":"f","arguments":"{}","id":"x"},{"type":"y","id":"x"}`: false,
	} {
		if err := caught(func() { acceptableResponse([]byte(`{"status":"completed","output":[` + item + `]}`)) }); (err == nil) != fine {
			t.Errorf("%s: %v", item, err)
		}
	}
}
