package mcpcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/app/version"
	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/mcp/outgoing"
	"github.com/weir-gate/weir/internal/mcp/reach"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
	"github.com/weir-gate/weir/internal/text/scan"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

type inspectFlags struct {
	headers   []string
	transport string
	failOn    string
	timeout   time.Duration
	json      bool
}

func newInspect() *cobra.Command {
	var f inspectFlags
	cmd := &cobra.Command{
		Use:   "inspect URL | -- COMMAND [ARGUMENT...]",
		Short: "Show the tools of an MCP server before you trust it",
		Long: `inspect asks an MCP server for its tools and prints them, with everything in their definitions and in the
server's instructions that could mislead a model. It stores nothing and calls no tool. If the server is a
command, inspect starts it, with your environment except weir's own variables: check the command first.

With --json it prints one object: server (name, version, protocol_version, instructions, findings) and tools
(tool, hash, severity, findings, definition; or problem, for an entry that is not a definition).`,
		Example: `  weir mcp inspect https://mcp.example.com/mcp
  weir mcp inspect --header "Authorization: Bearer $TOKEN" https://mcp.example.com/mcp
  weir mcp inspect --fail-on high -- npx @modelcontextprotocol/server-filesystem /tmp`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	cmd.Flags().StringArrayVar(&f.headers, "header", nil,
		"header for a server at a URL, such as 'Authorization: Bearer ...'; may be repeated")
	cmd.Flags().StringVar(&f.transport, "transport", "", "http or sse, for a server at a URL (default: sse if the path ends in /sse)")
	cmd.Flags().StringVar(&f.failOn, "fail-on", "", "exit with 1 if there is a finding of this severity or higher: low, medium, high or "+
		"critical")
	cmd.Flags().DurationVar(&f.timeout, "timeout", time.Minute, "how long the server may take in total")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

func (f *inspectFlags) run(cmd *cobra.Command, args []string) error {
	var limit scan.Severity
	if f.failOn != "" && limit.UnmarshalText([]byte(f.failOn)) != nil {
		return exit.WrongInput(fmt.Errorf("--fail-on: %s is not a severity; use low, medium, high or critical", yamlfile.Quote(f.failOn)))
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), f.timeout)
	defer cancel()
	var said stderrTail
	conn, err := f.connect(ctx, cmd, args, &said)
	if err != nil {
		return exit.WrongInput(err)
	}
	defer conn.Close() // everything was read
	working := terminal.StartProgress(cmd, "asking the server")
	about, tools, err := reach.Ask(ctx, conn, reach.AskConfig{Version: version.Build()})
	working.End()
	if err != nil {
		said.print(cmd.ErrOrStderr())
		return fmt.Errorf("ask the server: %w", err)
	}
	seen, err := inspected(about, tools)
	if err != nil {
		return err
	}
	if f.json {
		err = jsonout.PrintLines(cmd.OutOrStdout(), []inspection{seen})
	} else {
		err = seen.print(cmd.OutOrStdout())
	}
	if worst := seen.worst(); err == nil && limit != 0 && worst >= limit {
		return exit.With(exit.Failed, fmt.Errorf("there is a finding of severity %s", worst))
	}
	return err
}

// connect connects to the server that the arguments name.
func (f *inspectFlags) connect(ctx context.Context, cmd *cobra.Command, args []string, stderr io.Writer) (reach.Conn, error) {
	if cmd.ArgsLenAtDash() == 0 {
		if len(f.headers) > 0 || f.transport != "" {
			return nil, errors.New("--header and --transport are only for a server at a URL; remove them")
		}
		return reach.Stdio(reach.StdioConfig{Process: child.Config{
			Path: args[0], Args: args[1:], Stderr: stderr, Env: child.Environ(os.Environ(), child.Lists{}),
		}})
	}
	if len(args) > 1 {
		return nil, errors.New("give one URL, or a command after --")
	}
	u, err := url.Parse(args[0])
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("this is not an http or https URL; if it is a command, write it after --")
	}
	caller, err := headerOf(f.headers)
	if err != nil {
		return nil, err
	}
	auth := outgoing.Auth{Type: outgoing.AuthNone}
	if len(caller) > 0 {
		auth.Type = outgoing.AuthPassthrough
	}
	sender, err := outgoing.New(outgoing.Config{URL: u, Auth: auth})
	if err != nil {
		return nil, err
	}
	switch {
	case f.transport == "sse", f.transport == "" && strings.HasSuffix(u.Path, "/sse"):
		return reach.SSE(ctx, reach.SSEConfig{URL: u, Sender: sender, Caller: caller})
	case f.transport == "http", f.transport == "":
		return reach.HTTP(reach.HTTPConfig{URL: u, Sender: sender, Caller: caller}), nil
	}
	return nil, fmt.Errorf("--transport: %s is not known; use http or sse", yamlfile.Quote(f.transport))
}

