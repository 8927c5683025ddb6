package verify

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/text/inert"
)

// row returns a row about the session.
func row(tried string, status Status, seen string) Row {
	return Row{Area: areaSessions, Tried: tried, Status: status, Seen: seen, Promised: true}
}

// networkRows returns the results of connections from inside the namespaces.
func (s *trialRun) networkRows(ctx context.Context, v *verifier) []Row {
	return []Row{
		s.connectionRow(ctx, v, trialTCP4, "a connection (IPv4)", "192.0.2.1:", call.Connect),
		s.connectionRow(ctx, v, trialTCP6, "a connection (IPv6)", "[2001:db8::1]:", call.Connect),
		s.connectionRow(ctx, v, trialLookup, "a lookup of a name", "", call.Resolve),
		s.datagramRow(),
		s.portRow(v),
		s.plainRow(trialSockets, "sockets of other programs", "name in egress.sockets only what sessions must reach"),
		s.plainRow(trialControl, "weir's control socket", ""),
	}
}

// connectionRow checks that a trial was stopped, and that weir recorded it.
func (s *trialRun) connectionRow(ctx context.Context, v *verifier, trial, tried, remote string, acts ...call.Act) Row {
	f := s.finding(trial)
	unenforced := v.Running.Enforcement != enforcing
	if f.Result != Stopped && !unenforced {
		r := row(tried, NotCovered, "it was not refused: "+f.Seen)
		if f.Result == Unclear {
			r.Status, r.Seen = Untold, f.Seen
		}
		r.Cure = "weir doctor"
		return r
	}
	e, trouble := v.await(ctx, query.Filter{Session: s.outcome.Session, Types: record.Types.Where(record.Type.IsConnection)},
		func(e record.Event) bool {
			d, _ := e.Detail.(record.Connection)
			return slices.Contains(acts, call.Act(e.Tool)) && strings.Contains(string(e.Args), policy.CanaryHost) &&
				strings.HasPrefix(d.RemoteAddr, remote)
		})
	switch {
	case trouble != "":
		return row(tried, Untold, f.Seen+"; "+trouble)
	case e == nil:
		return row(tried, NotCovered, f.Seen+", but it is not on record")
	case unenforced:
		return s.unenforced(v, tried, "seen and on record")
	case !e.Blocked:
		return row(tried, NotCovered, "the record has it as "+inert.Name(e.Verdict, 40)+", and not as refused")
	}
	return row(tried, Covered, "refused ("+f.Seen+"); on record")
}

// unenforced returns the row of a trial that weir sees, but does not refuse.
func (s *trialRun) unenforced(v *verifier, tried, seen string) Row {
	return row(tried, Warning, seen+", not refused: enforcement is "+inert.Name(v.Running.Enforcement, 40))
}

// datagramRow returns the row of a datagram, which is never delivered, whatever the policy says.
func (s *trialRun) datagramRow() Row {
	const tried = "a datagram (UDP)"
	f := s.finding(trialUDP)
	switch f.Result {
	case Stopped:
		return row(tried, Covered, "refused at once ("+f.Seen+")")
	case Done:
		return row(tried, NotCovered, f.Seen)
	default:
		return row(tried, Untold, f.Seen)
	}
}

// portRow returns the row of an undeclared service of the machine.
func (s *trialRun) portRow(v *verifier) Row {
	const tried = "a service of this machine"
	f := s.finding(trialPort)
	for _, declared := range v.Running.Loopback {
		if declared.First <= s.plan.Port && s.plan.Port <= declared.Last {
			return row(tried, Warning, "egress.loopback declares so many ports that it was among them")
		}
	}
	switch {
	case f.Result == Stopped:
		return row(tried, Covered, "it is not declared, and was not reached")
	case f.Result == Unclear:
		return row(tried, Untold, f.Seen)
	case v.Running.Enforcement != enforcing:
		return s.unenforced(v, tried, "it is not declared")
	}
	r := row(tried, NotCovered, "it is not declared, and was reached all the same: "+f.Seen)
	r.Cure = "look for rules of the policy that allow it: weir policy list"
	return r
}

// plainRow returns the row of a trial that must be stopped, whatever the policy says.
func (s *trialRun) plainRow(trial, tried, cure string) Row {
	f := s.finding(trial)
	switch f.Result {
	case Stopped:
		return row(tried, Covered, "out of reach ("+f.Seen+")")
	case Done:
		r := row(tried, NotCovered, f.Seen)
		r.Cure = cure
		return r
	default:
		return row(tried, Untold, f.Seen)
	}
}

// fileRows returns what the probe could do with weir's own files.
func (s *trialRun) fileRows(v *verifier) []Row {
	rows := []Row{
		s.plainRow(trialHidden, "weir's state, record, key, config", ""),
		s.plainRow(trialProcess, "the same through other processes", ""),
		s.plainRow(trialNested, "the same by namespaces of its own", ""),
	}
	if s.plan.Policy == "" {
		seen := "the running weir reads it from no file that could be changed"
		if v.Running.Source != "" {
			seen = "it is part of a file that is hidden, or gone"
		}
		return append(rows, row("change the policy", Covered, seen))
	}
	replaced := s.plainRow(trialReplace, "replace the policy", "")
	after, err := os.Stat(s.plan.Policy)
	switch {
	case err != nil || !os.SameFile(s.before, after):
		replaced.Status, replaced.Seen = NotCovered, "another file took its place"
	case replaced.Status == NotCovered: // the replacement is seen only in the session
		replaced.Status, replaced.Seen = Covered, "only the session sees what took its place"
	}
	return append(rows, s.plainRow(trialWrite, "write to the policy", ""), replaced, s.plainRow(trialFolder, "rename the policy's folder", ""))
}

// cooperativeRows returns what a session without namespaces covers.
func (s *trialRun) cooperativeRows(ctx context.Context, v *verifier) []Row {
	const why = "cooperative: a program can ignore it"
	var rows []Row
	if f := s.finding(trialProxy); f.Result != Unclear || f.Seen != "the probe did not say" {
		r := s.connectionRow(ctx, v, trialProxy, "a connection by the proxy", "", call.Connect, call.Resolve)
		rows = append(rows, r)
	}
	for _, tried := range []string{
		"connections past the proxy", "services of this machine", "weir's state, record, key, config",
		"change the policy",
	} {
		seen := "without namespaces nothing prevents a program of the session from this"
		if tried == "connections past the proxy" {
			seen = "HTTPS_PROXY is " + why
		}
		r := row(tried, NotCovered, seen)
		r.Promised = false
		rows = append(rows, r)
	}
	return rows
}
