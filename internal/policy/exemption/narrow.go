package exemption

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

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

// checkNarrow tries variations of a call: one argument differs or is missing, at any depth, there is one more, or the tool is
// another one's. The plan must let none of them pass that the policy refuses now. Where an argument may differ, what else is refused
// must stay refused.
func checkNarrow(now *policy.Policy, plan *Plan, q policy.Query, x exception) error {
	why, err := whyRefused(now, q)
	if err != nil {
		return err
	}
	for _, v := range variations(q, slices.Concat(x.loose, x.any)) {
		if !now.Decide(v.query).Refused() || plan.Policy.Decide(v.query).Refused() {
			continue
		}
		if got, err := whyRefused(now, v.query); v.free && err == nil && got.is(why) {
			continue
		}
		return fmt.Errorf("the exception would also let pass a call with %s; change the rule by hand", v.what)
	}
	return nil
}

// A variation is a call that is much like another one. free says that it differs in an argument that may.
type variation struct {
	what  string
	query policy.Query
	free  bool
}

// variations are calls that are much like a call.
func variations(q policy.Query, free []string) (out []variation) {
	all := membersOf(q.Args)
	with := func(what string, members []member, free bool) {
		other := q
		other.Args = objectOf(members)
		out = append(out, variation{what, other, free})
	}
	for i, m := range all {
		may := slices.Contains(free, m.name)
		set := func(value jsontext.Value, may bool) {
			changed := slices.Clone(all)
			changed[i].raw = value
			with("another "+m.name, changed, may)
		}
		for _, value := range otherValues(m.raw, 0) {
			set(value, may)
		}
		for _, o := range all {
			if text := asText(o.raw); o.name != m.name && string(text) != string(m.raw) {
				set(text, may)
			}
		}
		for _, value := range []string{`""`, `{}`, `[]`, `null`, `{"command":"x"}`, `["x"]`} {
			if !slices.Equal(compact(m.raw), []byte(value)) {
				set(jsontext.Value(value), may && value[0] != '{' && value[0] != '[')
			}
		}
		with("no "+m.name, slices.Delete(slices.Clone(all), i, i+1), may)
	}
	with("one more argument", append(slices.Clone(all), member{"weir-other", jsontext.Value(`"x"`)}), false)
	other := q
	other.Server, other.Known = q.Server+"-weir-other", nil
	out = append(out, variation{"a tool of another server", other, false})
	other = q
	other.Tools, other.Spellings, other.Known = []string{q.Tools[0] + "-weir-other"}, nil, nil
	return append(out, variation{"another tool", other, false})
}

// compact returns a value without blanks.
func compact(raw jsontext.Value) []byte {
	out := raw.Clone()
	if err := out.Compact(); err != nil {
		return raw
	}
	return out
}

// maxVaried bounds how deep values are varied: an exception is not made for deeper ones.
const maxVaried = 8

// otherValues returns values that differ from a value in one place: it, or one in it.
func otherValues(raw jsontext.Value, depth int) []jsontext.Value {
	out := []jsontext.Value{otherValue(raw)}
	if depth == maxVaried {
		return out
	}
	switch raw.Kind() {
	case '{':
		members := membersOf(raw)
		for i, m := range members {
			for _, value := range otherValues(m.raw, depth+1) {
				changed := slices.Clone(members)
				changed[i].raw = value
				out = append(out, objectOf(changed))
			}
			out = append(out, objectOf(slices.Delete(slices.Clone(members), i, i+1)))
		}
		out = append(out, objectOf(append(members, member{"weir-other", jsontext.Value(`"x"`)})))
	case '[':
		items := itemsOf(raw)
		for i, item := range items {
			for _, value := range otherValues(item, depth+1) {
				changed := slices.Clone(items)
				changed[i] = value
				out = append(out, listOf(changed))
			}
		}
		if len(items) > 0 {
			out = append(out, listOf(items[1:]))
		}
	}
	return out
}

func itemsOf(list jsontext.Value) (out []jsontext.Value) {
	d := jsontext.NewDecoder(bytes.NewReader(list))
	if start, err := d.ReadToken(); err != nil || start.Kind() != '[' {
		return nil
	}
	for d.PeekKind() != ']' {
		item, err := d.ReadValue()
		if err != nil {
			return nil
		}
		out = append(out, item.Clone())
	}
	return out
}

func listOf(items []jsontext.Value) jsontext.Value {
	parts := make([]string, len(items))
	for i, item := range items {
		parts[i] = string(item)
	}
	return jsontext.Value("[" + strings.Join(parts, ",") + "]")
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
