package mcp

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func TestListings(t *testing.T) {
	tools := func(names ...string) string {
		var all []string
		for _, n := range names {
			all = append(all, `{"name":"`+n+`", "inputSchema":{}}`)
		}
		return strings.Join(all, ", ")
	}
	malformed := ">" + failure("1", "-32603", `[weir] The response to the call to \"tools/list\" was refused (malformed): The server's response can be read in more than one way.`+tail)
	bad := func(result string) row {
		return row{
			judge: &scriptedJudge{},
			steps: []step{{"C", ask("1", "tools/list", `{}`), "="}, {"S", reply("1", result), malformed}},
			log:   []string{`refused tools/list malformed method="tools/list"`},
		}
	}
	runRows(t, map[string]row{
		"all are shown": {
			judge: &scriptedJudge{},
			steps: []step{{"C", ask("1", "tools/list", `{}`), "="}, {"S", reply("1", `{"tools":[`+tools("a", "b")+`]}`), "="}},
			log:   []string{`tools a,b complete=true`},
		},
		"some are hidden, and every other byte is kept": {
			judge: &scriptedJudge{hide: []string{"b", "d"}},
			steps: []step{
				{"C", ask("1", "tools/list", `{}`), "="},
				{"S", reply("1", `{ "tools" :[`+tools("a", "b", "c", "d")+` ],"nextCursor":"n"}`), `>` + reply("1", `{ "tools" :[`+tools("a", "c")+` ],"nextCursor":"n"}`)},
			},
			log: []string{`tools a,b,c,d complete=false`},
		},
		"the name of a method is hidden": {
			judge: &scriptedJudge{},
			steps: []step{
				{"C", ask("1", "tools/list", `{}`), "="},
				{"S", reply("1", `{"tools":[`+tools("roots/list", "a", "Sampling/createMessage")+`]}`), `>` + reply("1", `{"tools":[`+tools("a")+`]}`)},
			},
			log: []string{`tools roots/list,a,Sampling/createMessage complete=true`},
		},
		"a tool without a name is hidden": {
			judge: &scriptedJudge{},
			steps: []step{
				{"C", ask("1", "tools/list", `{}`), "="},
				{"S", reply("1", `{"tools":[{"name":"a","NAME":"b"},{"x":1}]}`), `>` + reply("1", `{"tools":[]}`)},
			},
			log: []string{`tools , complete=true`},
		},
		"pages": {
			judge: &scriptedJudge{hide: []string{"c"}},
			steps: []step{
				{"C", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "="},
				{"S", reply("1", `{"tools":[`+tools("a")+`],"nextCursor":"p2"}`), "="},
				{"C", ask("2", "tools/list", `{"cursor":"p2"}`), "="},
				{"S", reply("2", `{"tools":[`+tools("b")+`],"nextCursor":"p3"}`), "="},
				{"C", ask("3", "tools/list", `{"cursor":"p3"}`), "="},
				{"S", reply("3", `{"tools":[`+tools("c", "d")+`]}`), ">" + reply("3", `{"tools":[`+tools("d")+`]}`)},
				// Once more, from the middle.
				{"C", ask("4", "tools/list", `{"cursor":"p3"}`), "="},
				{"S", reply("4", `{"tools":[`+tools("e")+`]}`), "="},
			},
			log: []string{
				`tools a complete=false`, `tools b complete=false`, `tools a,b,c,d complete=true`, `tools a,b,e complete=true`,
			},
		},
		"a page of which the beginning is not known": {
			judge: &scriptedJudge{},
			steps: []step{
				{"C", ask("1", "tools/list", `{"cursor":"other"}`), "="},
				{"S", reply("1", `{"tools":[`+tools("a")+`],"nextCursor":""}`), "="},
				{"C", ask("2", "tools/list", `{"cursor":"`+strings.Repeat("x", maxCursor+2)+`"}`), "="},
				{"S", reply("2", `{"tools":[`+tools("a")+`]}`), "="},
			},
			log: []string{`tools a complete=false`, `tools a complete=false`},
		},
		"what it says beside its tools is judged": {
			judge: &scriptedJudge{withhold: []string{"tools/list"}},
			steps: []step{
				{"C", ask("1", "tools/list", `{}`), "="},
				{"S", reply("1", `{"resultType":"complete","tools":[`+tools("a")+`],"_meta":{"x":"text"}}`), ">" + failure("1", "-32603", "[weir] The list says what may not be passed on.")},
			},
			log: []string{`given tools/list tool="" {"resultType":"complete","tools":[],"_meta":{"x":"text"}}`},
		},
		"an error": {
			judge: &scriptedJudge{},
			steps: []step{{"C", ask("1", "tools/list", `{}`), "="}, {"S", failure("1", "-32000", "x"), "="}},
			log:   []string{`given tools/list tool="" {"code":-32000,"message":"x"}`},
		},
		"the judge cannot look": {
			judge: &scriptedJudge{noTools: true},
			steps: []step{
				{"C", ask("1", "tools/list", `{}`), "="},
				{"S", reply("1", `{"tools":[`+tools("a")+`]}`), ">" + failure("1", "-32603", "[weir] The server's list of tools could not be looked at.")},
			},
			log: []string{`tools a complete=true`},
		},
		"the judge rules on other tools": {
			judge: &scriptedJudge{few: true},
			steps: []step{
				{"C", ask("1", "tools/list", `{}`), "="},
				{"S", reply("1", `{"tools":[`+tools("a", "b")+`]}`), ">" + failure("1", "-32603", "[weir] The server's list of tools could not be looked at.")},
			},
			log: []string{`tools a,b complete=true`},
		},
		"inputs in a list": {
			judge: &scriptedJudge{refuse: []string{"roots/list"}},
			steps: []step{
				{"C", ask("1", "tools/list", `{}`), "="},
				{"S", reply("1", `{"tools":[],"inputRequests":{"a":{"method":"roots/list"}}}`), ">" +
					failure("1", "-32603", `[weir] The server asked for more, which is not passed on. The call to \"roots/list\"`+why)},
			},
			log: []string{
				`given tools/list tool="" {"tools":[],"inputRequests":{"a":{"method":"roots/list"}}}`, `tools  complete=true`,
				`call roots/list {} method="roots/list" id=1`,
			},
		},
		"no tools":          bad(`{"x":1}`),
		"nothing":           bad(`{}`),
		"tools twice":       bad(`{"tools":[],"tools":[{"name":"a"}]}`),
		"tools are none":    bad(`{"tools":{}}`),
		"tool is no object": bad(`{"tools":[{"name":"a"},"b"]}`),
		"cursor is none":    bad(`{"tools":[],"nextCursor":1}`),
		"cursor twice":      bad(`{"tools":[],"nextCursor":"a","nextcursor":"b"}`),
	})
}

