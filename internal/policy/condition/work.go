package condition

import (
	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/truth"
)

// maxWork is how many steps one judgement may take. In one step about one or two bytes are examined, which takes some tens of
// nanoseconds.
const maxWork = 100_000_000

// askEvery is the number of steps after which Gone is asked again.
const askEvery = 1 << 18

// A Work counts the steps of judging a call, and of what is judged together with it. It counts steps, not time, so that the same
// call always gets the same result. With a nil Work, each call counts on its own.
type Work struct {
	// Gone says that nobody waits for the judgement any more; nil: somebody does.
	Gone func() bool

	spent int64
	asked int64 // spent at the last question to Gone
}

// Stopped ends a judgement that took too much work, or that nobody waits for. It is a panic value, recovered where the judgement
// began.
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

// These are the costs of examining arguments, in steps.
const (
	stepsPerValue  = 2  // to step over a value
	actsPerValue   = 32 // to see whether a value says what a tool does
	stepsPerExpr   = 20 // to evaluate an expression on a value, roughly at most
	shellPerByte   = 32 // to parse a text as a shell does
	sqlPerByte     = 16 // to parse it as SQL statements
	hostsPerByte   = 8  // to search it for hosts
	pathPerByte    = 8  // to parse it as a path
	deedPerByte    = 16 // to find what its commands do
	secretsPerByte = 8  // to search it for secrets
)

// perByte is a test of texts that takes so many steps for each byte.
func perByte(steps int, of func(text string) truth.Value) typedTest {
	return func(f *Facts, v *argument.Value) answer {
		var parts []truth.Value
		v.EachText(func(text string) {
			f.work.spend(1 + steps*len(text))
			parts = append(parts, of(text))
		})
		if v.InListForm(memberOf(&f.args, v)) {
			text := v.Joined()
			f.work.spend(1 + steps*len(text))
			if of(text) == truth.Yes {
				return yes // its words alone need not be
			}
		}
		return all(parts)
	}
}

// LookForSecrets counts the steps of a search for secrets in so many bytes.
func (w *Work) LookForSecrets(size int) { w.spend(secretsPerByte * size) }
