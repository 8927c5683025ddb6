package servecmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/app/service"
	"github.com/weir-gate/weir/internal/run"
	"github.com/weir-gate/weir/internal/run/setup"
	"github.com/weir-gate/weir/internal/text/inert"
)

// A status is what weir status says.
type status struct {
	Running bool           `json:"running"`
	Weir    *control.Hello `json:"weir,omitzero"`
	Service *service.State `json:"service,omitzero"`
	// Clients are those that weir setup has led to weir.
	Clients []string `json:"clients"`
}

func newStatus() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say what runs, since when, and with which policy",
		Long: `status asks the weir of this machine what it is doing: since when it runs and where it listens, its configuration,
policy and record, the sessions of weir run, and which clients weir setup has led to it. The exit code is 1 if no
weir runs.`,
		Example: `  weir status
  weir status --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if os.Getenv(run.SessionVariable) != "" {
				return exit.WrongInput(fmt.Errorf("weir status cannot be used inside a session of weir run; run it outside"))
			}
			st, err := statusOf(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				err = jsonout.Print(cmd.OutOrStdout(), st)
			} else {
				st.print(cmd.OutOrStdout(), time.Now())
			}
			if err == nil && !st.Running {
				err = exit.With(exit.Failed, exit.ErrSilent)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func statusOf(ctx context.Context) (st status, err error) {
	st.Clients = []string{}
	client, err := running.Client()
	if err != nil {
		return st, err
	}
	defer client.Close()
	if hello, err := client.Hello(ctx); err == nil {
		st.Running, st.Weir = true, &hello
	}
	if s, err := (&serviceFlags{}).service(); err == nil { // else there is no manager of services
		if state, err := s.State(ctx); err == nil && state.Installed {
			st.Service = &state
		}
	}
	dir, err := config.StateDir(os.LookupEnv)
	if err != nil {
		return st, err
	}
	entries, err := setup.NewJournal(dir).List()
	for _, e := range entries {
		st.Clients = append(st.Clients, e.Name)
	}
	return st, err
}

func (st status) print(out io.Writer, now time.Time) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "  %-11s  %s\n", name, fmt.Sprintf(format, args...))
	}
	switch {
	case !st.Running:
		fmt.Fprintln(out, "weir does not run; start it with weir serve, or keep it running with weir service install")
	case !st.Weir.Admitted:
		fmt.Fprintf(out, "weir %s runs, as process %d\n", inert.Text(st.Weir.Version, 60), st.Weir.PID)
		line("more", "set %s to your key: this weir answers to its clients only", running.KeyVariable)
	default:
		w := st.Weir.Standing
		fmt.Fprintf(out, "weir %s runs, as process %d\n", inert.Text(st.Weir.Version, 60), st.Weir.PID)
		line("since", "%s (%s ago)", w.Since.Local().Format("2006-01-02 15:04:05 MST"), now.Sub(w.Since).Truncate(time.Second))
		line("address", "%s", inert.Text(w.Address, 200))
		line("config", "%s", orNone(w.Config))
		line("policy", "%s, version %s", inert.Text(st.Weir.Policy.Source, 400), st.Weir.Policy.Version)
		if st.Weir.Policy.Trouble != "" {
			line("", "its file has changed and has errors; the version above stays in force: %s", inert.Text(st.Weir.Policy.Trouble, 400))
		}
		line("record", "%s", inert.Text(w.Store, 400))
		line("enforcement", "%s", w.Enforcement)
		for i, s := range w.Sessions {
			line([]string{"sessions", ""}[min(i, 1)], "%s  %s", s.ID, inert.Text(s.Folder, 200))
		}
		if len(w.Sessions) == 0 {
			line("sessions", "none")
		}
	}
	for i, c := range st.Clients {
		line([]string{"clients", ""}[min(i, 1)], "%s (weir setup)", c)
	}
	if st.Service != nil {
		printService(out, *st.Service)
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return inert.Text(s, 400)
}

// printService says what the manager of services says.
func printService(out io.Writer, s service.State) {
	if !s.Installed {
		fmt.Fprintln(out, "  service      not installed; weir service install does that")
		return
	}
	fmt.Fprintf(out, "  service      %s says %s", s.Manager, inert.Text(s.Says, 80))
	if s.Since != "" {
		fmt.Fprintf(out, ", since %s", inert.Text(s.Since, 60))
	}
	if s.Restarts != "" {
		fmt.Fprintf(out, ", restarted %s times after failures", inert.Text(s.Restarts, 10))
	}
	fmt.Fprintf(out, "\n               %s\n", s.File)
	if s.Differs {
		fmt.Fprintln(out, "               it is not what this weir would install: weir service install replaces it")
	}
}
