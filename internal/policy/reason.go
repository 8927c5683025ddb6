package policy

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/redact"
	"github.com/weir-gate/weir/internal/text/shell"
)

// maxPart is how many characters of the part that matched a reason shows.
const maxPart = 80

// unreadable says why nothing is known of what a command does.
var unreadable = map[shell.Doubt]string{
	shell.Unclosed:   "The command cannot be read: a quote in it is not closed.",
	shell.Incomplete: "The command cannot be read: it ends too early, as if a part were missing.",
	shell.Unparsed:   "The command cannot be read: no shell accepts it as it is written.",
	shell.TooLong:    "The command cannot be read to its end: it is too long, or does too much.",
	shell.TooDeep:    "The command cannot be read: it is nested too deep.",
	shell.Computed:   "What the command runs is computed, so it cannot be known before it runs; write it out.",
	shell.Opaque:     "Code in the command computes or loads what it runs, so it cannot be known before it runs; write it out.",
}

// These go on with a reason.
const (
	reasonInDoubt    = "It may be what this rule refuses. The tool itself is allowed."
	reasonMayBeAsked = "It may be what a person is to be asked about. The tool itself needs no approval."
	reasonNotSeen    = "No rule allows what cannot be read. The tool itself is allowed."
	reasonPartly     = "A part of it is computed, and may be anything; write it out."
)

// tell completes the reason of a refusal by conditions: which part of the call they are about, or why that cannot be known. It is asked
// only after the decision, and changes nothing but the reason.
func (p *Policy) tell(d *Decision, q *Query, f *condition.Facts, rd *reading, o outcome) {
	if !d.Refused() || o.byName || o.unread || rd.surface != call.Response && rd.surface != call.MCP {
		return
	}
	inDoubt := reasonInDoubt
	switch r := o.rule; {
	case r == nil:
		inDoubt = reasonNotSeen
		d.Matched, d.Doubt = p.matched(q, f, func(f *condition.Facts) (condition.Match, bool) { return p.unmet(rd, f), true })
	case r.own != nil || r.conditions == nil || d.Code == call.CodeOpaqueCode:
		return // the arguments do not matter, or the reason says already that they are not known
	default:
		d.Matched, d.Doubt = p.matched(q, f, r.conditions.Matched)
	}
	if d.Verdict == PendingApproval {
		inDoubt = reasonMayBeAsked
	}
	if why := unreadable[d.Doubt]; why != "" && d.Matched == "" {
		d.Reason = why + " " + inDoubt
		return
	}
	more := call.OtherUses
	switch {
	case d.Verdict == PendingApproval:
		more = call.UnaskedUses
	case q.Method:
		more = call.OtherRequests
	}
	d.Reason = call.Sentence(d.Reason) + " " + call.NamingPart(more, d.Matched)
	if d.Doubt != "" {
		d.Reason += " " + reasonPartly
	}
}

// unmet is the part of a call for which the rules do not let it pass that would let others pass. If there are several such rules, each
// would name another part, so none is named.
func (p *Policy) unmet(rd *reading, f *condition.Facts) (out condition.Match) {
	rules := slices.DeleteFunc(p.relevant(rd), func(r *rule) bool {
		return r.conditions == nil || r.verdict == Deny || r.shadow || r.own != nil
	})
	if f.Unknown {
		return condition.Match{}
	}
	for _, r := range rules {
		if m := r.conditions.Unmet(f); len(rules) == 1 || m.Doubt != "" && m.Part == "" {
			out = m
		}
	}
	return out
}

// matched is the part of a call that meets conditions, without secrets and in a form that does nothing to who reads it. Of a call that
// takes too much work it is not known.
func (p *Policy) matched(
	q *Query, f *condition.Facts, of func(*condition.Facts) (condition.Match, bool),
) (part string, doubt shell.Doubt) {
	defer func() {
		if thrown := recover(); thrown != nil {
			if _, ok := thrown.(condition.Stopped); !ok {
				panic(thrown)
			}
			part = ""
		}
	}()
	m, _ := of(f)
	doubt = m.Doubt
	if m.Part == "" || isToken(m.Part) {
		return inert.Part(m.Part, maxPart), doubt
	}
	q.Work.LookForSecrets(len(q.Args) + len(q.Beside))
	hidden, ok := p.withoutSecrets(*q)
	if !ok {
		return "", doubt
	}
	text := m.Part
	if !bytes.Equal(hidden.Args, q.Args) || !bytes.Equal(hidden.Beside, q.Beside) {
		// What is left is searched again: a secret may be spelled differently in the part than in the arguments.
		again := p.facts(&hidden)
		again.As = f.As
		if !again.Readable() {
			return "", doubt
		}
		m, ok := of(again)
		if !ok {
			return "", doubt
		}
		text = m.Part
	}
	for _, s := range p.showers() {
		text, _ = s.set.Replace(text)
	}
	return inert.Part(text, maxPart), doubt
}

// withoutSecrets is a query with tokens in the place of everything that any rule hides, and of everything that is a secret anyway. false:
// some cannot be replaced.
func (p *Policy) withoutSecrets(q Query) (Query, bool) {
	for _, raw := range []*jsontext.Value{&q.Args, &q.Beside} {
		if len(bytes.TrimSpace(*raw)) == 0 {
			continue
		}
		s, err := p.replace(p.showers(), *raw)
		if err != nil {
			return q, false
		}
		*raw = aToken.ReplaceAll(s.Args, []byte("$1"))
	}
	return q, true
}

// aToken matches a token in the place of a secret. A shell would read its brackets as a pattern of files.
var aToken = regexp.MustCompile(`\[(redacted:[A-Za-z][A-Za-z0-9_-]*)\]`)

func isToken(text string) bool { return aToken.FindString(text) == text }

// showers replace what must not be shown.
func (p *Policy) showers() []*sanitizer { return append([]*sanitizer{{set: secrets}}, p.hiders...) }

// secrets are those that are never shown, whatever a policy hides.
var secrets = func() *redact.Set {
	set, err := redact.New(redact.Config{Presets: []string{"secrets"}})
	if err != nil {
		panic(err) // the name is that of a group
	}
	return set
}()
