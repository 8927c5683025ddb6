package warn

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/truth"
	"github.com/weir-gate/weir/internal/text/when"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// checkEffects warns of rules that decide nothing.
func (f *Finder) checkEffects() {
	for i, r := range f.rules {
		if r.At == nil {
			continue
		}
		switch over := f.overruled(i); {
		case r.verdict == policy.Allow && !r.limited && f.policy.Default() == policy.Allow && r.ofCallsAlone():
			f.add(policy.WarnRule, r, r.Get("id"),
				"the rule changes nothing: what no rule restricts is allowed anyway, and no rule overrules a deny",
				"remove it; for an exception to a deny, write unless in the rule that denies")
		case r.verdict == policy.Allow && !r.limited && f.Egress == policy.Allow && slices.Equal(r.surfaces, []string{string(call.Egress)}):
			f.add(policy.WarnRule, r, r.Get("id"),
				"the rule changes nothing: connections that no rule refuses are allowed anyway, whatever default says",
				"write egress: {default: deny} in weir.yaml, or a rule that denies the other connections")
		case over != nil:
			f.add(policy.WarnRule, r, r.Get("id"),
				fmt.Sprintf("the rule changes nothing: the rule %s (%s) is about all of its calls, and decides them",
					yamlfile.Quote(over.id), place(over.Node, r.Node)),
				"remove one of them, or restrict the other one by tool, who, conditions or unless")
		case r.exceptsItself():
			f.add(policy.WarnRule, r, r.Get("not_tool"), "the rule is about no tool: not_tool names all of its tools",
				"name fewer tools under not_tool")
		case r.verdict == policy.Allow && len(r.servers) > 0 && f.deniesServers(r.servers):
			f.add(policy.WarnRule, r, r.Get("server"), "the rule changes nothing: mcp.denied_servers denies these servers",
				"remove the rule, or take the servers off that list")
		}
	}
}

// exceptsItself says whether not_tool names all tools of the rule. It is compared with a tool's own name, without the server, so only
// names that could have no server in them tell for certain.
func (r *rule) exceptsItself() bool {
	if len(r.notTools) == 0 || slices.ContainsFunc(r.notTools, isAnything) {
		return len(r.notTools) > 0
	}
	joined := func(n *yamlfile.Node) bool { return strings.ContainsAny(n.Text, "*%_./-:") }
	return len(r.servers) == 0 && !slices.ContainsFunc(r.tools, joined) && coverGlobs(r.notTools, r.tools)
}

// ofCallsAlone says whether the rule is about calls only. The default of connections is in the configuration, and a rule about what
// requests offer makes weir read requests more strictly.
func (r *rule) ofCallsAlone() bool {
	return !slices.Contains(r.surfaces, string(call.Egress)) && !slices.Contains(r.surfaces, string(call.Inbound))
}

// maxCompared is how many rules are compared with one another.
const maxCompared = 1000

// overruled returns a rule that decides all calls of the rule at an index; nil: there is none.
func (f *Finder) overruled(at int) *rule {
	r := f.rules[at]
	if len(f.rules) > maxCompared {
		return nil
	}
	for i, other := range f.rules {
		if i == at || other.shadow || !other.covers(r) {
			continue
		}
		stricter := slices.Index(strictness, other.verdict) > slices.Index(strictness, r.verdict)
		switch {
		case other.verdict == policy.Deny && r.verdict != policy.Deny:
			return other
		case other.verdict == policy.Deny && (i < at || other.conditions == nil && r.conditions != nil):
			return other // else its reason is the one that is given
		case r.verdict == policy.Allow && !r.limited && stricter && other.conditions == nil:
			return other
		case r.verdict == policy.Allow && other.verdict == policy.Allow && !r.limited && !r.shadow && i < at:
			return other
		}
	}
	return nil
}

// place says where a part is, in a message at another part.
func place(n, beside *yamlfile.Node) string {
	if n.File() == beside.File() {
		return fmt.Sprintf("line %d", n.Line)
	}
	return fmt.Sprintf("%s:%d", filepath.Base(n.File()), n.Line)
}

// checkDefault warns of rules that let every call pass although the default denies.
func (f *Finder) checkDefault() {
	if f.policy.Default() != policy.Deny {
		return
	}
	for _, r := range f.rules {
		passes := slices.Contains([]policy.Verdict{policy.Allow, policy.Audit, policy.Sanitize, policy.CapCost}, r.verdict)
		if r.At == nil || !passes || r.shadow || r.conditions != nil || len(r.unless) > 0 || r.hints != nil || len(r.notTools) > 0 {
			continue
		}
		everyone := !slices.ContainsFunc(r.who, func(e yamlfile.Entry) bool { return !slices.ContainsFunc(items(e.Value), isAnything) })
		all := slices.ContainsFunc(r.tools, isAnything) && (r.servers == nil || slices.ContainsFunc(r.servers, isAnything)) && everyone
		if all && slices.Contains(r.surfaces, string(call.Response)) && slices.Contains(r.surfaces, string(call.MCP)) {
			f.add(policy.WarnDefault, r, r.Get("verdict"),
				fmt.Sprintf("a rule that says %s lets calls pass, and this one is about all of them: default: deny has no effect", r.verdict),
				"name the tools that may pass")
		}
	}
}

// checkExceptions warns of exceptions that except nothing, or everything.
func (f *Finder) checkExceptions(now when.Moment) {
	for _, r := range f.rules {
		if r.At == nil {
			continue
		}
		for i := range r.unless {
			x := &r.unless[i]
			switch {
			case x.ended(now):
				f.add(policy.WarnException, r, x.until, "the exception has ended", "remove it, or give it another end")
			case x.isAside(r):
				f.add(policy.WarnException, r, x.node.Get("tool"), "the exception is about tools that the rule is not about",
					"name tools of the rule, or remove the exception")
			case x.until == nil && x.scope.covers(&r.scope) && x.conditions == nil && x.isAboutSomething():
				f.add(policy.WarnRule, r, x.node, "the rule is about no call: this exception has all of them",
					"say more exactly what is excepted, or switch the rule off: disabled: true")
			}
		}
	}
}

// ended says whether the exception is over.
func (x *exception) ended(now when.Moment) bool {
	if x.until == nil {
		return false
	}
	end, err := when.ParseEnd(x.until.Text)
	return err == nil && end.Passed(now) == truth.Yes
}

// isAside says whether the exception and the rule have no tool in common. Only names without wildcards tell for certain.
func (x *exception) isAside(r *rule) bool {
	if x.tools == nil || len(r.tools) == 0 {
		return false
	}
	for _, n := range x.tools {
		g := toolname.NewGlob(n.Text)
		if _, exact := g.Exact(); !exact || slices.ContainsFunc(r.tools, func(of *yamlfile.Node) bool { return mayMeet(of, n) }) {
			return false
		}
	}
	return true
}

// mayMeet says whether a glob may match a tool that is named: any spelling of a server's tool has the same end.
func mayMeet(glob, name *yamlfile.Node) bool {
	g, n := toolname.NewGlob(glob.Text), toolname.NewGlob(name.Text)
	only, exact := g.Exact()
	return !exact || n.Matches(only) || isSpelling(glob.Text) || isSpelling(name.Text)
}

// isAboutSomething says whether the exception has more than an end and a reason.
func (x *exception) isAboutSomething() bool {
	return x.tools != nil || x.servers != nil || x.who != nil || x.notTools != nil
}
