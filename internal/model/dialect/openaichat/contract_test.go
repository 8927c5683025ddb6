package openaichat_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/openaichat"
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
		Format: openaichat.Format(), Fixtures: fixtures(t),
		Calls: lenientCalls, Clients: clientsOfSuite(), Mutations: 1500, Reader: &fold.Chat, Generate: generate, Texts: texts,
		WireName: func(c call.Call) string { return c.Tool },
		IsPing:   func(dialecttest.LooseEvent) bool { return false },
		Echoes:   []string{"logprobs"},
		Odd:      "the arguments of a call: ", // some servers say nothing where they mean {}
		Seeds:    seeds(), Vocabulary: vocabulary, Ends: ends,
	}
}

func TestContract(t *testing.T) { dialecttest.Run(t, subject(t)) }

// mainFixtures are responses in the words of the API and of those that look like it.
var mainFixtures = []dialecttest.Fixture{
	{File: "01-text-only-usage-last.sse", Class: exact},
	{File: "02-single-call.sse", Class: exact},
	{File: "03-text-then-call.sse", Class: exact},
	{File: "04-parallel-calls.sse", Class: canonical},
	{File: "05-odd-splits.sse", Class: canonical}, // a line separator in it is escaped
	{File: "06-lone-surrogate-split.sse", Class: canonical},
	{File: "07-compat-one-chunk-no-index.sse", Class: canonical},
	{File: "08-n2-choices.sse", Class: canonical}, // with several choices every call is one piece
	{File: "09-legacy-function-call.sse", Class: exact},
	{File: "10-azure-prelude.sse", Class: exact},
	{File: "11-error-mid-stream.sse", Class: canonical, Irregular: true}, // the call that broke off is left out
	{File: "12-refusal.sse", Class: exact},
	{File: "13-name-repeated-or-split.sse", Class: canonical, Irregular: true}, // whole messages have one name
	{File: "14-reasoning-then-call.sse", Class: exact},
	{File: "15-all-in-one-chunk.sse", Class: exact},
	{File: "16-every-text.sse", Class: exact},
	{File: "20-completion.json", Class: exact, Whole: true},
}

// What is odd about fixtures and passes through: the call that the finish reason speaks of stands where no client reads it, and a
// choice is not finished when [DONE] comes.
const (
	callLost = "ends with tool_calls, and there is no call"
	noFinish = "has no finish reason"
)

// hostileFixtures hold one call each, in framing or JSON that clients read differently. Those in which some client sees
// the call are restated, so that all do, or refused.
var hostileFixtures = []dialecttest.Fixture{
	{File: "hostile/01_lf_normal.sse", Class: exact},
	{File: "hostile/02_crlf.sse", Class: canonical}, // the stream began with LF
	{File: "hostile/03_lone_cr_everywhere.sse", Class: canonical},
	{File: "hostile/04_mixed_lf_then_crlf_blank.sse", Class: canonical},
	{File: "hostile/05_data_without_space.sse", Class: canonical},
	{File: "hostile/06_two_spaces.sse", Class: exact},
	{File: "hostile/07_tab_after_colon.sse", Class: canonical},
	{File: "hostile/08_bom_before_this_mid_stream_frame.sse", Class: canonical},
	{File: "hostile/09_bom_before_the_data_line.sse", Class: canonical},
	{File: "hostile/10_leading_space_on_data_line.sse", Class: canonical, Odd: callLost},
	{File: "hostile/11_json_over_two_data_lines.sse", Class: canonical},
	{File: "hostile/12_raw_lf_inside_json_no_data_prefix.sse", Class: refused},
	{File: "hostile/13_raw_cr_inside_json_whitespace.sse", Class: refused},
	{File: "hostile/14_event_ping_tool_payload.sse", Class: canonical},
	{File: "hostile/15_event_error_tool_payload.sse", Class: canonical},
	{File: "hostile/16_no_event_line.sse", Class: exact},
	{File: "hostile/17_unknown_event_name.sse", Class: canonical},
	{File: "hostile/18_empty_event_value.sse", Class: canonical},
	{File: "hostile/19_comment_first_in_block.sse", Class: canonical},
	{File: "hostile/20_id_retry_first_in_block.sse", Class: canonical},
	{File: "hostile/21_data_upper_case.sse", Class: canonical, Odd: callLost},
	{File: "hostile/22_data_space_before_colon.sse", Class: canonical, Odd: callLost},
	{File: "hostile/23_blank_line_is_bom_only.sse", Class: canonical},
	{File: "hostile/24_blank_line_has_a_space.sse", Class: refused},
	{File: "hostile/25_event_line_after_data.sse", Class: exact},
	{File: "hostile/26_two_frames_blank_line_missing_lf_pair_cr_lf_lf.sse", Class: canonical},
	{File: "hostile/27_after_done.sse", Class: refused, Odd: noFinish},
	{File: "hostile/28_thread_event_name.sse", Class: canonical},
	{File: "hostile/29_data_line_w_o_colon_then_data.sse", Class: canonical},
	{File: "hostile/30_bom_at_stream_start.sse", Class: canonical},
	{File: "hostile/40_eof_no_newline_at_all.sse", Class: canonical, Endless: true},
	{File: "hostile/41_eof_one_lf.sse", Class: canonical, Endless: true},
	{File: "hostile/42_eof_lf_lone_cr.sse", Class: canonical, Endless: true},
	{File: "hostile/43_eof_one_cr.sse", Class: canonical, Endless: true},
	{File: "hostile/50_dup_key_tool_calls_first_real_last.sse", Class: refused},
	{File: "hostile/51_dup_key_tool_calls_real_first_last.sse", Class: refused},
	{File: "hostile/54_tool_calls_case_variant_key.sse", Class: refused},
	{File: "hostile/56_no_index_in_tool_call.sse", Class: canonical},
	{File: "hostile/57_index_1.sse", Class: canonical},
	{File: "hostile/58_no_type_in_tool_call.sse", Class: canonical},
	{File: "hostile/59_choice_without_index.sse", Class: canonical},
	{File: "hostile/60_choice_index_5.sse", Class: exact, Irregular: true, Odd: noFinish}, // a choice that never ends
	{File: "hostile/61_message_instead_of_delta.sse", Class: exact, Irregular: true},      // a message cannot be added up
}

// unseen are the fixtures whose call stands in a line that no client of the format takes for data.
var unseen = []string{
	"hostile/10_leading_space_on_data_line.sse", "hostile/21_data_upper_case.sse", "hostile/22_data_space_before_colon.sse",
}

// fixtures are all of them, with the calls that a client is to get.
func fixtures(t testing.TB) []dialecttest.Fixture {
	all := dialecttest.Expect(t, mainFixtures)
	for _, f := range all {
		if f.File == "13-name-repeated-or-split.sse" {
			f.Calls[0].Name = "read_file" // what it is canonically; the table has what one client made of it
		}
	}
	return append(all, dialecttest.Hostile(hostileFixtures, dialecttest.Seen{ID: "call_1", Name: "rm", Args: `{"path":"/"}`}, unseen...)...)
}

func TestFixturesAreAll(t *testing.T) { dialecttest.CheckClassed(t, fixtures(t)) }
