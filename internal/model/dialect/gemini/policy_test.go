package gemini_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/frame"
)

func TestParityUnderPolicies(t *testing.T) {
	for _, in := range []frame.Framing{frame.Events, frame.Elements} {
		subject(t, in).CheckParityUnderPolicies(t, "*", "bash", "*_file", "code_execution", "GOOGLE_*", "video*", "get_time")
	}
}
