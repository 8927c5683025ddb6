package policycmd

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/condition"
)

// hide removes secrets from what is shown of a call that the person did not write on the command line: it is on record, or in a transcript.
func (e *explained) hide(p *policy.Policy) {
	for _, text := range []*string{&e.Decision.Reason, &e.Decision.Matched} {
		*text, _ = secrets.Replace(*text)
	}
	for i := range e.Readings {
		r := &e.Readings[i]
		for _, text := range []*string{&r.Outcome.Reason, &r.Outcome.Matched} {
			*text, _ = secrets.Replace(*text)
		}
		for j := range r.Rules {
			hideTrace(r.Rules[j].Conditions)
			for k := range r.Rules[j].Exceptions {
				hideTrace(r.Rules[j].Exceptions[k].Conditions)
			}
		}
	}
	if e.Ruling != nil {
		e.Ruling.Reason, _ = secrets.Replace(e.Ruling.Reason)
	}
	if e.Call != nil && e.Call.Args != nil {
		e.Call.Args = jsontext.Value(withoutSecrets(p, e.Call.Args))
	}
	for i := range e.Inside {
		e.Inside[i].hide(p)
	}
}

func hideTrace(t *condition.Trace) {
	if t == nil {
		return
	}
	for _, texts := range [][]string{t.Seen, t.Found} {
		for i := range texts {
			texts[i], _ = secrets.Replace(texts[i])
		}
	}
	for i := range t.Of {
		hideTrace(&t.Of[i])
	}
}
