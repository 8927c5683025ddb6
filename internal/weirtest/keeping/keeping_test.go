package keeping

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/expect"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// An asker is a client of a provider.
type asker struct {
	t   *testing.T
	url string
}

func start(t *testing.T, turns ...Turn) asker {
	t.Helper()
	p := New(Config{Turns: turns, Usage: Usage{Input: 1, Output: 2}})
	u, err := scripted.New(scripted.Config{Answer: p.Answer})
	expect.OK(t, err)
	t.Cleanup(func() { u.Close() })
	return asker{t, u.URL() + "/v1/"}
}

// do sends a request and returns the status and the body.
func (a asker) do(method, path, body string) (int, string) {
	a.t.Helper()
	r, err := http.NewRequestWithContext(a.t.Context(), method, a.url+path, strings.NewReader(body))
	expect.OK(a.t, err)
	answer, err := http.DefaultClient.Do(r)
	expect.OK(a.t, err)
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	expect.OK(a.t, err)
	return answer.StatusCode, string(data)
}

// shown is what is compared of a body.
type shown struct {
	ID     string           `json:"id"`
	Status string           `json:"status"`
	Output []jsontext.Value `json:"output"`
	Data   []struct {
		ID   string `json:"id"`
		Type string `json:"type"`
	} `json:"data"`
	Error struct {
		Message string `json:"message"`
		Code    string `json:"code"`
	} `json:"error"`
}

// must sends a request that is taken and reads its answer.
func (a asker) must(method, path, body string) shown {
	a.t.Helper()
	status, text := a.do(method, path, body)
	if status != http.StatusOK {
		a.t.Fatalf("%s %s: %d %s", method, path, status, text)
	}
	return a.read(text)
}

func (a asker) read(text string) shown {
	a.t.Helper()
	var s shown
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		a.t.Fatalf("%v: %s", err, text)
	}
	return s
}

var (
	thought = Reasoning("rs_1", "Look first.")
	lookup  = Function(Call{ID: "fc_1", CallID: "call_1", Name: "read_file"}, `{"path":`, `"/a"}`)
	script  = Custom(Call{ID: "ctc_1", CallID: "call_2", Name: "run"}, "go", " on")
	done    = Message("msg_9", "All ", "done.")
	last    = Turn{Output: []Item{done}}
)

func ask(more, input string) string {
	return `{"model":"m",` + more + `"input":` + input + `}`
}

const (
	user    = `{"role":"user","content":"Go on."}`
	answer1 = `{"type":"function_call_output","call_id":"call_1","output":"done"}`
	answer2 = `{"type":"custom_tool_call_output","call_id":"call_2","output":"done"}`
)

