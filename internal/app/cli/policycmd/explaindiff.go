package policycmd

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/preset"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// compared takes the two policies of --diff from the arguments.
func (f *explainFlags) compared(args []string) (policies [2]string, rest []string, err error) {
	if !f.diff {
		return policies, args, nil
	}
	if len(args) == 3 && !isPolicy(args[0]) && isPolicy(args[1]) && isPolicy(args[2]) {
		args = []string{args[1], args[2], args[0]} // the command is before the flag
	}
	if len(args) < 2 {
		return policies, nil, fmt.Errorf("--diff: name two policies, each a file or a preset (%s), such as --diff balanced policy.yaml",
			yamlfile.OneOf(preset.Names()))
	}
	for _, name := range args[:2] {
		if !isPolicy(name) {
			return policies, nil, fmt.Errorf("--diff: %s is no policy; name a file, or a preset: %s", inert.Name(name, 80),
				yamlfile.OneOf(preset.Names()))
		}
	}
	return [2]string{args[0], args[1]}, args[2:], nil
}

// isPolicy says that a text names a preset, or a file or folder that exists.
func isPolicy(text string) bool {
	if slices.Contains(preset.Names(), text) {
		return true
	}
	_, err := os.Stat(text)
	return err == nil
}

// policyNamed reads a policy: a preset, or that of a file or folder.
func policyNamed(name string) (*policy.Policy, error) {
	if slices.Contains(preset.Names(), name) {
		text, err := preset.Text(name)
		if err != nil {
			return nil, err
		}
		return policy.Parse(name+".yaml", text)
	}
	return inuse.PolicyFile(name).Load()
}

// A difference is what two policies say about a call.
type difference struct {
	Old side `json:"old"`
	New side `json:"new"`
	// Differs are the parts of the decision that differ: verdict, rule, code or reason; none: they are the same.
	Differs []string `json:"differs"`
	// OnlyOld and OnlyNew are the rules that match under one of them only, and Both under both.
	OnlyOld []string `json:"only_old,omitzero"`
	OnlyNew []string `json:"only_new,omitzero"`
	Both    []string `json:"both,omitzero"`
}

// A side is one of two policies, and what it says.
type side struct {
	Name string `json:"name"`
	explained
}

// ruling is what the policy makes of the call with all that is in its arguments.
func (s *side) ruling() ruling {
	if s.Ruling != nil {
		return *s.Ruling
	}
	d := s.Decision
	return ruling{Verdict: d.Verdict, Rule: d.Rule, Code: d.Code, Reason: d.Reason, Policy: s.Policy}
}

// compare explains a call under two policies.
func (f *explainFlags) compare(cmd *cobra.Command, names [2]string, a act) error {
	var d difference
	for i, s := range []*side{&d.Old, &d.New} {
		p, err := policyNamed(names[i])
		if err != nil {
			return exit.WrongInput(fmt.Errorf("--diff: %w", err))
		}
		s.Name = names[i]
		if s.explained, err = f.explain(p, a); err != nil {
			return err
		}
	}
	d.find()
	if f.json {
		return jsonout.Print(cmd.OutOrStdout(), d)
	}
	var b strings.Builder
	d.write(&b, f.all)
	return inert.WriteLines(cmd.OutOrStdout(), b.String())
}

// find finds what differs.
func (d *difference) find() {
	was, is := d.Old.ruling(), d.New.ruling()
	d.Differs = []string{}
	for _, part := range []struct {
		name    string
		differs bool
	}{
		{"verdict", was.Verdict != is.Verdict},
		{"rule", was.Rule != is.Rule},
		{"code", was.Code != is.Code},
		{"reason", was.Reason != is.Reason},
	} {
		if part.differs {
			d.Differs = append(d.Differs, part.name)
		}
	}
	before, after := d.Old.matching(), d.New.matching()
	for _, id := range before {
		if slices.Contains(after, id) {
			d.Both = append(d.Both, id)
		} else {
			d.OnlyOld = append(d.OnlyOld, id)
		}
	}
	d.OnlyNew = slices.DeleteFunc(after, func(id string) bool { return slices.Contains(before, id) })
}

// matching are the rules that match the call, or one in its arguments, under any reading, in the order of the policy.
func (e *explained) matching() (ids []string) {
	for _, reading := range e.Readings {
		for _, r := range reading.Rules {
			if r.Matched && !slices.Contains(ids, r.ID) {
				ids = append(ids, r.ID)
			}
		}
	}
	for i := range e.Inside {
		for _, id := range e.Inside[i].matching() {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func (d *difference) write(b *strings.Builder, all bool) {
	if len(d.Differs) == 0 {
		b.WriteString("differs:  nothing: both decide the same, for the same reason\n")
	} else {
		fmt.Fprintf(b, "differs:  %s\n", strings.Join(d.Differs, ", "))
	}
	for _, list := range []struct {
		before string
		ids    []string
	}{
		{"rules that match only in the old policy", d.OnlyOld},
		{"rules that match only in the new policy", d.OnlyNew},
		{"rules that match in both", d.Both},
	} {
		if len(list.ids) > 0 {
			fmt.Fprintf(b, "%s: %s\n", list.before, strings.Join(list.ids, ", "))
		}
	}
	for _, s := range []struct {
		name string
		of   *side
	}{{"old", &d.Old}, {"new", &d.New}} {
		fmt.Fprintf(b, "\n%s policy: %s\n", s.name, s.of.Name)
		s.of.writeAll(b, all)
	}
}
