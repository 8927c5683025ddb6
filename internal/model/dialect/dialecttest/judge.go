package dialecttest

import (
	"context"
	"hash/fnv"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
)

// A Policy says which calls a Judge refuses, and which ones it gives other arguments.
type Policy struct {
	Name   string
	ByName func(c call.Call) bool // whatever its arguments; nil: none
	ByArgs func(c call.Call) bool // once they have arrived; not used for calls that have run already; nil: none
	// Replace returns what is put in the place of the arguments of a call that is not refused; nil: nothing is. Of a call
	// whose arguments are fixed it is not put there: it is refused, unless it has run. A nil Replace is for no call.
	Replace func(c call.Call) jsontext.Value
	// Careless says that arguments are replaced where they are fixed too: the gate is to refuse the call.
	Careless bool
	Drop     bool // refused calls are removed without a notice
}

// Policies are the policies under which every promise is checked.
func Policies() []Policy {
	all := func(call.Call) bool { return true }
	ran := func(c call.Call) bool { return c.Ran }
	someNames := func(c call.Call) bool { return odd(c.Tool) }
	someArgs := func(c call.Call) bool { return odd(Meaning(c.Args)) }
	return []Policy{
		AllowAll(),
		{Name: "refuse all", ByName: all},
		{Name: "refuse all by arguments", ByName: ran, ByArgs: all},
		{Name: "refuse some", ByName: someNames, ByArgs: someArgs},
		{Name: "drop all", ByName: all, Drop: true},
		{Name: "drop some", ByName: someNames, ByArgs: someArgs, Drop: true},
		ReplaceAll(),
		{Name: "replace some", ByName: someNames, Replace: func(c call.Call) jsontext.Value {
			if !someArgs(c) {
				return nil
			}
			return Redacted(c)
		}},
	}
}

// ReplaceAll is the policy that refuses no call whose arguments can be replaced, and replaces all.
func ReplaceAll() Policy { return Policy{Name: "replace all", Replace: Redacted} }

// ReplaceWith is the policy that refuses nothing and gives the calls to some tools other arguments, by the names of the tools.
func ReplaceWith(args map[string]string) Policy {
	return Policy{Name: "replace with", Replace: func(c call.Call) jsontext.Value {
		if text, ok := args[c.Tool]; ok {
			return jsontext.Value(text)
		}
		return nil
	}}
}

// Refuse is the policy that refuses tools by name, or all by "*". Those of them that can be dropped are, if drop says so.
func Refuse(drop bool, tools ...string) Policy {
	return Policy{Name: "refuse", Drop: drop, ByName: func(c call.Call) bool {
		return slices.ContainsFunc(tools, func(tool string) bool {
			return tool == "*" || tool == c.Tool || slices.Contains(c.Aliases, tool)
		})
	}}
}

// NoticeFor is the text for the agent in place of a call to a tool that a test refused.
func NoticeFor(tool string) string {
	return `[weir] The call to "` + tool + `" was refused (tool_denied, rule test-rule): The test says so. ` +
		"Do not retry it; continue without it or ask the user."
}

// OddArguments are arguments with everything in them that a writer of JSON in JSON could get wrong.
const OddArguments = `{"p" : "[redacted] \ud83d\ude00 😀 </script> \u2028 \"q\" \\ \n\u0000\/", "n":1.50}`

// AllowAll is the policy that refuses nothing.
func AllowAll() Policy { return Policy{Name: "allow all"} }

// refusesAll says whether p refuses everything.
func (p Policy) refusesAll() bool {
	client, ran := call.Call{Tool: "a", Args: []byte("{}")}, call.Call{Tool: "a", Delivery: call.Delivery{Ran: true}}
	other := call.Call{Tool: "b", Args: []byte(`{"b":1}`)}
	return p.refuses(client) && p.refuses(ran) && p.refuses(other)
}

// refuses says whether p refuses a complete call.
func (p Policy) refuses(c call.Call) bool {
	return p.ByName != nil && p.ByName(c) || p.ByArgs != nil && !c.Ran && p.ByArgs(c)
}

func odd(s string) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s)) // a hash does not fail
	return h.Sum32()>>7&1 == 1
}

