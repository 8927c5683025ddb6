package runcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/policy/preset"
	"github.com/weir-gate/weir/internal/run/agent/roster"
	"github.com/weir-gate/weir/internal/text/inert"
)

type initFlags struct {
	preset, dir string
	force       bool
}

func newInit() *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a configuration and a policy to start with",
		Long: `init writes weir.yaml and policy.yaml into the configuration folder, $XDG_CONFIG_HOME/weir or ~/.config/weir. From then on
every weir command uses them, unless --config names another file. The policy is one of those that come with weir:

  open      releases and records everything, except removing the system and overwriting disks
  balanced  releases ordinary coding work; refuses destructive acts and sending secrets away
  tight     releases only reading, writing, building and testing in the project

Existing files are not changed. With --force they are replaced; the old ones get the suffix .bak.`,
		Example: `  weir init
  weir init --preset tight
  weir init --dir ./weir --preset open`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), cmd.OutOrStdout()) },
	}
	cmd.Flags().StringVar(&f.preset, "preset", "balanced", "policy to start with: "+strings.Join(preset.Names(), ", "))
	cmd.Flags().StringVar(&f.dir, "dir", "", "folder to write to (default: the configuration folder)")
	cmd.Flags().BoolVar(&f.force, "force", false, "replace existing files; the old ones get the suffix .bak")
	return cmd
}

// firstConfig is the configuration that init writes.
const firstConfig = `# The configuration of weir. Every key is optional. Check it after a change: weir config check FILE
# For an editor that completes and checks it: weir config schema

# The address that weir listens on. If other machines can reach it, clients and tls are required.
listen: 127.0.0.1:4141

# enforce: the policy decides.
# shadow: nothing is refused, and the record says what would be. Use it to try out a policy.
enforcement: enforce

# The rules, in a file next to this one. weir loads it again when it changes. If it has errors, the old rules stay in force.
policy: policy.yaml

# Model APIs at other addresses than the built-in ones (anthropic, openai, gemini, and others):
#upstreams:
#  corp: {url: https://llm.corp.example}

# Who may use this weir. Without clients, everybody who can reach the address.
#clients:
#  - {key: "${ANN_KEY}", employee: ann@example.com}
`

// policyName is the file name of the policy that init writes.
const policyName = "policy.yaml"

func (f *initFlags) run(ctx context.Context, out io.Writer) error {
	rules, err := preset.Copy(f.preset)
	if err != nil {
		return exit.WrongInput(fmt.Errorf("--preset: %w", err))
	}
	usual, err := config.ConfigDir(os.LookupEnv)
	dir := f.dir
	if dir == "" {
		dir = usual
	}
	if dir == "" {
		return exit.WrongInput(fmt.Errorf("%w, or name a folder with --dir", err))
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return exit.WrongInput(err)
	}
	// The policy comes first: a configuration without it would not load.
	files := []newFile{{filepath.Join(dir, policyName), rules}, {filepath.Join(dir, config.FileName), []byte(firstConfig)}}
	if !f.force {
		for _, file := range files {
			if _, err := os.Lstat(file.path); !errors.Is(err, fs.ErrNotExist) {
				return exit.WrongInput(inTheWay(file.path, err))
			}
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return exit.WrongInput(fmt.Errorf("create the configuration folder: %w; name another with --dir", err))
	}
	for _, file := range files {
		if err := file.write(out); err != nil {
			return exit.WrongInput(err)
		}
	}
	return f.printNext(ctx, out, files[1].path, dir == usual)
}

// inTheWay says why a file is not written.
func inTheWay(path string, err error) error {
	if err != nil {
		return fmt.Errorf("write %s: %w; name another folder with --dir", path, err)
	}
	return fmt.Errorf("%s exists already, so nothing was written; use --force to replace it (the old file gets the suffix .bak)", path)
}

// A newFile is a file that init writes.
type newFile struct {
	path string
	text []byte
}

// write writes a file that only the user can read. An existing file with other content is renamed first.
func (n newFile) write(out io.Writer) error {
	old, err := os.ReadFile(n.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("write %s: %w", n.path, err)
	case bytes.Equal(old, n.text):
		_, err = fmt.Fprintf(out, "%s exists already\n", n.path)
		return err
	default:
		backup, err := keepOld(n.path)
		if err != nil {
			return fmt.Errorf("rename the old %s: %w", n.path, err)
		}
		fmt.Fprintf(out, "renamed the old %s to %s\n", n.path, backup)
	}
	file, err := os.OpenFile(n.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write %s: %w", n.path, err)
	}
	_, err = file.Write(n.text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", n.path, err)
	}
	_, err = fmt.Fprintf(out, "wrote %s\n", n.path)
	return err
}

// keepOld renames a file to the first free name: its own with .bak, .bak2 and so on.
func keepOld(path string) (string, error) {
	const most = 1000
	for i := 1; i < most; i++ {
		backup := path + ".bak"
		if i > 1 {
			backup += strconv.Itoa(i)
		}
		if _, err := os.Lstat(backup); errors.Is(err, fs.ErrNotExist) {
			return backup, os.Rename(path, backup)
		}
	}
	return "", errors.New("there are too many .bak files; remove some")
}

// printNext says what to do with the files.
func (f *initFlags) printNext(ctx context.Context, out io.Writer, file string, usual bool) error {
	named := ""
	if !usual {
		named = " --config " + file
	} else if path, ok := inuse.FormerPolicy(); ok {
		fmt.Fprintf(out, "%s has rules of your own, and is no longer used: move them to %s\n", path,
			filepath.Join(filepath.Dir(file), policyName))
	}
	rules := filepath.Join(filepath.Dir(file), policyName)
	if has := running.Policy(ctx); has != nil && has.Source != rules {
		fmt.Fprintf(out, "%s is not in force yet: the running weir uses %s; restart it\n", rules, inert.Text(has.Source, 400))
	}
	var others []string
	for _, a := range roster.All()[1:] {
		others = append(others, a.Name())
	}
	_, err := fmt.Fprintf(out, `
What next:
  %[3]s config check %[1]s
  %[3]s run%[2]s -- claude          one agent, guarded
  %[3]s setup claude%[2]s           Claude Code, permanently; or %[4]s
  %[3]s serve%[2]s                  weir alone
`, file, named, running.ProgramName(), strings.Join(others, ", "))
	return err
}
