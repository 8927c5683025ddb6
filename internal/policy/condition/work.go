package condition

import (
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

// Stopped ends a judgement that took too much work, or that nobody waits for. It is thrown, and caught where the judgement began.
type Stopped struct{ Gone bool }

// spend counts steps.
func (w *Work) spend(steps int) {
	if w == nil {
		return
	}
	if w.spent += int64(steps); w.spent > maxWork {
		panic(Stopped{})
	}
	if w.spent-w.asked >= askEvery {
		w.asked = w.spent
		if w.Gone != nil && w.Gone() {
			panic(Stopped{Gone: true})
		}
	}
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
	return func(f *Facts, v *argument.Value) answer {
		var answers []answer
		v.EachText(func(text string) {
			f.work.spend(1 + steps*len(text))
			answers = append(answers, of(text))
		})
		return all(answers)
	}
}

// LookForSecrets counts the steps that it takes to look for secrets in so many bytes.
func (w *Work) LookForSecrets(size int) { w.spend(secretsPerByte * size) }
