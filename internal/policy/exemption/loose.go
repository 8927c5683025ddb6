package exemption

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/toolname"
)

// shellTools are the tools of known agents that run a command, folded, and looseNames are those of their arguments that say nothing of what
// is done. A model rarely writes them twice in the same way. The same names mean something else in other tools.
var (
	shellTools = strings.Fields("bash powershell shell shell_command local_shell exec_command unified_exec run_shell_command")
	looseNames = strings.Fields("description explanation timeout timeout_ms")
)

// looseOf returns the arguments of a call that an exception need not compare: those of a known shell that are not what is refused.
func looseOf(p *policy.Policy, q policy.Query, why refusal) []string {
	if !isShell(q) {
		return nil
	}
	return irrelevant(p, q, why, looseNames)
}

// isShell says that a call is surely of the shell of a known agent.
func isShell(q policy.Query) bool {
	if q.Server != "" {
		return false
	}
	for _, k := range q.Known {
		if !k.Bare {
			return false
		}
	}
	return !slices.ContainsFunc(q.Tools, func(name string) bool { return !slices.Contains(shellTools, toolname.Fold(name)) })
}

// irrelevant returns the arguments with one of the names that are not what is refused: without them the same rules refuse the call, and
// they make no rule refuse a harmless call, whatever of the call is in them. At least one argument is always compared.
func irrelevant(p *policy.Policy, q policy.Query, why refusal, names []string) (out []string) {
	refusing := func(members []member) (refusal, bool) {
		changed := q
		changed.Args = objectOf(members)
		got, err := whyRefused(p, changed)
		return got, err == nil
	}
	all := membersOf(q.Args)
	for _, m := range all {
		if len(out)+1 == len(all) || !slices.Contains(names, m.name) || m.raw.Kind() == '{' || m.raw.Kind() == '[' {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(all), func(o member) bool { return o.name == m.name || slices.Contains(out, o.name) })
		without, known := refusing(rest)
		if !known || !without.is(why) {
			continue
		}
		for i := range rest {
			rest[i].raw = harmless(rest[i].raw)
		}
		base, _ := refusing(rest)
		texts := []jsontext.Value{m.raw}
		for _, o := range all {
			texts = append(texts, asText(o.raw))
		}
		if !slices.ContainsFunc(texts, func(text jsontext.Value) bool {
			got, _ := refusing(append(slices.Clone(rest), member{m.name, text}))
			return !got.is(base)
		}) {
			out = append(out, m.name)
		}
	}
	return out
}

// harmless returns a value of the same kind that is a harmless command, and a harmless path.
func harmless(raw jsontext.Value) jsontext.Value {
	switch raw.Kind() {
	case '"':
		return jsontext.Value(`"true"`)
	case '[':
		return jsontext.Value(`["true"]`)
	case '{':
		return jsontext.Value(`{}`)
	default:
		return raw
	}
}

// asText returns a value as a string: a string as it is, and anything else as it is written.
func asText(raw jsontext.Value) jsontext.Value {
	if raw.Kind() == '"' {
		return raw
	}
	return jsontext.Value(quoted(string(raw)))
}

// is says that the same rules refuse two calls.
func (r refusal) is(other refusal) bool {
	return r.byDefault == other.byDefault && slices.Equal(r.rules, other.rules)
}
