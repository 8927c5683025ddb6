package openairesponses_test

import (
	"fmt"
	"strings"
)

// script makes up an item of any kind.
func (g generator) script(i int) script {
	switch g.IntN(12) {
	case 0, 1:
		return g.message(i)
	case 2:
		return g.reasoning(i)
	case 3, 4, 5:
		return g.function(i)
	case 6:
		return g.custom(i)
	case 7, 8:
		return g.builtIn(i)
	case 9:
		return g.hosted(i)
	case 10:
		return g.mcp(i)
	}
	return g.future(i)
}

func noEvents(int) []string { return nil }

func (g generator) message(i int) script {
	id, text := fmt.Sprint("msg_", i), g.Words()
	pieces := g.Split(text)
	whole := `"` + joined(pieces) + `"`
	part := func(text string) string {
		return `{"type":"output_text","annotations":[],"logprobs":[],"text":` + text + `}`
	}
	head := `{"id":"` + id + `","type":"message","role":"assistant","status":"`
	return script{
		begun: head + `in_progress","content":[]}`, item: head + `completed","content":[` + part(whole) + `]}`,
		events: func(index int) []string {
			at := fmt.Sprintf(`"item_id":"%s","output_index":%d,"content_index":0`, id, index)
			events := []string{event("response.content_part.added", at, `"part":`+part(`""`))}
			for _, p := range pieces {
				events = append(events, event("response.output_text.delta", at, `"delta":`+p, `"obfuscation":"aB3"`))
			}
			return append(events, event("response.output_text.done", at, `"text":`+whole), event("response.content_part.done", at, `"part":`+part(whole)))
		},
	}
}

// joined is the text of several JSON strings, escaped as they are.
func joined(pieces []string) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p[1 : len(p)-1])
	}
	return b.String()
}

func (g generator) reasoning(i int) script {
	id := fmt.Sprint("rs_", i)
	item := func(summary string) string {
		return `{"id":"` + id + `","type":"reasoning","summary":[` + summary + `],"encrypted_content":"gAAA"}`
	}
	part := `{"type":"summary_text","text":"so"}`
	return script{begun: item(""), item: item(part), events: func(index int) []string {
		at := fmt.Sprintf(`"item_id":"%s","output_index":%d,"summary_index":0`, id, index)
		return []string{
			event("response.reasoning_summary_part.added", at, `"part":{"type":"summary_text","text":""}`),
			event("response.reasoning_summary_text.delta", at, `"delta":"so"`),
			event("response.reasoning_summary_text.done", at, `"text":"so"`),
			event("response.reasoning_summary_part.done", at, `"part":`+part),
		}
	}}
}

// inPieces is a call whose arguments are a text.
func (g generator) inPieces(i int, kind, head, text string) script {
	id := fmt.Sprint("it_", i)
	typ, member, _ := strings.Cut(kind, " ")
	pieces := g.Split(text)
	if g.IntN(4) == 0 {
		pieces = nil // only the whole comes
	}
	whole := quote(text)
	if len(pieces) > 0 {
		whole = `"` + joined(pieces) + `"`
	}
	item := func(status, text string) string {
		return `{"id":"` + id + `","type":"` + typ + `","status":"` + status + `",` + head + `,"` + member + `":` + text + `}`
	}
	events := "response." + typ + "_" + member
	said := g.IntN(4) > 0
	return script{begun: item("in_progress", `""`), item: item("completed", whole), events: func(index int) []string {
		at := fmt.Sprintf(`"item_id":"%s","output_index":%d`, id, index)
		var list []string
		for _, p := range pieces {
			list = append(list, event(events+".delta", at, `"delta":`+p))
		}
		if said {
			list = append(list, event(events+".done", at, `"`+member+`":`+whole))
		}
		return list
	}}
}

func (g generator) function(i int) script {
	head := fmt.Sprintf(`"call_id":"call_%d","name":"%s"`, i, g.Tool()) + g.Pick("", "", `,"namespace":"notes"`, `,"namespace":"mcp__notes"`)
	text := g.Object(3)
	if g.IntN(8) == 0 {
		text = ""
	}
	return g.inPieces(i, "function_call arguments", head, text)
}

