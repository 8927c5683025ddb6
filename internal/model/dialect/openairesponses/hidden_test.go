package openairesponses_test

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/weirtest/fold"
)

const secret = "only-in-the-arguments"

// Nothing of a call passes in a place where no client of this format looks for one: clients of others might.
func TestNothingPassesBesideTheCalls(t *testing.T) {
	fc := strings.Replace(rmItem, `1}`, `\"`+secret+`\"}`, 1)
	calls := `[{"index":0,"id":"a","type":"function","function":{"name":"rm","arguments":"` + secret + `"}}]`
	single := `{"name":"rm","args":{"a":"` + secret + `"}}`
	block := `{"type":"tool_use","id":"t","name":"rm","input":{"a":"` + secret + `"}}`
	for _, hidden := range []string{
		`"item":` + fc, `"items":[` + fc + `]`, `"tool_calls":` + calls, `"functionCall":` + single, `"toolUse":` + single,
		`"function_call":` + single, `"content_block":` + block, `"delta_2":{"type":"input_json_delta","partial_json":"` + secret + `"}`,
		`"message":{"tool_calls":` + calls + `}`, `"choices":[{"delta":{"tool_calls":` + calls + `}}]`,
		`"candidates":[{"content":{"parts":[{"functionCall":` + single + `}]}}]`, `"extra":{"deep":[{"er":` + fc + `}]}`,
	} {
		text := hi(0)[2]
		for name, frames := range map[string][]string{
			"beside text":              flat(created, hi(0)[:2], strings.Replace(text, `"delta"`, hidden+`,"delta"`, 1), hi(0)[3:], ended(hiItem)),
			"beside an item":           flat(created, strings.Replace(hi(0)[0], `"output_index"`, strings.Replace(hidden, `"item"`, `"item_2"`, 1)+`,"output_index"`, 1), ended(hiItem)),
			"in a message":             flat(created, added(0, strings.Replace(hiBegun, `"role"`, hidden+`,"role"`, 1)), ended(hiItem)),
			"in a call":                flat(created, added(0, strings.Replace(rmBegun, `"name"`, hidden+`,"name"`, 1)), done(0, rmItem), ended(rmItem)),
			"in a call that was done":  flat(created, added(0, rmBegun), done(0, strings.Replace(rmItem, `"name"`, hidden+`,"name"`, 1)), ended(rmItem)),
			"in a search":              flat(created, added(0, strings.Replace(searchItem, `"status"`, hidden+`,"status"`, 1)), ended(searchItem)),
			"in the response's items":  flat(created, ended(strings.Replace(hiItem, `"role"`, hidden+`,"role"`, 1))),
			"beside the first output":  flat(strings.Replace(created, `"store"`, hidden+`,"store"`, 1), ended()),
			"beside the last output":   flat(created, strings.Replace(ended(), `"store"`, hidden+`,"store"`, 1)),
			"beside the response":      flat(created, strings.Replace(ended(), `"response":`, hidden+`,"response":`, 1)),
			"in an unknown event":      flat(created, event("response.weather", hidden), ended()),
			"in an event of no type":   flat(created, "{"+hidden+"}", ended()),
			"in a keepalive":           flat(created, event("keepalive", hidden), ended()),
			"in an error":              flat(created, event("error", `"code":"x"`, hidden)),
			"in an error's error":      flat(created, `{"type":"error","error":{"message":"x",`+hidden+`}}`),
			"in a progress":            flat(created, added(0, searchItem), event("response.web_search_call.searching", `"output_index":0`, hidden), done(0, searchItem), ended(searchItem)),
			"in a piece":               flat(created, added(0, rmBegun), strings.Replace(argsDelta(0, "fc_1", `{\"p\":1}`), `"delta"`, hidden+`,"delta"`, 1), done(0, rmItem), ended(rmItem)),
			"in a content part":        flat(created, hi(0)[0], strings.Replace(hi(0)[1], `"annotations"`, hidden+`,"annotations"`, 1), ended(hiItem)),
			"as an annotation":         flat(created, hi(0)[:2], event("response.output_text.annotation.added", `"output_index":0,"content_index":0,"annotation":{`+hidden+`}`), ended(hiItem)),
			"in a result":              flat(created, added(0, strings.Replace(answerItem, `"output"`, hidden+`,"output"`, 1)), ended()),
			"in a text of reasoning":   flat(created, added(0, `{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"x",`+hidden+`}]}`), ended()),
			"after the end":            flat(created, ended(), event("response.weather", hidden)),
			"in a part that is a call": flat(created, hi(0)[0], event("response.content_part.added", `"output_index":0,"content_index":0,"part":{"type":"x",`+hidden+`}`), ended(hiItem)),
		} {
			if out := string(pass(stream(frames...), false, dialecttest.AllowAll()).Out); strings.Contains(out, secret) {
				t.Errorf("%s: %s\n%s", name, hidden, out)
			}
		}
		for name, body := range map[string]string{
			"in a response": strings.Replace(response("completed", hiItem), `"store"`, hidden+`,"store"`, 1),
			"in a list":     strings.Replace(list(hiItem), `"first_id"`, hidden+`,"first_id"`, 1),
			"in an item":    strings.Replace(rmItem, `"name"`, hidden+`,"name"`, 1),
			"in a message":  strings.Replace(hiItem, `"role"`, hidden+`,"role"`, 1),
			"in an error":   `{"error":{"message":"x",` + hidden + `}}`,
		} {
			if out := string(pass([]byte(body), true, dialecttest.AllowAll()).Out); strings.Contains(out, secret) {
				t.Errorf("body, %s: %s\n%s", name, hidden, out)
			}
		}
	}
}

