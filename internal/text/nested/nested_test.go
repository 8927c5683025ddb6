package nested

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/strictjson"
)

func code(source string) string {
	return `{"input":` + string(strictjson.AppendString(nil, source)) + `}`
}

func inner(tool, args string) call.Inner { return call.Inner{Tool: tool, Args: []byte(args)} }

func TestFind(t *testing.T) {
	repeated := inner("f", `{}`)
	repeated.Repeats = true
	holed := inner("f", `{"a":1,"b":null}`)
	holed.Holes = []string{"/b"}
	deeper := inner("shell", `{"cmd":"ls","n":null}`)
	deeper.Holes = []string{"/n"}
	list := inner("multi_tool_use.parallel", `{"tool_uses":[{"recipient_name":"functions.shell","parameters":{"cmd":"ls","n":null}}]}`)
	list.Holes = []string{"/tool_uses/0/parameters/n"}
	hidden := inner("multi_tool_use.parallel", `{"tool_uses":[{"recipient_name":"shell","parameters":null}]}`)
	hidden.Holes = []string{"/tool_uses/0/parameters"}
	for _, tt := range []struct {
		name, tool, args string
		want             []call.Inner
		opaque           bool
	}{
		{"code", "exec", code(`tools.f({})`), []call.Inner{inner("f", `{}`)}, false},
		{"code in a namespace", "functions.exec", code(`tools.f({})`), []call.Inner{inner("f", `{}`)}, false},
		{"opaque code", "exec", code(`tools.f({}); tools[x]({})`), []call.Inner{inner("f", `{}`)}, true},
		{"not JavaScript", "exec", code(`(`), nil, true},
		{"code in a loop", "exec", code(`while (x()) tools.f({})`), []call.Inner{
			{Tool: "x", Args: []byte("{}"), Partial: call.Partial{Repeats: true}}, repeated,
		}, false},
		{"a computed member", "exec", code(`tools.f({a: 1, b: load("x")})`), []call.Inner{holed}, false},
		{"computed arguments", "exec", code(`tools.f(load("x"))`), []call.Inner{{Tool: "f", Partial: call.Partial{Unknown: true}}}, false},
		{"another tool of that name", "exec", `{"command":"("}`, nil, false},
		{"not only code", "exec", `{"input":"(","timeout":1}`, nil, false},
		{"code as another member", "exec", `{"code":"tools.f({a: ['x', 'y'].join(' ') + ${'z'}})"}`, nil, false},
		{"code as another member, constants", "exec", `{"code":"tools.f({a: ['x', 'y'].join(' ')})"}`, []call.Inner{inner("f", `{"a":"x y"}`)}, false},
		{"no text", "exec", `{"input":["("]}`, nil, false},
		{"not JSON", "exec", `{`, nil, false},

		{"a list that is none", "multi_tool_use.parallel", `{"tool_uses":"x"}`, nil, true},
		{"parameters under another name", "multi_tool_use.parallel", `{"tool_uses":[{"recipient_name":"f","arguments":{"cmd":"x"}}]}`, []call.Inner{inner("f", `{}`)}, true},

		{"code in code", "exec", code(`tools.exec("tools.f({})")`), []call.Inner{inner("exec", code(`tools.f({})`)), inner("f", `{}`)}, false},
		{"code in code, as a member", "exec", code(`tools.exec({input: "tools.f({})"})`), []call.Inner{inner("exec", code(`tools.f({})`)), inner("f", `{}`)}, false},
		{"code of a group in code", "exec", code(`tools.ns.exec("tools.f({})")`), []call.Inner{inner("ns.exec", code(`tools.f({})`)), inner("f", `{}`)}, false},
		{"repeated code", "exec", code(`for (;;) tools.exec("tools.f({})")`), []call.Inner{
			{Tool: "exec", Args: []byte(code(`tools.f({})`)), Partial: call.Partial{Repeats: true}}, repeated,
		}, false},
		{"computed code", "exec", code(`tools.exec(load("x"))`), []call.Inner{{Tool: "exec", Partial: call.Partial{Unknown: true}}}, true},
		{"code with a computed part", "exec", code("tools.exec(`f(${load('x')})`)"), []call.Inner{
			{Tool: "exec", Args: []byte(`{"input":null}`), Partial: call.Partial{Holes: []string{"/input"}}},
		}, true},
		{"code and what may not be there", "exec", code(`tools.exec({input: "tools.f({})", x: load("x")})`), []call.Inner{
			{Tool: "exec", Args: []byte(`{"input":"tools.f({})","x":null}`), Partial: call.Partial{Holes: []string{"/x"}}}, inner("f", `{}`),
		}, false},

		{"a wrapper", "multi_tool_use.parallel", `{"tool_uses":[{"recipient_name":"functions.a","parameters":{"x":1}},{"recipient_name":"b"}]}`, []call.Inner{inner("a", `{"x":1}`), inner("b", `{}`)}, false},
		{"a wrapper by another name", "multi_tool_use__parallel", `{"tool_uses":[{"recipient_name":"functions.a","parameters":{}}]}`, []call.Inner{inner("a", `{}`)}, false},
		{"a wrapper alone", "parallel", `{"tool_uses":[]}`, nil, false},
		{"another tool of the wrapper's name", "parallel", `{"jobs":2}`, nil, false},
		{"an entry without a name", "parallel", `{"tool_uses":[{"parameters":{}},{"recipient_name":"b"}]}`, []call.Inner{inner("b", `{}`)}, true},
		{"an entry with two names", "parallel", `{"tool_uses":[{"recipient_name":"a","Recipient_Name":"b"}]}`, nil, true},
		{"an entry that is no object", "parallel", `{"tool_uses":["a"]}`, nil, true},
		{"parameters that are none", "parallel", `{"tool_uses":[{"recipient_name":"a","parameters":"{}"}]}`, []call.Inner{{Tool: "a", Partial: call.Partial{Unknown: true}}}, false},
		{"a list twice", "parallel", `{"tool_uses":[],"TOOL_USES":[]}`, nil, true},
		{"code in a wrapper", "parallel", `{"tool_uses":[{"recipient_name":"functions.exec","parameters":` + code("tools.f({})") + `}]}`, []call.Inner{inner("exec", code("tools.f({})")), inner("f", `{}`)}, false},
		{"a wrapper in a wrapper", "parallel", `{"tool_uses":[{"recipient_name":"parallel","parameters":{"tool_uses":[{"recipient_name":"f"}]}}]}`, []call.Inner{inner("parallel", `{"tool_uses":[{"recipient_name":"f"}]}`), inner("f", `{}`)}, false},
		{"a wrapper in code", "exec", code(`tools.multi_tool_use.parallel({tool_uses: [{recipient_name: "functions.shell", parameters: {cmd: "ls", n: load("n")}}]})`), []call.Inner{list, deeper}, false},
		{"a wrapper in code with computed parameters", "exec", code(`tools.multi_tool_use.parallel({tool_uses: [{recipient_name: "shell", parameters: load("p")}]})`), []call.Inner{hidden, {Tool: "shell", Partial: call.Partial{Unknown: true}}}, false},
		{"a wrapper in code with a computed name", "exec", code(`tools.multi_tool_use.parallel({tool_uses: [{recipient_name: load("n"), parameters: {}}]})`), []call.Inner{
			{Tool: "multi_tool_use.parallel", Args: []byte(`{"tool_uses":[{"recipient_name":null,"parameters":{}}]}`), Partial: call.Partial{Holes: []string{"/tool_uses/0/recipient_name"}}},
		}, true},
		{"a wrapper in code with a computed entry", "exec", code(`tools.multi_tool_use.parallel({tool_uses: [load("u")]})`), []call.Inner{
			{Tool: "multi_tool_use.parallel", Args: []byte(`{"tool_uses":[null]}`), Partial: call.Partial{Holes: []string{"/tool_uses/0"}}},
		}, true},
		{"a wrapper in code with a computed list", "exec", code(`tools.multi_tool_use.parallel({tool_uses: load("u")})`), []call.Inner{
			{Tool: "multi_tool_use.parallel", Args: []byte(`{"tool_uses":null}`), Partial: call.Partial{Holes: []string{"/tool_uses"}}},
		}, true},
		{"a wrapper in code with computed arguments", "exec", code(`tools.multi_tool_use.parallel(load("u"))`), []call.Inner{{Tool: "multi_tool_use.parallel", Partial: call.Partial{Unknown: true}}}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, opaque := Find(call.Call{Surface: call.Response, Tool: tt.tool, Args: []byte(tt.args)})
			if diff := cmp.Diff(tt.want, got); diff != "" || opaque != tt.opaque {
				t.Errorf("opaque %v; calls (-want +got):\n%s", opaque, diff)
			}
		})
	}
}