func (g generator) custom(i int) script {
	head := fmt.Sprintf(`"call_id":"call_%d","name":"%s"`, i, g.Tool())
	return g.inPieces(i, "custom_tool_call input", head, g.Secret()+g.Words())
}

func (g generator) mcp(i int) script {
	if g.IntN(2) == 0 {
		item := fmt.Sprintf(`{"id":"mcpr_%d","type":"mcp_approval_request","server_label":"tracker","name":"%s","arguments":%s}`, i, g.Tool(), quote(g.Object(2)))
		return script{begun: item, item: item, events: noEvents}
	}
	return g.inPieces(i, "mcp_call arguments", fmt.Sprintf(`"server_label":"tracker","name":"%s","output":null`, g.Tool()), g.Object(2))
}

// builtIn is a call of a tool that clients have built in: all of it is in the item.
func (g generator) builtIn(i int) script {
	typ, begun, whole := "", "", ""
	secret := quote(g.Secret())
	switch g.IntN(5) {
	case 0:
		typ, begun = "shell_call", `"environment":{"type":"local"},"action":{"commands":[],"timeout_ms":null}`
		whole = `"environment":{"type":"local"},"action":{"commands":["ls",` + secret + `],"timeout_ms":5000}`
	case 1:
		typ, whole = "local_shell_call", `"action":{"type":"exec","command":["sh",`+secret+`],"env":{}}`
		begun = whole
	case 2:
		typ, begun = "apply_patch_call", `"operation":{"type":"update_file","path":"a.go","diff":""}`
		whole = `"operation":{"type":"update_file","path":"a.go","diff":` + secret + `}`
	case 3:
		typ, whole = "computer_call", `"pending_safety_checks":[],"action":{"type":"type","text":`+secret+`}`
		begun = whole
	case 4:
		typ, whole = "tool_search_call", `"execution":"client","arguments":{"query":`+secret+`}`
		begun = whole
	}
	head := fmt.Sprintf(`{"id":"it_%d","type":"%s","call_id":"call_%d","status":"`, i, typ, i)
	return script{begun: head + `in_progress",` + begun + `}`, item: head + `completed",` + whole + `}`, events: noEvents}
}

// hosted is a call that the provider runs.
func (g generator) hosted(i int) script {
	id := fmt.Sprint("it_", i)
	head := func(typ, status string) string {
		return `{"id":"` + id + `","type":"` + typ + `","status":"` + status + `"`
	}
	steps := func(typ string, names ...string) func(int) []string {
		return func(index int) []string {
			var list []string
			for _, name := range names {
				list = append(list, event("response."+typ+"."+name, fmt.Sprintf(`"output_index":%d,"item_id":"%s"`, index, id)))
			}
			return list
		}
	}
	switch g.IntN(3) {
	case 0:
		action := `,"action":{"type":"search","query":` + quote(g.Secret()) + `}}`
		return script{
			begun: head("web_search_call", "in_progress") + action, item: head("web_search_call", "completed") + action,
			events: steps("web_search_call", "in_progress", "searching", "completed"),
		}
	case 1:
		return script{
			begun:  head("image_generation_call", "in_progress") + `,"result":null}`,
			item:   head("image_generation_call", "completed") + `,"result":"AAAA"}`,
			events: steps("image_generation_call", "in_progress", "generating", "completed"),
		}
	}
	code := quote(g.Secret())
	return script{
		begun: head("code_interpreter_call", "in_progress") + `,"container_id":"c","code":"","outputs":null}`,
		item:  head("code_interpreter_call", "completed") + `,"container_id":"c","code":` + code + `,"outputs":null}`,
		events: func(index int) []string {
			at := fmt.Sprintf(`"output_index":%d,"item_id":"%s"`, index, id)
			return []string{
				event("response.code_interpreter_call_code.delta", at, `"delta":`+code),
				event("response.code_interpreter_call_code.done", at, `"code":`+code),
			}
		},
	}
}

// future is an item of a type that nobody knows yet.
func (g generator) future(i int) script {
	head := fmt.Sprintf(`{"id":"it_%d","type":"%s"`, i, g.Pick("future_call", "video"))
	if g.IntN(2) == 0 {
		head += fmt.Sprintf(`,"call_id":"call_%d"`, i)
	}
	return script{begun: head + `}`, item: head + `,"body":` + g.Value(2) + `}`, events: noEvents}
}
