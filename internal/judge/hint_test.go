package judge_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
)

// What a server says of its tools counts wherever they are shown or called, as its last list has it.
func TestHints(t *testing.T) {
	w := newWithServers(t, "version: 1\ndefault: allow\nrules: [{id: destroying, tool: '*', hints: destructive, verdict: deny}]", nil)
	purge := func(annotations string) string { return `{"name":"purge","annotations":` + annotations + `}` }
	for _, tt := range []struct{ annotations, code string }{
		{`{"destructiveHint":true}`, call.CodeToolDenied},
		{`{"destructiveHint":false}`, ""},
		{`{"readOnlyHint":true}`, ""},
		{`{"readOnlyHint":true,"destructiveHint":true}`, call.CodeToolDenied},
	} {
		if shown := w.lists(files, purge(tt.annotations), tool("list", "")); !cmp.Equal(shown, []bool{tt.code == "", true}) {
			t.Errorf("%s: shown: %v", tt.annotations, shown)
		}
		w.take()
		for _, name := range []string{"mcp__files__purge", "files_purge", "purge"} {
			if r := ruled(t, w.Judge, aCall(name, `{}`)); r.Code != tt.code {
				t.Errorf("%s: the model's %s is %q, want %q", tt.annotations, name, r.Code, tt.code)
			}
		}
		if r := w.Call(t.Context(), called(files, "purge", `{}`)); r.Code != tt.code {
			t.Errorf("%s: the client's call is %q, want %q", tt.annotations, r.Code, tt.code)
		}
		if r := w.Call(t.Context(), called(files, "list", `{}`)); !r.Released {
			t.Errorf("%s: another tool is refused: %+v", tt.annotations, r)
		}
	}
}
