package ollama_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/ollama"
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
		Format: ollama.Format(), Fixtures: fixtures(t), Framing: frame.Rows,
		Calls: lenientCalls, Clients: clients(), Mutations: 1500, Reader: &fold.Ollama, Generate: generate, Places: 80, Texts: texts,
		WireName: func(c call.Call) string { return c.Tool },
		IsPing:   func(dialecttest.LooseEvent) bool { return false },
		// Where the arguments of a call are a whole entry, these say nothing.
		Words:  []string{"function", "future_call"},
		Echoes: []string{"logprobs"},
		Seeds:  seeds(), Vocabulary: vocabulary, Ends: ends,
	}
}

func TestContract(t *testing.T) { dialecttest.Run(t, subject(t)) }

// mainFixtures are responses in the words of the API.
var mainFixtures = []dialecttest.Fixture{
	{File: "01-text-only.ndjson", Class: exact},
	{File: "02-thinking-two-calls.ndjson", Class: exact},
	{File: "03-call-on-unterminated-last-line.ndjson", Class: canonical},
	{File: "04-error-mid-stream.ndjson", Class: exact, Irregular: true}, // a whole answer is text or an error
	{File: "05-call-on-last-line.ndjson", Class: exact},
	{File: "06-ids-and-indexes.ndjson", Class: exact},
	{File: "07-text-after-calls.ndjson", Class: exact},
	{File: "08-generate.ndjson", Class: exact},
	{File: "09-length.ndjson", Class: exact},
	{File: "10-load.ndjson", Class: exact},
	{File: "11-logprobs.ndjson", Class: exact, Irregular: true}, // of a whole message all tokens go with a refused call
	{File: "12-every-text.ndjson", Class: exact},
	{File: "20-chat.json", Class: exact, Whole: true},
	{File: "21-generate.json", Class: exact, Whole: true},
	{File: "22-error.json", Class: exact, Whole: true},
	{File: "23-generate-thinking.json", Class: exact, Whole: true},
}

// A hostile fixture is a stream with a call to rm in its second line, in framing or JSON that clients read differently.
// Those in which some client sees the call are restated, so that all do, or refused.
type hostile struct {
	class dialecttest.Class
	calls string // what the agent gets, one letter for each: r is the call to rm, others are below
	// endless and unfinished are as in a Fixture.
	endless, unfinished, irregular bool
	odd                            string
}

