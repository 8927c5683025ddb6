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
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

func newBodies() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "bodies",
		Short:   "Show the stored bodies of requests and responses",
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
		Short: "Show the stored bodies of one request and its response",
		Long: `show prints the stored body of a request as it was sent to the model, and of the response as the agent got it.
Secrets are removed, and long bodies are cut at the end. weir sends REQUEST_ID with each response as
x-weir-request-id; events have it as request_id. weir stores bodies if bodies.store is true in weir.yaml.

Control characters are escaped. --raw prints the bytes of one body unchanged; the record has their digest.`,
		Example: `  weir bodies show req_1q3n8k0c9g5t2
  weir bodies show req_1q3n8k0c9g5t2 --request | jq .messages
  weir bodies show req_1q3n8k0c9g5t2 --response --raw | sha256sum`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.Register(cmd)
	cmd.Flags().BoolVar(&f.request, "request", false, "only the request's body")
	cmd.Flags().BoolVar(&f.response, "response", false, "only the response's body")
	cmd.Flags().BoolVar(&f.raw, "raw", false, "print the bytes as stored, control characters included; needs --request or --response")
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
	defer r.Close() // nothing was written
	all, err := r.Bodies(cmd.Context(), id)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(b bodies.Body) bool {
		return f.request && b.Side != "request" || f.response && b.Side != "response"
	})
	if len(all) == 0 {
		return exit.WrongInput(errors.New("no body is stored for this request: check the id (it begins with req_); " +
			"it may be too old, or bodies.store was not true in weir.yaml"))
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

// checkRecorded fails if the record names other bodies of a request than the stored ones.
func checkRecorded(ctx context.Context, r query.Source, id string, all []bodies.Body) error {
	for entry, err := range r.Entries(ctx, query.Filter{RequestID: id, Type: record.Types.ResponseDone}) {
		if err != nil {
			return err
		}
		ev, err := entry.Event()
		if err != nil {
			return err
		}
		done, _ := ev.Detail.(record.ResponseDone)
		recorded := map[string]string{"request": done.RequestBody.Digest, "response": done.ResponseBody.Digest}
		for _, b := range all {
			if recorded[b.Side] != b.Digest {
				return fmt.Errorf("the %s differs from its digest in the record: something changed the store; run weir audit verify", b.Side)
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

// sizeText says how much of a body is stored.
func sizeText(b bodies.Body) string {
	if b.FullSize > 0 {
		return fmt.Sprintf("the first %s of %d", quantity.Count(b.Size, "byte"), b.FullSize)
	}
	return quantity.Count(b.Size, "byte")
}

// A bodySource has the stored bodies of a request.
type bodySource interface {
	Bodies(ctx context.Context, requestID string) ([]bodies.Body, error)
}

// printStoredBodies prints which bodies are stored for the request of an event, and how to see them.
func printStoredBodies(ctx context.Context, r bodySource, out io.Writer, e record.Entry) error {
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
