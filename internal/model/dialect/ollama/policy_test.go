package ollama_test

import "testing"

func TestParityUnderPolicies(t *testing.T) {
	subject(t).CheckParityUnderPolicies(t, "*", "bash", "*_file", "future_*", "video")
}
