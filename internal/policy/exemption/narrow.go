package exemption

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/policy"
)

// A member is one argument of a call.
type member struct {
	name string
	raw  jsontext.Value
}

// membersOf returns the arguments of a call; nil: they cannot be read.
func membersOf(args jsontext.Value) (out []member) {
	d := jsontext.NewDecoder(bytes.NewReader(args))
	if start, err := d.ReadToken(); err != nil || start.Kind() != '{' {
		return nil
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil
		}
		text := name.String()
		raw, err := d.ReadValue()
		if err != nil {
			return nil
		}
		out = append(out, member{text, raw.Clone()})
	}
	return out
}

func objectOf(members []member) jsontext.Value {
	out := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, quoted(m.name)...), ':'), m.raw...)
	}
	return append(out, '}')
}

// checkNarrow tries variations of a call: one argument differs, there is one more, or the tool is another one's. The plan must let none of
// them pass that the policy refuses now.
func checkNarrow(now *policy.Policy, plan *Plan, q policy.Query) error {
	for what, other := range variations(q, plan.Loose) {
		before, after := now.Decide(other), plan.Policy.Decide(other)
		if before.Refused() && !after.Refused() {
			return fmt.Errorf("the exception would also let pass a call with %s; change the rule by hand", what)
		}
	}
	return nil
}

// variations are calls that are much like a call, and say how they differ.
func variations(q policy.Query, loose []string) map[string]policy.Query {
	out := map[string]policy.Query{}
	all := membersOf(q.Args)
	with := func(what string, members []member) {
		other := q
		other.Args = objectOf(members)
		out[what] = other
	}
	for i, m := range all {
		if slices.Contains(loose, m.name) {
			continue
		}
		changed := slices.Clone(all)
		changed[i].raw = otherValue(m.raw)
		with("another "+m.name, changed)
		with("no "+m.name, slices.Delete(slices.Clone(all), i, i+1))
	}
	with("one more argument", append(slices.Clone(all), member{"weir-other", jsontext.Value(`"x"`)}))
	other := q
	other.Server, other.Known = q.Server+"-weir-other", nil
	out["a tool of another server"] = other
	other = q
	other.Tools, other.Spellings, other.Known = []string{q.Tools[0] + "-weir-other"}, nil, nil
	out["another tool"] = other
	return out
}

// otherValue returns a value of the same kind that differs.
func otherValue(raw jsontext.Value) jsontext.Value {
	switch raw.Kind() {
	case '"':
		return jsontext.Value(string(raw[:len(raw)-1]) + `x"`)
	case '0':
		return jsontext.Value("1" + string(bytes.TrimPrefix(raw, []byte("-"))))
	case 't':
		return jsontext.Value("false")
	case 'f':
		return jsontext.Value("true")
	case '[':
		inside := bytes.TrimSpace(raw[1 : len(raw)-1])
		if len(inside) == 0 {
			return jsontext.Value(`["x"]`)
		}
		return jsontext.Value(string(raw[:len(raw)-1]) + `,"x"]`)
	default:
		return jsontext.Value(`"x"`)
	}
}