// What is kept demands an output for every call, whichever way the next request goes on from it.
func TestNextRequest(t *testing.T) {
	said := Turn{Output: []Item{thought, lookup, script}}
	call1 := `{"type":"function_call","call_id":"call_1","name":"read_file","arguments":"{ \"path\": \"/a\" }"}`
	whole := func(it Item) string { return it.whole() }
	ref := func(id string) string { return `{"type":"item_reference","id":"` + id + `"}` }
	all := whole(thought) + "," + whole(lookup) + "," + whole(script) + ","
	for _, tt := range []struct {
		name, chain, input string
		objects            string // "": none
	}{
		{"all answered", "previous", answer1 + "," + answer2, ""},
		{"answered and more", "conversation", answer2 + "," + answer1 + "," + user, ""},
		{"one missing", "previous", answer1, "No tool output found for custom tool call call_2."},
		{"all missing", "previous", user, "No tool output found for function call call_1."},
		{"missing in a conversation", "conversation", answer2, "No tool output found for function call call_1."},
		{"answered twice", "previous", answer1 + "," + answer2 + "," + answer1, "input[2]: Duplicate tool output found for call_id call_1."},
		{"unknown call", "previous", `{"type":"function_call_output","call_id":"call_7","output":"done"}`, "input[0]: No tool call found for function call output with call_id call_7."},
		{"output of another type", "previous", strings.ReplaceAll(answer1, "function_call", "custom_tool_call"), "input[0]: No tool call found for custom tool call output with call_id call_1."},
		{"output that is a number", "previous", strings.ReplaceAll(answer1, `"done"`, "1"), "input[0]: Invalid output of a function call output: "},
		{"sent again", "previous", whole(lookup), "input[0]: Duplicate item found with id fc_1. "},
		{"sent again without id", "previous", call1, "input[0]: The function call call_1 is there twice."},
		{"own history", "none", user + "," + all + answer1 + "," + answer2, ""},
		{"own history by reference", "none", user + "," + ref("rs_1") + "," + call1 + "," + answer1, ""},
		{"own history without ids", "none", call1 + "," + answer1 + `,{"role":"assistant","content":"I see."},` + user, ""},
		{"own history, missing", "none", all + answer1, "No tool output found for custom tool call call_2."},
		{"own history, changed", "none", strings.Replace(whole(lookup), "/a", "/b", 1) + "," + answer1, "input[0]: The item 'fc_1' is not what the model said."},
		{"own history, changed without id", "none", strings.Replace(call1, "/a", "/b", 1) + "," + answer1, "input[0]: The function call call_1 is not what the model said."},
		{"own history, made up", "none", strings.ReplaceAll(call1+","+answer1, "call_1", "call_7"), ""},
		{"own history, made up and missing", "none", strings.ReplaceAll(call1, "call_1", "call_7"), "No tool output found for function call call_7."},
		{"unknown reference", "none", ref("msg_7"), "input[0]: Item with id 'msg_7' not found. "},
		{"unknown id", "none", `{"id":"msg_7","type":"message","role":"assistant","content":[]}`, "input[0]: Item with id 'msg_7' not found. "},
		{"id that weir made up", "none", `{"id":"msg_weir_7","type":"message","role":"assistant","content":[]}`, "Invalid id: it begins with 'msg_weir_'."},
		{"reasoning alone", "none", whole(thought) + "," + user, "Item 'rs_1' of type 'reasoning' was provided without its required following item."},
		{"reasoning last", "none", ref("rs_1"), "Item 'rs_1' of type 'reasoning' was provided without its required following item."},
		{"without its reasoning", "none", whole(lookup) + "," + answer1, "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'."},
		{"nothing", "none", `{}`, "input[0]: Invalid item."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := start(t, said, last)
			link := ""
			switch tt.chain {
			case "previous":
				link = `"previous_response_id":"` + a.must("POST", "responses", ask("", `"Begin."`)).ID + `",`
			case "conversation":
				link = `"conversation":{"id":"` + a.must("POST", "conversations", "{}").ID + `"},`
				a.must("POST", "responses", ask(link, `"Begin."`))
			default:
				a.must("POST", "responses", ask("", `"Begin."`))
			}
			status, text := a.do("POST", "responses", ask(link, "["+tt.input+"]"))
			got := a.read(text)
			if !strings.HasPrefix(got.Error.Message, tt.objects) || (status == http.StatusOK) != (tt.objects == "") {
				t.Errorf("%d %s, want %q", status, text, tt.objects)
			}
		})
	}
}

func TestOutputShapes(t *testing.T) {
	for typ, shapes := range map[string][2]string{ // a good one and a bad one
		"shell_call":       {`"output":[{"stdout":"","stderr":"no","outcome":{"type":"exit","exit_code":1}}]`, `"output":"no"`},
		"local_shell_call": {`"output":"{}"`, `"output":{}`},
		"apply_patch_call": {`"status":"failed","output":"no"`, `"output":"no"`},
		"computer_call":    {`"output":{"type":"computer_screenshot","image_url":"data:,"}`, `"output":"no"`},
		"tool_search_call": {`"tools":[]`, `"output":"no"`},
		"robot_call":       {`"output":"no"`, `"other":"no"`},
	} {
		for i, shape := range shapes {
			a := start(t, Turn{Output: []Item{Whole("it_1", typ, `"call_id":"call_1","execution":"client"`)}}, last)
			first := a.must("POST", "responses", ask("", `"Begin."`))
			output := `[{"type":"` + outputOf(typ) + `","call_id":"call_1",` + shape + `}]`
			status, text := a.do("POST", "responses", ask(`"previous_response_id":"`+first.ID+`",`, output))
			expect.Equal(t, status == http.StatusOK, i == 0, "%s: %d %s", output, status, text)
		}
	}
}

