package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pageName is the name of a command's page: weir-policy-explain.
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// page writes the manual page of a command, in the language of man(7).
func page(cmd *cobra.Command, version, date string) []byte {
	var p writer
	name := pageName(cmd)
	p.macro("TH", strings.ToUpper(name), "1", date, "weir "+version, "weir manual")
	p.macro("SH", "NAME")
	p.line(roff(name) + ` \- ` + roff(cmd.Short))
	p.macro("SH", "SYNOPSIS")
	p.line(`\fB` + roff(cmd.UseLine()) + `\fR`)
	p.macro("SH", "DESCRIPTION")
	p.text(describe(cmd))
	if subs := visible(cmd); len(subs) > 0 {
		p.macro("SH", "COMMANDS")
		for _, sub := range subs {
			p.item(roff(sub.CommandPath()), roff(sub.Short))
		}
	}
	p.flags("OPTIONS", cmd.NonInheritedFlags())
	p.flags("OPTIONS OF ALL COMMANDS", cmd.InheritedFlags())
	if cmd.Example != "" {
		p.macro("SH", "EXAMPLES")
		p.verbatim(cmd.Example)
	}
	if related := seeAlso(cmd); len(related) > 0 {
		p.macro("SH", "SEE ALSO")
		p.line(strings.Join(related, ", "))
	}
	return p.Bytes()
}

// describe returns the long text of a command, else its short one as a sentence.
func describe(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return cmd.Long
	}
	return cmd.Short + "."
}

func visible(cmd *cobra.Command) (subs []*cobra.Command) {
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			subs = append(subs, sub)
		}
	}
	return subs
}

func seeAlso(cmd *cobra.Command) (pages []string) {
	if cmd.HasParent() {
		pages = append(pages, `\fB`+roff(pageName(cmd.Parent()))+`\fR(1)`)
	}
	for _, sub := range visible(cmd) {
		pages = append(pages, `\fB`+roff(pageName(sub))+`\fR(1)`)
	}
	return pages
}

// A writer collects the lines of a page.
type writer struct{ bytes.Buffer }

func (w *writer) line(text string) { fmt.Fprintln(w, text) }

// macro writes a line that begins with a dot. Its arguments are plain text.
func (w *writer) macro(name string, args ...string) {
	w.WriteString("." + name)
	for _, arg := range args {
		w.WriteString(` "` + strings.ReplaceAll(roff(arg), `"`, `\(dq`) + `"`)
	}
	w.WriteByte('\n')
}

// item writes a term and what it means, both as roff.
func (w *writer) item(term, meaning string) {
	w.line(".TP")
	w.line(`\fB` + term + `\fR`)
	w.line(meaning)
}

// text writes paragraphs. In them, indented lines stay as they are.
func (w *writer) text(text string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			w.line(".PP")
		}
		for line := range strings.Lines(paragraph) {
			line = strings.TrimRight(line, "\n")
			if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
				w.verbatim(line)
				continue
			}
			w.line(roff(line))
		}
	}
}

// verbatim writes lines that man must not fill.
func (w *writer) verbatim(text string) {
	w.line(".nf")
	for line := range strings.Lines(text) {
		w.line(roff(strings.TrimRight(line, "\n")))
	}
	w.line(".fi")
}

func (w *writer) flags(title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	w.macro("SH", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		placeholder, usage := pflag.UnquoteUsage(f)
		term := roff("--" + f.Name)
		if f.Shorthand != "" {
			term = roff("-"+f.Shorthand) + ", " + term
		}
		if placeholder != "" {
			term += `\fR \fI` + roff(placeholder)
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && f.DefValue != "0" && f.DefValue != "0s" {
			usage += " (default " + f.DefValue + ")"
		}
		w.item(term, roff(usage))
	})
}

// roff escapes a line of text, so that man shows it as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", "\\`", "^", `\(ha`, "~", `\(ti`, "'", `\(aq`).Replace(text)
	text = strings.ReplaceAll(text, "\n", " ")
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}
