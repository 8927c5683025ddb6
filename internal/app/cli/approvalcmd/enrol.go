package approvalcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/approval/factor"
)

func newEnrol() *cobra.Command {
	var user string
	var again bool
	cmd := &cobra.Command{
		Use:   "enrol",
		Short: "Set up an authenticator for your votes",
		Long: `enrol makes a secret, and prints it with an address for authenticator apps (TOTP). weir keeps the secret of the
person at the machine in the state folder. For somebody whom people in weir.yaml names, use --user: then enrol
keeps nothing, and prints what to write there.`,
		Example: `  weir approvals enrol
  weir approvals enrol --user bob@acme.com`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := running.DemandOutside("weir approvals enrol"); err != nil {
				return err
			}
			secret, who := factor.NewSecret(), user
			if user == "" {
				who = running.Login()
				if err := keep(secret, again); err != nil {
					return err
				}
			}
			out := cmd.OutOrStdout()
			if _, err := fmt.Fprintf(out, "secret   %s\naddress  %s\n", secret, secret.Address(who)); err != nil {
				return err
			}
			text := "Add it to your authenticator: it is not shown again."
			if user != "" {
				text = "Add it to the authenticator, and write it into weir.yaml, best by a variable:\n" +
					"people:\n  - {user: " + user + ", roles: approver, totp: \"${TOTP_SECRET}\"}"
			}
			_, err := fmt.Fprintln(out, text)
			return err
		},
	}
	cmd.Flags().StringVar(&user, "user", "", "somebody of people in weir.yaml, instead of the person at the machine")
	cmd.Flags().BoolVar(&again, "again", false, "replace the secret that there is")
	return cmd
}

// keep writes the secret of the person at the machine.
func keep(s factor.Secret, again bool) error {
	dir, err := config.StateDir(os.LookupEnv)
	if err != nil {
		return exit.WrongInput(err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create the state folder: %w", err)
	}
	path := filepath.Join(dir, config.TOTPFile)
	if again {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("replace the secret: %w", err)
		}
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return exit.WrongInput(errors.New("you have an authenticator already; replace its secret with --again"))
	}
	if err != nil {
		return fmt.Errorf("write the secret: %w", err)
	}
	_, err = fmt.Fprintln(file, s)
	return errors.Join(err, file.Close())
}
