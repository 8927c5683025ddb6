package runcmd

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/agent/roster"
	"github.com/weir-gate/weir/internal/run/setup"
	"github.com/weir-gate/weir/internal/text/inert"
)

// printClients prints for each client where its program is, whether it is set up, and which addresses its configuration has.
func (f *setupFlags) printClients(out io.Writer, journal *setup.Journal, around agent.Surroundings) error {
	entries, err := journal.List()
	if err != nil {
		return err
	}
	made := map[string]setup.Entry{}
	for _, e := range entries {
		made[e.Name] = e
	}
	for i, a := range roster.All() {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%s (%s)\n", a.Name(), a.Title())
		fmt.Fprintf(out, "  program  %s\n", programText(a))
		entry, ok := made[a.Name()]
		fmt.Fprintf(out, "  setup    %s\n", setupText(entry, ok))
		if err := printLook(out, a, around); err != nil {
			return err
		}
	}
	return nil
}

// longestShown is how many characters of a text from a configuration are shown.
const longestShown = 300

// programText returns the path of a client's program. The program is not run.
func programText(a agent.Agent) string {
	for _, name := range a.Programs() {
		path, err := exec.LookPath(name)
		if err == nil || errors.Is(err, exec.ErrDot) {
			return inert.Text(path, longestShown)
		}
	}
	return notOnPath
}

// notOnPath says that a program was not found.
const notOnPath = "not on PATH"

// setupText says what weir setup has done for a client.
func setupText(e setup.Entry, made bool) string {
	if !made {
		return "none"
	}
	day := e.Time.Local().Format("2006-01-02 15:04")
	switch {
	case e.Stale:
		return fmt.Sprintf("not finished on %s; undo it with weir setup %s --undo", day, e.Name)
	case len(e.Changed) > 0:
		return fmt.Sprintf("since %s; edited since: %s", day, inert.Text(strings.Join(e.Changed, ", "), longestShown))
	}
	return "since " + day
}

// printLook prints what the configuration of a client says. If it cannot be read, this is printed, and the others are still shown.
func printLook(out io.Writer, a agent.Agent, around agent.Surroundings) error {
	look, err := a.Look(around)
	if err != nil {
		_, err = fmt.Fprintf(out, "  goes to  unknown: %s\n", inert.Text(err.Error(), longestShown))
		return err
	}
	for i, route := range look.Routes {
		heading := "goes to"
		if i > 0 {
			heading = ""
		}
		line := fmt.Sprintf("%s (%s, %s)", route.URL, route.Setting, route.Origin)
		if route.Note != "" {
			line += "; " + route.Note
		}
		fmt.Fprintf(out, "  %-7s  %s\n", heading, inert.Text(hideKey(line), longestShown))
	}
	for i, s := range look.Servers {
		heading := "servers"
		if i > 0 {
			heading = ""
		}
		line := fmt.Sprintf("%s %s (%s)", inert.Name(s.Name, longestShown), s.Way, s.Origin)
		if s.Why != "" {
			line += ": " + s.Why
		}
		fmt.Fprintf(out, "  %-7s  %s\n", heading, inert.Text(line, longestShown))
	}
	for _, note := range look.Notes {
		fmt.Fprintf(out, "  note     %s\n", inert.Text(note, longestShown))
	}
	return nil
}

// hideKey removes a client's key from an address of weir.
func hideKey(line string) string {
	before, rest, ok := strings.Cut(line, "/k/")
	if !ok {
		return line
	}
	end := strings.IndexAny(rest, "/ ")
	if end < 0 {
		end = len(rest)
	}
	return before + "/k/..." + rest[end:]
}