// Nothing of what a refused provider-run call gave passes: neither its progress nor its results.
func TestResultsOfRefusedCalls(t *testing.T) {
	container := `{"id":"sh_1","type":"shell_call","call_id":"call_4","status":"completed","environment":{"type":"container_reference"},"action":{"commands":["ls"]}}`
	output := `{"id":"sho_1","type":"shell_call_output","call_id":"call_4","output":[{"stdout":"` + secret + `"}]}`
	begun := `{"id":"sho_1","type":"shell_call_output","call_id":"call_4","output":[]}`
	image := `{"id":"ig_1","type":"image_generation_call","status":"completed","result":"` + secret + `"}`
	mcp := `{"id":"mcp_1","type":"mcp_call","status":"completed","server_label":"t","name":"x","arguments":"{}","output":"` + secret + `"}`
	const atOnce = "shell at once"
	for name, frames := range map[string][]string{
		"shell": flat(created, added(0, container), done(0, container), added(1, output), done(1, output), ended(container, output)),
		"shell, its output in pieces": flat(created, added(0, container), done(0, container), added(1, begun),
			event("response.shell_call_output_content.delta", `"output_index":1,"item_id":"sho_1","command_index":0,"delta":{"stdout":"`+secret+`"}`),
			event("response.shell_call_output_content.done", `"output_index":1,"item_id":"sho_1","command_index":0,"output":[{"stdout":"`+secret+`"}]`),
			done(1, output), ended(container, output)),
		atOnce:  flat(created, ended(container, output)),
		"image": flat(created, added(0, image), event("response.image_generation_call.partial_image", `"output_index":0,"item_id":"ig_1","partial_image_b64":"`+secret+`"`), done(0, image), ended(image)),
		"mcp":   flat(created, added(0, mcp), event("response.mcp_call_arguments.delta", `"output_index":0,"item_id":"mcp_1","delta":"`+secret+`"`), done(0, mcp), ended(mcp)),
	} {
		for _, drop := range []bool{false, true} {
			r := pass(stream(frames...), false, refuse(drop, "*"))
			if out := string(r.Out); strings.Contains(out, secret) {
				t.Errorf("%s: %s", name, out)
			}
			odd := ""
			if name == atOnce {
				odd = unlike
			}
			dialecttest.CheckForm(t, &fold.Responses, r.Out, frame.Events, odd)
		}
		if out := string(pass(stream(frames...), false, dialecttest.AllowAll()).Out); out != string(stream(frames...)) {
			t.Errorf("%s, allowed: %s", name, out)
		}
	}
}
