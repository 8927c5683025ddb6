package approval_test

import (
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/approval/approvaltest"
	"github.com/weir-gate/weir/internal/call"
)

func matter(args string) approval.Matter {
	m := approval.MatterOf(call.Call{
		Surface: call.Response, Tool: "Bash", Args: jsontext.Value(args), Actor: call.Actor{Org: "acme", Employee: "ann", Session: "run-1"},
	})
	m.Rules = "sha256:rule"
	return m
}

func match(t *testing.T, m approval.Matter) approval.Digest {
	t.Helper()
	d, err := m.Match()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSameMatter(t *testing.T) {
	const said = `{"command":"rm -r build","n":1.0,"deep":{"a":[1,2],"b":"é"}}`
	want := match(t, matter(said))
	for name, args := range map[string]string{
		"order":   `{"deep":{"b":"é","a":[1,2]},"n":1.0,"command":"rm -r build"}`,
		"blanks":  "{ \"command\" : \"rm -r build\",\n\"n\":1.0, \"deep\":{\"a\":[1, 2],\"b\":\"é\"}}",
		"escapes": `{"comm\u0061nd":"rm -r \u0062uild","n":1.0,"deep":{"a":[1,2],"b":"\u00e9"}}`,
	} {
		if got := match(t, matter(args)); got != want {
			t.Errorf("%s makes another matter", name)
		}
	}
	for name, args := range map[string]string{
		"one byte":         `{"command":"rm -r  build","n":1.0,"deep":{"a":[1,2],"b":"é"}}`,
		"a number":         `{"command":"rm -r build","n":1,"deep":{"a":[1,2],"b":"é"}}`,
		"the order of two": `{"command":"rm -r build","n":1.0,"deep":{"a":[2,1],"b":"é"}}`,
		"one more":         `{"command":"rm -r build","n":1.0,"deep":{"a":[1,2],"b":"é"},"x":null}`,
		"other letters":    `{"command":"rm -r build","n":1.0,"deep":{"a":[1,2],"b":"e\u0301"}}`,
		"nothing":          ``,
	} {
		if match(t, matter(args)) == want {
			t.Errorf("%s makes no other matter", name)
		}
	}
	for _, args := range []string{`{"a":1,"a":1}`, `{"a":1`, `x`, `{"a":"` + "\xff" + `"}`, `{"a":"\ud800"}`} {
		if _, err := matter(args).Match(); err == nil {
			t.Errorf("%q is a matter", args)
		}
	}
}

func TestOtherMatters(t *testing.T) {
	base := matter(`{}`)
	want := match(t, base)
	for name, alter := range map[string]func(*approval.Matter){
		"org": func(m *approval.Matter) { m.Org = "other" }, "employee": func(m *approval.Matter) { m.Employee = "bob" },
		"key": func(m *approval.Matter) { m.Key = "ci" }, "surface": func(m *approval.Matter) { m.Surface = call.MCP },
		"server": func(m *approval.Matter) { m.Server = "fs" }, "tool": func(m *approval.Matter) { m.Tools = []string{"bash"} },
		"reading": func(m *approval.Matter) { m.Tools = append(m.Tools, "x") }, "folder": func(m *approval.Matter) { m.Folder = "/p" },
		"beside": func(m *approval.Matter) { m.Beside = jsontext.Value(`{}`) }, "rules": func(m *approval.Matter) { m.Rules = "" },
	} {
		m := base
		m.Tools = append([]string(nil), base.Tools...)
		alter(&m)
		if match(t, m) == want {
			t.Errorf("%s makes no other matter", name)
		}
	}
	// A yes for one call is not bound to the session: the agent may be started again.
	c := call.Call{Actor: call.Actor{Session: "a"}, Tool: "T"}
	other := c
	other.Actor.Session = "b"
	if match(t, approval.MatterOf(c)) != match(t, approval.MatterOf(other)) {
		t.Error("the session makes another matter")
	}
}

// TestCardIsStored shows that a card has the same digest after it was stored.
func TestCardIsStored(t *testing.T) {
	for _, args := range []string{`{"a":1}`, `{ "b" : "\u0061", "a":1.50}`, `{"x":"\u2028\u0000<&>"}`, `null`} {
		c := approvaltest.Request("a").Card
		c.Args, c.Tool = jsontext.Value(args), "odd\xff\x00name"
		want, err := c.Digest()
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(c, jsontext.AllowInvalidUTF8(true))
		if err != nil {
			t.Fatal(err)
		}
		var again approval.Card
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatal(err)
		}
		if got, err := again.Digest(); got != want || err != nil {
			t.Errorf("%q: %s, %v; want %s", args, got, err, want)
		}
	}
}

func TestWithoutCallIDs(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "",
		`{"_meta":{"progressToken":1}}`: "",
		`{"_meta":{"progressToken":1,"vendor/x":{"do":1}},"task":{}}`: `{"_meta":{"vendor/x":{"do":1}},"task":{}}`,
		`{"_meta":"x"}`:       `{"_meta":"x"}`,
		`{"progressToken":1}`: `{"progressToken":1}`,
	} {
		if got, err := approval.WithoutCallIDs(jsontext.Value(in)); string(got) != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", in, got, err, want)
		}
	}
	if _, err := approval.WithoutCallIDs(jsontext.Value(`{"_meta":{"a":1,"a":2}}`)); err == nil {
		t.Error("a member that is there twice counts as one")
	}
}
