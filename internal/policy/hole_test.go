package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// A part of the arguments that is not known could be anything: conditions that look at it could hold, all others are exact.
func TestHoles(t *testing.T) {
	for _, tt := range []struct {
		name, verdict, conditions string
		args                      string
		holes                     []string
		want                      Verdict
		code                      string
	}{
		{"another member", "deny", "{param_path: cmd, operator: runs, value: rm}", `{"cmd":"ls","id":null}`, []string{"/id"}, Allow, ""},
		{"another member, and it holds", "deny", "{param_path: cmd, operator: runs, value: rm}", `{"cmd":"rm x","id":null}`, []string{"/id"}, Deny, call.CodeArgsDenied},
		{"the member", "deny", "{param_path: cmd, operator: runs, value: rm}", `{"cmd":null}`, []string{"/cmd"}, Deny, call.CodeOpaqueCode},
		{"the member, negated", "deny", "{param_path: cmd, operator: not_starts_with, value: git}", `{"cmd":null}`, []string{"/cmd"}, Deny, call.CodeOpaqueCode},
		{"none of it", "deny", "{none: [{param_path: cmd, operator: starts_with, value: git}]}", `{"cmd":null}`, []string{"/cmd"}, Deny, call.CodeOpaqueCode},
		{"a part of the member", "deny", "{param_path: cmd, operator: contains, value: x}", `{"cmd":["a",null]}`, []string{"/cmd/1"}, Deny, call.CodeOpaqueCode},
		{"a part of the member, and the rest holds", "deny", "{param_path: cmd, operator: contains, value: a}", `{"cmd":["a",null]}`, []string{"/cmd/1"}, Deny, call.CodeArgsDenied},
		{"another part of the member", "deny", "{param_path: 'cmd[0]', operator: contains, value: x}", `{"cmd":["a",null]}`, []string{"/cmd/1"}, Allow, ""},
		{"what would be in it", "deny", "{param_path: a.b.c, operator: exists}", `{"a":{"b":null}}`, []string{"/a/b"}, Deny, call.CodeOpaqueCode},
		{"what would be in it at any depth", "deny", "{param_path: '**.c', operator: exists}", `{"a":null}`, []string{"/a"}, Deny, call.CodeOpaqueCode},
		{"what is there, whatever is in it", "deny", "{param_path: a, operator: exists}", `{"a":{"b":null}}`, []string{"/a/b"}, Deny, call.CodeArgsDenied},
		{"what may not be there", "deny", "{param_path: a, operator: exists}", `{"a":null}`, []string{"/a"}, Deny, call.CodeOpaqueCode},
		{"what may be there", "deny", "{param_path: a, operator: not_exists}", `{"a":null}`, []string{"/a"}, Deny, call.CodeOpaqueCode},
		{"all arguments", "deny", "{param_path: $, operator: contains, value: x}", `{"a":null}`, []string{"/a"}, Deny, call.CodeOpaqueCode},
		{"an expression", "deny", "{operator: expr, value: 'args.b == 1'}", `{"a":null,"b":2}`, []string{"/a"}, Deny, call.CodeOpaqueCode},
		{"one of two conditions", "deny", "{all: [{param_path: a, operator: contains, value: x}, {param_path: b, operator: equals, value: 1}]}", `{"a":null,"b":2}`, []string{"/a"}, Allow, ""},
		{"null", "deny", "{param_path: a, operator: equals, value: null}", `{"a":null}`, []string{"/a"}, Deny, call.CodeOpaqueCode},
		{"a name with a slash", "deny", "{param_path: b, operator: exists}", `{"x/y~":{"b":null}}`, []string{"/x~1y~0/b"}, Allow, ""},
		{"a pointer that leads nowhere", "deny", "{param_path: a, operator: contains, value: x}", `{"a":"y"}`, []string{"/b/c"}, Deny, call.CodeOpaqueCode},
		{"an allow", "allow", "{param_path: cmd, operator: starts_with, value: git}", `{"cmd":null}`, []string{"/cmd"}, Deny, call.CodeToolDenied},
		{"an allow by another member", "allow", "{param_path: cmd, operator: starts_with, value: git}", `{"cmd":"git","id":null}`, []string{"/id"}, Allow, ""},
		{"the folder of a command", "deny", "{operator: removes, value: [/, /*]}", `{"cmd":"rm -rf *","workdir":null}`, []string{"/workdir"}, Deny, call.CodeOpaqueCode},
		{"the folder of a command that does not matter", "deny", "{operator: removes, value: [/, /*]}", `{"cmd":"rm -rf /srv/x","workdir":null}`, []string{"/workdir"}, Allow, ""},
		{"the folder of a command that removes nothing", "deny", "{operator: removes, value: [/, /*]}", `{"cmd":"cat x","workdir":null}`, []string{"/workdir"}, Allow, ""},
		{"the folder of a command that is refused anyway", "deny", "{operator: removes, value: [/srv/x]}", `{"cmd":"rm -rf /srv/x","workdir":null}`, []string{"/workdir"}, Deny, call.CodeArgsDenied},
		{"an audit", "audit", "{param_path: cmd, operator: contains, value: sudo}", `{"cmd":null}`, []string{"/cmd"}, Audit, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fallback := "allow"
			if tt.verdict == "allow" {
				fallback = "deny"
			}
			p := mustParse(t, fmt.Sprintf("version: 1\ndefault: %s\nrules: [{id: r, tool: x, verdict: %s, conditions: %s}]", fallback, tt.verdict, tt.conditions))
			q := Query{Tools: []string{"x"}, Args: []byte(tt.args), Holes: tt.holes}
			d := p.Decide(q)
			if d.Verdict != tt.want || d.Code != tt.code {
				t.Errorf("decided %+v", d)
			}
			if tt.code == call.CodeOpaqueCode && !strings.HasSuffix(d.Reason, reasonComputed) {
				t.Errorf("the reason is %q", d.Reason)
			}
			if e := p.Explain(q); e.Decision.Verdict != d.Verdict || e.Decision.Code != d.Code {
				t.Errorf("explained %+v", e.Decision)
			}
		})
	}
}

