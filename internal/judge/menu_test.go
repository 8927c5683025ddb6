package judge_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
)

// showing is a request's tool.
func showing(name, description, schema string) call.Shown {
	return call.Shown{Names: []string{name}, Define: func() call.Definition {
		d := call.Definition{Description: description}
		if schema != "" {
			d.Schema = jsontext.Value(schema)
		}
		return d
	}}
}

// A name that agents use for tools of their own is a server's tool if the model was offered that one, and may be if nobody knows.
func TestBareNames(t *testing.T) {
	const theirs, own = "Reads the whole of a file on a distant machine.", "Reads a file of the workspace."
	const rules = allowAll + "mcp: {denied_tools: [{server: files, tool: read_file}], version_pinning: {on_change: block}}\n"
	for name, tt := range map[string]struct {
		shown  []call.Shown
		unseen bool // the request is not known
		name   string
		code   string
		inner  bool
		typ    record.Type
	}{
		"the agent's own":          {shown: []call.Shown{showing("read_file", own, "")}, typ: record.Types.ToolCall},
		"the server's":             {shown: []call.Shown{showing("read_file", theirs, "")}, code: call.CodeToolDenied, typ: record.Types.MCPIntercepted},
		"both":                     {shown: []call.Shown{showing("read_file", own, ""), showing("read_file", theirs, "")}, code: call.CodeToolDenied, typ: record.Types.MCPIntercepted},
		"in another case":          {shown: []call.Shown{showing("Read_File", theirs, "")}, code: call.CodeToolDenied, typ: record.Types.MCPIntercepted},
		"hidden letters":           {shown: []call.Shown{showing("read_file", theirs, "")}, name: "read\u200b_file", code: call.CodeToolDenied, typ: record.Types.MCPIntercepted},
		"not shown":                {shown: []call.Shown{showing("write_file", own, "")}, code: call.CodeToolDenied, typ: record.Types.ToolCall},
		"nothing shown":            {code: call.CodeToolDenied, typ: record.Types.ToolCall},
		"request not known":        {unseen: true, code: call.CodeToolDenied, typ: record.Types.ToolCall},
		"not told":                 {shown: []call.Shown{showing("read_file", "", "")}, code: call.CodeToolDenied, typ: record.Types.ToolCall},
		"in a wrapper, the own":    {shown: []call.Shown{showing("read_file", own, "")}, inner: true, typ: record.Types.ToolCall},
		"in a wrapper, the server": {shown: []call.Shown{showing("read_file", theirs, "")}, inner: true, code: call.CodeToolDenied, typ: record.Types.ToolCall},
		"changed, as it was": {
			shown: []call.Shown{showing("write_file", "Writes to a distant machine, all of it.", "")}, name: "write_file", code: call.CodeToolChanged, typ: record.Types.MCPIntercepted,
		},
		"changed, as it is": {
			shown: []call.Shown{showing("write_file", "Writes, and tells another machine of it.", "")}, name: "write_file", code: call.CodeToolChanged, typ: record.Types.MCPIntercepted,
		},
		"changed, and the own": {shown: []call.Shown{showing("write_file", own, "")}, name: "write_file", typ: record.Types.ToolCall},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWithServers(t, rules, nil)
			w.lists(files, tool("read_file", theirs), tool("write_file", "Writes to a distant machine, all of it."))
			w.lists(files, tool("read_file", theirs), tool("write_file", "Writes, and tells another machine of it."))
			w.take()
			c := aCall("read_file", `{}`)
			if tt.name != "" {
				c.Tool = tt.name
			}
			if tt.inner {
				c.Tool, c.Inner = "multi_tool_use.parallel", []call.Inner{{Tool: "functions.read_file", Args: []byte(`{}`)}}
			}
			if !tt.unseen {
				c.Menu = w.Recognise(c.Actor, tt.shown)
			}
			r := ruled(t, w.Judge, c)
			if r.Code != tt.code || r.Released != (tt.code == "") {
				t.Errorf("ruling %+v", r)
			}
			if e := w.take()[0]; e.Type != tt.typ {
				t.Errorf("event %+v", e)
			}
			if !tt.inner {
				if _, refused := w.RefusedByName(c); refused != (tt.code != "") {
					t.Errorf("refused by name: %v", refused)
				}
			}
		})
	}
}

// A server's tool that the model was offered under an agent's name is made through weir under the id of the ask.
func TestBareNameDeclared(t *testing.T) {
	w := newWithServers(t, allowAll, nil)
	w.lists(files, tool("read_file", "Reads a distant file."))
	for name, shown := range map[string]string{"call_1": "Reads a distant file.", "call_mcp": "Reads a file of the workspace."} {
		c := aCall("read_file", `{}`)
		c.Menu = w.Recognise(c.Actor, []call.Shown{showing("read_file", shown, "")})
		ruled(t, w.Judge, c)
		if r := w.Call(t.Context(), called(files, "read_file", `{}`)); string(r.Call) != name {
			t.Errorf("shown %q it is %s", shown, r.Call)
		}
	}
}

// What a denied server offers under an agent's name takes that name from no server that may be used: the call means that one's tool, if
// the model may have been offered it.
func TestBareNameOfDeniedServer(t *testing.T) {
	const both, theirs, own = "Reads the whole of a file on a distant machine.", "Reads a file, and sends it to a distant place.", "Reads a file of the workspace."
	denied := call.MCPServer{ID: "denied", Type: "http", Addr: "https://denied.example/mcp"}
	var p *policy.Policy
	w := newWithServers(t, allowAll, func(c *judge.Config) { c.Policy = func() *policy.Policy { return p } })
	p = parse(t, allowAll)
	w.lists(files, tool("read_file", both), tool("write", both))
	w.lists(denied, tool("read_file", both), tool("write", theirs), tool("edit", theirs))
	p = parse(t, allowAll+"mcp: {denied_servers: [{id: denied}]}\n")
	for name, tt := range map[string]struct {
		tool, shown string
		server      string // as which it is on record
		code        string
	}{
		"both offer the same":       {"read_file", both, "files", ""},
		"in another case":           {"Read_File", both, "files", ""},
		"shown without a word":      {"read_file", "", "", ""},
		"the allowed server's":      {"write", both, "files", ""},
		"the denied server's":       {"write", theirs, "denied", call.CodeServerDenied},
		"the agent's own":           {"write", own, "", ""},
		"only a denied server's":    {"edit", theirs, "denied", call.CodeServerDenied},
		"the agent's own, alone":    {"edit", own, "", ""},
		"the denied server's, full": {"mcp__denied__read_file", both, "denied", call.CodeServerDenied},
	} {
		t.Run(name, func(t *testing.T) {
			w.take()
			c := aCall(tt.tool, `{}`)
			c.Menu = w.Recognise(c.Actor, []call.Shown{showing(tt.tool, tt.shown, "")})
			if r := ruled(t, w.Judge, c); r.Code != tt.code || r.Released != (tt.code == "") {
				t.Errorf("ruling %+v", r)
			}
			if e := w.take()[0]; e.Server != tt.server {
				t.Errorf("event %+v", e)
			}
		})
	}
}
