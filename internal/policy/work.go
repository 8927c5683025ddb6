package policy

import (
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/argument"
)

// maxWork is how many steps one judgement may take. A step is about what it takes to look at a byte or two: some tens of nanoseconds.
const maxWork = 100_000_000

// askEvery is after how many steps it is asked whether the work is still wanted.
const askEvery = 1 << 18

// A Work counts what it takes to judge a call, and what is judged together with it. It counts steps and not time, so that a call is
// judged alike whenever that is. A nil Work is one of its own for each call.
type Work struct {
	// Gone says that nobody waits for the judgement any more; nil: somebody does.
	Gone func() bool

	spent int64
	asked int64 // spent when Gone was asked last
}

// stopped ends a judgement that took too much work, or that nobody waits for. It is thrown, and caught where the judgement began.
type stopped struct{ gone bool }

// spend counts steps.
func (w *Work) spend(steps int) {
	if w == nil {
		return
	}
	if w.spent += int64(steps); w.spent > maxWork {
		panic(stopped{})
	}
	if w.spent-w.asked >= askEvery {
		w.asked = w.spent
		if w.Gone != nil && w.Gone() {
			panic(stopped{gone: true})
		}
	}
}

// The reasons given when a judgement was ended.
const (
	reasonCostly = "Its arguments take more work to judge than weir does for one call."
	reasonGone   = "The client was gone before the call was judged."
)

// caught returns the decision on a call whose judgement was ended, given what was thrown. Anything else is thrown on.
func (p *Policy) caught(q Query, thrown any) Decision {
	why, ok := thrown.(stopped)
	if !ok {
		panic(thrown)
	}
	if d, refused := p.RefusedByName(q); refused {
		return d
	}
	if why.gone {
		return Decision{Verdict: Deny, Code: call.CodeCutShort, Reason: reasonGone}
	}
	return Decision{Verdict: Deny, Code: call.CodeTooCostly, Reason: reasonCostly}
}

// What it takes to look at arguments, in steps.
const (
	stepsPerValue  = 2  // to walk past a value
	stepsPerExpr   = 20 // to have an expression look at a value, at most about
	shellPerByte   = 32 // to read a text as a shell does
	sqlPerByte     = 16 // to read it as statements
	hostsPerByte   = 8  // to look for hosts in it
	pathPerByte    = 8  // to read it as a path
	secretsPerByte = 8  // to look for secrets in it
)

// perByte is a test of texts that takes so many steps for each byte.
func perByte(steps int, of func(text string) answer) typedTest {
	return func(f *facts, v *argument.Value) answer {
		var answers []answer
		v.EachText(func(text string) {
			f.work.spend(1 + steps*len(text))
			answers = append(answers, of(text))
		})
		return all(answers)
	}
}
