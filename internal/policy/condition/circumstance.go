package condition

import (
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/truth"
	"github.com/weir-gate/weir/internal/text/when"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// These are the keys of conditions on the circumstances of a call. They can be wherever any, all and none can be.
const (
	keyTime  = "time"
	keyModel = "model"
)

var (
	circumstanceKeys = []string{keyTime, keyModel}
	timeShape        = yamlfile.Shape{Optional: []string{"days", "hours", "zone", "until"}}
)

// Circumstances are what is known of a call beside its tool, actor and arguments.
type Circumstances struct {
	Now     when.Moment // when it is judged
	Model   string      // the model that asks for it; "": not known
	Project string      // the absolute path of the folder that it works for; "": not known
}

// A circumstance says whether a condition holds under the circumstances of a call, and what it looked at, for people.
type circumstance func(c Circumstances) (holds truth.Value, seen string)

// circumstance compiles a condition on the circumstances.
func (c *Compiler) circumstance(e yamlfile.Entry) (Condition, bool) {
	of, ok := c.modelTest, true
	if e.Name == keyTime {
		of = c.timeTest
	}
	out := Condition{op: operator{name: e.Name, kind: opCircumstance}, want: string(e.Value.JSON())}
	out.under, ok = of(e.Value)
	return out, ok
}

func (c *Compiler) timeTest(n *yamlfile.Node) (circumstance, bool) {
	if !c.report.Mapping(n, timeShape) {
		return nil, false
	}
	if len(n.Entries) == 0 {
		c.report.Add(n, "it names no time", "write days, hours or until, such as {days: [mon-fri], hours: \"09:00-18:00\"}")
		return nil, false
	}
	texts := func(key, what string) (out []string) {
		if v := n.Get(key); v != nil {
			items, _ := c.report.OneOrMore(v, what)
			for _, item := range items {
				out = append(out, item.Text)
			}
		}
		return out
	}
	days, hours, zone := texts("days", "a day such as mon"), texts("hours", "hours such as 09:00-18:00"), ""
	until := n.Get("until")
	if len(days)+len(hours) == 0 && until == nil {
		c.report.Add(n, "it names no time", "write days, hours or until")
		return nil, false
	}
	if v := n.Get("zone"); v != nil {
		zone, _ = c.report.String(v, "a zone such as Europe/Berlin")
	}
	w, err := when.ParseWindow(days, hours, zone)
	if err != nil {
		message, cure := ProblemOf(err)
		c.report.Add(n, message, cure)
		return nil, false
	}
	if until == nil {
		return func(c Circumstances) (truth.Value, string) { return w.Holds(c.Now), w.Describe(c.Now) }, true
	}
	end, ok := c.End(until)
	return func(c Circumstances) (truth.Value, string) {
		return min(truth.Yes-end.Passed(c.Now), w.Holds(c.Now)), w.Describe(c.Now)
	}, ok
}

// End parses the key until: a date or a time.
func (c *Compiler) End(n *yamlfile.Node) (when.End, bool) {
	text, ok := c.report.String(n, "a date or a time")
	if !ok {
		return when.End{}, false
	}
	end, err := when.ParseEnd(text)
	if err != nil {
		message, cure := ProblemOf(err)
		c.report.Add(n, message, cure)
	}
	return end, err == nil
}

func (c *Compiler) modelTest(n *yamlfile.Node) (circumstance, bool) {
	items, ok := c.report.OneOrMore(n, "the name of a model, or a glob")
	if !ok {
		return nil, false
	}
	globs := make([]toolname.Glob, len(items))
	for i, item := range items {
		globs[i] = toolname.NewGlob(item.Text)
	}
	return func(c Circumstances) (truth.Value, string) {
		if c.Model == "" {
			return truth.Maybe, "a model that is not known"
		}
		folded := toolname.Fold(c.Model)
		for i := range globs {
			if globs[i].MatchesFolded(folded) {
				return truth.Yes, c.Model
			}
		}
		return truth.No, c.Model
	}, true
}

// LooksAtArguments says whether the condition, or a part of it, is about more than the circumstances of a call.
func (c *Condition) LooksAtArguments() bool {
	if c.block == "" {
		return c.op.kind != opCircumstance
	}
	for i := range c.of {
		if c.of[i].LooksAtArguments() {
			return true
		}
	}
	return false
}

// circumstanceSchemas describe the conditions on circumstances.
func circumstanceSchemas() map[string]yamlfile.Schema {
	const day, minute = "([sS]un|[mM]on|[tT]ue|[wW]ed|[tT]hu|[fF]ri|[sS]at)", "[0-2][0-9]:[0-5][0-9]"
	matching := func(pattern string) yamlfile.Schema {
		return yamlfile.OneOrMoreSchema(yamlfile.Schema{"type": "string", "pattern": pattern})
	}
	of := timeShape.Schema(map[string]yamlfile.Schema{
		"days":  matching("^" + day + "(-" + day + ")?$").Describe("All days without it."),
		"hours": matching("^" + minute + "-" + minute + "$").Describe("As 09:00-18:00; they may pass midnight."),
		"zone":  yamlfile.TextSchema().Describe("As Europe/Berlin; that of the machine without it."),
		"until": yamlfile.TextSchema().Describe("The last day, or the time, until which it holds, such as 2026-12-24."),
	})
	of["anyOf"] = []yamlfile.Schema{{"required": []string{"days"}}, {"required": []string{"hours"}}, {"required": []string{"until"}}}
	return map[string]yamlfile.Schema{
		keyTime:  of.Describe("When the call is judged."),
		keyModel: yamlfile.OneOrMoreSchema(yamlfile.TextSchema()).Describe("Names or globs of the model that asks for the call."),
	}
}
