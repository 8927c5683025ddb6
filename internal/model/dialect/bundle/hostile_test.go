package bundle_test

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// refusedFrames cannot be read in one way only, or have a call where none belongs: the bundle ends ahead of them.
var refusedFrames = map[string]string{
	"not JSON":           `{"custom_id"`,
	"two rows in a line": result("1", message("a", "rm")) + result("2", message("b", "ls")),
	"[DONE]":             `[DONE]`,

	"result twice":              `{"custom_id":"1","result":{"type":"expired"},"result":{"type":"succeeded","message":` + message("a", "rm") + `}}`,
	"result in another case":    `{"custom_id":"1","Result":{"type":"succeeded","message":` + message("a", "rm") + `}}`,
	"message twice":             `{"custom_id":"1","result":{"type":"succeeded","message":{"type":"message","content":[]},"message":` + message("a", "rm") + `}}`,
	"message in another case":   `{"custom_id":"1","result":{"type":"succeeded","Message":` + message("a", "rm") + `}}`,
	"message escaped and twice": `{"custom_id":"1","result":{"type":"succeeded","message":{"type":"message","content":[]},"m\u0065ssage":` + message("a", "rm") + `}}`,
	"type twice":                `{"custom_id":"1","result":{"type":"expired","type":"succeeded","message":` + message("a", "rm") + `}}`,
	"no success with a message": `{"custom_id":"1","result":{"type":"errored","message":` + message("a", "rm") + `}}`,
	"no success with a call":    `{"custom_id":"1","result":{"type":"canceled","partial":[{"type":"tool_use","name":"rm"}]}}`,
	"message of another API":    result("1", completion("a", "rm")),
	"message without a type":    result("1", `{"role":"assistant","content":[{"type":"new_thing","name":"rm"}]}`),
	"message is a stream event": result("1", `{"type":"message_start","message":`+message("a", "rm")+`}`),

	"body twice":               `{"custom_id":"1","response":{"body":{"object":"list","data":[]},"body":` + completion("a", "rm") + `}}`,
	"body in another case":     `{"custom_id":"1","response":{"Body":` + completion("a", "rm") + `}}`,
	"response twice":           `{"custom_id":"1","response":null,"response":{"body":` + completion("a", "rm") + `}}`,
	"response in another case": `{"custom_id":"1","response":null,"RESPONSE":{"body":` + completion("a", "rm") + `}}`,
	"body in a string":         `{"custom_id":"1","response":{"body":` + quote(completion("a", "rm")) + `}}`,
	"body with pieces":         output("1", `{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"rm","arguments":"{}"}}]}}]}`),
	"body of no format":        output("1", `{"text":"x","tool_calls":[{"name":"rm"}]}`),
	"body is an array":         output("1", `[`+completion("a", "rm")+`]`),
	"tool_calls twice":         output("1", completionOf("a", `{"tool_calls":[],"tool_calls":[`+toolCall("a", "rm")+`]}`, "tool_calls")),

	"call beside the response":   `{"custom_id":"1","response":{"body":` + said("a") + `},"tool_calls":[` + toolCall("a", "rm") + `]}`,
	"call beside the body":       `{"custom_id":"1","response":{"tool_calls":[` + toolCall("a", "rm") + `],"body":` + said("a") + `}}`,
	"call beside the message":    `{"custom_id":"1","result":{"type":"succeeded","message":` + message("a", "ls") + `,"content":[{"type":"tool_use","name":"rm"}]}}`,
	"call in the error":          `{"custom_id":"1","response":null,"error":{"message":"x","function_call":{"name":"rm","arguments":"{}"}}}`,
	"turn beside the response":   `{"key":"1","response":` + content("a", "ls") + `,"candidates":[{"content":{"parts":[{"shellThing":{"command":"rm"}}]}}]}`,
	"turn beside the body":       `{"custom_id":"1","response":{"body":` + said("a") + `,"candidates":[{"content":{"parts":[{"shellThing":{"command":"rm"}}]}}]}}`,
	"message beside the result":  `{"type":"message","content":[{"type":"new_thing","name":"rm"}],"custom_id":"1","result":{"type":"succeeded","message":` + message("a", "ls") + `}}`,
	"request is the only place":  `{"request":` + echo + `}`,
	"echo elsewhere":             `{"key":"1","input":` + echo + `,"response":` + content("a", "ls") + `}`,
	"echo below another":         `{"key":"1","metadata":{"request":` + echo + `},"response":` + content("a", "ls") + `}`,
	"request in both cases":      `{"request":{},"Request":` + echo + `,"response":` + content("a", "ls") + `}`,
	"bundle in a body":           output("1", listOf(completion("a", "rm"))),
	"bundle in a result":         result("1", output("1", completion("a", "rm"))),
	"bundle in a response":       keyed("1", output("1", completion("a", "rm"))),
	"responses in an array":      `[` + completion("a", "rm") + `]`,
	"inlined in another case":    `{"response":{"InlinedResponses":{"inlinedResponses":[{"response":` + content("a", "rm") + `}]}}}`,
	"inlined twice":              `{"response":{"inlinedResponses":[],"inlinedResponses":[{"response":` + content("a", "rm") + `}]}}`,
	"inlined below another name": `{"response":{"inlinedResponses":{"inlinedResponses":[{"response":` + content("b", "ls") + `}]},"other":{"inlinedResponses":[{"response":` + content("a", "rm") + `}]}}}`,
	"inlined without a wrapper":  `{"response":{"inlinedResponses":[` + content("a", "rm") + `]}}`,
	"inlined response twice":     `{"response":{"inlinedResponses":[{"response":{},"response":` + content("a", "rm") + `}]}}`,
	"turn beside the inlined":    `{"response":{"inlinedResponses":[{"response":` + content("b", "ls") + `}],"candidates":[{"content":{"parts":[{"shellThing":{"command":"rm"}}]}}]}}`,
	"outputs twice":              strings.Replace(jobOf(output("1", completion("a", "rm"))), `"errors":[]`, `"outputs":[]`, 1),
	"call beside the outputs":    strings.Replace(jobOf(output("1", said("a"))), `"errors":[]`, `"errors":[{"function_call":{"name":"rm"}}]`, 1),
	"outputs of another kind":    jobOf(output("1", said("a")), completion("a", "rm")),
	"results twice":              strings.Replace(pageOf(completion("a", "rm")), `"pagination_token":"t"`, `"results":[]`, 1),
	"batch_result in two cases":  strings.Replace(pageOf(completion("a", "rm")), `"batch_result"`, `"Batch_Result":{},"batch_result"`, 1),
	"call beside a result":       strings.Replace(pageOf(said("a")), `"batch_result"`, `"function_call":{"name":"rm"},"batch_result"`, 1),
	"data twice":                 `{"object":"list","data":[` + said("a") + `],"data":[` + completion("a", "rm") + `]}`,
	"data in another case":       `{"object":"list","Data":[` + completion("a", "rm") + `]}`,
	"list in another case":       `{"Object":"list","data":[` + completion("a", "rm") + `]}`,
	"object of a completion":     listOf(strings.Replace(completion("a", "rm"), `"object"`, `"Object"`, 1)),
	"role twice":                 listOf(`{"role":"user","role":"assistant","tool_calls":[` + toolCall("a", "rm") + `]}`),
	"message calls twice":        listOf(`{"role":"assistant","tool_calls":[],"tool_calls":[` + toolCall("a", "rm") + `]}`),
	"message with a turn in it":  listOf(`{"role":"assistant","content":"x","choices":[{"message":` + storedMessage("a", "rm") + `}]}`),
	"items among messages":       listOf(storedMessage("a", "ls"), `{"type":"new_call","name":"rm"}`),
	"items with a role":          listOf(storedMessage("a", "ls"), `{"type":"new_call","role":"assistant","name":"rm"}`),
	"call beside the list":       strings.Replace(listOf(said("a")), `"first_id"`, `"function_call":{"name":"rm"},"first_id"`, 1),
}

