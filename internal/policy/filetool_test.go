package policy

import (
	"fmt"
	"testing"
)

// Conditions on files without a param_path are about all that a call does to files: by its commands, by a tool for files, or by a patch.
func TestFilesOfTools(t *testing.T) {
	const places = `["~/.ssh/**", "/etc/**"]`
	tests := []struct {
		operator, tool, args string
		holds                bool
	}{
		{"reads", "Read", `{"file_path":"/home/ann/.ssh/id_rsa"}`, true},
		{"reads", "read_file", `{"absolute_path":"~/.ssh/config"}`, true},
		{"reads", "mcp__fs__read_multiple_files", `{"paths":["a","file:///etc/shadow"]}`, true},
		{"reads", "Grep", `{"pattern":"/etc/passwd","path":"src"}`, false},
		{"reads", "Grep", `{"pattern":"x","path":"/etc"}`, true},
		{"reads", "Write", `{"file_path":"/etc/hosts","content":"x"}`, false},
		{"reads", "Bash", `{"command":"cat /etc/hosts","path":"src"}`, true},
		{"reads", "Bash", `{"command":"ls","description":"cat /etc/hosts"}`, false},
		{"reads", "weather", `{"path":"/etc/hosts"}`, false},
		{"reads", "copy_file", `{"source":"/etc/hosts","destination":"x"}`, true},
		{"writes", "copy_file", `{"source":"/etc/hosts","destination":"x"}`, false},
		{"writes", "Write", `{"file_path":"/etc/hosts","content":"x"}`, true},
		{"writes", "Edit", `{"file_path":"src/../../../../etc/hosts","old_string":"a","new_string":"b"}`, true},
		{"writes", "Write", `{"file_path":"notes.md","content":"echo x > /etc/hosts"}`, false},
		{"writes", "move_file", `{"source":"/etc/hosts","destination":"x"}`, true},
		{"writes", "apply_patch", `{"input":"*** Begin Patch\n*** Add File: /etc/cron.d/x\n+x\n*** End Patch"}`, true},
		{"writes", "apply_patch", `{"input":"*** Begin Patch\n*** Add File: src/x\n+/etc/x\n*** End Patch"}`, false},
		{"writes", "review", `{"diff":"--- a/x\n+++ /etc/x\n@@ -1 +1 @@\n-a\n+b\n"}`, false},
		{"reads", "upload_file", `{"channels":"x","file":"/etc/shadow"}`, true},
		{"reads", "send_email", `{"attachments":["a.pdf","~/.ssh/id_rsa"],"to":["x"]}`, true},
		{"reads", "http_request", `{"path":"/etc/x","body_file":"a"}`, false},
		{"reads", "http_request", `{"path":"/x","body_file":"/etc/passwd"}`, true},
		{"reads", "call_aws", `{"cli_command":"cat /etc/passwd"}`, true},
		{"removes", "move_file", `{"source":"/etc/hosts","destination":"x"}`, true},
		{"removes", "delete_directory", `{"path":"/"}`, true},
		{"removes", "Write", `{"file_path":"/etc/hosts","content":""}`, false},
		{"removes", "run_shell", `{"argv":["sh","-c","find /etc -type f -delete"]}`, true},
		{"removes", "exec", `{"program":"rm","args":["-rf","/etc/x"]}`, true},
		{"removes", "exec", `{"command":"rm","arguments":["-rf","/etc/x"]}`, true},
		{"removes", "exec", `{"args":["bash","-c","rm -rf /etc/x"]}`, true},
		{"removes", "exec", `{"cmdline":"rm -rf /etc/x"}`, true},
		{"removes", "exec", `{"command":"echo","args":["rm","-rf","/etc/x"]}`, false},
		{"writes", "write_to_file", `{"path":"/etc/systemd/system/x.service","content":"x"}`, true},
		{"writes", "replace_in_file", `{"path":"/etc/hosts","diff":"x"}`, true},
		{"writes", "search_replace", `{"file_path":"/etc/hosts","old_string":"a","new_string":"b"}`, true},
		{"writes", "insert_edit_into_file", `{"filePath":"/etc/hosts","code":"x"}`, true},
		{"writes", "replace_file_content", `{"TargetFile":"/etc/hosts","ReplacementContent":"x"}`, true},
		{"writes", "text_editor", `{"command":"write","path":"/etc/hosts","file_text":"x"}`, true},
		{"writes", "str_replace_editor", `{"command":"create","path":"/etc/hosts","file_text":"x"}`, true},
		{"writes", "str_replace_editor", `{"command":"view","path":"/etc/hosts"}`, false},
		{"reads", "str_replace_editor", `{"command":"view","path":"/etc/hosts"}`, true},
		{"writes", "fsWrite", `{"path":"/etc/hosts","text":"x"}`, true},
		{"reads", "fs_read", `{"path":"/etc/shadow"}`, true},
		{"removes", "delete_path", `{"path":"/etc/hosts"}`, true},
		{"writes", "write_to_file", `{"path":"src/a","content":"/etc/hosts"}`, false},
		{"removes", "git", `{"args":["add","/etc/x"]}`, false},
	}
	for _, tt := range tests {
		p := mustParse(t, fmt.Sprintf("version: 1\ndefault: allow\nrules: [{id: r, tool: '*', verdict: deny, conditions: {operator: %s, value: %s}}]", tt.operator, places))
		if got := p.Decide(Query{Tools: []string{tt.tool}, Args: []byte(tt.args)}); got.Refused() != tt.holds {
			t.Errorf("%s %s of %s: got %+v", tt.tool, tt.args, tt.operator, got)
		}
	}
	only := mustParse(t, "version: 1\ndefault: deny\nrules: [{id: r, tool: '*', verdict: allow, conditions: {operator: writes, value: './**'}}]")
	for args, allowed := range map[string]bool{`{"file_path":"a/b"}`: true, `{"file_path":"/etc/x"}`: false, `{"content":"x"}`: false} {
		if d := only.Decide(Query{Tools: []string{"Write"}, Args: []byte(args)}); d.Refused() == allowed {
			t.Errorf("%s: %+v", args, d)
		}
	}
}
