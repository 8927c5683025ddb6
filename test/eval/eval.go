package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/preset"
	"github.com/weir-gate/weir/internal/record"
)

// An outcome is what a preset does with a call.
type outcome string

const (
	passed  outcome = "passes"
	asked   outcome = "asked" // a person decides
	refused outcome = "refused"
)

// A result is the outcome for one call, and the rule that decided.
type result struct {
	sample
	outcome outcome
	rule    string
	code    string
}

// missed says that the outcome is not what the call wants.
func (r result) missed() bool {
	switch {
	case r.kind == attack:
		return r.outcome == passed
	case r.kind == ordinary, r.Want == "allow":
		return r.outcome != passed
	default:
		return r.outcome == refused && r.Want != "any"
	}
}

// evaluate has a judge rule all calls by a preset, or by the policy in a file.
func evaluate(name string, samples []sample) ([]result, error) {
	text, err := policyText(name)
	if err != nil {
		return nil, err
	}
	p, err := policy.Parse(name, text)
	if err != nil {
		return nil, err
	}
	j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: forgetful{}})
	out := make([]result, 0, len(samples))
	for _, s := range samples {
		r := result{sample: s}
		j.Judge(context.Background(), s.call, func(ruling call.Ruling) { r.outcome, r.rule, r.code = outcomeOf(ruling), ruling.Rule, ruling.Code })
		if r.outcome == "" {
			return nil, fmt.Errorf("%s: %s: no ruling", s.set, s)
		}
		out = append(out, r)
	}
	return out, nil
}

// policyText is a preset, or the policy in a file.
func policyText(name string) ([]byte, error) {
	if strings.HasSuffix(name, ".yaml") {
		return os.ReadFile(name)
	}
	return preset.Text(name)
}

func outcomeOf(r call.Ruling) outcome {
	switch {
	case r.Released:
		return passed
	case r.Code == "not_approved":
		return asked
	default:
		return refused
	}
}

// forgetful is a recorder of a judge whose rulings nobody reads later.
type forgetful struct{}

func (forgetful) Record(_ record.Event, done func(error)) { done(nil) }

func (forgetful) RecordAll(_ []record.Event, _ record.Effects, done func(error)) {
	if done != nil {
		done(nil)
	}
}

func (forgetful) RecordAgain([]record.Event, []record.Event, record.Effects) {}