var hostileFixtures = map[string]hostile{
	"01_normal":                            {class: exact, calls: "r"},
	"02_crlf":                              {class: exact, calls: "r"},
	"03_two_cr_before_lf":                  {class: canonical, calls: "r"},
	"04_lone_cr_as_line_end":               {class: refused},
	"05_lone_cr_inside":                    {class: canonical, calls: "r"},
	"06_blank_lines":                       {class: canonical, calls: "r"},
	"07_bom_at_start":                      {class: canonical, calls: "r"},
	"08_bom_before_the_call":               {class: canonical, calls: "r"},
	"09_bom_after_a_space":                 {class: refused},
	"10_line_of_a_bom":                     {class: canonical, calls: "r"},
	"11_two_objects_on_a_line":             {class: refused},
	"12_two_objects_and_a_space":           {class: refused},
	"13_object_over_two_lines":             {class: refused},
	"14_u2028_between_objects":             {class: refused},
	"15_u2028_as_white_space":              {class: refused},
	"16_u2028_u2029_u0085_in_text":         {class: canonical, calls: "r"},
	"17_white_space_around":                {class: exact, calls: "r"},
	"18_vertical_tab_around":               {class: refused},
	"19_no_last_lf":                        {class: canonical, calls: "r"},
	"20_ends_after_the_call":               {class: canonical, calls: "r", endless: true},
	"21_ends_inside_the_call":              {class: canonical, unfinished: true},
	"22_ends_without_done":                 {class: exact, calls: "r", endless: true},
	"23_call_after_done":                   {class: refused},
	"24_text_after_done":                   {class: refused, calls: "r"},
	"25_blank_line_after_done":             {class: canonical, calls: "r"},
	"26_array_of_lines":                    {class: refused},
	"27_event_stream":                      {class: refused},
	"28_not_json":                          {class: refused},
	"29_number":                            {class: refused},
	"30_invalid_utf8":                      {class: refused},
	"31_nul_in_a_string":                   {class: refused},
	"32_trailing_comma":                    {class: refused},
	"33_comment":                           {class: refused},
	"40_message_twice_call_last":           {class: refused},
	"41_message_twice_call_first":          {class: refused},
	"42_message_in_another_case":           {class: refused},
	"43_message_and_its_case_variant":      {class: refused},
	"44_tool_calls_twice_empty_first":      {class: refused},
	"45_tool_calls_twice_empty_last":       {class: refused},
	"46_tool_calls_in_another_case":        {class: refused},
	"47_tool_calls_escaped_name":           {class: exact, calls: "r"},
	"48_function_twice":                    {class: refused},
	"49_function_in_another_case":          {class: refused},
	"50_name_twice":                        {class: refused},
	"51_name_in_another_case":              {class: refused},
	"52_arguments_twice":                   {class: refused},
	"53_arguments_in_another_case":         {class: refused},
	"54_done_twice":                        {class: refused},
	"55_index_twice":                       {class: refused},
	"60_tool_calls_as_object":              {class: refused},
	"61_tool_calls_as_text":                {class: refused},
	"62_tool_calls_null":                   {class: exact},
	"63_tool_calls_empty":                  {class: exact, odd: "tool_calls without a call"},
	"64_entry_not_an_object":               {class: refused},
	"65_entry_null":                        {class: refused},
	"66_entry_without_function":            {class: exact, calls: "i"},
	"67_entry_of_another_type":             {class: exact, calls: "f"},
	"68_entry_flat":                        {class: refused},
	"69_entry_with_another_call_beside":    {class: refused},
	"70_function_with_another_call_inside": {class: refused},
	"71_function_as_text":                  {class: refused},
	"72_name_missing":                      {class: canonical},
	"73_name_not_text":                     {class: refused},
	"74_name_with_half_a_character":        {class: refused},
	"75_arguments_as_text":                 {class: canonical, calls: "r"},
	"76_arguments_as_text_not_json":        {class: canonical},
	"77_arguments_as_array":                {class: canonical},
	"78_arguments_as_number":               {class: canonical},
	"79_arguments_null":                    {class: canonical, calls: "e"},
	"80_arguments_missing":                 {class: canonical, calls: "e"},
	"81_arguments_with_a_name_twice":       {class: canonical},
	"82_arguments_with_a_case_variant":     {class: canonical},
	"83_arguments_with_half_a_character":   {class: canonical},
	"84_index_not_a_number":                {class: canonical, calls: "r"},
	"85_index_too_large":                   {class: canonical, calls: "r"},
	"86_id_not_text":                       {class: refused},
	"87_message_as_array":                  {class: refused},
	"88_message_as_text":                   {class: refused},
	"89_content_as_array":                  {class: refused},
	"90_calls_at_the_top":                  {class: refused},
	"91_calls_in_another_member":           {class: refused},
	"92_response_with_calls":               {class: refused},
	"93_response_beside_message":           {class: exact, calls: "r"},
	"94_error_with_calls":                  {class: exact, calls: "r", irregular: true},
	"95_error_null_with_calls":             {class: exact, calls: "r"},
	"96_thinking_beside_calls":             {class: exact, calls: "r"},
	"97_anthropic_call":                    {class: refused},
	"98_chat_call":                         {class: refused},
	"99_gemini_call":                       {class: refused},
	"A0_responses_call":                    {class: refused},
	"A1_line_with_a_type":                  {class: refused},
	"A2_message_that_is_a_call":            {class: refused},
	"A3_call_in_logprobs":                  {class: refused},
}

// The calls of hostile fixtures, by their letters.
var letters = map[rune]dialecttest.Seen{
	'r': {Name: "rm", Args: `{"path":"/"}`},
	'e': {Name: "rm", Args: `{}`},
	'i': {ID: "x", Name: "tool_call", Args: `{"id":"x"}`},
	'f': {Name: "future_call", Args: `{"body":{"path":"/"},"type":"future_call"}`},
}

// fixtures are all of them, with the calls that a client is to get.
func fixtures(t testing.TB) []dialecttest.Fixture {
	all := dialecttest.Expect(t, mainFixtures)
	for _, name := range dialecttest.SortedKeys(hostileFixtures) {
		h := hostileFixtures[name]
		f := dialecttest.Fixture{
			File: "hostile/" + name + ".ndjson", Class: h.class, Endless: h.endless, Unfinished: h.unfinished, Irregular: h.irregular, Odd: h.odd,
		}
		for _, letter := range h.calls {
			f.Calls = append(f.Calls, letters[letter])
		}
		if f.Class == refused {
			f.Code = call.CodeMalformed
		}
		all = append(all, f)
	}
	for i := range all {
		if !all[i].Whole {
			all[i].Framing = frame.Rows
		}
	}
	return all
}

func TestFixturesAreAll(t *testing.T) { dialecttest.CheckClassed(t, fixtures(t)) }