// What a dialect found in a wrapper is looked into, and not found twice; other names of a call count, too.
func TestFindInWhatIsKnown(t *testing.T) {
	exec := inner("exec", code("tools.f({})"))
	got, opaque := Find(call.Call{Tool: "parallel", Args: []byte(`{"tool_uses":[{"recipient_name":"functions.exec"}]}`), Inner: []call.Inner{exec}})
	if diff := cmp.Diff([]call.Inner{exec, inner("f", `{}`)}, got); diff != "" || opaque {
		t.Errorf("opaque %v; calls (-want +got):\n%s", opaque, diff)
	}
	for _, c := range []call.Call{
		{Tool: "run", Readings: call.Readings{Aliases: []string{"exec"}}, Args: []byte(code("tools.f({})"))},
		{Tool: "run", Readings: call.Readings{Spellings: []string{"functions.exec"}}, Args: []byte(code("tools.f({})"))},
	} {
		if got, _ := Find(c); len(got) != 1 {
			t.Errorf("%+v has %v in it", c, got)
		}
	}
	if got, opaque := Find(call.Call{Surface: call.Inbound, Tool: "exec", Args: []byte(code("("))}); got != nil || opaque {
		t.Errorf("a tool that is offered has %v in it, opaque %v", got, opaque)
	}
}

