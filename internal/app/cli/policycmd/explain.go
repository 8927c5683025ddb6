package policycmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/study"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

type explainFlags struct {
	inuse.PolicyFlags
	connectionFlags
	surface, server, tool, args string
	who                         map[string]string
	call, store, line           string
	json                        bool
}

func newExplain() *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Show how the policy decides a call, and why",
		Long: `explain decides a call and shows every rule it considered. Describe the call with flags, or name one on record:
--call takes weir's id (call_…) or the provider's (toolu_…, call_…). If the ruling on record differs from
today's decision, explain shows both. --line takes a call from a line of an agent's transcript, as replay --from names
it.`,
		Example: `  weir policy explain --tool Bash --args '{"command":"sudo ls"}'
  weir policy explain --policy policy.yaml --tool Read --args '{"file_path":"/etc/passwd"}' --who team=payments --json
  weir policy explain --surface inbound --server docs --tool mcp --args '{"require_approval":"never"}'
  weir policy explain --surface egress --host api.example.com --address 192.0.2.1 --port 443
  weir policy explain --policy candidate.yaml --call toolu_01A09q90qw90lq917835lq9
  weir policy explain --line ~/.claude/projects/-home-ann-app/4f0c.jsonl:17`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.PolicyFlags.Register(cmd)
	f.connectionFlags.register(cmd)
	cmd.Flags().StringVar(&f.surface, "surface", string(call.Response), "where the call is seen: "+yamlfile.OneOf(policy.SurfaceWords.Words))
	cmd.Flags().StringVar(&f.server, "server", "", "MCP server that has the tool; on inbound with --tool mcp: a server that is offered with "+
		"all its tools")
	cmd.Flags().StringVar(&f.tool, "tool", "", "name of the tool, as the model calls it; on egress: connect (the default) or resolve")
	cmd.Flags().StringVar(&f.args, "args", "{}", "arguments, as a JSON object; on inbound: the definition of the tool; on egress: the "+
		"connection")
	registerWho(cmd, &f.who)
	cmd.Flags().StringVar(&f.call, "call", "", "a call on record, by weir's id or the provider's")
	cmd.Flags().StringVar(&f.store, "store", "", "store that has the call of --call (default: the one that the configuration names)")
	cmd.Flags().StringVar(&f.line, "line", "", "a call in a transcript: "+lineForm)
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	for _, written := range append([]string{"surface", "server", "tool", "args"}, connectionFlagNames...) {
		cmd.MarkFlagsMutuallyExclusive("call", "line", written)
	}
	cmd.MarkFlagsMutuallyExclusive("call", "who")
	for _, part := range connectionFlagNames {
		cmd.MarkFlagsMutuallyExclusive("args", part)
	}
	return cmd
}

func (f *explainFlags) run(cmd *cobra.Command) error {
	var a act
	var err error
	f.note(cmd)
	switch {
	case f.call != "":
		a, err = f.recorded(cmd.Context())
	case f.store != "":
		err = exit.WrongInput(errors.New("--store: it is only read for --call; add --call, or remove --store"))
	case f.line != "":
		a, err = f.fromTranscript(cmd.InOrStdin())
	default:
		a, err = f.written()
	}
	if err != nil {
		return err
	}
	p, name, err := f.Load()
	if err != nil {
		return err
	}
	var e explained
	if a.event.Surface == call.Egress {
		otherwise, err := f.EgressDefault()
		if err != nil {
			return err
		}
		e = explainConnection(p, a, otherwise)
	} else {
		e = explainAct(p, a)
	}
	e.InForce = inForce(cmd.Context(), name, p.Version())
	if f.json {
		return jsonout.Print(cmd.OutOrStdout(), e)
	}
	return e.print(cmd.OutOrStdout(), name)
}

// written returns the call on the command line.
func (f *explainFlags) written() (act, error) {
	e := record.Event{Surface: call.Surface(f.surface), Server: f.server, Tool: f.tool, Args: jsontext.Value(f.args)}
	if !slices.Contains(policy.SurfaceWords.Words, f.surface) {
		return act{}, exit.WrongInput(fmt.Errorf("--surface: %q is not a surface; use %s", f.surface, yamlfile.OneOf(policy.SurfaceWords.Words)))
	}
	switch onEgress := e.Surface == call.Egress; {
	case !onEgress && len(f.given) > 0:
		return act{}, exit.WrongInput(fmt.Errorf("--%s: only connections have it; add --surface egress", f.given[0]))
	case !onEgress && f.tool == "":
		return act{}, exit.WrongInput(errors.New("--tool: the name is missing; give the name as the model calls it, or a call on record with " +
			"--call"))
	}
	if err := strictjson.CheckArguments(e.Args); err != nil {
		return act{}, exit.WrongInput(fmt.Errorf("--args: %w; such a call is refused as %s, whatever the policy says", err,
			call.CodeArgsUnreadable))
	}
	if e.Surface == call.Egress {
		if err := f.connection(&e); err != nil {
			return act{}, exit.WrongInput(err)
		}
	}
	var err error
	e.Actor, err = parseWho(f.who)
	return act{event: e}, exit.WrongInput(err)
}

