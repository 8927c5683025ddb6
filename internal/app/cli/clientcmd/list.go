package clientcmd

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/text/inert"
)

// listed is a client as weir client list --json prints it. It has nothing of the key.
type listed struct {
	Name     string    `json:"name"`
	Employee string    `json:"employee,omitzero"`
	Team     string    `json:"team,omitzero"`
	Org      string    `json:"org,omitzero"`
	Created  time.Time `json:"created,omitzero"`
	Expires  time.Time `json:"expires,omitzero"`
	Expired  bool      `json:"expired"`
	// Hashed says that weir knows the digest of the key alone.
	Hashed bool   `json:"hashed"`
	File   string `json:"file"`
}

func newList() *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the clients, without their keys",
		Example: "  weir client list\n  weir client list --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := f.open()
			if err != nil {
				return err
			}
			all := list(cfg, time.Now())
			if f.json {
				return jsonout.Print(cmd.OutOrStdout(), all)
			}
			return printList(cmd.OutOrStdout(), cfg, all)
		},
	}
	f.register(cmd)
	return cmd
}

func list(cfg *config.Config, now time.Time) []listed {
	all := []listed{}
	for _, c := range cfg.Clients {
		all = append(all, listed{
			Name: c.Name, Employee: c.Employee, Team: c.Team, Org: c.Org, Created: c.Created, Expires: c.Expires,
			Expired: !c.Expires.IsZero() && !now.Before(c.Expires), Hashed: c.Key == "", File: place(c),
		})
	}
	return all
}

func printList(out io.Writer, cfg *config.Config, all []listed) error {
	if len(all) == 0 {
		says := "There are no clients: everyone who reaches weir may use it."
		if cfg.ForClients() {
			says = "There are no clients: nobody may use weir. weir client add makes a key."
		}
		_, err := fmt.Fprintln(out, says)
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tEMPLOYEE\tTEAM\tORG\tEXPIRES\tFILE")
	for _, c := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", dash(c.Name), dash(c.Employee), dash(c.Team), dash(c.Org), expiry(c), inert.Text(c.File, 200))
	}
	return w.Flush()
}

func expiry(c listed) string {
	switch {
	case c.Expires.IsZero():
		return "never"
	case c.Expired:
		return "EXPIRED"
	}
	return c.Expires.Local().Format("2006-01-02 15:04 MST")
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return inert.Name(s, 80)
}
