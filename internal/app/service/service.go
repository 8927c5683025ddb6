// Package service keeps weir running: it makes weir a service of the machine's own manager of services (systemd, launchd, or the Task
// Scheduler of Windows), and asks that manager about it.
package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Name is the name of the service.
const Name = "weir"

// A Spec says what the service runs.
type Spec struct {
	Program string   // the absolute path of weir
	Args    []string // its arguments
	System  bool     // a service of the machine, not of one person
	Version string   // of weir, for people who read the file
	// Environment are variables that the service gets, as NAME=value, such as those that say where weir's folders are.
	Environment []string
	// StateDir is the folder for weir's state; launchd has no log of its own, so the log is there.
	StateDir string
}

// A command is a program of the manager with its arguments.
type command []string

func (c command) String() string { return strings.Join(c, " ") }

// A plan is how one manager does what is asked: the file that defines the service, and the commands for each act.
type plan struct {
	manager string // for people
	file    string // absolute
	text    string // what the file has in it
	mode    fs.FileMode

	start   []command // after the file is written
	restart []command
	stop    []command
	gone    []command // before the file is removed
	after   []command // after the file is removed
	state   command
	parse   func(said string) State
	logs    func(lines int, follow bool) command
	hint    string // what a person may want to do after install; "": nothing
}

// A State is what the manager says of the service.
type State struct {
	Installed bool   `json:"installed"`
	Running   bool   `json:"running"`
	Since     string `json:"since,omitzero"`    // in the manager's words
	PID       string `json:"pid,omitzero"`      // of the process
	Restarts  string `json:"restarts,omitzero"` // how often it was started again after a failure
	Says      string `json:"says,omitzero"`     // the manager's word for the state
	File      string `json:"file"`
	Manager   string `json:"manager"`
	// Differs says that the file defines another service than this weir would install.
	Differs bool `json:"differs,omitzero"`
}

// A Service is weir as a service of this machine.
type Service struct {
	plan plan
	// run runs a command of the manager and returns what it printed; nil: the real one.
	run func(ctx context.Context, c command) (string, error)
}

// ErrNotInstalled says that there is no service.
var ErrNotInstalled = errors.New("weir is not installed as a service; run weir service install")

// Installed says whether the file of the service exists, and whether it is the one that this weir would write.
func (s *Service) Installed() (exists, same bool, err error) {
	have, err := os.ReadFile(s.plan.file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, false, nil
	}
	return err == nil, bytes.Equal(have, []byte(s.plan.text)), err
}

// File is the path of the file that defines the service.
func (s *Service) File() string { return s.plan.file }

// Hint is what a person may want to do after Install; "": nothing.
func (s *Service) Hint() string { return s.plan.hint }

// Install writes the file, and starts the service now and at each start of the machine, or at each login of the person. A service that
// is there already is replaced; Installed says so before.
func (s *Service) Install(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Dir(s.plan.file), 0o755); err != nil {
		return fmt.Errorf("install the service: %w", err)
	}
	// Whoever reads a half-written file would define half a service.
	part := s.plan.file + ".new"
	if err := os.WriteFile(part, []byte(s.plan.text), s.plan.mode); err != nil {
		return fmt.Errorf("install the service: %w", err)
	}
	if err := os.Rename(part, s.plan.file); err != nil {
		return fmt.Errorf("install the service: %w", err)
	}
	return s.all(ctx, "install the service", s.plan.start)
}

// Restart starts the service again.
func (s *Service) Restart(ctx context.Context) error {
	return s.ifInstalled(ctx, "restart", s.plan.restart)
}

// Stop stops the service until its next start.
func (s *Service) Stop(ctx context.Context) error { return s.ifInstalled(ctx, "stop", s.plan.stop) }

// Uninstall stops the service and removes its file.
func (s *Service) Uninstall(ctx context.Context) error {
	if err := s.ifInstalled(ctx, "uninstall", s.plan.gone); err != nil {
		return err
	}
	if err := os.Remove(s.plan.file); err != nil {
		return fmt.Errorf("uninstall the service: %w", err)
	}
	return s.all(ctx, "uninstall the service", s.plan.after)
}

// State asks the manager.
func (s *Service) State(ctx context.Context) (State, error) {
	exists, same, err := s.Installed()
	st := State{File: s.plan.file, Manager: s.plan.manager}
	if err != nil || !exists {
		return st, err
	}
	said, err := s.run(ctx, s.plan.state)
	if said == "" && err != nil {
		return st, fmt.Errorf("ask %s: %w", s.plan.manager, err)
	}
	st = s.plan.parse(said) // some managers end with a failure when the service does not run, and say so
	st.Installed, st.Differs, st.File, st.Manager = true, !same, s.plan.file, s.plan.manager
	return st, nil
}

// LogCommand is the command that prints the log of the service: so many lines of it, and what comes after if follow is set.
func (s *Service) LogCommand(lines int, follow bool) ([]string, error) {
	if exists, _, err := s.Installed(); err != nil || !exists {
		return nil, errors.Join(err, ErrNotInstalled)
	}
	return s.plan.logs(lines, follow), nil
}

func (s *Service) ifInstalled(ctx context.Context, act string, commands []command) error {
	exists, _, err := s.Installed()
	if err != nil {
		return fmt.Errorf("%s the service: %w", act, err)
	}
	if !exists {
		return ErrNotInstalled
	}
	return s.all(ctx, act+" the service", commands)
}

func (s *Service) all(ctx context.Context, step string, commands []command) error {
	for _, c := range commands {
		if said, err := s.run(ctx, c); err != nil {
			return fmt.Errorf("%s: %s: %w%s", step, c, err, quoted(said))
		}
	}
	return nil
}

// quoted is what a command said, on one line.
func quoted(said string) string {
	if said = strings.Join(strings.Fields(said), " "); said == "" {
		return ""
	}
	return "; it says: " + said
}

// Print writes the file and the commands of Install for people, and changes nothing.
func (s *Service) Print(w io.Writer) {
	fmt.Fprintf(w, "# %s\n%s\n", s.plan.file, s.plan.text)
	for _, c := range s.plan.start {
		fmt.Fprintf(w, "$ %s\n", c)
	}
}