// An Event is a call of one of the judge's methods, with its ruling.
type Event struct {
	Kind    string // judge, refuse, withdraw or ended; "early": a refusal whose arguments did not follow
	Call    call.Call
	Ruling  call.Ruling
	Outcome call.Outcome
}

// Sent returns the arguments with which a released call must reach the agent.
func (e Event) Sent() jsontext.Value {
	if e.Ruling.Args != nil {
		return e.Ruling.Args
	}
	return e.Call.Args
}

// A Judge rules by a Policy and stores what it was told.
type Judge struct {
	Policy Policy
	// Later runs a func that delivers a ruling, at some time, from any goroutine; nil: at once.
	Later func(func())

	mu     sync.Mutex
	events []Event
	early  []Event // refusals whose arguments follow
}

// Events returns what the judge was told so far. Ids that weir made are left out. A refusal whose arguments followed is one event,
// which stands where they do.
func (j *Judge) Events() []Event {
	j.mu.Lock()
	defer j.mu.Unlock()
	events := slices.Clone(j.events)
	for _, e := range j.early {
		e.Kind, e.Call.ID = "early", ""
		events = slices.Insert(events, 0, e)
	}
	return events
}

// join puts the arguments of a call that was refused early into the event of its refusal.
func (j *Judge) join(c call.Call) {
	j.mu.Lock()
	at := slices.IndexFunc(j.early, func(e Event) bool { return e.Call.ID == c.ID })
	if at < 0 {
		panic("the arguments of a call follow that was not refused early")
	}
	e := j.early[at]
	j.early = slices.Delete(j.early, at, at+1)
	j.mu.Unlock()
	e.Call = c
	j.note(e)
}

func (j *Judge) note(e Event) {
	e.Call.ID = ""
	e.Call.Args = append([]byte(nil), e.Call.Args...)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.events = append(j.events, e)
}

func (j *Judge) later(f func()) {
	if j.Later == nil {
		f()
		return
	}
	j.Later(f)
}

// RefusedByName implements gate.Judge.
func (j *Judge) RefusedByName(c call.Call) (call.Ruling, bool) {
	if j.Policy.ByName == nil || !j.Policy.ByName(c) {
		return call.Ruling{}, false
	}
	return denied(call.CodeToolDenied), true
}

// Judge implements gate.Judge.
func (j *Judge) Judge(_ context.Context, c call.Call, done func(call.Ruling)) {
	r := call.Ruling{Released: true}
	switch {
	case j.Policy.ByName != nil && j.Policy.ByName(c):
		r = denied(call.CodeToolDenied)
	case j.Policy.refuses(c):
		r = denied(call.CodeArgsDenied)
	case j.Policy.Replace != nil && !c.Ran:
		if r.Args = j.Policy.Replace(c); r.Args != nil && c.Fixed && !j.Policy.Careless {
			r = denied(call.CodeArgsDenied)
		}
	}
	c.HoldUntil = time.Time{} // it depends on the clock
	j.note(Event{Kind: "judge", Call: c, Ruling: r})
	j.later(func() { done(r) })
}

// Refuse implements gate.Judge.
func (j *Judge) Refuse(c call.Call, r call.Ruling, done func(call.Ruling)) {
	if e := (Event{Kind: "refuse", Call: c, Ruling: r}); c.ArgsFollow {
		j.mu.Lock()
		j.early = append(j.early, e)
		j.mu.Unlock()
	} else {
		j.note(e)
	}
	j.later(func() { done(r) })
}

// Arguments implements gate.Judge.
func (j *Judge) Arguments(c call.Call, _ call.Ruling) { j.join(c) }

// Withdraw implements gate.Judge.
func (j *Judge) Withdraw(c call.Call, r call.Ruling, done func(call.Ruling)) {
	j.note(Event{Kind: "withdraw", Call: c, Ruling: r})
	j.later(func() { done(r) })
}

// Ended implements gate.Judge.
func (j *Judge) Ended(o call.Outcome) {
	o.Volume, o.Took = call.Volume{}, call.Took{} // a stream is longer than the body that says the same, and takes longer
	j.note(Event{Kind: "ended", Outcome: o})
}

func denied(code string) call.Ruling {
	return call.Ruling{Code: code, Reason: "The test says so.", Rule: "test-rule"}
}
