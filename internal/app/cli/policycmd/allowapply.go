package policycmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/recording"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/policy/exemption"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/run/setup"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// carryOut records the exception, and then writes it: an exception that is not on record must not count.
func (f *allowFlags) carryOut(cmd *cobra.Command, w allowance) error {
	targets := make([]target, len(w.plan.Changed))
	for i, c := range w.plan.Changed {
		var err error
		if targets[i], err = targetOf(c, w.fresh); err != nil {
			return err
		}
	}
	aside, err := f.record(cmd.Context(), w, targets)
	if err != nil {
		return fmt.Errorf("the exception could not be recorded, so nothing was changed: %w", err)
	}
	for i, t := range targets {
		if err := setup.Replace(t.path, t.After, t.info); err != nil {
			for _, done := range targets[:i] {
				err = errors.Join(err, setup.Replace(done.path, done.Before, done.info))
			}
			return fmt.Errorf("%w; the record has the exception, but the policy does not", err)
		}
	}
	out := cmd.OutOrStdout()
	for _, t := range targets {
		if _, err := fmt.Fprintf(out, "wrote %s\n", inert.Text(t.path, 400)); err != nil {
			return err
		}
	}
	if aside != "" {
		if _, err := fmt.Fprintln(out, aside); err != nil {
			return err
		}
	}
	return w.tellRunning(cmd.Context(), out, targets[0])
}

// A target is a file that is written.
type target struct {
	exemption.Change
	path string      // the file itself, if Path is a link
	info os.FileInfo // nil: it is new
}

// targetOf checks that a file is as it was shown.
func targetOf(c exemption.Change, fresh bool) (t target, err error) {
	t.Change = c
	if t.path, err = filepath.Abs(c.Path); err != nil {
		return t, err
	}
	if fresh {
		if _, err := os.Lstat(t.path); !errors.Is(err, os.ErrNotExist) {
			return t, fmt.Errorf("%s was written meanwhile; try again", c.Path)
		}
		return t, nil
	}
	if t.path, err = filepath.EvalSymlinks(t.path); err != nil {
		return t, fmt.Errorf("write the policy: %w", err)
	}
	if t.info, err = os.Stat(t.path); err != nil {
		return t, fmt.Errorf("write the policy: %w", err)
	}
	now, err := yamlfile.ReadFile(t.path)
	if err != nil {
		return t, fmt.Errorf("write the policy: %w", err)
	}
	if !bytes.Equal(now, c.Before) {
		return t, fmt.Errorf("%s was changed meanwhile, so nothing was written; try again", c.Path)
	}
	return t, nil
}

// record records who agreed to what, in the store that has the call. If a weir runs with this store, it does so, so that only one process
// writes. aside says that another weir runs; "": none does.
func (f *allowFlags) record(ctx context.Context, w allowance, targets []target) (aside string, err error) {
	a := w.allowed()
	for _, t := range targets {
		a.Detail.Files = append(a.Detail.Files, t.path)
	}
	flags := &excerpt.Flags{Config: f.Config, Store: f.store}
	url, err := flags.URL()
	if err != nil {
		return "", err
	}
	client, theirs, err := running.With(ctx, url)
	if err != nil {
		return "", err
	}
	if client != nil {
		defer client.Close()
		if err = client.Allowed(ctx, a); err == nil || errors.Is(err, control.ErrNotDone) {
			return "", err
		}
	}
	s, err := flags.OpenHome(ctx)
	if err != nil {
		return "", err
	}
	defer s.Close() // what was written is durable
	if theirs != "" {
		aside = fmt.Sprintf("recorded in %s; the running weir has another record, %s", inert.Text(store.URL(url).String(), 400),
			inert.Text(theirs, 400))
	}
	return aside, recording.Here(ctx, flags, s, []record.Event{a.Event()})
}

// allowed is what is recorded, without the files.
func (w allowance) allowed() control.Allowance {
	e := w.act.event
	return control.Allowance{
		Call: e.CallID, Surface: e.Surface, Server: e.Server, Tool: e.Tool, Actor: e.Actor, Version: w.plan.Policy.Version(),
		Detail: record.PolicyAllowed{
			By: inert.Text(running.Login(), 200), For: w.span, Until: w.terms.Until, Rules: w.plan.Rules,
			Added: strings.Join(w.plan.Added, ", "), Was: w.now.Version(), Others: w.others.passed,
		},
	}
}

// tellRunning says when the exception counts. The session of the call takes it at once; others get it with the file.
func (w allowance) tellRunning(ctx context.Context, out io.Writer, first target) error {
	has := running.Policy(ctx)
	text := "a weir that runs with this policy takes it within a second"
	if has != nil {
		text = "the running weir takes it within a second"
		if !w.isSource(has.Source, first) {
			text = fmt.Sprintf("the running weir has %s, and not this file", inert.Text(has.Source, 400))
		}
	}
	if session := w.act.event.Actor.Session; has != nil && session != "" && !w.act.event.Actor.OwnSession() {
		name := inert.Name(session, 80)
		switch err := w.give(ctx, session); {
		case err == nil:
			text = "it counts in session " + name + " from now on; " + text
		default:
			text += fmt.Sprintf("; it does not count in session %s: %s", name, inert.Text(err.Error(), 300))
		}
	}
	_, err := fmt.Fprintln(out, text)
	return err
}

// isSource says that a file is that of the policy of the running weir, or in its folder.
func (w allowance) isSource(source string, t target) bool {
	path, err := filepath.Abs(t.Path)
	return err == nil && (path == source || filepath.Dir(path) == source)
}

// give asks the running weir to let the session of the call have the policy.
func (w allowance) give(ctx context.Context, session string) error {
	client, err := running.Client()
	if err != nil {
		return err
	}
	defer client.Close()
	return client.Take(ctx, control.Taking{Session: session, Was: w.now.Version(), Version: w.plan.Policy.Version()})
}
