package openairesponses_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/openairesponses"
	"github.com/weir-gate/weir/internal/weirtest/fold"
)

const (
	exact     = dialecttest.Exact
	canonical = dialecttest.Canonical
	refused   = dialecttest.Refused
)

// subject describes the format to the contract suite.
func subject(t testing.TB) dialecttest.Subject {
	return dialecttest.Subject{
		Format: openairesponses.Format(), Fixtures: fixtures(t),
		Calls: lenientCalls, Clients: clients(), Mutations: 1500, Reader: &fold.Responses, Named: true, Generate: generate, Texts: texts,
		WireName: wireName,
		Odd:      "the arguments of a call: ", // some servers say nothing where they mean {}
		IsPing:   func(dialecttest.LooseEvent) bool { return false },
		Invented: regexp.MustCompile(`_weir_[A-Za-z0-9]+`),
		Places:   30,
		Repeats:  5, // a delta, the text done, the part done, the item done, the response
		Words:    []string{"completed", "in_progress"},
		Seeds:    seeds(), Vocabulary: vocabulary, Ends: ends, Shows: shows,
	}
}

// wireName is who is called, with the server where there is one.
func wireName(c call.Call) string {
	if c.Server != "" {
		return c.Server + "/" + c.Tool
	}
	return c.Tool
}

func TestContract(t *testing.T) { dialecttest.Run(t, subject(t)) }

// mainFixtures are responses in the words of the API.
var mainFixtures = []dialecttest.Fixture{
	{File: "01-text-only.sse", Class: exact},
	{File: "02-single-call.sse", Class: exact},
	{File: "03-text-then-call.sse", Class: exact},
	{File: "04-parallel-calls.sse", Class: exact},
	{File: "05-odd-splits.sse", Class: canonical}, // a line separator in it is escaped
	{File: "06-reasoning-function-custom.sse", Class: exact},
	{File: "07-hosted-tools.sse", Class: exact},
	{File: "08-mcp.sse", Class: exact},
	{File: "09-client-builtin-calls.sse", Class: exact},
	{File: "10-failed.sse", Class: canonical},     // the call is not complete
	{File: "11-incomplete.sse", Class: canonical}, // nor is this one
	{File: "12-refusal.sse", Class: exact},
	{File: "13-done-only.sse", Class: exact},
	{File: "14-error-event.sse", Class: canonical, Irregular: true}, // the call that broke off is left out
	{File: "15-every-text.sse", Class: exact},
	{File: "20-response.json", Class: exact, Whole: true},
	{File: "21-input-items.json", Class: exact, Whole: true},
	{File: "22-error.json", Class: exact, Whole: true},
}

