package frame

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The hostile fixtures are variations of one stream, whose second event is a call. Each is named with what its frames
// are (p plain, o odd, c cut) and how it must look once written, as an edit of the ordinary stream.
var hostile = map[string]struct {
	frames   string
	old, new string // "": written as the ordinary stream
	truncate bool   // only the first two events are there
}{
	"01_lf_normal":                                      {frames: "ppppp"},
	"02_crlf":                                           {frames: "poppp"},
	"03_lone_cr_everywhere":                             {frames: "poppp"},
	"04_mixed_lf_then_crlf_blank":                       {frames: "poppp"},
	"05_data_without_space":                             {frames: "poppp"},
	"06_two_spaces":                                     {frames: "ppppp", old: callLine, new: "data:  " + callJSON + "\n"},
	"07_tab_after_colon":                                {frames: "poppp", old: callLine, new: "data: \t" + callJSON + "\n"},
	"08_bom_before_this_mid_stream_frame":               {frames: "poppp"},
	"09_bom_before_the_data_line":                       {frames: "poppp"},
	"10_leading_space_on_data_line":                     {frames: "poppp", old: callName + callLine + "\n"},
	"11_json_over_two_data_lines":                       {frames: "poppp", old: callHalf, new: callHalf + " "},
	"12_raw_lf_inside_json_no_data_prefix":              {frames: "poppp", old: callJSON, new: callHalf},
	"13_raw_cr_inside_json_whitespace":                  {frames: "poppp", old: callJSON, new: callHalf},
	"14_event_ping_tool_payload":                        {frames: "ppppp", old: callName, new: "event: ping\n"},
	"15_event_error_tool_payload":                       {frames: "ppppp", old: callName, new: "event: error\n"},
	"16_no_event_line":                                  {frames: "ppppp", old: callName},
	"17_unknown_event_name":                             {frames: "ppppp", old: callName, new: "event: zzz\n"},
	"18_empty_event_value":                              {frames: "poppp", old: callName},
	"19_comment_first_in_block":                         {frames: "poppp"},
	"20_id_retry_first_in_block":                        {frames: "poppp"},
	"21_data_upper_case":                                {frames: "poppp", old: callName + callLine + "\n"},
	"22_data_space_before_colon":                        {frames: "poppp", old: callName + callLine + "\n"},
	"23_blank_line_is_bom_only":                         {frames: "poppp"},
	"24_blank_line_has_a_space":                         {frames: "popp", old: callName + callLine + "\n" + stopName + "data: ", new: stopName + "data: " + callJSON + " "},
	"25_event_line_after_data":                          {frames: "poppp"},
	"26_two_frames_blank_line_missing_lf_pair_cr_lf_lf": {frames: "poppp"},
	"27_after_done":                                     {frames: "pppppp", old: callName, new: "data: [DONE]\n\n" + callName},
	"28_thread_event_name":                              {frames: "ppppp", old: callName, new: "event: thread.x\n"},
	"29_data_line_w_o_colon_then_data":                  {frames: "poppp", old: callLine, new: "data:  " + callJSON + "\n"},
	"30_bom_at_stream_start":                            {frames: "opppp"},
	"40_eof_no_newline_at_all":                          {frames: "pc", truncate: true},
	"41_eof_one_lf":                                     {frames: "pc", truncate: true},
	"42_eof_lf_lone_cr":                                 {frames: "po", truncate: true},
	"43_eof_one_cr":                                     {frames: "pc", truncate: true},
	"50_dup_key_type_first_benign_last_real":            {frames: "ppppp", old: `data: {"type":"content_block_start"`, new: `data: {"type":"ping","type":"content_block_start"`},
	"51_dup_key_type_first_real_last_benign":            {frames: "ppppp", old: `"index":0,"content_block"`, new: `"index":0,"type":"ping","content_block"`},
	"52_block_type_dup_text_first_tool_use_last":        {frames: "ppppp", old: `{"type":"tool_use"`, new: `{"type":"text","text":"","type":"tool_use"`},
	"53_block_type_dup_tool_use_first_text_last":        {frames: "ppppp", old: `"input":{"path":"/"}`, new: `"input":{"path":"/"},"type":"text","text":""`},
	"54_type_upper_case_key":                            {frames: "ppppp", old: `{"type":"tool_use"`, new: `{"Type":"tool_use"`},
	"55_no_top_level_type_event_name_only":              {frames: "ppppp", old: `{"type":"content_block_start",`, new: `{`},
}

const (
	callHalf = `{"type":"content_block_start",`
	callJSON = callHalf + `"index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"rm","input":{"path":"/"}}}`
	callName = "event: content_block_start\n"
	callLine = "data: " + callJSON + "\n"
	stopName = "event: content_block_stop\n"
)

func TestHostileFixtures(t *testing.T) {
	ordinary := readFixture(t, "01_lf_normal")
	files, err := filepath.Glob("testdata/hostile/*.sse")
	if err != nil || len(files) != len(hostile) {
		t.Fatalf("%d fixtures, want %d (%v)", len(files), len(hostile), err)
	}
	for name, want := range hostile {
		t.Run(name, func(t *testing.T) {
			in := readFixture(t, name)
			frames, out := readSSE(t, bytes.NewReader(in))
			if got := kinds(frames); got != want.frames {
				t.Errorf("frames are %s, want %s", got, want.frames)
			}
			wantOut := string(ordinary)
			if want.truncate {
				wantOut = wantOut[:strings.Index(wantOut, stopName)]
			}
			if want.old != "" {
				if !strings.Contains(wantOut, want.old) {
					t.Fatalf("the ordinary stream has no %q", want.old)
				}
				wantOut = strings.Replace(wantOut, want.old, want.new, 1)
			}
			if diff := cmp.Diff(wantOut, string(out)); diff != "" {
				t.Errorf("written again (-want +got):\n%s", diff)
			}
			checkEveryCut(t, in)
			checkReading(t, in)
		})
	}
}

func readFixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata/hostile", name+".sse"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func kinds(frames []Frame) string {
	var b strings.Builder
	for _, f := range frames {
		switch {
		case f.Plain:
			b.WriteByte('p')
		case f.Cut:
			b.WriteByte('c')
		default:
			b.WriteByte('o')
		}
	}
	return b.String()
}