// recorded returns the recorded call with the id. If it was ruled more than once, the newest ruling counts.
func (f *explainFlags) recorded(ctx context.Context) (act, error) {
	r, err := (&excerpt.Flags{Config: f.Config, Store: f.store}).Open(ctx)
	if err != nil {
		return act{}, err
	}
	defer r.Close()
	entries, err := excerpt.About(ctx, r, f.call)
	if err != nil {
		return act{}, err
	}
	entries = slices.DeleteFunc(entries, func(e record.Entry) bool { return !slices.Contains(actTypes, e.Type) })
	if len(entries) == 0 {
		return act{}, exit.WrongInput(errors.New("no call on record has this id; weir calls --json prints ids as call_id and wire_id"))
	}
	// A connection that belongs to a call has the id of the call.
	if called := slices.DeleteFunc(slices.Clone(entries), func(e record.Entry) bool { return e.Type.IsConnection() }); len(called) > 0 {
		entries = called
	}
	newest := entries[len(entries)-1]
	for e, err := range query.Joined(ctx, r, r.Entries(ctx, query.Filter{AfterRow: newest.Row - 1, UpToRow: newest.Row})) {
		if err != nil {
			return act{}, err
		}
		newest = e // with the arguments that followed it
	}
	var a act
	if a.event, err = newest.Event(); err != nil {
		return act{}, err
	}
	for entry, err := range r.Entries(ctx, query.Filter{AfterRow: newest.Row, Type: newest.Type}) {
		if err != nil {
			return act{}, err
		}
		e, err := entry.Event()
		if err != nil {
			return act{}, err
		}
		if e.Within == "" || e.Within != a.event.CallID {
			break // calls that were ruled together are adjacent
		}
		a.inner = append(a.inner, e)
	}
	return a, nil
}

// An explained is what a policy says about a call and about its inner calls.
type explained struct {
	Call *recordedCall `json:"call,omitzero"` // nil: it is not recorded
	policy.Explanation
	Duties *duties `json:"duties,omitzero"`
	// Inside are the inner calls. If one is refused, all are.
	Inside []explained `json:"inside,omitzero"`
	// Ruling is what would be ruled, if it differs from what the policy says about the call alone.
	Ruling *ruling `json:"ruling,omitzero"`
	// Then is what was ruled, if it differs.
	Then *ruling `json:"then,omitzero"`
	// Note says why the policy cannot explain the ruling; "": it can.
	Note string `json:"note,omitzero"`
	// InForce says whether the running weir has this policy, and if not, which one it has; "": no weir runs.
	InForce string `json:"in_force,omitzero"`
}

type recordedCall struct {
	CallID  string         `json:"call_id"`
	WireID  string         `json:"wire_id,omitzero"`
	Time    time.Time      `json:"time"`
	Surface call.Surface   `json:"surface"`
	Server  string         `json:"server,omitzero"`
	Tool    string         `json:"tool"`
	Actor   call.Actor     `json:"actor,omitzero"`
	Args    jsontext.Value `json:"args,omitzero"`
	Partial string         `json:"partial,omitzero"` // why these are not the complete original arguments
}

type ruling struct {
	Verdict policy.Verdict `json:"verdict"`
	Rule    string         `json:"rule,omitzero"`
	Code    string         `json:"code,omitzero"`
	Reason  string         `json:"reason,omitzero"`
	Policy  string         `json:"policy_version"`
}

func rulingOf(e record.Event) *ruling {
	s := settled(e)
	return &ruling{Verdict: s.Verdict, Rule: s.Rule, Code: e.Code, Reason: e.Reason, Policy: e.PolicyVersion}
}

func explainAct(p *policy.Policy, a act) explained {
	events := newForesight(p).ruleAct(a)
	out := explainEvent(p, a.event)
	for _, e := range events[1:] {
		out.Inside = append(out.Inside, explainEvent(p, e))
	}
	if now := settled(events[0]); now.Verdict == policy.Deny && !out.Decision.Refused() {
		out.Ruling = rulingOf(events[0])
	}
	out.remember(a, settled(events[0]))
	return out
}

// remember adds the recorded call, and what was ruled then if it differs from what is ruled now.
func (e *explained) remember(a act, now study.Settled) {
	was := a.event
	if was.Type == "" {
		return
	}
	e.Call = &recordedCall{
		CallID: string(was.CallID), WireID: was.WireID, Time: was.Time, Surface: was.Surface, Server: was.Server, Tool: was.Tool,
		Actor: was.Actor, Args: was.Args, Partial: a.partial(),
	}
	if then := settled(was); study.ChangeOf(then, now) != study.Unchanged || then.Rule != now.Rule {
		e.Then = rulingOf(was)
	}
}

