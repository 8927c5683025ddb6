package anthropic_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
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
		Format: anthropic.Format(), Fixtures: fixtures(t),
		Calls: lenientCalls, Reader: &fold.Messages, Named: true, Generate: generate, Texts: texts,
		IsPing: func(e dialecttest.LooseEvent) bool { return e.Name == "ping" },
		Seeds:  seeds, Vocabulary: vocabulary, Ends: ends,
	}
}

func TestContract(t *testing.T) { dialecttest.Run(t, subject(t)) }

// mainFixtures are responses in the words of the API.
var mainFixtures = []dialecttest.Fixture{
	{File: "01-text-only.sse", Class: exact},
	{File: "02-single-call.sse", Class: exact},
	{File: "03-text-then-call.sse", Class: exact},
	{File: "04-parallel-calls.sse", Class: exact},
	{File: "05-odd-splits.sse", Class: canonical}, // a line separator in it is escaped
	{File: "06-thinking-call.sse", Class: exact},
	{File: "07-server-tools.sse", Class: exact},
	{File: "08-mcp-connector.sse", Class: exact},
	{File: "09-error-mid-call.sse", Class: canonical, Irregular: true}, // the call that broke off is left out
	{File: "10-max-tokens-cut.sse", Class: canonical, Irregular: true}, // the call that was cut is refused
	{File: "11-refusal.sse", Class: exact},
	{File: "12-interleaved-blocks.sse", Class: exact},
	{File: "13-tool-in-message-start.sse", Class: exact},
	{File: "14-no-args-and-full-start.sse", Class: exact},
	{File: "15-pause-turn.sse", Class: exact},
	{File: "16-every-text.sse", Class: exact},
	{File: "20-message.json", Class: exact, Whole: true},
}

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
	{File: "hostile/10_leading_space_on_data_line.sse", Class: refused},
	{File: "hostile/11_json_over_two_data_lines.sse", Class: canonical},
	{File: "hostile/12_raw_lf_inside_json_no_data_prefix.sse", Class: refused},
	{File: "hostile/13_raw_cr_inside_json_whitespace.sse", Class: refused},
	{File: "hostile/14_event_ping_tool_payload.sse", Class: canonical},
	{File: "hostile/15_event_error_tool_payload.sse", Class: canonical},
	{File: "hostile/16_no_event_line.sse", Class: canonical},
	{File: "hostile/17_unknown_event_name.sse", Class: canonical},
	{File: "hostile/18_empty_event_value.sse", Class: canonical},
	{File: "hostile/19_comment_first_in_block.sse", Class: canonical},
	{File: "hostile/20_id_retry_first_in_block.sse", Class: canonical},
	{File: "hostile/21_data_upper_case.sse", Class: refused},
	{File: "hostile/22_data_space_before_colon.sse", Class: refused},
	{File: "hostile/23_blank_line_is_bom_only.sse", Class: canonical},
	{File: "hostile/24_blank_line_has_a_space.sse", Class: refused},
	{File: "hostile/25_event_line_after_data.sse", Class: canonical},
	{File: "hostile/26_two_frames_blank_line_missing_lf_pair_cr_lf_lf.sse", Class: canonical},
	{File: "hostile/27_after_done.sse", Class: canonical},
	{File: "hostile/28_thread_event_name.sse", Class: canonical},
	{File: "hostile/29_data_line_w_o_colon_then_data.sse", Class: canonical},
	{File: "hostile/30_bom_at_stream_start.sse", Class: canonical},
	{File: "hostile/40_eof_no_newline_at_all.sse", Class: canonical, Unfinished: true},
	{File: "hostile/41_eof_one_lf.sse", Class: canonical, Unfinished: true},
	{File: "hostile/42_eof_lf_lone_cr.sse", Class: canonical, Unfinished: true},
	{File: "hostile/43_eof_one_cr.sse", Class: canonical, Unfinished: true},
	{File: "hostile/50_dup_key_type_first_benign_last_real.sse", Class: refused},
	{File: "hostile/51_dup_key_type_first_real_last_benign.sse", Class: refused},
	{File: "hostile/52_block_type_dup_text_first_tool_use_last.sse", Class: refused},
	{File: "hostile/53_block_type_dup_tool_use_first_text_last.sse", Class: refused},
	{File: "hostile/54_type_upper_case_key.sse", Class: refused},
	{File: "hostile/55_no_top_level_type_event_name_only.sse", Class: canonical},
}

// fixtures are all of them, with the calls that a client is to get.
func fixtures(t testing.TB) []dialecttest.Fixture {
	all := dialecttest.Expect(t, mainFixtures)
	for i := range all {
		if all[i].Irregular {
			all[i].Calls = nil
		}
	}
	return append(all, dialecttest.Hostile(hostileFixtures, dialecttest.Seen{ID: "toolu_1", Name: "rm", Args: `{"path":"/"}`})...)
}

func TestFixturesAreAll(t *testing.T) { dialecttest.CheckClassed(t, fixtures(t)) }