// A list is bounded over all of its pages, and so is what is kept of lists.
func TestListBounds(t *testing.T) {
	discuss(t, func(t *testing.T, x talk, j *scriptedJudge) {
		pageOf := func(n int, next string) string {
			return `{"tools":[` + strings.TrimSuffix(strings.Repeat(`{"name":"a"},`, n), ",") + `],"nextCursor":"` + next + `"}`
		}
		x.client(ask("1", "tools/list", `{}`))
		x.server(reply("1", pageOf(maxTools, "p2")))
		synctest.Wait()
		x.client(ask("2", "tools/list", `{"cursor":"p2"}`))
		f := x.server(reply("2", pageOf(1, "")))
		synctest.Wait()
		want := ">" + failure("2", "-32603", "[weir] The server offers more tools than can be looked at.")
		expect.Same(t, want, f.String())
		for i := range 3 * maxChains {
			x.client(ask("3", "tools/list", `{}`))
			x.server(reply("3", pageOf(1, fmt.Sprint("q", i))))
			synctest.Wait()
		}
		expect.Equal(t, len(x.pages.chains), maxChains, "%d lists are kept", len(x.pages.chains))
	})
	var p pages
	for i := range 10 {
		p.remember(chain{next: fmt.Sprint(i), size: maxListBytes/2 + 1})
	}
	if len(p.chains) != 1 || p.chains[0].next != "9" {
		t.Error(p.chains)
	}
	if _, _, fits := p.take("", page{}, maxListBytes+1); fits {
		t.Error("a page over the bound fits")
	}
	if _, _, fits := p.take("9", page{}, maxListBytes/2); fits {
		t.Error("a list over the bound fits")
	}
}
