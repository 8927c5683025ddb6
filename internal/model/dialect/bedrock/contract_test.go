package bedrock_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/bedrock"
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
		Format: bedrock.Format(), Fixtures: fixtures(t), Framing: frame.Binary,
		Calls: lenientCalls, Reader: &fold.Converse, Generate: generate, Places: 120, Texts: texts,
		IsPing: func(dialecttest.LooseEvent) bool { return false },
		Words:  []string{"futureCall", "hologram"},
		Echoes: []string{"trace", "additionalModelResponseFields"},
		Seeds:  seeds, Vocabulary: vocabulary, Ends: ends,
	}
}

func TestContract(t *testing.T) { dialecttest.Run(t, subject(t)) }

func TestParityUnderPolicies(t *testing.T) {
	subject(t).CheckParityUnderPolicies(t, "*", "bash", "*_file", "web_*", "future*", "hologram")
}

// mainFixtures are responses in the words of the API.
var mainFixtures = []dialecttest.Fixture{
	{File: "01-converse-text-and-calls.bin", Class: exact},
	{File: "02-converse-exception-mid-call.bin", Class: canonical, Irregular: true}, // the call that broke off is left out
	{File: "03-invoke-claude.bin", Class: refused},                                  // the answer of another API
	{File: "04-text-only.bin", Class: exact},
	{File: "05-calls-without-arguments.bin", Class: exact},
	{File: "06-reasoning-then-call.bin", Class: exact},
	{File: "07-server-tool.bin", Class: exact},
	{File: "08-max-tokens-cut.bin", Class: canonical, Irregular: true}, // the call that was cut is refused
	{File: "09-character-in-two-pieces.bin", Class: canonical},
	{File: "10-gap-in-indexes.bin", Class: canonical},
	{File: "11-unknown-block.bin", Class: exact},
	{File: "12-error-message.bin", Class: exact, Irregular: true},
	{File: "13-quotes.bin", Class: exact},
	{File: "14-block-never-stopped.bin", Class: exact, Endless: true},
	{
		File: "15-empty-text.bin", Class: exact, Irregular: true, // a whole message has no such block
		Odd: "contentBlockStop of block 0 where block 0 is due", // and the service never began it
	},
	{File: "16-exception-at-once.bin", Class: exact, Irregular: true},
	{File: "17-unknown-event.bin", Class: exact},
	{File: "18-every-text.bin", Class: exact},
	{File: "20-converse.json", Class: exact, Whole: true},
	{File: "21-error.json", Class: exact, Whole: true},
	{File: "22-server-tool.json", Class: exact, Whole: true},
	{File: "23-every-text.json", Class: exact, Whole: true},
}

// hostileFixtures hold one call each, in framing or JSON that clients read differently. Those in which some client sees
// the call are restated, so that all do, or refused.
var hostileFixtures = map[string]dialecttest.Class{
	"01_normal":                     exact,
	"02_another_header":             canonical,
	"03_no_content_type":            canonical,
	"04_content_type_parameter":     canonical,
	"05_headers_in_another_order":   exact,
	"06_exception_type_of_an_event": canonical,
	"07_white_space_around":         exact,
	"08_type_in_another_case":       refused,
	"09_unknown_type":               refused,
	"10_name_twice":                 refused,
	"11_tool_use_twice":             refused,
	"12_tool_use_in_two_cases":      refused,
	"13_start_twice":                refused,
	"14_text_beside_the_call":       refused,
	"15_null_beside_the_call":       exact,
	"16_escaped_names":              exact,
	"17_byte_order_mark":            refused,
	"18_call_sent_as_a_chunk":       refused,
	"19_stop_inside_a_call":         refused,
	"20_no_payload_for_the_stop":    refused,
	"21_checksum_wrong":             refused,
	"22_event_type_twice":           refused,
	"23_message_type_unknown":       refused,
	"24_payload_is_not_json":        refused,
}

// fixtures are all of them, with the calls that a client is to get.
func fixtures(t testing.TB) []dialecttest.Fixture {
	var hostile []dialecttest.Fixture
	for _, name := range dialecttest.SortedKeys(hostileFixtures) {
		hostile = append(hostile, dialecttest.Fixture{File: "hostile/" + name + ".bin", Class: hostileFixtures[name]})
	}
	all := append(dialecttest.Expect(t, mainFixtures),
		dialecttest.Hostile(hostile, dialecttest.Seen{ID: "tooluse_1", Name: "rm", Args: `{"path":"/"}`})...)
	for i := range all {
		if !all[i].Whole {
			all[i].Framing = frame.Binary
		}
	}
	return all
}

func TestFixturesAreAll(t *testing.T) { dialecttest.CheckClassed(t, fixtures(t)) }