// Whatever stands in a hole, the decision is not stricter than the one on the hole; and what is refused for certain is
// refused whatever stands there.
func TestHolesStandForAnything(t *testing.T) {
	for seed := range need.Cases(4000) {
		m := newMaker(seed)
		text := m.policy()
		p := mustParse(t, text)
		shape, hole := m.pick(`{"a":HOLE,"b":V}`, `{"a":V,"b":{"a":HOLE,"c":V}}`, `{"a":[V,HOLE],"b":V}`), ""
		shape = strings.ReplaceAll(shape, "V", m.value(2))
		switch {
		case strings.HasPrefix(shape, `{"a":HOLE`):
			hole = "/a"
		case strings.Contains(shape, `{"a":HOLE`):
			hole = "/b/a"
		default:
			hole = "/a/1"
		}
		q := m.query()
		q.Args, q.Holes = []byte(strings.Replace(shape, "HOLE", "null", 1)), []string{hole}
		unknown := p.Decide(q)
		q.Holes = nil
		fills := []string{strings.NewReplacer(`"a":HOLE,`, "", "HOLE", "null").Replace(shape)}
		for range 8 {
			fills = append(fills, strings.Replace(shape, "HOLE", m.value(2), 1))
		}
		for _, fill := range fills {
			q.Args = []byte(fill)
			known := p.Decide(q)
			if known.Code == call.CodeArgsUnreadable {
				continue // an expression that cannot be evaluated for what stands there
			}
			stricter := slices.Index(strictness[:], known.Verdict) > slices.Index(strictness[:], unknown.Verdict)
			if stricter || unknown.Code == call.CodeArgsDenied && !known.Refused() {
				t.Fatalf("seed %d: with a hole at %s in %s: %+v\nwith %s: %+v\n%s", seed, hole, shape, unknown, fill, known, text)
			}
		}
	}
}

// Secrets cannot be replaced in what is not known.
func TestSanitizesUnknown(t *testing.T) {
	for _, tt := range []struct {
		paths string
		query Query
		want  bool
	}{
		{"", Query{Args: []byte(`{"a":"x"}`)}, true}, // it is asked only of calls of which something is not known
		{", paths: [a]", Query{Args: []byte(`{"a":"x","b":null}`), Holes: []string{"/b"}}, false},
		{", paths: [a]", Query{Args: []byte(`{"a":null,"b":1}`), Holes: []string{"/a"}}, true},
		{", paths: [a.b]", Query{Args: []byte(`{"a":null}`), Holes: []string{"/a"}}, true},
		{", paths: [a]", Query{Unknown: true}, true},
	} {
		p := mustParse(t, "version: 1\ndefault: allow\nrules: [{id: r, tool: x, verdict: sanitize, sanitize: {presets: [email]"+tt.paths+"}}]")
		tt.query.Tools = []string{"x"}
		d := p.Decide(tt.query)
		if diff := cmp.Diff(tt.want, p.SanitizesUnknown(d.Obligations, tt.query)); diff != "" {
			t.Errorf("%s of %+v (-want +got):\n%s", tt.paths, tt.query, diff)
		}
	}
}
