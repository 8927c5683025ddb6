package excerpt

import (
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
	since, until string
	blocked      bool
	utc          bool
	canaries     bool
}

// Register adds the flags to a command.
func (s *Selection) Register(cmd *cobra.Command) {
	fs := cmd.Flags()
	f := &s.Filter
	for _, flag := range []struct {
		into        *string
		name, usage string
	}{
		{&f.Session, "session", "only this session"},
		{&f.Server, "server", "only this MCP server; * matches any characters"},
		{&f.Tool, "tool", "only this tool; * matches any characters"},
		{&f.Verdict, "verdict", "only this verdict: allow, audit, sanitize or deny"},
		{&f.Rule, "rule", "only decisions of this rule"},
		{&f.Code, "code", "only this code: " + yamlfile.OneOf(call.Codes())},
		{&f.Surface, "surface", "only this surface: response, inbound, mcp or egress"},
		{&f.Employee, "employee", "only this employee"},
		{&f.Team, "team", "only this team"},
		{&f.Org, "org", "only this organisation"},
		{&f.Key, "key", "only this key"},
		{&f.Provider, "provider", "only this upstream, by its name in weir.yaml"},
		{&f.Model, "model", "only this model"},
		{&f.RequestID, "request", "only this request, by the id that weir sends as x-weir-request-id"},
		{&f.ResponseID, "response", "only this response, by the provider's id"},
		{&f.CallID, "call", "only this call, by weir's id (call_…) or the provider's (toolu_…, call_…)"},
		{&s.since, "since", "only from this time on: " + moment.Forms},
		{&s.until, "until", "only before this time, written as for --since"},
	} {
		fs.StringVar(flag.into, flag.name, "", flag.usage)
	}
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
	switch v := s.Filter.Verdict; v {
	case "", "allow", "audit", "deny", "sanitize", "pending_approval":
	default:
		return fmt.Errorf("--verdict: %q is not a verdict; use allow, audit, sanitize or deny", v)
	}
	switch v := call.Surface(s.Filter.Surface); v {
	case "", call.Response, call.Inbound, call.MCP, call.Egress:
	default:
		return fmt.Errorf("--surface: %q is not a surface; use response, inbound, mcp or egress", v)
	}
	if v := s.Filter.Code; v != "" && !slices.Contains(call.Codes(), v) {
		return fmt.Errorf("--code: %q is not a code; use %s", v, yamlfile.OneOf(call.Codes()))
	}
	s.Filter.NoCanaries = !s.canaries && !s.namesCanaries()
	if cmd.Flags().Changed("blocked") {
		s.Filter.Blocked = &s.blocked
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
