package gemini_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/gemini"
	"github.com/weir-gate/weir/internal/weirtest/fold"
)

const (
	exact     = dialecttest.Exact
	canonical = dialecttest.Canonical
	refused   = dialecttest.Refused
)

// subject describes the format to the contract suite, with streams in one framing.
func subject(t testing.TB, in frame.Framing) dialecttest.Subject {
	s := dialecttest.Subject{
		Format: gemini.Format(), Framing: in,
		Odd:   "clients do not put pieces together", // and the service sends them to who asks for them
		Calls: lenientCalls, Reader: &fold.Gemini, Generate: generate(in),
		WireName: wireName,
		IsPing:   func(dialecttest.LooseEvent) bool { return false },
		Words:    []string{"Malformed", "function"}, // of a message about a call, which are not of the call
		Echoes:   []string{"finishMessage", "logprobsResult"},
		Places:   80,
		Texts:    texts, Pieces: true,
		Framings: []frame.Framing{frame.Events, frame.Elements, frame.Whole},
		Seeds:    seeds(), Vocabulary: vocabulary, Ends: endsResponse, Shows: shows,
	}
	for _, f := range fixtures(t) {
		if f.Framing == in || f.Framing == frame.Whole && in == frame.Events {
			s.Fixtures = append(s.Fixtures, f)
		}
	}
	return s
}

func TestContract(t *testing.T) {
	t.Run("events", func(t *testing.T) { dialecttest.Run(t, subject(t, frame.Events)) })
	t.Run("array", func(t *testing.T) { dialecttest.Run(t, subject(t, frame.Elements)) })
}

// mainFixtures are responses in the words of the API.
var mainFixtures = []dialecttest.Fixture{
	{File: "01-text-only.sse", Class: exact},
	{File: "02-single-call.sse", Class: exact},
	{File: "03-text-then-call.sse", Class: exact},
	{File: "04-parallel-calls-signature.sse", Class: exact},
	{File: "05-odd-escapes.sse", Class: canonical}, // a line separator in it is escaped
	{File: "06-thinking-call.sse", Class: exact},
	{File: "07-partial-args.sse", Class: canonical}, // the call goes out whole
	{File: "08-server-side-tools.sse", Class: exact},
	{File: "09-error-mid-stream.sse", Class: exact, Irregular: true},
	{File: "10-malformed-call.sse", Class: exact},
	{File: "11-prompt-blocked.sse", Class: exact},
	{File: "12-two-candidates.sse", Class: exact, Irregular: true}, // the second one calls first
	{File: "13-json-array-stream.json", Class: exact, Framing: frame.Elements},
	{File: "14-every-text.sse", Class: exact},
	{File: "20-response.json", Class: exact, Whole: true},
	{File: "21-error.json", Class: exact, Whole: true},
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
	{File: "hostile/10_leading_space_on_data_line.sse", Class: canonical},
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
	{File: "hostile/21_data_upper_case.sse", Class: canonical},
	{File: "hostile/22_data_space_before_colon.sse", Class: canonical},
	{File: "hostile/23_blank_line_is_bom_only.sse", Class: canonical},
	{File: "hostile/24_blank_line_has_a_space.sse", Class: refused},
	{File: "hostile/25_event_line_after_data.sse", Class: exact},
	{File: "hostile/26_two_frames_blank_line_missing_lf_pair_cr_lf_lf.sse", Class: canonical},
	{File: "hostile/27_after_done.sse", Class: refused},
	{File: "hostile/28_thread_event_name.sse", Class: canonical},
	{File: "hostile/29_data_line_w_o_colon_then_data.sse", Class: canonical},
	{File: "hostile/30_bom_at_stream_start.sse", Class: canonical},
	{File: "hostile/40_eof_no_newline_at_all.sse", Class: canonical, Endless: true},
	{File: "hostile/41_eof_one_lf.sse", Class: canonical, Endless: true},
	{File: "hostile/42_eof_lf_lone_cr.sse", Class: canonical, Endless: true},
	{File: "hostile/43_eof_one_cr.sse", Class: canonical, Endless: true},
	{File: "hostile/50_dup_key_functioncall_null_first_real_last.sse", Class: refused},
	{File: "hostile/51_dup_parts_real_first_last.sse", Class: refused},
	{File: "hostile/54_functioncall_case_variant_key.sse", Class: refused},
	{File: "hostile/55_function_call_snake_case.sse", Class: exact},
	{File: "hostile/56_second_candidate_index_1.sse", Class: exact, Endless: true}, // the second candidate has no end
}