// builtIns are the calls of the fixtures that the table of expectations says nothing of.
var builtIns = map[string][]dialecttest.Seen{
	"07-hosted-tools.sse": {
		{ID: "ws_h07", Name: "web_search", Args: `{"query":"weir design","type":"search"}`, Ran: true},
		{ID: "ci_h07", Name: "code_interpreter", Args: `{"code":"print(2**8)","container_id":"cntr_1"}`, Ran: true},
	},
	"08-mcp.sse": {
		{ID: "mcpl_x08", Name: "tracker/mcp_list_tools", Args: `{}`, Ran: true},
		{ID: "mcp_x08", Name: "tracker/create_issue", Args: `{"title":"leak"}`, Ran: true},
		{ID: "mcpr_x08", Name: "tracker/delete_issue", Args: `{"id":12}`},
	},
	"09-client-builtin-calls.sse": {
		{ID: "call_sh", Name: "shell", Args: `{"commands":["ls","rm -rf /srv/data"],"max_output_length":4096,"timeout_ms":5000}`},
		{ID: "call_ap", Name: "apply_patch", Args: `{"path":"main.go","type":"delete_file"}`},
		{ID: "call_ls", Name: "local_shell", Args: `{"command":["bash","-lc","id"],"env":{},"type":"exec"}`},
		{ID: "call_cu", Name: "computer", Args: `{"action":{"button":"left","type":"click","x":10,"y":20}}`},
		{ID: "call_ts", Name: "tool_search", Args: `{"query":"delete"}`},
	},
	"15-every-text.sse": {
		{ID: "ws_t15", Name: "web_search", Args: `{"queries":["weirs"],"query":"weirs",` +
			`"sources":[{"type":"url","url":"https://source.example/dams"},{"name":"oai-weather","type":"api"}],"type":"search"}`, Ran: true},
		{ID: "fs_t15", Name: "file_search", Args: `{"queries":["locks"]}`, Ran: true},
		{ID: "ci_t15", Name: "code_interpreter", Args: `{"code":"print(6*7)","container_id":"cntr_1"}`, Ran: true},
		{ID: "ig_t15", Name: "image_generation", Args: `{}`, Ran: true},
		{ID: "mcpl_t15", Name: "tracker/mcp_list_tools", Args: `{}`, Ran: true},
		{ID: "mcp_t15", Name: "tracker/create", Args: `{"title":"leak"}`, Ran: true},
		{ID: "mcp_u15", Name: "tracker/create", Args: `{}`, Ran: true},
		{ID: "call_p15", Name: "program", Args: `{"code":"return 1"}`, Ran: true},
		{ID: "call_t15", Name: "bash", Args: `{"cmd":"ls"}`},
		{ID: "call_s15", Name: "tool_search", Args: `{"query":"delete"}`},
	},
	"21-input-items.json": {
		{ID: "call_a", Name: "bash", Args: `{"cmd":"ls"}`},
		{ID: "call_b", Name: "bash", Args: `{"cmd":"cat"}`},
		{ID: "call_c", Name: "computer", Args: `{"action":{"button":"left","type":"click","x":1,"y":2},` +
			`"pending_safety_checks":[{"code":"malicious","id":"sc_1","message":"Look twice."}]}`},
		{ID: "call_d", Name: "shell", Args: `{"commands":["ls"],"max_output_length":9,"timeout_ms":1}`},
		{ID: "mcpr_a", Name: "tracker/delete", Args: `{}`},
	},
}

// What the strict reader refuses where the upstream's own oddity passes through.
const (
	unlike  = "two events do not say the same"
	undone  = "is not done" // the event that says so is missing, or stands where no client reads it
	resumed = "no response.created comes first"
	sameID  = "has an id that another one has"
	marked  = "[DONE] comes before the end" // and nothing may come after it, not even an end
)

// oddities are the fixtures that are so odd.
var oddities = map[string]string{
	"hostile/109_created_again_without_output_in_the_middle.sse": unlike,
	"hostile/10_leading_space_on_data_line.sse":                  undone,
	"hostile/111_added_twice_next_index.sse":                     unlike,
	"hostile/116_added_after_item_done.sse":                      unlike,
	"hostile/138_item_done_type_against_completed.sse":           unlike,
	"hostile/143_missing_created.sse":                            resumed,
	"hostile/144_only_in_completed.sse":                          unlike,
	"hostile/145_only_completed.sse":                             resumed,
	"hostile/149_no_item_done_but_completed.sse":                 undone,
	"hostile/150_no_item_done_and_not_completed.sse":             unlike,
	"hostile/151_done_but_not_in_completed.sse":                  unlike,
	"hostile/152_response_without_output.sse":                    "response.completed: output: ",
	"hostile/161_unknown_item_added_only.sse":                    unlike,
	"hostile/162_unknown_item_completed_only.sse":                unlike,
	"hostile/170_message_becomes_a_call_in_completed.sse":        unlike,
	"hostile/192_completed_in_another_order.sse":                 unlike,
	"hostile/195_item_id_changes.sse":                            unlike,
	"hostile/196_item_id_changes_in_completed.sse":               unlike,
	"hostile/197_item_id_missing.sse":                            unlike,
	"hostile/198_call_id_missing.sse":                            "a call without an id or a name",
	"hostile/200_item_ids_repeated.sse":                          sameID,
	"hostile/21_data_upper_case.sse":                             undone,
	"hostile/22_data_space_before_colon.sse":                     undone,
	"hostile/27_after_done.sse":                                  marked,
}

// fixtures are all of them, with the calls that a client is to get.
func fixtures(t testing.TB) []dialecttest.Fixture {
	all := slices.Concat(mainFixtures, framingFixtures, formatFixtures)
	for i, f := range all {
		all[i].Calls, all[i].Odd = append(f.Calls, builtIns[f.File]...), oddities[f.File]
	}
	return dialecttest.Expect(t, all)
}

func TestFixturesAreAll(t *testing.T) { dialecttest.CheckClassed(t, fixtures(t)) }
