package judge_test

import (
	"cmp"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/record"
)

// Where only MCP is judged, all else passes unrecorded, and the mcp block of the policy is asked about it all the same.
func TestMCPOnly(t *testing.T) {
	const rules = `version: 1
default: deny
rules:
  - {id: no-shell, tool: [Bash, search], verdict: deny}
  - {id: hide, tool: "*", verdict: sanitize, sanitize: {presets: [email]}}
  - {id: no-git, tool: push, server: git, verdict: deny}
`
	for name, tt := range map[string]struct {
		block string
		call  func(c *call.Call)
		tool  string
		code  string
		ours  bool // it is on record
		args  bool // it goes out with other arguments
	}{
		"an agent's own":                    {tool: "Bash"},
		"nobody knows whose":                {tool: "frobnicate"},
		"a server's by its name":            {tool: "mcp__web__search", code: call.CodeToolDenied, ours: true},
		"a known server's":                  {tool: "files_read_file", ours: true, args: true},
		"a known server's, bare":            {tool: "seek", ours: true, args: true},
		"on the wire":                       {tool: "Bash", call: func(c *call.Call) { c.Server = "files" }, code: call.CodeToolDenied, ours: true},
		"perhaps a server's that is denied": {tool: "git_push", code: call.CodeToolDenied, ours: true},
		"perhaps another server's":          {tool: "hub_push"},
		"a denied tool of any server":       {tool: "drop_all", block: "denied_tools: [{tool: drop_all}]", code: call.CodeToolDenied, ours: true},
		"unknown":                           {tool: "frobnicate", block: "fail_closed: true", code: call.CodeUnknownTool, ours: true},
		"native, and nothing unknown":       {tool: "Bash", block: "fail_closed: true"},
		"an agent's own in it": {tool: "batch", call: func(c *call.Call) {
			c.Args = []byte(`{}`)
			c.Inner = []call.Inner{{Tool: "Bash", Args: []byte(`{}`)}}
		}},
		"a server's in it": {tool: "batch", code: call.CodeToolDenied, ours: true, call: func(c *call.Call) {
			c.Args = []byte(`{}`)
			c.Inner = []call.Inner{{Tool: "mcp__web__search", Args: []byte(`{}`)}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWithServers(t, rules+"mcp: {"+cmp.Or(tt.block, "fail_closed: false")+"}\n", func(c *judge.Config) { c.MCPOnly = true })
			w.lists(files, tool("read_file", "Reads."), tool("seek", "Seeks."))
			w.take()
			c := aCall(tt.tool, `{"to":"ann@example.com"}`)
			if tt.call != nil {
				tt.call(&c)
			}
			r := ruled(t, w.Judge, c)
			events := w.take()
			if r.Code != tt.code || r.Released != (tt.code == "") || (len(events) > 0) != tt.ours || (r.Args != nil) != tt.args {
				t.Errorf("ruling %+v, %d events", r, len(events))
			}
			if tt.ours {
				for _, e := range events {
					if string(e.Args) == `{"to":"ann@example.com"}` {
						t.Errorf("the record has %s", e.Args)
					}
				}
			}
			// What was not recorded has no result on record.
			c.WireID = "toolu_9"
			w.RecordResults(t.Context(), call.Results{Actor: c.Actor, Exchange: c.Exchange, List: []call.Result{
				{WireID: c.WireID, New: true, Measure: func() (int64, string) { return 0, "" }},
			}})
			for _, e := range w.take() {
				if e.Type == record.Types.ToolResult || e.Type == record.Types.UndeclaredAct {
					t.Errorf("recorded: %+v", e)
				}
			}
		})
	}
}

// Large calls that pass without a record give their turn back: any number of them passes.
func TestMCPOnlyLargeCalls(t *testing.T) {
	w := newWithServers(t, "version: 1\ndefault: allow\n", func(c *judge.Config) { c.MCPOnly = true })
	c := aCall("Write", `{"content":"`+strings.Repeat("x", 64<<10)+`"}`)
	for i := range 5 {
		// A turn that is not given back would be waited for until the context ends, and the call refused then.
		ctx, cancel := context.WithCancel(t.Context())
		ruled := make(chan call.Ruling, 1)
		go w.Judge.Judge(ctx, c, func(r call.Ruling) { ruled <- r })
		select {
		case r := <-ruled:
			if !r.Released {
				t.Fatalf("call %d: %+v", i, r)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("call %d waits for a turn", i)
		}
		cancel()
	}
}