// unseen are the fixtures whose call stands in a line that no client of the format takes for data, but for the one that takes
// whatever follows "data:" in a block.
var unseen = []string{
	"hostile/10_leading_space_on_data_line.sse", "hostile/21_data_upper_case.sse", "hostile/22_data_space_before_colon.sse",
}

// spoken are the calls of the fixtures that the table of expectations says nothing of.
var spoken = map[string][]dialecttest.Seen{
	"07-partial-args.sse": {
		{ID: "fc-p", Name: "set_gate", Args: `{"flags":[true],"gate":{"id":3,"note":"open slowly"},"owner":null}`},
	},
	"08-server-side-tools.sse": {
		{ID: "ec-1", Name: "code_execution", Args: `{"code":"print(2**8)","id":"ec-1","language":"PYTHON"}`, Ran: true},
		{ID: "tcall-1", Name: "GOOGLE_SEARCH_WEB", Args: `{"queries":["weir"]}`, Ran: true},
	},
	"14-every-text.sse": {
		{ID: "ec-14", Name: "code_execution", Args: `{"code":"print(6*7)","id":"ec-14","language":"PYTHON"}`, Ran: true},
		{ID: "tc-14", Name: "GOOGLE_SEARCH_WEB", Args: `{"queries":["weir design"]}`, Ran: true},
		{ID: "fc-14", Name: "bash", Args: `{"command":"ls"}`},
	},
	"10-malformed-call.sse": {
		{Name: inMessage, Args: `{"message":"Malformed function call: print(default_api.bash(command=\"id\"))"}`, Ran: true},
	},
}

// fixtures are all of them, with the calls that a client is to get.
func fixtures(t testing.TB) []dialecttest.Fixture {
	all := slices.Clone(mainFixtures)
	for i, f := range all {
		all[i].Calls = spoken[f.File]
	}
	all = append(dialecttest.Expect(t, all),
		dialecttest.Hostile(hostileFixtures, dialecttest.Seen{ID: "f1", Name: "rm", Args: `{"path":"/"}`}, unseen...)...)
	for i, f := range all {
		if !f.Whole && f.Framing == frame.Whole {
			all[i].Framing = frame.Events
		}
	}
	return all
}

func TestFixturesAreAll(t *testing.T) { dialecttest.CheckClassed(t, fixtures(t)) }

// TestFixturesAsArrays leads every stream of events through the gate as an array too: the elements come out alike.
func TestFixturesAsArrays(t *testing.T) {
	for _, f := range fixtures(t) {
		if f.Framing != frame.Events || strings.HasPrefix(f.File, "hostile/") {
			continue
		}
		var elements []string
		for _, e := range dialecttest.Framings()[0].Events(dialecttest.ReadFixture(t, f.File)) {
			elements = append(elements, e.Data)
		}
		for _, p := range dialecttest.Policies() {
			asEvents, asArray := pass(stream(elements...), frame.Events, p), pass(array(elements...), frame.Elements, p)
			got, want := dialecttest.Readers(frame.Elements)[0].Events(asArray.Out), dialecttest.Framings()[0].Events(asEvents.Out)
			for i := range min(len(got), len(want)) {
				if dialecttest.Meaning([]byte(got[i].Data)) != dialecttest.Meaning([]byte(want[i].Data)) {
					t.Errorf("%s, %s: element %d is %s, want %s", f.File, p.Name, i, got[i].Data, want[i].Data)
				}
			}
			if len(got) != len(want) || len(asEvents.Events) != len(asArray.Events) {
				t.Errorf("%s, %s: %d elements and %d events, want %d and %d", f.File, p.Name, len(got), len(asArray.Events), len(want), len(asEvents.Events))
			}
		}
	}
}
