package policycmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// shellTool is the tool that a plain command is judged as: that of a coding agent.
const shellTool = "Bash"

// commandParams are the parameters in which tools have their command, if it is not called command.
var commandParams = map[string]string{"exec_command": "cmd", "shell_exec": "cmd", "write_stdin": "chars"}

// name takes the call that an argument names: one on record, one in a line of a transcript, or a plain command.
func (f *explainFlags) name(text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return errors.New("the command is empty; write one, such as 'git push --force'")
	case isCallID(text):
		f.call = text
	case isLine(text):
		f.line = text
	default:
		return f.command(text)
	}
	return nil
}

// command takes a plain command.
func (f *explainFlags) command(text string) error {
	if f.tool == "" {
		f.tool = shellTool
	}
	param := commandParams[strings.ToLower(f.tool)]
	if param == "" {
		param = "command"
	}
	args, err := json.Marshal(map[string]string{param: text})
	f.args = string(args)
	return err
}

// isCallID says that a text can only be the id of a call.
func isCallID(text string) bool {
	if strings.ContainsAny(text, " \t\n") {
		return false
	}
	return slices.ContainsFunc([]string{"call_", "toolu_"}, func(prefix string) bool { return strings.HasPrefix(text, prefix) })
}

// written returns the call on the command line.
func (f *explainFlags) written() (act, error) {
	e := record.Event{Surface: call.Surface(f.surface), Server: f.server, Tool: f.tool, Args: jsontext.Value(f.args)}
	if !slices.Contains(policy.SurfaceWords.Words, f.surface) {
		return act{}, exit.WrongInput(fmt.Errorf("--surface: %q is not a surface; use %s", f.surface, yamlfile.OneOf(policy.SurfaceWords.Words)))
	}
	switch onEgress := e.Surface == call.Egress; {
	case !onEgress && len(f.given) > 0:
		return act{}, exit.WrongInput(fmt.Errorf("--%s: only connections have it; add --surface egress", f.given[0]))
	case !onEgress && f.tool == "":
		return act{}, exit.WrongInput(errors.New("no call is named; write a command, the id of a call on record, or --tool with the name " +
			"as the model calls it"))
	}
	if err := strictjson.CheckArguments(e.Args); err != nil {
		return act{}, exit.WrongInput(fmt.Errorf("--args: %w; such a call is refused as %s, whatever the policy says", err,
			call.CodeArgsUnreadable))
	}
	if e.Surface == call.Egress {
		if err := f.connection(&e); err != nil {
			return act{}, exit.WrongInput(err)
		}
	}
	var err error
	e.Actor, err = parseWho(f.who)
	return act{event: e}, exit.WrongInput(err)
}

// recorded returns the recorded call with the id.
func (f *explainFlags) recorded(ctx context.Context) (act, error) {
	r, err := (&excerpt.Flags{Config: f.Config, Store: f.store}).Open(ctx)
	if err != nil {
		return act{}, err
	}
	defer r.Close()
	return recordedAct(ctx, r, f.call)
}

// recordedAct returns the call of a record with an id. If it was ruled more than once, the newest ruling counts.
func recordedAct(ctx context.Context, r query.Source, id string) (act, error) {
	entries, err := excerpt.About(ctx, r, id)
	if err != nil {
		return act{}, err
	}
	entries = slices.DeleteFunc(entries, func(e record.Entry) bool { return !slices.Contains(actTypes, e.Type) })
	if len(entries) == 0 {
		return act{}, exit.WrongInput(errors.New("no call on record has this id; weir calls --json prints ids as call_id and wire_id"))
	}
	// A connection that belongs to a call has the id of the call.
	if called := slices.DeleteFunc(slices.Clone(entries), func(e record.Entry) bool { return e.Type.IsConnection() }); len(called) > 0 {
		entries = called
	}
	newest := entries[len(entries)-1]
	one := func(yield func(record.Entry, error) bool) { yield(newest, nil) }
	var a act
	for e, err := range query.Joined(ctx, r, one) { // with the arguments that followed it
		if err != nil {
			return act{}, err
		}
		if a.event, err = e.Event(); err != nil {
			return act{}, err
		}
	}
	a.inner, err = innerOf(ctx, r, newest)
	return a, err
}

// ruledWithin is how far apart the times of calls that were ruled together can be, even if the clock is set meanwhile.
const ruledWithin = time.Minute

// innerOf returns the calls inside the arguments of a call. They follow it in its chain. Its row says nothing: it has none before it is
// indexed, and between the rows of one chain are those of others.
func innerOf(ctx context.Context, r query.Source, outer record.Entry) (inner []record.Event, err error) {
	at := time.UnixMicro(outer.Micros)
	near := query.Filter{Type: outer.Type, RequestID: outer.RequestID, Since: at.Add(-ruledWithin), Until: at.Add(ruledWithin)}
	for entry, err := range r.Entries(ctx, near) {
		if err != nil {
			return nil, err
		}
		if entry.Chain != outer.Chain || entry.Seq <= outer.Seq {
			continue
		}
		if entry.Within == "" || entry.Within != outer.CallID {
			break // calls that were ruled together are adjacent
		}
		e, err := entry.Event()
		if err != nil {
			return nil, err
		}
		inner = append(inner, e)
	}
	return inner, nil
}