// Whatever can be read ahead of such a frame goes out, and the bundle ends with a failure that says so.
func TestRefusedFrames(t *testing.T) {
	ahead := lines(result("0", message("0", "ls")))
	for name, row := range refusedFrames {
		t.Run(name, func(t *testing.T) {
			r := pass(ahead+lines(row), false, dialecttest.AllowAll())
			out, ok := strings.CutPrefix(string(r.Out), ahead)
			if o := r.Outcome(); !ok || o.Code != call.CodeMalformed || o.Released != 1 || r.Err != nil {
				t.Fatalf("%v, %+v:\n%s", r.Err, o, r.Out)
			}
			if strings.Contains(out, `"rm"`) || strings.Count(out, "[weir]") == 0 || strings.Count(out, "\n") != 1 {
				t.Errorf("what follows:\n%s", out)
			}
			if whole := pass(row, true, dialecttest.AllowAll()); whole.Outcome().Code != call.CodeMalformed || strings.Contains(string(whole.Out), `"rm"`) {
				t.Errorf("as a body: %+v\n%s", whole.Outcome(), whole.Out)
			}
		})
	}
}

// The failure at the end is one in the words of the API.
func TestStop(t *testing.T) {
	text := `[weir] The rest of this response was refused (malformed): a frame is not strict JSON. Nothing after this point was delivered; tell the user.`
	failed := `{"code":400,"message":` + quote(text) + `,"status":"INVALID_ARGUMENT"}`
	for row, want := range map[string]string{
		result("1", message("a", "ls")):    `{"custom_id":"weir","result":{"type":"errored","error":{"type":"error","error":{"type":"invalid_request_error","message":` + quote(text) + `},"request_id":null}}}`,
		output("1", completion("a", "ls")): `{"id":"batch_req_weir","custom_id":"weir","response":null,"error":{"code":"firewall_blocked","message":` + quote(text) + `}}`,
		keyed("1", content("a", "ls")):     `{"key":"weir","status":` + quote(text) + `,"error":` + failed + `}`,
		vertex(content("a", "ls")):         `{"key":"weir","status":` + quote(text) + `,"error":` + failed + `}`,
		operationOf():                      `{"done":true,"error":` + failed + `}`,
		`{"some":"line"}`:                  `{"id":"batch_req_weir","custom_id":"weir","response":null,"error":{"code":"firewall_blocked","message":` + quote(text) + `}}`,
		listOf(said("a")):                  `{"error":{"message":` + quote(text) + `,"type":"invalid_request_error","param":null,"code":"firewall_blocked"}}`,
	} {
		row = strings.ReplaceAll(row, "\n", "")
		r := pass(lines(row, `{`, row), false, dialecttest.AllowAll())
		dialecttest.CheckOut(t, lines(row, want), r)
	}
}

