package recordcmd

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/backup"
	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/text/quantity"
)

type backupFlags struct {
	record         excerpt.Flags
	key, unchecked bool
	json           bool
}

func newStoreBackup() *cobra.Command {
	var f backupFlags
	cmd := &cobra.Command{
		Use:   "backup FOLDER",
		Short: "Copy the record to a new folder while weir runs, and verify the copy",
		Long: `backup copies the record as of one moment: the database, what is only in the log so far, and the newest checkpoint
beside the key. weir may go on. The copy is verified as weir audit verify does it, and the folder appears only if it is
intact. The key that signs the record is not copied, unless --with-key says so: whoever has it can sign in weir's name.
A database on a server has its own tools; see docs/deploy.md for that, and for how to restore.`,
		Example: `  weir store backup /backup/weir-2026-11-18
  weir store backup /backup/weir --config /etc/weir/weir.yaml --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.record.Register(cmd)
	cmd.Flags().Lookup("store").Usage = "store to copy, such as sqlite:///path/to/weir.db"
	cmd.Flags().BoolVar(&f.key, "with-key", false, "also copy the key that signs the record")
	cmd.Flags().BoolVar(&f.unchecked, "no-verify", false, "do not verify the copy, which takes a minute for a million events")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func (f *backupFlags) run(cmd *cobra.Command, folder string) error {
	url, err := f.record.URL()
	if err != nil {
		return err
	}
	cfg, err := inuse.Config(f.record.Config)
	if err != nil {
		return err
	}
	state, err := config.StateDir(os.LookupEnv)
	if err != nil {
		state = "" // then there are no logs in it
	}
	c := backup.Config{URL: url, StateDir: state, To: folder, WithKey: f.key, Unverified: f.unchecked}
	if url == cfg.Store.URL {
		c.KeyPath = cfg.Audit.Key // another store may have another key
	}
	working := terminal.StartProgress(cmd, "copying "+store.URL(url).String())
	r, err := backup.Take(cmd.Context(), c)
	working.End()
	if err != nil {
		return exit.WrongInput(err)
	}
	if f.json {
		return jsonout.Print(cmd.OutOrStdout(), r)
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%s: %s", r.Folder, quantity.Thousands(r.Bytes)+" bytes")
	if r.Verified {
		fmt.Fprintf(out, ", intact: %s", quantity.Count(r.Events, "event"))
	}
	_, err = fmt.Fprintf(out, "\nRead it with: weir calls --store %s\n", r.Store)
	return err
}
