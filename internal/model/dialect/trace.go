package dialect

import (
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// traceMember is the member in which Amazon Bedrock reports, in a response of any format, what its guardrails saw. It quotes the
// model, calls included.
const traceMember = "amazon-bedrock-trace"

// WithoutTrace returns a frame without the trace of guardrails. It is used for responses in which a call is withheld.
func WithoutTrace(f frame.Frame) frame.Frame {
	var doc strictjson.Doc
	if doc.Parse(f.Data) != nil {
		return f
	}
	var cuts []Cut
	for name, v := range doc.Root().Members() {
		if name.Folds(traceMember) {
			cuts = append(cuts, CutOf(v))
		}
	}
	if len(cuts) == 0 {
		return f
	}
	f.Data, f.Raw, f.Plain = Without(f.Data, cuts), nil, false
	return f
}
