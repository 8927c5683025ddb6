package recordcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/record/verify"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

func newAudit() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "audit",
		Short:   "Check and export the record",
		Example: "  weir audit verify",
	}
	cmd.AddCommand(newAuditVerify(), newAuditExport(), newEventSchema())
	return cmd
}

func newEventSchema() *cobra.Command {
	return jsonout.SchemaCommand("Print the JSON Schema of the events of the record", "  weir audit schema > event.schema.json", record.Schema)
}

type verifyFlags struct {
	excerpt.Flags
	head string
	keys []string
	json bool
}

func newAuditVerify() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check that nobody changed or removed an event",
		Long: `verify reads the whole record. It checks the hash chains, the signed checkpoints, the statistics, the stored
bodies, the stored tools of MCP servers and who trusts them. weir starts a new chain each time it starts, and
adds a checkpoint every five minutes.

Old events may be missing if a checkpoint says that retention removed them. The checkpoint must be signed by a
known key: weir's own, in the state folder, or one given with --key.

Next to each key is a file with its newest checkpoint in this store, such as audit.key.last. That checkpoint
must be in the record.

Someone who can write to the store can still change or remove the events after the newest checkpoint. To detect
that, store the output of this command, or of weir audit export --heads, on another machine, and pass it to
--head later.

The exit code is 0 if the record is intact, 1 if there are problems, 2 if it could not be checked.`,
		Example: `  weir audit verify
  weir audit verify > heads.txt && weir audit verify --head heads.txt
  weir audit verify --store postgres://auditor@db.example/weir --key weir-1.pem --key weir-2.pem --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.Register(cmd)
	cmd.Flags().StringVar(&f.head, "head", "", "file that an earlier run wrote: its heads and checkpoints must still be in the record")
	cmd.Flags().StringArrayVar(&f.keys, "key", nil,
		"file with keys to trust: PEM, public or private, or the key lines of an earlier run; may be repeated")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

func (f *verifyFlags) run(cmd *cobra.Command) error {
	var v verify.Check
	saved, err := readSaved(f.head)
	if err != nil {
		return exit.WrongInput(err)
	}
	trusted, err := f.trusted()
	if err != nil {
		return exit.WrongInput(err)
	}
	// This comes before the record is read, so that the record has everything that these checkpoints sign.
	witnessed, err := f.witnessed(trusted)
	if err != nil {
		return exit.WrongInput(err)
	}
	v.Keys, v.Heads, v.Checkpoints = trusted.ids, saved.heads, append(saved.checkpoints, witnessed...)
	r, err := f.Open(cmd.Context())
	if err != nil {
		return err
	}
	defer r.Close() // nothing was written
	working := terminal.StartProgress(cmd, "checking the record")
	working.Then = "comparing the statistics"
	defer working.End()
	v.Record, err = working.Watch(cmd.Context(), r)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	v.Registry = func(ctx context.Context) (map[string]record.RegistryMark, []string, error) {
		stored, err := r.Registry(ctx)
		servers, wrong := registryState(stored)
		return servers, wrong, err
	}
	report, err := v.Run(cmd.Context())
	working.End()
	if err != nil {
		return exit.With(exit.Usage, err) // it is not known whether the record is intact
	}
	if f.json {
		err = printReportJSON(cmd.OutOrStdout(), report)
	} else {
		err = printReport(cmd.OutOrStdout(), report)
	}
	if err == nil && report.Found > 0 {
		return exit.With(exit.Failed, exit.ErrSilent)
	}
	return err
}

// registryState is the state of the registry of MCP tools: see verify.Check.
func registryState(stored registry.Stored) (servers map[string]record.RegistryMark, wrong []string) {
	marks, tools := stored.Marks()
	servers = map[string]record.RegistryMark{}
	for id, m := range marks {
		servers[id] = record.RegistryMark(m)
	}
	for _, id := range tools {
		wrong = append(wrong, id.Server+"/"+id.Name)
	}
	return servers, wrong
}

// keys are the keys whose checkpoints count.
type keys struct {
	ids   []string
	files []string // where they are
}

// trusted returns the keys whose checkpoints count. A missing key, or one that this user cannot read, is not known. A key next to
// the store is not used: anyone who can write to the store could have put it there.
func (f *verifyFlags) trusted() (keys, error) {
	k := keys{ids: []string{}, files: f.keys}
	for _, path := range f.keys {
		ids, err := checkpoint.ReadKeyIDs(path)
		if err != nil {
			return keys{}, err
		}
		k.ids = append(k.ids, ids...)
	}
	cfg, err := inuse.Config(f.Config)
	if err != nil {
		if inuse.ConfigPath(f.Config) == "" {
			return k, nil // there is no state folder
		}
		return keys{}, err
	}
	own, err := checkpoint.ReadKeyIDs(cfg.Audit.Key)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
		return keys{}, err
	}
	k.ids, k.files = append(k.ids, own...), append(slices.Clone(k.files), cfg.Audit.Key)
	return k, nil
}

// witnessed returns the newest checkpoints of this store that are stored next to the keys.
func (f *verifyFlags) witnessed(k keys) ([]checkpoint.Signed, error) {
	url, err := f.URL()
	if err != nil {
		return nil, err
	}
	location, err := store.URL(url).Location()
	if err != nil {
		return nil, err
	}
	var all []checkpoint.Signed
	for _, path := range k.files {
		s, err := checkpoint.Witness{KeyPath: path, Location: location}.Newest()
		switch {
		case errors.Is(err, fs.ErrPermission):
		case err != nil:
			return nil, err
		case s.N > 0: // also for a key that is no longer known: an operator must confirm that it was replaced
			all = append(all, s)
		}
	}
	return all, nil
}

// The first words of the lines of verify's output that it can read again.
const (
	headWord       = "head"
	keyWord        = "key"
	checkpointWord = "checkpoint"
)

func printReport(out io.Writer, report verify.Report) error {
	for _, p := range report.Problems {
		fmt.Fprintln(out, "problem", p)
	}
	for _, h := range report.Heads {
		fmt.Fprintln(out, headWord, inert.Text(h.Chain, 80), h.Seq, inert.Text(h.Hash, 80))
	}
	for _, c := range report.Newest {
		fmt.Fprintln(out, keyWord, c.Key)
		fmt.Fprintln(out, checkpointWord, c.Signature, inert.JSON(string(c.Text)))
	}
	if report.Checkpoints > 0 {
		fmt.Fprintln(out, "checked", quantity.Count(report.Checkpoints, "signed checkpoint"))
	}
	if report.Servers > 0 {
		fmt.Fprintln(out, "checked the stored tools of", quantity.Count(report.Servers, "MCP server"))
	}
	for _, id := range report.Unsaid {
		fmt.Fprintf(out, "not checked: the tools of the MCP server %s; the record has no copy to compare with; weir serve adds one when it "+
			"starts\n",
			inert.Name(id, 64))
	}
	if !report.Vouched && report.Events > 0 {
		fmt.Fprintln(out, "not signed: no checkpoint of a known key covers this record, so anyone who can write to the store could have "+
			"written it")
	}
	if report.Found > 0 {
		_, err := fmt.Fprintf(out, "NOT INTACT: %s in %s\n", quantity.Count(report.Found, "problem"), quantity.Count(report.Events, "event"))
		return err
	}
	_, err := fmt.Fprintf(out, "intact: %s in %s\n", quantity.Count(report.Events, "event"), quantity.Count(len(report.Heads), "chain"))
	return err
}

// A reportJSON is a report for programs. verify can read it again.
type reportJSON struct {
	Intact          bool             `json:"intact"`
	Vouched         bool             `json:"vouched"` // by a checkpoint of a known key
	Events          int64            `json:"events"`
	CheckpointCount int64            `json:"checkpoint_count"`
	Found           int64            `json:"found"`
	Problems        []verify.Problem `json:"problems"`                        // the first hundred
	Servers         int              `json:"mcp_servers"`                     // whose tools were compared with the record
	Unsaid          []string         `json:"mcp_servers_unchecked,omitempty"` // servers whose state is not in the record
	savedJSON       `json:",inline"`
}

func printReportJSON(out io.Writer, report verify.Report) error {
	return jsonout.Print(out, reportJSON{
		Intact: report.Found == 0, Vouched: report.Vouched, Events: report.Events, CheckpointCount: report.Checkpoints, Found: report.Found,
		Problems: report.Problems, Servers: report.Servers, Unsaid: report.Unsaid, savedJSON: savedOf(report.Heads, report.Newest),
	})
}

// readSaved reads what an earlier run printed; an empty path: there is nothing to read.
func readSaved(path string) (saved, error) {
	if path == "" {
		return saved{}, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return saved{}, fmt.Errorf("--head: %w", err)
	}
	k, err := parseSaved(path, data)
	if err == nil && len(k.heads) == 0 && len(k.checkpoints) == 0 {
		err = fmt.Errorf("--head: %s has no heads; give the output of weir audit verify or weir audit export --heads", path)
	}
	return k, err
}