// Before anything was read, the path tells whose words to use. There is one end only.
func TestStopAtOnce(t *testing.T) {
	for path, want := range map[string]string{
		"/v1/messages/batches/b/results": `{"custom_id":"weir","result":{"type":"errored","error":{"type":"error","error":{"type":"invalid_request_error","message":"no"},"request_id":null}}}`,
		"/v1/files/f/content":            `{"id":"batch_req_weir","custom_id":"weir","response":null,"error":{"code":"firewall_blocked","message":"no"}}`,
	} {
		d := format().New(dialect.Options{Path: path})
		if got := d.Stop("no"); len(got) != 1 || string(got[0].Data) != want {
			t.Errorf("%s: %+v", path, got)
		}
		if again := d.Stop("no"); len(again) > 0 {
			t.Errorf("%s: ends again with %s", path, again[0].Data)
		}
	}
	d, body := format().New(options(true)), frameOf(listOf(said("a")))
	r, err := d.Scan(body)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Rewrite(body, r); err != nil || len(d.Stop("no")) > 0 {
		t.Errorf("after a body there is more: %v", err)
	}
}

func TestBodyThatCannotBeRead(t *testing.T) {
	r := pass(`{"object":"list","data":[{"role":"user","content":"x"},{}]}`, true, dialecttest.AllowAll())
	want := `{"error":{"message":"[weir] The rest of this response was refused (malformed): a list of responses or messages has something else in it. ` +
		`Nothing after this point was delivered; tell the user.","type":"invalid_request_error","param":null,"code":"firewall_blocked"}}`
	dialecttest.CheckOut(t, want, r)
}

