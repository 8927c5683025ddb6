package clientcmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/text/yamledit"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

type addFlags struct {
	flags
	employee, team, org, sessionHeader, expires string
	print                                       bool
}

func newAdd() *cobra.Command {
	var f addFlags
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Make a key for a client, and print it this once",
		Long: `add makes a key that nobody can guess, writes its digest to client_files, and prints the key. It is not stored
anywhere: who loses it gets a new one. If client_files is a folder, the client gets a file of its own there.
With --print nothing is written: it prints the entry as well, for files that are kept elsewhere, such as a secret of
Kubernetes.`,
		Example: `  weir client add ann --employee ann@acme.com --team payments --org acme
  weir client add ci --expires 90d --json
  weir client add ann --print`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.employee, "employee", "", "who the client is")
	cmd.Flags().StringVar(&f.team, "team", "", "their team")
	cmd.Flags().StringVar(&f.org, "org", "", "their organisation")
	cmd.Flags().StringVar(&f.sessionHeader, "session-header", "", "header in which the client names its sessions")
	cmd.Flags().StringVar(&f.expires, "expires", "", "last day of the key, such as 2027-01-31, or in how many days: 90d (default: never)")
	cmd.Flags().BoolVar(&f.print, "print", false, "write nothing; also print the entry for a file of client_files")
	return cmd
}

// clientName is the form of a client's name: it is also the name of a file.
var clientName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$`)

// added is what weir client add --json prints.
type added struct {
	Name    string    `json:"name"`
	Key     string    `json:"key"`
	Expires time.Time `json:"expires,omitzero"`
	File    string    `json:"file,omitzero"`
	Entry   string    `json:"entry,omitzero"`
}

func (f *addFlags) run(cmd *cobra.Command, name string) error {
	if !clientName.MatchString(name) {
		return exit.WrongInput(errors.New("NAME must be 1 to 64 letters, digits and . - _ @, and begin with a letter or digit"))
	}
	expires, err := parseExpires(f.expires, time.Now())
	if err != nil {
		return exit.WrongInput(fmt.Errorf("--expires: %w", err))
	}
	cfg, err := f.open()
	if err != nil {
		return err
	}
	if taken := find(cfg, name); taken != nil {
		return exit.WrongInput(fmt.Errorf("there is a client %s already, in %s; choose another name, or revoke that one first",
			name, place(*taken)))
	}
	result := added{Name: name, Key: admission.NewKey(), Expires: expires}
	entry := f.entry(result, time.Now())
	if f.print {
		result.Entry = "clients:\n" + yamledit.Block(yamledit.List(entry))
		return f.show(cmd, result)
	}
	if cfg.ClientFiles == "" {
		return exit.WrongInput(errNoFiles)
	}
	if result.File, err = write(cfg.ClientFiles, name, entry); err != nil {
		return exit.WrongInput(err)
	}
	if err := f.check(name); err != nil {
		return err
	}
	if err := f.show(cmd, result); err != nil {
		return err
	}
	return tell(cmd.Context(), said(cmd, f.json), cfg.ClientFiles)
}

// said is where text goes beside JSON: nobody parses the error output.
func said(cmd *cobra.Command, json bool) io.Writer {
	if json {
		return cmd.ErrOrStderr()
	}
	return cmd.OutOrStdout()
}

// check reads the configuration again: what was written must be understood.
func (f *addFlags) check(name string) error {
	cfg, err := f.open()
	if err != nil {
		return err
	}
	if find(cfg, name) == nil {
		return fmt.Errorf("the client %s was written, and is not found; check client_files", name)
	}
	return nil
}

func (f *addFlags) show(cmd *cobra.Command, a added) error {
	out := cmd.OutOrStdout()
	if f.json {
		return jsonout.Print(out, a)
	}
	fmt.Fprintf(out, "%s\n\nThis is the key of %s. It is shown only now. The client sends it in the header x-weir-key, "+
		"or as /k/KEY/ before the path.\n", a.Key, a.Name)
	if !a.Expires.IsZero() {
		fmt.Fprintf(out, "It expires on %s.\n", a.Expires.UTC().Format("2006-01-02 15:04 MST"))
	}
	if a.Entry != "" {
		_, err := fmt.Fprintf(out, "\n%s", a.Entry)
		return err
	}
	_, err := fmt.Fprintf(out, "Its digest is in %s.\n", a.File)
	return err
}

// entry is the client as a file has it.
func (f *addFlags) entry(a added, now time.Time) *yamlfile.Node {
	entries := []yamlfile.Entry{
		yamledit.Member("name", yamledit.Text(a.Name)),
		yamledit.Member("key_hash", yamledit.Text(admission.DigestOf(a.Key).String())),
	}
	for _, m := range [][2]string{
		{"employee", f.employee},
		{"team", f.team},
		{"org", f.org},
		{"session_header", f.sessionHeader},
		{"created", now.UTC().Format(time.RFC3339)},
	} {
		if m[1] != "" {
			entries = append(entries, yamledit.Member(m[0], yamledit.Text(m[1])))
		}
	}
	if !a.Expires.IsZero() {
		entries = append(entries, yamledit.Member("expires", yamledit.Text(a.Expires.UTC().Format(time.RFC3339))))
	}
	return yamledit.Map(entries...)
}

// maxDays bounds how long a key may be valid.
const maxDays = 36500

// parseExpires reads a day, a time, or a number of days from now; "": never.
func parseExpires(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := config.ParseMoment(text)
	if number, isDays := strings.CutSuffix(text, "d"); isDays {
		days, wrong := strconv.ParseUint(number, 10, 32)
		if wrong != nil || days == 0 || days > maxDays {
			return at, fmt.Errorf("%q is not a number of days from 1 to %d", text, maxDays)
		}
		at, err = now.AddDate(0, 0, int(days)).Truncate(time.Second), nil
	}
	if err != nil {
		return at, fmt.Errorf("%q is no day: write 2027-01-31, or 90d", text)
	}
	if !at.After(now) {
		return at, fmt.Errorf("%q is over already", text)
	}
	return at, nil
}

// emptyList finds a list of clients without any.
var emptyList = regexp.MustCompile(`(?m)^clients:[ \t]*\[[ \t]*\]`)

// write adds an entry to a file, or as a file of its own to a folder, and returns the file.
func write(files, name string, entry *yamlfile.Node) (string, error) {
	info, err := os.Stat(files)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(files, 0o700); err == nil {
			info, err = os.Stat(files)
		}
	}
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		path := fileOf(files, name)
		return path, create(path, []byte("clients:\n"+yamledit.Block(yamledit.List(entry))))
	}
	data, err := yamlfile.ReadFile(files)
	if err != nil {
		return "", err
	}
	if empty := emptyList.FindIndex(data); empty != nil { // as revoke leaves it
		first := []byte("clients:\n" + yamledit.Block(yamledit.List(entry)))
		return files, replace(files, slices.Concat(data[:empty[0]], bytes.TrimSuffix(first, []byte("\n")), data[empty[1]:]))
	}
	changed, err := yamledit.Append(data, []yamledit.Step{{Key: "clients"}}, entry)
	if err != nil {
		return "", fmt.Errorf("%s: %w; add the client yourself: weir client add %s --print", files, err, name)
	}
	return files, replace(files, changed)
}
