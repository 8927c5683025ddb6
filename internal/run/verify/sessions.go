package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/model/formats"
	"github.com/weir-gate/weir/internal/run"
	"github.com/weir-gate/weir/internal/run/canary"
	"github.com/weir-gate/weir/internal/run/confine"
	"github.com/weir-gate/weir/internal/text/inert"
)

// ProbeCommand is the command of weir that carries out a plan: see Probe.
const ProbeCommand = "probe"

// sessions runs a probe the way weir run runs an agent, and says what the probe could do.
func (v *verifier) sessions(ctx context.Context) []Row {
	var rows []Row
	if v.Session.Watch == "" || v.Session.Watch == run.Auto {
		v.Session.Watch = run.Namespace
		if err := confine.Check(); err != nil {
			v.Session.Watch = run.Proxy
			rows = append(rows, Row{
				Area: areaSessions, Tried: "namespaces", Status: Warning, Seen: "weir run cannot confine agents here: " + inert.Text(err.Error(), 300),
				Cure: "what follows is what weir run does without; with --watch namespace this is an error",
			})
		}
	}
	s, err := v.prepare()
	if err == nil {
		defer s.close()
		err = s.probe(ctx, v)
	}
	if err != nil {
		return append(rows, Row{
			Area: areaSessions, Tried: "a run of weir's own probe", Status: NotCovered, Promised: true, Seen: inert.Text(err.Error(),
				300), Cure: "weir doctor",
		})
	}
	rows = append(rows, s.formatRows(ctx, v)...)
	if v.Session.Watch == run.Namespace {
		rows = append(rows, s.networkRows(ctx, v)...)
		rows = append(rows, s.fileRows(v)...)
	} else {
		rows = append(rows, s.cooperativeRows(ctx, v)...)
	}
	for _, t := range s.outcome.Troubles {
		rows = append(rows, Row{Area: areaSessions, Tried: "trouble during the run", Status: Warning, Seen: inert.Text(t, 300)})
	}
	return rows
}

// A trialRun is one run of the probe, with what is prepared for it.
type trialRun struct {
	plan     Plan
	bait     *bait
	before   os.FileInfo // of the policy; nil: it has no file
	outcome  run.Outcome
	findings Findings
}

func (v *verifier) prepare() (*trialRun, error) {
	b, err := setBait(v.Session.Temp)
	if err != nil {
		return nil, err
	}
	s := &trialRun{bait: b, plan: Plan{
		Nonces: map[string][2]string{}, Confined: v.Session.Watch == run.Namespace, Port: b.port, Banner: b.banner,
		Sockets: append(v.foreignSockets(), b.sockets...), Control: v.Socket, Policy: v.policyFile(), PIDs: []int{os.Getpid()},
	}}
	if v.PID != 0 {
		s.plan.PIDs = append(s.plan.PIDs, v.PID)
	}
	for _, f := range formats.All() {
		s.plan.Nonces[f.Name] = [2]string{canary.NewNonce(), canary.NewNonce()}
	}
	for _, path := range v.Running.Hide {
		if visible(path) {
			s.plan.Hidden = append(s.plan.Hidden, path)
		}
	}
	if s.plan.Policy != "" {
		if s.before, err = os.Stat(s.plan.Policy); err != nil {
			s.plan.Policy, s.before = "", nil
		}
	}
	return s, nil
}

func (s *trialRun) close() { s.bait.close() }

// policyFile returns the file of the policy of sessions; "": the policy has no file of its own.
func (v *verifier) policyFile() string {
	for _, path := range v.Running.Fix {
		if v.Running.Source != "" && (path == v.Running.Source ||
			strings.HasSuffix(path, string(filepath.Separator)+filepath.Clean(v.Running.Source))) {
			return path
		}
	}
	return ""
}

// foreignSockets returns well-known unix sockets of other programs that this process can reach and sessions must not reach. Those
// that the configuration allows are not among them.
func (v *verifier) foreignSockets() []string {
	known := []string{
		"/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock",
		"/run/dbus/system_bus_socket",
	}
	if dir, ok := v.Surroundings.Lookup("XDG_RUNTIME_DIR"); ok && dir != "" {
		for _, name := range []string{"bus", "docker.sock", "podman/podman.sock", "systemd/private"} {
			known = append(known, filepath.Join(dir, name))
		}
	}
	return slices.DeleteFunc(known, func(path string) bool {
		allowed := slices.ContainsFunc(v.Running.Sockets, func(pattern string) bool {
			ok, err := filepath.Match(pattern, path)
			return ok || err != nil
		})
		return allowed || !connectable(path)
	})
}

// probe runs the probe and reads what it found.
func (s *trialRun) probe(ctx context.Context, v *verifier) error {
	text, err := json.Marshal(s.plan)
	if err != nil {
		return fmt.Errorf("write the plan: %w", err)
	}
	in, toProbe, err := os.Pipe()
	if err != nil {
		return err
	}
	defer in.Close() // the probe has it
	fromProbe, out, err := os.Pipe()
	if err != nil {
		return errors.Join(err, toProbe.Close())
	}
	defer fromProbe.Close()
	go func() {
		_, _ = toProbe.Write(text) // a probe without a plan reports it
		_ = toProbe.Close()
	}()
	type reading struct {
		text []byte
		err  error
	}
	read := make(chan reading, 1)
	go func() {
		text, err := io.ReadAll(io.LimitReader(fromProbe, maxPlan))
		read <- reading{text, err}
	}()
	cfg := v.Session
	cfg.Program, cfg.Args, cfg.Stdin, cfg.Stdout = cfg.Self, []string{ProbeCommand}, in, out
	s.outcome, err = run.Run(ctx, cfg)
	_ = out.Close() // so that the reading ends
	got := <-read
	switch {
	case err != nil:
		return err
	case got.err != nil:
		return fmt.Errorf("read what the probe found: %w", got.err)
	case s.outcome.Exit != 0:
		return fmt.Errorf("the probe ended with code %d", s.outcome.Exit)
	}
	if err := json.Unmarshal(got.text, &s.findings); err != nil {
		return fmt.Errorf("read what the probe found: %w", err)
	}
	return nil
}

// formatRows returns the results of the session's canaries: one row if all formats have the same result.
func (s *trialRun) formatRows(ctx context.Context, v *verifier) []Row {
	if v.Running.ProxyMode == disabled {
		return nil
	}
	var rows []Row
	for _, f := range formats.All() {
		var seen []sighting
		for i, how := range []string{"streamed", "whole"} {
			told := s.findings.Answers[f.Name][i]
			one := sighting{response: told.Answer, nonce: s.plan.Nonces[f.Name][i], how: how}
			if told.Trouble != "" {
				one.err = errors.New(told.Trouble)
			}
			seen = append(seen, one)
		}
		row := v.ruleOn(ctx, seen, s.outcome.Session)
		row.Area, row.Tried, row.Promised = areaSessions, f.Title, true
		rows = append(rows, row)
	}
	first := rows[0]
	if slices.ContainsFunc(rows, func(r Row) bool { return r.Status != first.Status || r.Seen != first.Seen }) {
		return rows
	}
	first.Tried = "calls in all formats"
	return []Row{first}
}

// finding returns the result of a trial.
func (s *trialRun) finding(trial string) Finding {
	for _, f := range s.findings.Trials {
		if f.Trial == trial {
			f.Seen = inert.Text(f.Seen, 300)
			return f
		}
	}
	return Finding{Trial: trial, Result: Unclear, Seen: "the probe did not say"}
}
