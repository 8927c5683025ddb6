package policy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/policy/toolname"
)

// An Approval is what the rules that ask a person about a call demand together.
type Approval struct {
	Terms approval.Terms
	Rules []string // their ids
	// Text is a digest of the rules as they are written. A yes is for these rules, and for no others.
	Text string
	// Same are the arguments that make two calls the same; nil: all do.
	Same []SamePath
}

// String says whom it asks, for how long, and what a yes may cover.
func (a *Approval) String() string {
	var parts []string
	for _, d := range a.Terms.Demands {
		parts = append(parts, fmt.Sprintf("%d of %s (rule %s)", d.Votes, strings.Join(d.Approvers, ", "), d.Rule))
	}
	scopes := make([]string, len(a.Terms.Scopes))
	for i, s := range a.Terms.Scopes {
		scopes[i] = string(s)
	}
	return fmt.Sprintf("%s; the call is held up to %d s; scopes: %s; factor: %s",
		strings.Join(parts, " and "), a.Terms.Wait, strings.Join(scopes, ", "), a.Terms.StepUp)
}

// approvalOf adds up what rules demand: the shortest times, every vote, the narrowest scopes and the strictest factor. nil: none asks.
func approvalOf(rules []*rule) *Approval {
	var out *Approval
	hash := sha256.New()
	all := false // one rule says that all arguments count
	for _, r := range rules {
		if r.asking == nil || out != nil && slices.Contains(out.Rules, r.id) {
			continue
		}
		hash.Write([]byte(strconv.Itoa(len(r.asking.text)) + ":" + r.asking.text))
		all = all || r.asking.same == nil
		if out == nil {
			out = &Approval{Terms: r.asking.terms, Same: r.asking.same}
			out.Terms.Demands = slices.Clone(out.Terms.Demands)
		} else {
			out.add(r.asking)
		}
		out.Rules = append(out.Rules, r.id)
	}
	if out == nil {
		return nil
	}
	if all {
		out.Same = nil
	}
	out.Text = "sha256:" + hex.EncodeToString(hash.Sum(nil))
	return out
}

// Add adds what the rules that ask about another part of the same call demand.
func (a *Approval) Add(other *Approval) {
	if other == nil {
		return
	}
	a.add(&asking{terms: other.Terms, same: other.Same})
	if other.Same == nil {
		a.Same = nil
	}
	for _, id := range other.Rules {
		if !slices.Contains(a.Rules, id) {
			a.Rules = append(a.Rules, id)
		}
	}
	sum := sha256.Sum256([]byte(a.Text + other.Text))
	a.Text = "sha256:" + hex.EncodeToString(sum[:])
}

func (a *Approval) add(more *asking) {
	t, o := &a.Terms, more.terms
	t.Wait, t.Expires, t.GrantExpires = min(t.Wait, o.Wait), min(t.Expires, o.Expires), min(t.GrantExpires, o.GrantExpires)
	for _, d := range o.Demands {
		if !slices.ContainsFunc(t.Demands, func(have approval.Demand) bool { return have.Rule == d.Rule }) {
			t.Demands = append(t.Demands, d)
		}
	}
	t.Self = t.Self && o.Self
	t.Scopes = slices.DeleteFunc(slices.Clone(t.Scopes), func(s approval.Scope) bool { return !slices.Contains(o.Scopes, s) })
	if len(t.Scopes) == 0 {
		t.Scopes = []approval.Scope{approval.Once}
	}
	if o.StepUp != approval.NoFactor {
		t.StepUp = o.StepUp
	}
	if a.Same != nil && more.same != nil {
		a.Same = slices.Concat(a.Same, more.same)
	}
}

// prose are the arguments in which the tools of known agents take a sentence of the model for the person, by their folded names.
// Nothing happens by them.
var prose = map[string][]string{
	"bash":              {"description"},   // Claude Code
	"exec_command":      {"justification"}, // Codex
	"shell":             {"justification"},
	"shell_command":     {"justification"},
	"run_shell_command": {"description"}, // Gemini CLI
}

// ProseOf are the names of the arguments of a tool in which a model only tells what it wants.
func ProseOf(server, tool string) []string {
	if server != "" {
		return nil
	}
	return prose[toolname.Fold(tool)]
}

// SameArgs is what of a call's arguments counts when it is compared with the call that a person said yes to. Of a connection to a host
// that is known by its name, the address does not count: a host has several.
func (p *Policy) SameArgs(a *Approval, c call.Call) (jsontext.Value, error) {
	args := c.Args
	if len(bytes.TrimSpace(args)) == 0 {
		return args, nil
	}
	decoded, err := argument.Decode(args)
	if err != nil {
		return nil, fmt.Errorf("compare arguments: %w", err)
	}
	if out, found := p.selected(a.Same, &decoded, args); found {
		return out, nil
	}
	named := slices.ContainsFunc(decoded.Members, func(m argument.Member) bool { return m.Name == "host" })
	if c.Surface == call.Egress && named {
		return withoutProse(args, []string{"address"})
	}
	return withoutProse(args, ProseOf(c.Server, c.Tool))
}

// selected are the arguments that paths select, path by path; false: there are none, so that all arguments count.
func (p *Policy) selected(same []SamePath, decoded *argument.Value, args jsontext.Value) (out jsontext.Value, found bool) {
	out = append(out, '[')
	for i, path := range same {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, '[')
		out = appendText(out, path.Path)
		for _, v := range p.paths.Selected([]int{path.Place}, decoded) {
			found = true
			out = append(append(out, ','), bytes.TrimLeft(args[v.Start:v.End], ",: \t\r\n")...)
		}
		out = append(out, ']')
	}
	return append(out, ']'), found
}

func appendText(out []byte, text string) []byte {
	quoted, err := jsontext.AppendQuote(out, text)
	if err != nil {
		return append(out, `""`...) // a path in a policy is valid UTF-8
	}
	return quoted
}
