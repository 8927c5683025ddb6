package ollama

import (
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// The texts of the format. There is one choice, and nothing is said again: every line has further pieces.
//
//	place                               kind       part
//	message.content                     Answer
//	message.thinking                    Reasoning
//	response, of the older API          Answer     1
//	thinking, of the older API          Reasoning  1
//	error                               Failure
//	logprobs                            Echo
//	context, of the older API: tokens   Echo       1
//	any other member                    Elsewhere
//
// Not text are calls and images.
var textFields = dialect.NotTexts("model", "created_at", "done", "done_reason", "remote_model", "remote_host").And(
	dialect.Field{Name: "message", In: dialect.NotTexts("role", "tool_calls", "tool_name", "images").And(
		dialect.Field{Name: "content", Kind: dialect.Answer},
		dialect.Field{Name: "thinking", Kind: dialect.Reasoning},
	)},
	dialect.Field{Name: "response", Kind: dialect.Answer, Part: 1},
	dialect.Field{Name: "thinking", Kind: dialect.Reasoning, Part: 1},
	dialect.Field{Name: "error", Kind: dialect.Failure},
	dialect.Field{Name: "logprobs", Kind: dialect.Echo},
	dialect.Field{Name: "context", Kind: dialect.Echo, Part: 1},
)

// findTexts finds the texts of the line that was parsed last.
func (d *editor) findTexts(frame.Frame, any) {
	d.Texts.At(dialect.Channel{})
	d.Texts.Object(d.Doc.Root(), textFields)
}
