package excerpt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/moment"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A Selection is the part of the record that flags select.
type Selection struct {
	Filter       query.Filter
	fields       []*field
	typ          *wanted // nil: there is no flag for the type
	since, until string
	blocked      bool
	utc          bool
	canaries     bool
}

// fields are the flags of filters. Each takes ! before its value.
func fields() []*field {
	return []*field{
		{name: "session", usage: "only this session", of: func(f *query.Filter) *string { return &f.Session }},
		{name: "server", usage: "only this MCP server; * matches any characters", of: func(f *query.Filter) *string { return &f.Server }},
		{
			name: "tool", usage: "only this tool; * matches any characters; '!Bash', as in every filter: all but it",
			of: func(f *query.Filter) *string { return &f.Tool },
		},
		{
			name: "verdict", usage: "only this verdict: allow, audit, sanitize or deny",
			of: func(f *query.Filter) *string { return &f.Verdict },
		},
		{name: "rule", usage: "only decisions of this rule", of: func(f *query.Filter) *string { return &f.Rule }},
		{name: "code", usage: "only this code: " + yamlfile.OneOf(call.Codes()), of: func(f *query.Filter) *string { return &f.Code }},
		{
			name: "surface", usage: "only this surface: response, inbound, mcp or egress",
			of: func(f *query.Filter) *string { return &f.Surface },
		},
		{name: "employee", usage: "only this employee", of: func(f *query.Filter) *string { return &f.Employee }},
		{name: "team", usage: "only this team", of: func(f *query.Filter) *string { return &f.Team }},
		{name: "org", usage: "only this organisation", of: func(f *query.Filter) *string { return &f.Org }},
		{name: "key", usage: "only this key", of: func(f *query.Filter) *string { return &f.Key }},
		{name: "provider", usage: "only this upstream, by its name in weir.yaml", of: func(f *query.Filter) *string { return &f.Provider }},
		{name: "model", usage: "only this model", of: func(f *query.Filter) *string { return &f.Model }},
		{
			name: "request", usage: "only this request, by the id that weir sends as x-weir-request-id",
			of: func(f *query.Filter) *string { return &f.RequestID },
		},
		{name: "response", usage: "only this response, by the provider's id", of: func(f *query.Filter) *string { return &f.ResponseID }},
		{
			name: "call", usage: "only this call, by weir's id (call_…), its beginning, or the provider's id (toolu_…, call_…)",
			of: func(f *query.Filter) *string { return &f.CallID },
		},
	}
}

// Wants is the value of the flag of a filter; "": any.
func (s *Selection) Wants(name string) string { return s.flag(name).wants() }

// Usually gives the flag of a filter a value for when it is not given.
func (s *Selection) Usually(cmd *cobra.Command, name, value string) {
	s.flag(name).unless = value
	cmd.Flags().Lookup(name).DefValue = value
}

func (s *Selection) flag(name string) *wanted {
	i := slices.IndexFunc(s.fields, func(f *field) bool { return f.name == name })
	return &s.fields[i].flag
}

// Register adds the flags to a command.
func (s *Selection) Register(cmd *cobra.Command) {
	fs := cmd.Flags()
	s.fields = fields()
	for _, f := range s.fields {
		fs.Var(&f.flag, f.name, f.usage)
	}
	fs.StringVar(&s.Filter.Text, "text", "", "only what has all these words in its arguments, whole words in any case")
	fs.StringVar(&s.since, "since", "", "only from this time on: "+moment.Forms)
	fs.StringVar(&s.until, "until", "", "only before this time, written as for --since")
	fs.BoolVar(&s.blocked, "blocked", false, "only what was refused (--blocked=false: only what was not)")
	fs.BoolVar(&s.canaries, "canaries", false, "include the test calls of weir verify")
	fs.BoolVar(&s.utc, "utc", false, "read and print times in UTC, not in local time")
}

// Complete checks the flags and builds the filter.
func (s *Selection) Complete(cmd *cobra.Command) error {
	now := time.Now().In(s.Zone())
	for _, flag := range []struct {
		name, text string
		into       *time.Time
	}{{"since", s.since, &s.Filter.Since}, {"until", s.until, &s.Filter.Until}} {
		if flag.text == "" {
			continue
		}
		var err error
		if *flag.into, err = moment.Parse(flag.text, now); err != nil {
			return fmt.Errorf("--%s: %w", flag.name, err)
		}
	}
	if !s.Filter.Since.IsZero() && !s.Filter.Until.IsZero() && !s.Filter.Since.Before(s.Filter.Until) {
		return fmt.Errorf("--since %s is not before --until %s", s.show(s.Filter.Since), s.show(s.Filter.Until))
	}
	fill(&s.Filter, s.fields)
	if err := cmp.Or(s.checkWords(), s.completeType()); err != nil {
		return err
	}
	s.Filter.NoCanaries = !s.canaries && !s.namesCanaries()
	if cmd.Flags().Changed("blocked") {
		s.Filter.Blocked = &s.blocked
	}
	return nil
}

// RegisterType adds the flag for the type of events. unless is its value if it is not given.
func (s *Selection) RegisterType(cmd *cobra.Command, unless, usage string) {
	s.typ = &wanted{unless: unless}
	cmd.Flags().Var(s.typ, "type", usage)
}

func (s *Selection) completeType() (err error) {
	if s.typ == nil {
		return nil
	}
	if s.Filter.Type, err = EventType(s.typ.wants()); err != nil {
		return err
	}
	return notType(&s.Filter, s.typ.not)
}

// checkWords checks the flags whose values weir itself defines.
func (s *Selection) checkWords() error {
	for _, v := range s.flag("verdict").all() {
		if !slices.Contains([]string{"allow", "audit", "deny", "sanitize", "pending_approval"}, v) {
			return fmt.Errorf("--verdict: %q is not a verdict; use allow, audit, sanitize or deny", v)
		}
	}
	for _, v := range s.flag("surface").all() {
		if !slices.Contains([]call.Surface{call.Response, call.Inbound, call.MCP, call.Egress}, call.Surface(v)) {
			return fmt.Errorf("--surface: %q is not a surface; use response, inbound, mcp or egress", v)
		}
	}
	for _, v := range s.flag("code").all() {
		if !slices.Contains(call.Codes(), v) {
			return fmt.Errorf("--code: %q is not a code; use %s", v, yamlfile.OneOf(call.Codes()))
		}
	}
	return nil
}

// namesCanaries says that the flags ask for the test calls of weir verify, or for something that must be shown completely.
func (s *Selection) namesCanaries() bool {
	f := s.Filter
	return f.Provider == call.CanaryProvider || f.Rule == call.CanaryRule || f.Tool == policy.CanaryTool ||
		f.CallID != "" || f.RequestID != "" || f.ResponseID != "" || f.Session != ""
}

// Zone returns the time zone for parsing and showing times.
func (s *Selection) Zone() *time.Location {
	if s.utc {
		return time.UTC
	}
	return time.Local
}

// show returns a time for people.
func (s *Selection) show(t time.Time) string { return t.In(s.Zone()).Format("2006-01-02 15:04:05.000") }

// EventType returns the type of event that a flag names; "all" means every type.
func EventType(name string) (record.Type, error) {
	if name == "" || name == "all" {
		return "", nil
	}
	t := record.Type(name)
	if !t.Known() {
		return "", fmt.Errorf("--type: %q is not a type of event; use one of %s, or all", name, strings.Join(record.Types.Names(), ", "))
	}
	return t, nil
}
