package openairesponses_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/openairesponses"
	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

var chain = openairesponses.Format().Chain

func TestLinks(t *testing.T) {
	tests := map[string]struct {
		body string
		want dialect.Links
		fail bool
	}{
		"nothing":               {body: `{"model":"m","input":"hi"}`},
		"previous":              {body: `{"previous_response_id":"resp_1"}`, want: dialect.Links{Response: "resp_1"}},
		"previous null":         {body: `{"previous_response_id":null}`},
		"previous a number":     {body: `{"previous_response_id":7}`},
		"conversation":          {body: `{"conversation":"conv_1"}`, want: dialect.Links{Conversation: "conv_1"}},
		"conversation's id":     {body: `{"conversation":{"id":"conv_1"}}`, want: dialect.Links{Conversation: "conv_1"}},
		"conversation null":     {body: `{"conversation":null}`},
		"both":                  {body: `{"previous_response_id":"resp_1","conversation":"conv_1"}`, want: dialect.Links{Response: "resp_1", Conversation: "conv_1"}},
		"made up":               {body: `{"previous_response_id":"resp_weir_ABC"}`},
		"made up after another": {body: `{"previous_response_id":"resp_weir_ABC.resp_1"}`, want: dialect.Links{Response: "resp_1"}},
		"made up, twice":        {body: `{"previous_response_id":"resp_weir_ABC.resp_weir_DEF.resp_1"}`, want: dialect.Links{Response: "resp_1"}},
		"notices":               {body: `{"input":[{"role":"user","content":"x"},` + rmTold + `,{"type":"item_reference","id":"` + lsNotice + `"}]}`, want: dialect.Links{Notices: []string{lsNotice}}},
		"notices of a list":     {body: `{"items":[` + rmTold + `,{"type":"item_reference","id":"` + rmNotice + `"}]}`, want: dialect.Links{Notices: []string{rmNotice}}},
		"previous twice":        {body: `{"previous_response_id":"resp_1","previous_response_id":"resp_2"}`, fail: true},
		"previous in a case":    {body: `{"Previous_Response_ID":"resp_1"}`, fail: true},
		"conversation twice":    {body: `{"conversation":null,"conversation":"conv_1"}`, fail: true},
		"its id twice":          {body: `{"conversation":{"id":"conv_1","ID":"conv_2"}}`, fail: true},
		"input twice":           {body: `{"input":"x","input":[]}`, fail: true},
		"input in another case": {body: `{"INPUT":[]}`, fail: true},
		"an item's id twice":    {body: `{"input":[{"id":"a","id":"` + rmNotice + `"}]}`, fail: true},
		"not JSON":              {body: `{"previous_response_id":"resp_1"`},
		"not an object":         {body: `["previous_response_id"]`},
		"empty":                 {body: ``},
	}
	for name, tt := range tests {
		got, err := chain.Read([]byte(tt.body))
		if (err != nil) != tt.fail {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" && !tt.fail {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// keptCall is a call to rm that was refused, of some type.
func keptCall(unit string) call.Remembered {
	return call.Remembered{
		Response: "resp_1", WireID: "call_1", Unit: unit, Notice: rmNotice, Tool: "rm",
		Ruling: call.Ruling{Code: call.CodeToolDenied, Rule: "test-rule", Reason: "The test says so."},
	}
}

func refusedCalls(units ...string) dialect.Known {
	known := dialect.Known{Notices: map[string]call.Remembered{}}
	for _, unit := range units {
		k := keptCall(unit)
		known.Refused, known.Notices[k.Notice] = append(known.Refused, k), k
	}
	return known
}

// rmAnswer is the output of a refused function.
var rmAnswer = `{"type":"function_call_output","call_id":"call_1","output":` + quote(rmText) + `}`

const pixel = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

// Every kind of call is answered in its own words.
func TestAnswers(t *testing.T) {
	text := quote(rmText)
	told := `{"role":"developer","content":` + text + `}`
	tests := map[string]string{
		"function_call":        rmAnswer,
		"custom_tool_call":     `{"type":"custom_tool_call_output","call_id":"call_1","output":` + text + `}`,
		"shell_call":           `{"type":"shell_call_output","call_id":"call_1","output":[{"stdout":"","stderr":` + text + `,"outcome":{"type":"exit","exit_code":1}}]}`,
		"local_shell_call":     `{"type":"local_shell_call_output","call_id":"call_1","id":"call_1","output":` + quote(`{"output":`+text+`,"metadata":{"exit_code":1}}`) + `}`,
		"apply_patch_call":     `{"type":"apply_patch_call_output","call_id":"call_1","status":"failed","output":` + text + `}`,
		"computer_call":        `{"type":"computer_call_output","call_id":"call_1","output":{"type":"computer_screenshot","image_url":"` + pixel + `"}},` + told,
		"tool_search_call":     `{"type":"tool_search_output","call_id":"call_1","execution":"client","status":"completed","tools":[]},` + told,
		"mcp_approval_request": `{"type":"mcp_approval_response","approval_request_id":"call_1","approve":false,"reason":` + text + `}`,
		"future_call":          `{"type":"future_call_output","call_id":"call_1","output":` + text + `}`,
	}
	for unit, want := range tests {
		got := chain.Mend([]byte(`{"previous_response_id":"resp_1","input":[]}`), dialect.Links{Response: "resp_1"}, refusedCalls(unit))
		if diff := cmp.Diff(`{"previous_response_id":"resp_1","input":[`+want+`]}`, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", unit, diff)
		}
		// What is answered once is not answered again.
		if again := chain.Mend(got, dialect.Links{Response: "resp_1"}, refusedCalls(unit)); string(again) != string(got) {
			t.Errorf("%s: answered again: %s", unit, again)
		}
	}
}

func TestMend(t *testing.T) {
	one, none := refusedCalls("function_call"), dialect.Known{}
	ask := `{"role":"user","content":"hi"}`
	plain := strings.Replace(rmTold, `"id":"`+rmNotice+`",`, "", 1)
	reference := `{"type":"item_reference","id":"` + rmNotice + `"}`
	message := `{"type":"message","role":"assistant","content":[{"type":"output_text","text":` + quote(rmText) + `}]}`
	thought := `{"id":"rs_1","type":"reasoning","summary":[]}`
	tests := map[string]struct {
		in, want string
		known    dialect.Known
	}{
		"no input":                         {`{"model":"m"}`, `{"model":"m","input":[` + rmAnswer + `]}`, one},
		"input null":                       {`{"input":null}`, `{"input":[` + rmAnswer + `]}`, one},
		"a string":                         {`{"input": "h\u0069" }`, `{"input": [` + rmAnswer + `,{"role":"user","content":"h\u0069"}] }`, one},
		"items":                            {`{"input": [ ` + ask + ` ] }`, `{"input": [` + rmAnswer + `, ` + ask + ` ] }`, one},
		"no items":                         {`{"input":[]}`, `{"input":[` + rmAnswer + `]}`, one},
		"answered":                         {`{"input":[{"type":"function_call_output","call_id":"call_1","output":"x"}]}`, "", one},
		"approved":                         {`{"input":[{"type":"mcp_approval_response","approval_request_id":"call_1","approve":true}]}`, "", refusedCalls("mcp_approval_request")},
		"another answered":                 {`{"input":[{"type":"function_call_output","call_id":"call_0","output":"x"}]}`, `{"input":[` + rmAnswer + `,{"type":"function_call_output","call_id":"call_0","output":"x"}]}`, one},
		"the call itself":                  {`{"input":[` + rmItem + `]}`, `{"input":[` + rmAnswer + `,` + rmItem + `]}`, one},
		"the same twice":                   {`{"input":[]}`, `{"input":[` + rmAnswer + `]}`, refusedCalls("function_call", "function_call")},
		"the provider ran it":              {`{"input":[]}`, "", refusedCalls("")},
		"nothing refused, a string":        {`{"input": "hi" }`, "", none},
		"nothing refused, items":           {`{"input": [ ` + ask + ` ] }`, "", none},
		"a notice":                         {`{"input":[` + ask + `, ` + rmTold + `]}`, `{"input":[` + ask + `, ` + plain + `]}`, none},
		"a notice and its answer":          {`{"input":[` + rmTold + `]}`, `{"input":[` + rmAnswer + `,` + plain + `]}`, one},
		"a notice in a list of items":      {`{"items":[` + rmTold + `]}`, `{"items":[` + plain + `]}`, none},
		"a reference":                      {`{"input":[` + reference + `]}`, `{"input":[` + message + `]}`, dialect.Known{Notices: one.Notices}},
		"a reference to nothing":           {`{"input":[` + ask + `,` + reference + `]}`, `{"input":[` + ask + `]}`, none},
		"only such a reference":            {`{"input":[` + reference + `]}`, `{"input":[]}`, none},
		"its answer instead":               {`{"input":[` + reference + `]}`, `{"input":[` + rmAnswer + `]}`, dialect.Known{Refused: one.Refused}},
		"a bare reference":                 {`{"input":[{"id":"` + rmNotice + `"}]}`, `{"input":[` + message + `]}`, dialect.Known{Notices: one.Notices}},
		"reasoning ahead":                  {`{"input":[` + ask + `,` + thought + `,` + rmTold + `]}`, `{"input":[` + ask + `,` + plain + `]}`, none},
		"reasoning of another":             {`{"input":[` + thought + `,` + hiItem + `,` + rmTold + `]}`, `{"input":[` + thought + `,` + hiItem + `,` + plain + `]}`, none},
		"reasoning referred to":            {`{"input":[{"type":"item_reference","id":"rs_1"},` + reference + `]}`, `{"input":[` + message + `]}`, dialect.Known{Notices: one.Notices}},
		"reasoning of a lost one":          {`{"input":[` + thought + `,` + reference + `,` + ask + `]}`, `{"input":[` + ask + `]}`, none},
		"reasoning of one that stays":      {`{"input":[` + thought + `,` + rmTold + `,` + lsItem + `,` + ask + `]}`, `{"input":[` + plain + `,` + strings.Replace(lsItem, `"id":"fc_2",`, "", 1) + `,` + ask + `]}`, none},
		"run by the provider itself":       {`{"input":[]}`, "", refusedCalls("hosted_shell_call")},
		"much reasoning of one that stays": {`{"input":[` + thought + `,` + thought + `,` + rmTold + `,` + lsItem + `]}`, `{"input":[` + plain + `,` + strings.Replace(lsItem, `"id":"fc_2",`, "", 1) + `]}`, none},
		"reasoning of an id-less one":      {`{"input":[` + thought + `,` + plain + `]}`, `{"input":[` + plain + `]}`, none},
		"reasoning, twice":                 {`{"input":[` + thought + `,` + thought + `,` + rmTold + `]}`, `{"input":[` + plain + `]}`, none},
		"made up":                          {`{"previous_response_id": "resp_weir_A" ,"input":"x"}`, `{"previous_response_id": null ,"input":"x"}`, none},
		"made up after another":            {`{"previous_response_id":"resp_weir_A.resp_1","input":"x"}`, `{"previous_response_id":"resp_1","input":"x"}`, none},
		"made up, and an answer":           {`{"previous_response_id":"resp_weir_A.resp_1","input":"x"}`, `{"previous_response_id":"resp_1","input":[` + rmAnswer + `,{"role":"user","content":"x"}]}`, one},
		"not JSON":                         {`{"input":"x"`, "", one},
		"not an object":                    {`[1]`, "", one},
		"what nobody understands":          {`{"input":[7,"x",null,{}]}`, `{"input":[` + rmAnswer + `,7,"x",null,{}]}`, one},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			links, err := chain.Read([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			want := tt.want
			if want == "" {
				want = tt.in
			}
			if diff := cmp.Diff(want, string(chain.Mend([]byte(tt.in), links, tt.known))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestMendKeepsTheRest puts requests together of which it is known what must become of every part.
func TestMendKeepsTheRest(t *testing.T) {
	for seed := range need.Cases(500) {
		g := generator{Random: dialecttest.Random{Rand: rand.New(rand.NewPCG(seed, 11))}}
		in, want, known := g.request()
		links, err := chain.Read([]byte(in))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, in)
		}
		got := chain.Mend([]byte(in), links, known)
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
	}
}

// request is a request and what it must become.
func (g generator) request() (in, want string, known dialect.Known) {
	known.Notices = map[string]call.Remembered{}
	var items, kept []string
	if g.IntN(2) == 0 {
		known = refusedCalls("function_call")
		kept = append(kept, rmAnswer)
	}
	for range g.IntN(5) {
		item := g.Pick(`{"role":"user","content":`+g.Value(1)+`}`, hiItem, `{"id":"fc_0","type":"function_call","call_id":"call_0","name":"x","arguments":`+quote(g.Object(2))+`}`,
			`{"type":"function_call_output","call_id":"call_0", "output":`+g.Value(1)+`}`, told(lsNotice, g.Secret()), g.Object(2))
		items = append(items, item)
		kept = append(kept, strings.Replace(item, `"id":"`+lsNotice+`",`, "", 1))
	}
	head := `{` + g.Pick("", `"model":"m", `) + `"metadata":` + g.Object(2) + g.Pick("", ` `) + `,"input":`
	tail := g.Pick("", ",\"tools\":[]", ` , "extra": `+g.Value(2)) + `}`
	return head + `[` + strings.Join(items, ",") + `]` + tail, head + `[` + strings.Join(kept, ",") + `]` + tail, known
}

// FuzzMend feeds any bytes to the mending of requests: what is JSON stays so, what is mended needs no more mending, and of
// what weir made up nothing is left.
func FuzzMend(f *testing.F) {
	for seed := range uint64(16) {
		in, _, _ := generator{Random: dialecttest.Random{Rand: rand.New(rand.NewPCG(seed, 12))}}.request()
		f.Add([]byte(in))
	}
	for _, in := range []string{
		`{"previous_response_id":"resp_weir_A.resp_1","input":[` + rmTold + `,{"type":"item_reference","id":"` + rmNotice + `"}]}`,
		`{"input":"x"}`, `{"conversation":{"id":"c"},"input":[{"id":"rs_1","type":"reasoning"},{"id":"` + rmNotice + `"}]}`, `{}`, `{"items":[` + rmTold + `]}`,
	} {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		links, err := chain.Read(in)
		var doc strictjson.Doc
		if err != nil || doc.Parse(in) != nil {
			return
		}
		for _, known := range []dialect.Known{{}, refusedCalls("function_call"), refusedCalls("computer_call"), refusedCalls("mcp_approval_request")} {
			out := chain.Mend(in, links, known)
			tree, err := dialecttest.ParseTree(out)
			if err != nil {
				t.Fatalf("%v:\n%s\n%s", err, in, out)
			}
			again, err := chain.Read(out)
			if err != nil {
				t.Fatalf("%v:\n%s", err, out)
			}
			if twice := chain.Mend(out, again, known); string(twice) != string(out) {
				t.Fatalf("mended again:\n%s\n%s\n%s", in, out, twice)
			}
			if len(again.Notices) > 0 || strings.HasPrefix(tree.Get("previous_response_id").Text, "resp_weir_") {
				t.Fatalf("what weir made up is still there:\n%s", out)
			}
		}
	})
}
