package anthropic_test

import "testing"

func TestParityUnderPolicies(t *testing.T) {
	subject(t).CheckParityUnderPolicies(t, "*", "bash", "*_file", "browser.*", "web_*", "mcp__tracker__*", "create", "future_*", "video")
}