// Others own these, or nobody does.
func TestNotRecognised(t *testing.T) {
	for name, body := range map[string]string{
		"not JSON":               `{"custom_id"`,
		"array":                  `[` + output("1", completion("a", "rm")) + `]`,
		"message":                message("a", "rm"),
		"message with such args": strings.Replace(message("a", "rm"), `"p":"secret"`, `"inlinedResponses":[1],"custom_id":"x","result":{}`, 1),
		"completion":             completion("a", "rm"),
		"response":               stored("a", "rm"),
		"content":                content("a", "rm"),
		"content in a wrapper":   `{"response":` + content("a", "rm") + `,"traceId":"t"}`,
		"items":                  listOf(`{"id":"m","type":"message","role":"assistant","content":[]}`, `{"type":"function_call","name":"rm","arguments":"{}"}`),
		"models":                 listOf(`{"id":"m","object":"model","owned_by":"o"}`),
		"files":                  listOf(`{"id":"f","object":"file","bytes":1,"purpose":"batch"}`),
		"embeddings":             listOf(`{"object":"embedding","embedding":[0.5]}`),
		"jobs":                   listOf(`{"object":"fine_tuning.job","id":"j"}`),
		"messages of a thread":   listOf(`{"object":"thread.message","role":"assistant","content":[]}`),
		"empty list":             listOf(),
		"line of ollama":         `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[]},"done":true}`,
		"text of ollama":         `{"model":"m","response":"x","done":true}`,
		"operation under way":    `{"name":"batches/b","metadata":{"state":"BATCH_STATE_RUNNING"}}`,
		"operation of a kind":    `{"name":"o","metadata":{},"done":true,"response":{"generateVideoResponse":{}}}`,
		"operation with nothing": `{"name":"o","metadata":{},"done":true,"response":{"inlinedResponses":{}}}`,
		"batch":                  `{"id":"b","object":"batch","output_file_id":"f"}`,
		"request of a batch":     `{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":{"messages":[]}}`,
		"job":                    `{"id":"j","object":"batch","outputs":null,"errors":[]}`,
		"turn of an agent":       `{"object":"conversation.response","outputs":[{"type":"function.call","name":"rm","arguments":"{}"}]}`,
		"results of a search":    `{"results":[{"title":"x"}]}`,
		"error":                  `{"error":{"message":"no"}}`,
		"JSON-RPC":               `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`,
	} {
		if format().Recognises(frameOf(body)) {
			t.Errorf("%s is taken for a bundle", name)
		}
	}
	named := frameOf(output("1", completion("a", "rm")))
	named.Type = []byte("message")
	if format().Recognises(named) {
		t.Error("an event with a name is taken for a bundle")
	}
	if _, err := format().New(options(false)).Scan(named); err == nil {
		t.Error("an event with a name is read")
	}
}

// What is ambiguous is taken all the same, so that it is refused for what it is.
func TestRecognisesAmbiguous(t *testing.T) {
	for _, name := range []string{
		"result twice", "result in another case", "message twice", "body twice", "body in another case", "response twice",
		"inlined in another case", "inlined twice", "outputs twice", "results twice", "data twice", "data in another case", "list in another case", "object of a completion",
	} {
		if !format().Recognises(frameOf(refusedFrames[name])) {
			t.Errorf("%s: not recognised", name)
		}
	}
}
