package approvalcmd

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/approval"
	view "github.com/weir-gate/weir/internal/approval/card"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/linediff"
)

func newShow() *cobra.Command {
	var f excerpt.Flags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show everything about a call that waits for a person",
		Long: `show prints the whole call: all arguments, with invisible characters as escapes and without secrets, who makes
it, where, which rules ask, what weir's parsers find in the call, and what people have said. It reads the store
directly; weir need not be running.`,
		Example: `  weir approvals show apr_1q3n8k0c9g5t2
  weir approvals show apr_1q3n8k0c9g5t2 --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := find(cmd.Context(), &f, args[0])
			if err != nil {
				return err
			}
			r = r.Aged(time.Now())
			if asJSON {
				return jsonout.Print(cmd.OutOrStdout(), r)
			}
			return printCard(cmd.OutOrStdout(), r)
		},
	}
	f.Register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// A card writes lines and remembers the first error.
type card struct {
	out io.Writer
	err error
}

func (c *card) line(label, text string) {
	if c.err == nil && text != "" {
		_, c.err = fmt.Fprintf(c.out, "%-9s %s\n", label, text)
	}
}

// printCard writes everything that a person needs to decide. Texts of strangers cannot do anything to the terminal.
func printCard(out io.Writer, r approval.Request) error {
	c := &card{out: out}
	tool := inert.Name(r.Card.Tool, nameLength)
	if r.Card.Server != "" {
		tool += " of the MCP server " + inert.Name(r.Card.Server, nameLength)
	}
	c.line("request", r.ID+" ("+string(r.State)+")")
	c.line("tool", tool)
	c.arguments(r)
	if r.Card.Masked {
		c.line("", "(secrets are not shown)")
	}
	c.line("reason", inert.Text(r.Card.Reason, approval.MaxReason))
	c.line("rules", strings.Join(r.Card.Rules, ", "))
	c.line("for", whose(r.Card))
	c.line("folder", inert.Text(r.Card.Folder, 1000))
	c.line("model", inert.Text(strings.TrimPrefix(r.Card.Provider+"/"+r.Card.Model, "/"), 200))
	if r.State == approval.Pending {
		c.line("until", r.Expires.Local().Format(time.DateTime))
		c.line("votes", needed(r.Terms))
	}
	for _, v := range r.Votes {
		said := map[bool]string{true: "yes", false: "no"}[v.Yes]
		c.line("vote", said+" by "+inert.Name(v.Voter.User, nameLength)+" "+v.Time.Local().Format(time.DateTime)+" "+
			inert.Text(v.Reason, approval.MaxReason))
	}
	return c.err
}

// whose says in whose name the call is made.
func whose(c approval.Card) string {
	var parts []string
	for _, part := range []struct{ what, name string }{
		{"", c.Actor.Employee}, {"team ", c.Actor.Team}, {"key ", c.Actor.Key}, {"session ", c.Actor.Session},
	} {
		if part.name != "" {
			parts = append(parts, part.what+inert.Name(part.name, nameLength))
		}
	}
	return strings.Join(parts, ", ")
}

// needed says whose votes a yes needs.
func needed(t approval.Terms) string {
	var parts []string
	for _, d := range t.Demands {
		parts = append(parts, fmt.Sprintf("%d of %s", d.Votes, strings.Join(d.Approvers, ", ")))
	}
	return strings.Join(parts, "; ")
}

// arguments writes every argument, and what weir understands of them. Texts are written as they are, line by line; what the model only
// tells comes last.
func (c *card) arguments(r approval.Request) {
	v := view.Of(r)
	for _, a := range v.Args {
		switch {
		case a.Told:
			c.text("(the model says)", a.Text)
		case a.Name == "":
			c.line("args", inert.Text(a.Text, len(a.Text)+1))
		default:
			c.text(inert.Name(a.Name, nameLength), a.Text)
		}
		c.marks(a.Marks)
	}
	c.line("beside", inert.Text(string(r.Card.Beside), len(r.Card.Beside)+1))
	for _, e := range v.Edits {
		c.edit(e)
	}
	for _, f := range v.Findings {
		what := f.Verb + " " + inert.Text(f.What, findingLength)
		if f.Maybe {
			what += " (perhaps)"
		}
		c.line("does", what)
	}
}

// findingLength is how much of a finding is shown: the arguments above it are whole.
const findingLength = 300

// marks names the characters that are not what they look like.
func (c *card) marks(all []view.Mark) {
	for _, m := range all {
		text := fmt.Sprintf("%U is not visible, or moves the text around it", m.Rune)
		if m.As != 0 {
			text = fmt.Sprintf("%U %c looks like %c", m.Rune, m.Rune, m.As)
		}
		c.line("careful", text)
	}
}

// edit writes what an edit changes.
func (c *card) edit(e view.Edit) {
	var b strings.Builder
	linediff.Of([]byte(e.Before), []byte(e.After)).WriteHunks(&b)
	c.text("(what changes)", strings.TrimSuffix(b.String(), "\n"))
}

// text writes an argument with a mark before each of its lines, so that no line of it can be taken for one of weir's.
func (c *card) text(name, text string) {
	c.line("arg", name)
	for line := range strings.SplitSeq(text, "\n") {
		if c.err == nil {
			_, c.err = fmt.Fprintf(c.out, "        | %s\n", inert.Text(line, len(line)+1))
		}
	}
}
