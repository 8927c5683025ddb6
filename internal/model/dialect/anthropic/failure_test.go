package anthropic_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
)

// Where the framing itself tells that a response failed, that is what the client gets: the frame as it is, whatever its data
// look like, and no call that was open by then.
func TestFailureFrames(t *testing.T) {
	for name, data := range map[string]string{
		"a message":                 `{"message":"the stream broke"}`,
		"that calls itself a delta": `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}`,
		"that calls itself an end":  `{"type":"message_stop"}`,
		"nothing":                   `{}`,
	} {
		for _, plain := range []bool{true, false} {
			d := anthropic.Format().New(dialect.Options{Unnamed: true, MaxArguments: 1 << 20})
			for _, text := range []string{
				`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}`,
				`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"command\":"}}`,
			} {
				if _, err := d.Scan(frame.Frame{Raw: []byte(text), Data: []byte(text), Plain: true}); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			failed := frame.Frame{Raw: []byte("raw"), Type: []byte("modelStreamErrorException"), Data: []byte(data), Plain: plain, Failure: true}
			if !anthropic.Format().Recognises(failed) {
				t.Errorf("%s: as the first frame it is not recognised", name)
			}
			r, err := d.Scan(failed)
			if err != nil || r.Pass || len(r.Opens) > 0 {
				t.Fatalf("%s: read as %+v, %v", name, r, err)
			}
			frames, err := d.Rewrite(failed, r)
			if diff := cmp.Diff([]frame.Frame{failed}, frames); diff != "" || err != nil {
				t.Errorf("%s, plain: %v: %v (-want +got):\n%s", name, plain, err, diff)
			}
			if !d.Meta().Ended {
				t.Errorf("%s: the response goes on", name)
			}
		}
	}
}