// headerOf parses headers the way people write them. Errors do not repeat values, which may be secrets.
func headerOf(lines []string) (http.Header, error) {
	h := http.Header{}
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name, " \t\r\n") || strings.ContainsAny(value, "\r\n\x00") {
			return nil, errors.New("--header: write it as 'Name: value'")
		}
		h.Add(name, strings.TrimSpace(value))
	}
	return h, nil
}

// An inspection is what a server says about itself and its tools.
type inspection struct {
	Server inspectedServer `json:"server"`
	Tools  []inspectedTool `json:"tools"`
}

type inspectedServer struct {
	Name            string         `json:"name,omitzero"`
	Version         string         `json:"version,omitzero"`
	ProtocolVersion string         `json:"protocol_version,omitzero"`
	Instructions    string         `json:"instructions,omitzero"`
	Findings        []scan.Finding `json:"findings,omitzero"`
}

type inspectedTool struct {
	Tool       string          `json:"tool,omitzero"`
	Hash       registry.Hash   `json:"hash,omitzero"`
	Severity   string          `json:"severity,omitzero"` // of the worst finding
	Findings   []scan.Finding  `json:"findings,omitzero"`
	Definition *definitionJSON `json:"definition,omitzero"`
	// Problem says why clients could parse the definition differently: then no client gets to see it.
	Problem string `json:"problem,omitzero"`
}

func inspected(about reach.Server, tools []jsontext.Value) (inspection, error) {
	scanner, err := scan.New(scan.Config{})
	if err != nil {
		return inspection{}, err
	}
	out := inspection{Server: inspectedServer{
		Name: about.Name, Version: about.Version, ProtocolVersion: about.ProtocolVersion, Instructions: about.Instructions,
		Findings: scanner.Text("instructions", about.Instructions),
	}}
	for _, entry := range tools {
		d, err := registry.Bounds{}.Read("", entry)
		if err != nil {
			out.Tools = append(out.Tools, inspectedTool{Problem: err.Error()})
			continue
		}
		shown := definitionJSONOf(d)
		t := inspectedTool{Tool: d.Name, Hash: d.Hash(), Findings: findingsIn(scanner, d), Definition: &shown}
		if worst := scan.Worst(t.Findings); worst != 0 {
			t.Severity = worst.String()
		}
		out.Tools = append(out.Tools, t)
	}
	return out, nil
}

// worst returns the severity of the worst finding. An entry that is not a valid definition counts as critical.
func (i inspection) worst() scan.Severity {
	worst := scan.Worst(i.Server.Findings)
	for _, t := range i.Tools {
		worst = max(worst, scan.Worst(t.Findings))
		if t.Problem != "" {
			worst = scan.Critical
		}
	}
	return worst
}

func (i inspection) print(out io.Writer) error {
	s := i.Server
	fmt.Fprintf(out, "server %s %s, MCP %s, %s\n", inert.Name(s.Name, shownName), inert.Text(s.Version, shownName),
		inert.Text(s.ProtocolVersion, shownName), quantity.Count(int64(len(i.Tools)), "tool"))
	printFindings(out, s.Findings)
	for _, t := range i.Tools {
		if t.Problem != "" {
			fmt.Fprintf(out, "\nan entry that is not a tool definition: %s\n", t.Problem)
			continue
		}
		line, _, _ := strings.Cut(strings.TrimSpace(t.Definition.Description), "\n")
		fmt.Fprintf(out, "\n%s  %s\n", inert.Name(t.Tool, shownName), shortHash(t.Hash))
		if line != "" {
			fmt.Fprintf(out, "  %s\n", inert.Text(line, 2*shownDescription))
		}
		printFindings(out, t.Findings)
	}
	_, err := fmt.Fprintln(out)
	return err
}

func printFindings(out io.Writer, found []scan.Finding) {
	for _, f := range found {
		fmt.Fprintf(out, "  %-8s %s: %s (%s)\n           %s\n", strings.ToUpper(f.Severity.String()), f.Rule, f.Why,
			inert.Text(f.Where, shownName), f.Excerpt)
	}
}
