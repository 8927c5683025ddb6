package condition

import (
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/deed"
	"github.com/weir-gate/weir/internal/text/redact"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// A Match says which part of a call meets a condition.
type Match struct {
	// Part is the part, as the call has it or as it was understood. It is text of a stranger, and may be long; "": none can be shown.
	Part string
	// Doubt is why the part only may meet the condition; "": it does. If there is no part, nothing is known of what the call does.
	Doubt shell.Doubt
}

// sureness orders matches: in doubt, in doubt of a part, sure.
func (m Match) sureness() int {
	switch {
	case m.Doubt == "":
		return 2
	case m.Part != "":
		return 1
	default:
		return 0
	}
}

// surest is the match that says most, of those that each are enough.
func surest(matches []Match) (best Match) {
	for i, m := range matches {
		if i == 0 || m.sureness() > best.sureness() || m.sureness() == best.sureness() && best.Part == "" {
			best = m
		}
	}
	return best
}

// weakest is the match with most doubt, of those that all are needed: without it the others would not be enough.
func weakest(matches []Match) (worst Match) {
	for i, m := range matches {
		if i == 0 || m.sureness() < worst.sureness() || m.sureness() == worst.sureness() && worst.Part == "" {
			worst = m
		}
	}
	return worst
}

// Matched says which part of the call meets a condition if one value is enough; false: the condition does not hold. Deciding does not
// need the part, so it is asked for after a refusal only.
func (c *Condition) Matched(f *Facts) (Match, bool) {
	if !c.Holds(f, AnyValue, nil) {
		return Match{}, false
	}
	return c.met(f, true), true
}

// Unmet says which part of the call is why a condition does not hold for all values.
func (c *Condition) Unmet(f *Facts) Match {
	if c.Holds(f, EveryValue, nil) {
		return Match{}
	}
	return c.met(f, false)
}

// met says why the condition holds if one value is enough, or with holds false, why it does not hold for all values.
func (c *Condition) met(f *Facts, holds bool) Match {
	if c.block == "" {
		return c.testMet(f, holds != c.op.negated)
	}
	inner := holds != (c.block == blockNone)
	var matches []Match
	for i := range c.of {
		part := &c.of[i]
		if inner && part.Holds(f, AnyValue, nil) || !inner && !part.Holds(f, EveryValue, nil) {
			matches = append(matches, part.met(f, inner))
		}
	}
	// Of any, one part is enough to hold, and all are needed not to. With all it is the reverse, and none is no part of any.
	if (c.block == blockAll) != inner {
		return surest(matches)
	}
	return weakest(matches)
}

// testMet says which value satisfies a test, or which one does not.
func (c *Condition) testMet(f *Facts, satisfied bool) Match {
	switch c.op.kind {
	case opCircumstance, opExpr:
		return Match{}
	}
	s := f.selection(c.path)
	switch c.op.kind {
	case opExists:
		if satisfied && len(s.Values) > 0 {
			return Match{Part: memberOf(&f.args, s.Values[0])}
		}
	case opText:
		for _, text := range s.Texts {
			f.work.spend(1 + len(text)/2)
			if c.test.text(text) == satisfied {
				return Match{Part: c.foundIn(text, satisfied)}
			}
		}
	case opTyped:
		return c.typedMet(f, s, satisfied)
	default:
		for _, v := range s.Values {
			f.work.spend(1 + len(v.Text)/2)
			if c.test.value(v) == satisfied {
				return Match{Part: named(memberOf(&f.args, v), textOf(v))}
			}
		}
	}
	return Match{}
}

// foundIn is what a test of texts finds in a text that satisfies it, else the text.
func (c *Condition) foundIn(text string, satisfied bool) string {
	if satisfied && c.test.find != nil {
		if found := c.test.find(text); found != "" {
			return found
		}
	}
	return text
}

// typedMet is testMet for a typed operator.
func (c *Condition) typedMet(f *Facts, s *lookup, satisfied bool) Match {
	var matches []Match
	for _, v := range f.wholes(s.Values) {
		a := c.test.typed(f, v)
		if a == nothing || satisfied && !a.satisfies(AnyValue) || !satisfied && a.satisfies(EveryValue) {
			continue
		}
		m := c.valueMet(f, v, satisfied)
		if a != maybe {
			m.Doubt = "" // the commands together say it for certain
		}
		matches = append(matches, m)
	}
	return surest(matches)
}

// valueMet says which part of a value satisfies a typed operator, or does not.
func (c *Condition) valueMet(f *Facts, v *argument.Value, satisfied bool) Match {
	member := memberOf(&f.args, v)
	switch {
	case c.test.secrets != nil:
		return Match{Part: f.secretIn(c, v)}
	case c.op.ofTool:
		return Match{Part: strings.Join(f.foundActs(c), ", ")}
	case c.op.usual == nil || f.namedUses(member, v) != nil || f.isPatch(member, v),
		c.op.ofClients != nil && !f.paths[c.path].ofCommands: // it looks at statements, and not at commands
		return Match{Part: textOf(v)}
	}
	commands := f.commandsOf(v)
	if satisfied && c.op.verb != "" {
		if m, ok := c.deedMet(f, v, commands); ok {
			return m
		}
	}
	return c.commandMet(f, v, commands, satisfied)
}

// deedMet says which deed of a value's commands is one that the operator looks for.
func (c *Condition) deedMet(f *Facts, v *argument.Value, commands []shell.Command) (best Match, ok bool) {
	deeds := f.deedsOf(v)
	for i := range deeds {
		d := &deeds[i]
		how := c.test.deeds.Match(d)
		if how == truth.No || d.Command == "" || !f.shows(v, d.Command) {
			continue
		}
		m := Match{Part: d.Command}
		if d.Verb == deed.RunsFetched {
			m.Part = textOf(v) // where the code comes from says more than what runs it
		}
		if how == truth.Maybe {
			m.Doubt = doubtOf(commands, d.Command)
		}
		if !ok || m.sureness() > best.sureness() {
			best, ok = m, true
		}
	}
	return best, ok
}

// doubtOf is the doubt of the command with this text.
func doubtOf(commands []shell.Command, text string) shell.Doubt {
	for i := range commands {
		if commands[i].String() == text {
			return commands[i].InDoubt()
		}
	}
	return ""
}

// maxTried bounds how many commands of a value are tried one by one.
const maxTried = 256

// commandMet says which command of a value satisfies the operator, or does not. Each is tried as if it were the only one.
func (c *Condition) commandMet(f *Facts, v *argument.Value, commands []shell.Command, satisfied bool) Match {
	wanted := yes
	if !satisfied {
		wanted = no
	}
	var matches []Match
	for i := range commands[:min(len(commands), maxTried)] {
		command := &commands[i]
		a := c.alone(f, v, *command)
		m := Match{Part: written(command)}
		switch {
		case a != wanted && a != maybe:
			continue
		case command.Nothing():
			m = Match{Doubt: command.InDoubt()}
		case !f.shows(v, m.Part):
			m = Match{}
		case a == maybe:
			m.Doubt = command.InDoubt()
		}
		matches = append(matches, m)
	}
	return surest(matches)
}

// alone is the answer of the test if a value had only one of its commands.
func (c *Condition) alone(f *Facts, v *argument.Value, command shell.Command) answer {
	one := *f
	command.InputFrom, command.WordsFrom = nil, nil // they are about the others
	one.readAs, one.uses, one.deeds, one.requests = f.identity(), nil, nil, nil
	if v == &f.args {
		v = &one.args
	}
	one.commands = map[*argument.Value][]shell.Command{v: {command}}
	return c.test.typed(&one, v)
}

// shows says whether a command is in a text, as far as can be seen. Some texts only come to a command that they do not have.
func (f *Facts) shows(v *argument.Value, command string) bool {
	if !f.isContent(v) && !slices.Contains(f.odd, v) {
		return true
	}
	first, _, _ := strings.Cut(command, " ")
	found := false
	v.EachText(func(text string) { found = found || strings.Contains(text, first) })
	return found
}

// written is a command with the files of its redirections.
func written(c *shell.Command) string {
	text := c.String()
	for _, r := range c.Redirects {
		text += " " + r.String()
	}
	return text
}

// aToken matches what stands in the place of a secret.
var aToken = regexp.MustCompile(`\[redacted:[A-Za-z][A-Za-z0-9_-]{0,63}\]`)

// secretIn is the token of a secret that a condition finds in a value.
func (f *Facts) secretIn(c *Condition, v *argument.Value) string {
	raw := f.raw
	if v == &f.more {
		raw = f.rawMore
	}
	r, err := c.test.secrets.ReplaceJSON(raw, []redact.Span{{Start: v.Start, End: v.End}})
	if err != nil {
		return ""
	}
	for _, found := range append(r.Replaced, r.Kept...) {
		return "[redacted:" + found.Name + "]"
	}
	return aToken.FindString(string(raw[v.Start:v.End]))
}

// textOf is a value as a text.
func textOf(v *argument.Value) string {
	switch v.Kind {
	case '"', '0':
		return v.Text
	case '[', '{':
		var texts []string
		size := 0
		v.EachText(func(text string) {
			if size < maxFound {
				texts = append(texts, text)
			}
			size += len(text)
		})
		return strings.Join(texts, " ")
	default:
		return v.Kind.String()
	}
}

// named is a text with the name of the member that it is in.
func named(member, text string) string {
	if member == "" {
		return text
	}
	return member + ": " + text
}