func explainEvent(p *policy.Policy, e record.Event) explained {
	q := queryOf(e)
	out := explained{Explanation: p.Explain(q)}
	out.Duties = dutiesOf(p, out.Decision, q.Args)
	return out
}

// duties are what must be done before a call is released.
type duties struct {
	Sanitized jsontext.Value       `json:"sanitized,omitzero"` // the sanitized arguments
	Replaced  []policy.Replacement `json:"replaced,omitzero"`
	Trouble   string               `json:"trouble,omitzero"` // why that refuses the call
	Limits    []string             `json:"limits,omitzero"`
}

// dutiesOf tries what the decision requires; nil: it requires nothing.
func dutiesOf(p *policy.Policy, d policy.Decision, args jsontext.Value) *duties {
	o := d.Obligations
	if o == nil {
		return nil
	}
	out := &duties{}
	for _, c := range o.Caps {
		out.Limits = append(out.Limits, fmt.Sprintf("%s (rule %s)", c, c.Rule))
	}
	for _, l := range o.Rates {
		out.Limits = append(out.Limits, fmt.Sprintf("%s (rule %s)", l, l.Rule))
	}
	if s, err := p.Sanitize(o, args); err != nil {
		out.Trouble = policy.ErrUnsanitizable.Error()
	} else if len(s.Replaced) > 0 {
		out.Sanitized, out.Replaced = s.Args, s.Replaced
	}
	return out
}

func (d *duties) write(b *strings.Builder, decision policy.Decision) {
	switch {
	case d.Trouble != "":
		fmt.Fprintf(b, "sanitize: %s; the call is refused\n", d.Trouble)
	case d.Replaced != nil:
		var kinds []string
		for _, r := range d.Replaced {
			kinds = append(kinds, fmt.Sprintf("%d %s", r.Count, r.Name))
		}
		fmt.Fprintf(b, "sanitize: %s replaced: %s\n", strings.Join(kinds, ", "), inert.Text(string(d.Sanitized), 4000))
	case decision.Verdict == policy.Sanitize:
		b.WriteString("sanitize: nothing to replace; the call is released unchanged\n")
	}
	for _, l := range d.Limits {
		fmt.Fprintf(b, "limit:    %s\n", l)
	}
}

func (e explained) print(out io.Writer, name string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "policy: %s\n", name)
	if e.InForce != "" {
		fmt.Fprintf(&b, "in force: %s\n", e.InForce)
	}
	if c := e.Call; c != nil {
		c.write(&b)
	}
	e.write(&b)
	for _, inside := range e.Inside {
		b.WriteString("\ninside the arguments\n")
		inside.write(&b)
	}
	if len(e.Inside) > 0 {
		b.WriteString("\nif one is refused, all are refused\n")
	}
	if e.Ruling != nil {
		fmt.Fprintf(&b, "ruling:   %s\n", e.Ruling)
	}
	if e.Then != nil {
		fmt.Fprintf(&b, "then:     %s, by policy %s\n", e.Then, e.Then.Policy)
	}
	if e.Note != "" {
		fmt.Fprintf(&b, "note:     %s\n", inert.Text(e.Note, 300))
	}
	return inert.WriteLines(out, b.String())
}

func (e explained) write(b *strings.Builder) {
	b.WriteString(e.Explanation.String())
	if e.Duties != nil {
		e.Duties.write(b, e.Decision)
	}
}

// String returns a ruling on one line.
func (r *ruling) String() string {
	text := string(r.Verdict)
	if r.Rule != "" {
		text += " (rule " + inert.Name(r.Rule, 80) + ")"
	}
	for _, part := range []string{r.Code, r.Reason} {
		if part != "" {
			text += ", " + inert.Text(part, 300)
		}
	}
	return text
}

func (c *recordedCall) write(b *strings.Builder) {
	for _, m := range [][2]string{
		{"call", nameIf(c.CallID)},
		{"wire id", nameIf(c.WireID)},
		{"time", c.Time.Local().Format("2006-01-02 15:04:05.000")},
		{"surface", string(c.Surface)},
		{"server", nameIf(c.Server)},
		{"who", whoText(c.Actor)},
		{"args", string(c.Args)},
		{"note", c.Partial},
	} {
		if m[1] != "" {
			fmt.Fprintf(b, "  %-8s %s\n", m[0], inert.Text(m[1], 4000))
		}
	}
}

// inForce says whether the running weir has the policy; "": no weir runs.
func inForce(ctx context.Context, source, version string) string {
	has := running.Policy(ctx)
	if has == nil {
		return ""
	}
	if differs := running.Differs(*has, source, version); differs != "" {
		return "no: " + differs
	}
	return "yes, the running weir has it"
}

// nameIf is a name for people, if there is one.
func nameIf(name string) string {
	if name == "" {
		return ""
	}
	return inert.Name(name, 120)
}
