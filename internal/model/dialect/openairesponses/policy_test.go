package openairesponses_test

import "testing"

func TestParityUnderPolicies(t *testing.T) {
	subject(t).CheckParityUnderPolicies(t, "*", "bash", "*_note", "notes.*", "mcp__*", "shell", "web_search", "future_*", "video")
}