// Calls too deep in each other, or too many of them, are opaque.
func TestFindBounds(t *testing.T) {
	nest := func(n int) string {
		source := "tools.f({})"
		for range n {
			source = "tools.exec(" + string(strictjson.AppendString(nil, source)) + ")"
		}
		return code(source)
	}
	for n := range 8 {
		found, opaque := Find(call.Call{Tool: "exec", Args: []byte(nest(n))})
		if opaque != (n >= maxDepth) || len(found) != min(n+1, maxDepth) {
			t.Errorf("%d deep: %d calls, opaque %v", n, len(found), opaque)
		}
	}
	many := "tools.exec(" + string(strictjson.AppendString(nil, strings.Repeat("tools.f({});", 900))) + ");"
	if found, opaque := Find(call.Call{Tool: "exec", Args: []byte(code(strings.Repeat(many, 4)))}); !opaque || len(found) != maxCalls {
		t.Errorf("%d calls, opaque %v", len(found), opaque)
	}
}

// Code of servers that run code calls tools, too. What it does besides says nothing.
func TestOtherCode(t *testing.T) {
	for _, tt := range []struct {
		name, server, tool, code string
		want                     []string
	}{
		{"code mode", "codemode", "run", `const r = await tools.github.delete_repository({repo: 'app'})`, []string{"github.delete_repository"}},
		{"a tool for code", "sandbox", "execute_code", `await tools.f({})`, []string{"f"}},
		{"other code", "code", "run", `print(sum(range(10)))`, nil},
		{"not JavaScript", "code", "run", `def f(: tools.`, nil},
		{"another tool", "search", "find", `tools.f({})`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := `{"code":` + string(strictjson.AppendString(nil, tt.code)) + `}`
			found, opaque := Find(call.Call{Surface: call.MCP, Server: tt.server, Tool: tt.tool, Args: []byte(args)})
			var got []string
			for _, i := range found {
				got = append(got, i.Tool)
			}
			if opaque || !slices.Equal(got, tt.want) {
				t.Errorf("found %q, opaque %v; want %q", got, opaque, tt.want)
			}
		})
	}
}
