package exemption

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/yamledit"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// write adds an exception to rules, or a rule where the default refuses a call.
func (p *Plan) write(x exception, why refusal) error {
	p.Sources.Files = slices.Clone(p.Sources.Files)
	for _, id := range why.rules {
		if err := p.except(id, x.node()); err != nil {
			return err
		}
		if !slices.Contains(p.Rules, id) {
			p.Rules = append(slices.Clone(p.Rules), id)
		}
	}
	if !why.byDefault || len(why.rules) > 0 {
		return nil // what the default does is known when the rules are out of the way
	}
	id := p.freeID("allowed-" + x.terms.Name)
	p.Added = append(slices.Clone(p.Added), id)
	return p.add(p.fileFor("default"), x.rule(id))
}

// except adds an exception to a rule. The exception is written where the policy's own files have the rule, or else as a change of the rule
// that they extend.
func (p *Plan) except(id string, x *yamlfile.Node) error {
	for i, f := range p.Sources.Files {
		for at, r := range rulesOf(f) {
			if name := r.Get("id"); name != nil && name.Text == id {
				return p.append(i, []yamledit.Step{{Key: "rules"}, {Index: at}, {Key: "unless"}}, x, "to unless of the rule "+id)
			}
		}
	}
	changed := yamledit.Map(yamledit.Member("id", yamledit.Text(id)), yamledit.Member("unless", yamledit.List(x)))
	return p.add(p.fileFor("extends"), changed)
}

// add adds a rule to a file.
func (p *Plan) add(file int, rule *yamlfile.Node) error {
	return p.append(file, []yamledit.Step{{Key: "rules"}}, rule, "to rules")
}

func (p *Plan) append(file int, path []yamledit.Step, value *yamlfile.Node, where string) error {
	f := &p.Sources.Files[file]
	data, err := yamledit.Append(f.Data, path, value)
	if errors.Is(err, yamledit.ErrOdd) {
		return fmt.Errorf("%s: %w; add this %s by hand:\n%s", f.Name, err, where, yamledit.Block(yamledit.List(value)))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	f.Data = data
	return nil
}

// rulesOf are the rules that a file has.
func rulesOf(f policy.Text) []*yamlfile.Node {
	root, _ := yamlfile.Parse(f.Name, f.Data)
	if root == nil || root.Get("rules") == nil {
		return nil
	}
	return root.Get("rules").Items
}

// fileFor returns the first file of the policy that has a key, or else the first.
func (p *Plan) fileFor(key string) int {
	return max(0, slices.IndexFunc(p.Sources.Files, func(f policy.Text) bool {
		root, _ := yamlfile.Parse(f.Name, f.Data)
		return root != nil && root.Get(key) != nil
	}))
}

// freeID returns an id that no rule has.
func (p *Plan) freeID(id string) string {
	taken := func(id string) bool {
		return slices.ContainsFunc(p.Sources.Files, func(f policy.Text) bool {
			return slices.ContainsFunc(rulesOf(f), func(r *yamlfile.Node) bool { return r.Get("id") != nil && r.Get("id").Text == id })
		})
	}
	free := id
	for n := 2; taken(free) || p.Policy.HasRule(free); n++ {
		free = id + "-" + strconv.Itoa(n)
	}
	return free
}
