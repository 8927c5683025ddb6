package recordcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/bodies"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

func newBodies() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "bodies",
		Short:   "Show what models were asked and what agents were answered",
		Example: "  weir bodies show req_1q3n8k0c9g5t2 --request",
	}
	cmd.AddCommand(newBodiesShow())
	return cmd
}

type bodiesFlags struct {
	excerpt.Flags
	request, response, raw bool
}

func newBodiesShow() *cobra.Command {
	var f bodiesFlags
	cmd := &cobra.Command{
		Use:   "show REQUEST_ID",
		Short: "Show the bodies that are kept of one request",
		Long: `show prints what is kept of a request to a model, as it was sent, and of the response, as the agent got it: without
secrets, and without the end if it was long. REQUEST_ID is on every response of weir as x-weir-request-id, and in every event as
request_id. Bodies are kept if bodies.store is true in the configuration.

Control characters are shown as escapes. --raw prints the bytes of one body, of which the record has the digest.`,
		Example: `  weir bodies show req_1q3n8k0c9g5t2
  weir bodies show req_1q3n8k0c9g5t2 --request | jq .messages
  weir bodies show req_1q3n8k0c9g5t2 --response --raw | sha256sum`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.Register(cmd)
	cmd.Flags().BoolVar(&f.request, "request", false, "only the request's body")
	cmd.Flags().BoolVar(&f.response, "response", false, "only the response's body")
	cmd.Flags().BoolVar(&f.raw, "raw", false, "as it is kept, also what a terminal would obey; needs --request or --response")
	cmd.MarkFlagsMutuallyExclusive("request", "response")
	return cmd
}

func (f *bodiesFlags) run(cmd *cobra.Command, id string) error {
	if f.raw && !f.request && !f.response {
		return exit.WrongInput(errors.New("--raw prints one body; add --request or --response"))
	}
	r, err := f.Open(cmd.Context())
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // nothing was written
	all, err := r.Bodies(cmd.Context(), id)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(b bodies.Body) bool {
		return f.request && b.Side != bodies.Request || f.response && b.Side != bodies.Response
	})
	if len(all) == 0 {
		return exit.WrongInput(errors.New("no such body is kept: it may be too old, or bodies.store was not true, or the id is wrong (it begins with req_)"))
	}
	if err := checkRecorded(cmd.Context(), r, id, all); err != nil {
		return err
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	for _, b := range all {
		if err := f.print(out, b); err != nil {
			return err
		}
	}
	return out.Flush()
}

// checkRecorded fails if the record names other bodies of a request than those that are kept.
func checkRecorded(ctx context.Context, r *store.Reader, id string, all []bodies.Body) error {
	for entry, err := range r.Entries(ctx, query.Filter{RequestID: id, Type: record.TypeResponseDone}) {
		if err != nil {
			return err
		}
		ev, err := entry.Event()
		if err != nil {
			return err
		}
		done, _ := ev.Detail.(record.ResponseDone)
		recorded := map[bodies.Side]string{bodies.Request: done.RequestBody.Digest, bodies.Response: done.ResponseBody.Digest}
		for _, b := range all {
			if recorded[b.Side] != b.Digest {
				return fmt.Errorf("the %s is not the one that the record names: something else changed the store; run weir audit verify", b.Side)
			}
		}
	}
	return nil
}

func (f *bodiesFlags) print(out *bufio.Writer, b bodies.Body) error {
	text, err := b.Text()
	if err != nil {
		return err
	}
	if f.raw {
		_, err = out.Write(text)
		return err
	}
	if !f.request && !f.response {
		fmt.Fprintf(out, "%s  %s  %s  %s\n", b.Time.Local().Format("2006-01-02 15:04:05.000"), b.Side, sizeText(b), inert.Text(b.Digest, 80))
	}
	if err := inert.WriteLines(out, string(text)); err != nil {
		return err
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		return out.WriteByte('\n')
	}
	return nil
}

// sizeText is how much of a body is kept.
func sizeText(b bodies.Body) string {
	if b.FullSize > 0 {
		return fmt.Sprintf("the first %s of %d", quantity.Count(b.Size, "byte"), b.FullSize)
	}
	return quantity.Count(b.Size, "byte")
}

// printKeptBodies says which bodies are kept of the request that an event belongs to, and how to see them.
func printKeptBodies(ctx context.Context, r *store.Reader, out io.Writer, e record.Entry) error {
	ev, err := e.Event()
	if err != nil || ev.Exchange.RequestID == "" {
		return err
	}
	all, err := r.Bodies(ctx, ev.Exchange.RequestID)
	if err != nil || len(all) == 0 {
		return err
	}
	parts := make([]string, len(all))
	for i, b := range all {
		parts[i] = string(b.Side) + " " + sizeText(b)
	}
	_, err = fmt.Fprintf(out, "  %-10s %s; weir bodies show %s\n", "bodies", strings.Join(parts, ", "), inert.Name(ev.Exchange.RequestID, 80))
	return err
}
