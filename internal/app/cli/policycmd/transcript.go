package policycmd

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/study"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/agent/roster"
	"github.com/weir-gate/weir/internal/run/agent/transcript"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/redact"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// transcriptFlags select the transcripts of an agent in place of the record.
type transcriptFlags struct {
	from, path string
}

// usualTranscripts is since when calls of transcripts count, if nobody says.
const usualTranscripts = "30d"

func (f *transcriptFlags) registerFrom(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.from, "from", "", "read the transcripts of an agent, and no record: "+yamlfile.OneOf(transcript.Agents()))
	cmd.Flags().StringVar(&f.path, "path", "", "folder or file with the transcripts of --from (default: where the agent stores them)")
	cmd.MarkFlagsMutuallyExclusive("from", "store")
}

func (f *transcriptFlags) check() error {
	switch {
	case f.from == "" && f.path != "":
		return exit.WrongInput(errors.New("--path: it is only read with --from; add --from, or remove --path"))
	case f.from != "" && !slices.Contains(transcript.Agents(), f.from):
		return exit.WrongInput(fmt.Errorf("--from: %q is no agent whose transcripts weir can read; use %s", f.from,
			yamlfile.OneOf(transcript.Agents())))
	default:
		return nil
	}
}

// open begins to read the transcripts of a time.
func (f *transcriptFlags) open(when query.Filter) (*transcript.Reading, error) {
	around, err := surroundings()
	if err != nil {
		return nil, exit.WrongInput(err)
	}
	r, err := transcript.NewReading(transcript.Selection{
		Agent: f.from, Around: around, Path: f.path, Since: when.Since, Until: when.Until, Servers: serversOf(f.from, around),
	})
	if err != nil {
		return nil, exit.WrongInput(fmt.Errorf("--path: %w", err))
	}
	return r, nil
}

func surroundings() (agent.Surroundings, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return agent.Surroundings{}, fmt.Errorf("find your home folder: %w; set HOME", err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return agent.Surroundings{}, fmt.Errorf("find the working folder: %w", err)
	}
	return agent.Surroundings{Home: home, Dir: dir, Lookup: os.LookupEnv}, nil
}

// serversOf are the MCP servers in the configuration of an agent. Without them, names in which only they could be found stay whole.
func serversOf(name string, around agent.Surroundings) (names []string) {
	a, ok := roster.Named(name)
	if !ok {
		return nil
	}
	look, err := a.Look(around)
	if err != nil {
		return nil
	}
	for _, s := range look.Servers {
		names = append(names, s.Name)
	}
	return names
}

// told yields the calls of transcripts. stoppedRefused says that a call that the agent itself refused counts as refused then.
func told(ctx context.Context, r *transcript.Reading, stoppedRefused bool) iter.Seq2[act, error] {
	return func(yield func(act, error) bool) {
		for c, err := range r.All(ctx) {
			if err != nil {
				yield(act{}, err)
				return
			}
			a := actOf(c)
			if c.Stopped && stoppedRefused {
				a.event.Ruling = record.Ruling{
					Verdict: string(policy.Deny), Blocked: true, Code: call.CodeToolDenied, Reason: "The agent's own permissions refused it.",
				}
			}
			if !yield(a, nil) {
				return
			}
		}
	}
}

// actOf returns a call of a transcript as if it had been recorded and released. It has no type: it is not recorded.
func actOf(c transcript.Call) act {
	e := record.Event{
		Time: c.Time, Surface: call.Response, Server: c.Server, Tool: c.Tool, WireID: c.ID, Args: c.Args,
		Exchange: call.Exchange{Model: c.Model}, Ruling: record.Ruling{Verdict: string(policy.Allow)},
	}
	d := record.ToolCall{Spellings: c.Spellings, Ran: c.Ran}
	if server, tool, certain := toolname.Divide(c.Tool); c.Server == "" && certain {
		d.Written, e.Server, e.Tool = c.Tool, server, tool
	}
	if !d.IsZero() {
		e.Detail = d
	}
	return act{event: e, told: &c}
}

// retold returns what becomes of a call of a transcript under a policy.
func (a act) retold(p *policy.Policy, now study.Settled) study.Replayed {
	then := settled(a.event)
	r := study.Replayed{Server: a.event.Server, Tool: a.event.Tool, Then: then, Now: now, Stopped: a.told.Stopped}
	if study.ChangeOf(then, now) == study.Unchanged {
		return r // it is no example of anything
	}
	var who []string
	if a.told.Dir != "" {
		who = append(who, "in "+inert.Name(a.told.Dir, 120))
	}
	if a.told.Side {
		who = append(who, "by a subagent")
	}
	if a.told.Stopped {
		who = append(who, "refused by the agent itself")
	}
	r.Example = study.Example{
		Time: a.event.Time.Local().Format(time.DateTime), CallID: a.told.ID, At: placeOf(*a.told), Who: strings.Join(who, ", "),
		Args: inert.Text(withoutSecrets(p, a.event.Args), 160), Stopped: a.told.Stopped,
	}
	return r
}

// placeOf says where a call is, so that explain --line can find it.
func placeOf(c transcript.Call) string {
	file := filepath.Clean(c.File)
	switch {
	case c.Line > 0:
		return fmt.Sprintf("%s:%d", file, c.Line)
	case c.Row != "":
		return file + ":" + c.Row
	case filepath.Ext(file) == ".json" && strings.HasPrefix(filepath.Base(file), "session-") && c.ID != "":
		return file + ":" + c.ID // a document, which has no lines
	default:
		return file
	}
}

// secrets are those that are never shown of transcripts, whatever the policy hides: no policy has looked at them before.
var secrets = func() *redact.Set {
	set, err := redact.New(redact.Config{Presets: []string{"secrets"}})
	if err != nil {
		panic(err) // the name is that of a group
	}
	return set
}()

// withoutSecrets returns arguments as they are shown; "": they cannot be shown.
func withoutSecrets(p *policy.Policy, args jsontext.Value) string {
	hidden, err := p.ForRecordOfCode(args)
	if err != nil {
		return ""
	}
	shown, err := secrets.ReplaceJSON(hidden.Args, nil)
	if err != nil || len(shown.Kept) > 0 {
		return ""
	}
	return string(shown.JSON)
}