// An approval that nobody asks for any more is no reason to refuse the next request.
func TestApproval(t *testing.T) {
	request := Whole("mcpr_1", "mcp_approval_request", `"server_label":"s","name":"n","arguments":"{}"`)
	request.Bare = true
	for _, input := range []string{user, `{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":false}`} {
		a := start(t, Turn{Output: []Item{request}}, last)
		first := a.must("POST", "responses", ask("", `"Begin."`))
		a.must("POST", "responses", ask(`"previous_response_id":"`+first.ID+`",`, "["+input+"]"))
	}
}

func TestNotStored(t *testing.T) {
	a := start(t, Turn{Output: []Item{lookup}}, last)
	first := a.must("POST", "responses", ask(`"store":false,`, `"Begin."`))
	for _, tt := range []struct{ method, path, body, code string }{
		{"GET", "responses/" + first.ID, "", ""},
		{"POST", "responses", ask(`"previous_response_id":"`+first.ID+`",`, `"Go on."`), "previous_response_not_found"},
		{"POST", "responses", ask("", `[{"type":"item_reference","id":"fc_1"}]`), ""},
		{"POST", "responses", ask(`"store":false,"background":true,`, `"Begin."`), ""},
		{"POST", "responses", ask(`"conversation":"conv_7",`, `"Begin."`), ""},
	} {
		status, text := a.do(tt.method, tt.path, tt.body)
		if got := a.read(text); status < 400 || got.Error.Code != tt.code {
			t.Errorf("%s %s: %d %s", tt.method, tt.path, status, text)
		}
	}
	// With its own history a client may go on all the same.
	a.must("POST", "responses", ask(`"store":false,`, "["+lookup.whole()+","+answer1+"]"))
}

// A request that fails leaves nothing behind, so that the next must say everything again.
func TestFault(t *testing.T) {
	a := start(t, Turn{Output: []Item{lookup}}, Turn{Fault: &Fault{Status: 503, Message: "Overloaded", Code: "overloaded"}}, last)
	link := `"conversation":"` + a.must("POST", "conversations", "").ID + `",`
	a.must("POST", "responses", ask(link, `"Begin."`))
	if status, text := a.do("POST", "responses", ask(link, "["+answer1+"]")); status != 503 || a.read(text).Error.Code != "overloaded" {
		t.Errorf("%d %s", status, text)
	}
	if status, _ := a.do("POST", "responses", ask(link, `"Go on."`)); status != http.StatusBadRequest {
		t.Errorf("without the output: %d", status)
	}
	a.must("POST", "responses", ask(link, "["+answer1+"]"))
}

// Everything that is kept can be read again: the response, its events, its input, and the items of a conversation.
func TestReadAgain(t *testing.T) {
	a := start(t, Turn{Output: []Item{thought, lookup}}, last)
	talk := a.must("POST", "conversations", "").ID
	status, stream := a.do("POST", "responses", ask(`"stream":true,"conversation":"`+talk+`",`, `"Begin."`))
	if status != http.StatusOK {
		t.Fatal(stream)
	}
	events := strings.SplitAfter(strings.TrimSuffix(stream, "\n\n"), "\n\n")
	var created struct {
		Response shown `json:"response"`
	}
	expect.OK(t, json.Unmarshal([]byte(strings.SplitN(events[0], "data: ", 2)[1]), &created))
	id := created.Response.ID
	_, again := a.do("GET", "responses/"+id+"?stream=true", "")
	_, after := a.do("GET", "responses/"+id+"?stream=true&starting_after=3", "")
	expect.Equal(t, again, stream, "the replay is\n%s\nand after three\n%s", again, after)
	expect.Equal(t, after, strings.Join(events[4:], "")+"\n\n", "the replay is\n%s\nand after three\n%s", again, after)
	if got := a.must("GET", "responses/"+id, ""); got.Status != "completed" || len(got.Output) != 2 {
		t.Errorf("read again: %+v", got)
	}
	a.must("POST", "responses", ask(`"conversation":"`+talk+`",`, "["+answer1+"]"))
	got := a.must("GET", "conversations/"+talk+"/items?order=asc", "")
	var types []string
	for _, d := range got.Data {
		types = append(types, d.Type)
		if status, one := a.do("GET", "conversations/"+talk+"/items/"+d.ID, ""); status != http.StatusOK || !strings.Contains(one, quote(d.ID)) {
			t.Errorf("item %s is shown as %s", d.ID, one)
		}
	}
	expect.Same(t, []string{"message", "reasoning", "function_call", "function_call_output", "message"}, types)
	if got := a.must("GET", "responses/"+id+"/input_items", ""); len(got.Data) != 1 {
		t.Errorf("input items: %+v", got)
	}
	a.must("POST", "conversations/"+talk+"/items", `{"items":[`+user+`]}`)
	a.must("DELETE", "responses/"+id, "")
	if status, text := a.do("GET", "responses/"+id, ""); status != http.StatusNotFound {
		t.Errorf("deleted: %d %s", status, text)
	}
}

func TestBackground(t *testing.T) {
	a := start(t, Turn{Output: []Item{done, lookup}, Polls: 1})
	first := a.must("POST", "responses", ask(`"background":true,`, `"Begin."`))
	got := []shown{first, a.must("GET", "responses/"+first.ID, ""), a.must("GET", "responses/"+first.ID, "")}
	want := []string{"queued 0", "in_progress 2", "completed 2"}
	for i, s := range got {
		expect.Equal(t, s.Status+" "+string(rune('0'+len(s.Output))), want[i], "reading %d", i)
	}
	if part := got[1].Output[1]; !bytes.Contains(part, []byte(`"status":"in_progress","arguments":"{\"path\":"`)) {
		t.Errorf("under way: %s", part)
	}
	second := a.must("POST", "responses", ask(`"background":true,`, `"Begin."`))
	expect.Equal(t, a.must("POST", "responses/"+second.ID+"/cancel", "").Status, "cancelled", "cancelled is")
}

// The events are those of the authored streams: same types, same members, same order.
func TestEventsAreAsAuthored(t *testing.T) {
	for file, turn := range map[string]Turn{
		"06-reasoning-function-custom": {Output: []Item{
			Reasoning("rs_m060", "Need a query, then a file."), Function(Call{ID: "fc_m061", CallID: "call_f1", Name: "read_file"}, `{"path":"/a"}`),
			Custom(Call{ID: "ctc_m062", CallID: "call_k1", Name: "run_sql"}, "select * ", "from gates;\n", `-- "raw" text, not JSON`),
		}},
		"03-text-then-call": {Output: []Item{
			Message("msg_c030", "Listing", " first."), Function(Call{ID: "fc_c031", CallID: "call_r2", Name: "bash"}, `{"command":"ls"}`),
		}},
		"11-incomplete": {Status: "incomplete", Output: []Item{
			Message("msg_i110", "Writ", "ing."), Function(Call{ID: "fc_i111", CallID: "call_i1", Name: "write_file"}, `{"path":"/a","body":"lo`, "st").Cut(),
		}},
	} {
		path := filepath.Join("..", "..", "model", "dialect", "openairesponses", "testdata", file+".sse")
		want, err := os.ReadFile(path)
		expect.OK(t, err)
		a := start(t, turn)
		_, got := a.do("POST", "responses", ask(`"stream":true,`, `"Begin."`))
		expect.NoDiff(t, cmp.Diff(members(t, string(want)), members(t, got)), "%s (-authored +sent)", file)
	}
}

// members are the events of a stream without what changes from response to response.
func members(t *testing.T, stream string) []map[string]any {
	t.Helper()
	var list []map[string]any
	for block := range strings.SplitSeq(strings.TrimSpace(stream), "\n\n") {
		_, data, _ := strings.Cut(block, "\ndata: ")
		var event map[string]any
		if err := json.Unmarshal([]byte(data), &event); err != nil {
			t.Fatalf("%v: %s", err, block)
		}
		delete(event, "obfuscation")
		if r, ok := event["response"].(map[string]any); ok {
			for _, name := range []string{"id", "model", "usage"} {
				delete(r, name)
			}
		}
		list = append(list, event)
	}
	return list
}
