package fileuse

import (
	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// A line is a command with its arguments, as marked texts.
type line struct {
	*finder
	name  string
	entry *program.Entry
	args  []string
	loose bool     // an argument may be several arguments, also options
	input []string // its input, if that names the files to use
	found func() []shell.Word
}

// read returns the arguments in every plausible reading.
func (l line) read() *program.Line { return l.entry.Read(l.args) }

// optionFiles notes the files that the values of options name.
func (l line) optionFiles(args *program.Line) {
	for _, sign := range []byte{'<', '%'} {
		for _, option := range args.Signed(sign) {
			l.use(Reads, option.Value)
		}
	}
	for _, option := range args.Signed('>') {
		l.use(Writes, option.Value)
	}
}

// may reports whether a line could have one of the options.
func (l line) may(args *program.Line, names ...string) bool { return args.Has(names...) != truth.No }

// sure reports whether a line has one of the options in every reading.
func sure(args *program.Line, names ...string) bool { return args.Has(names...) == truth.Yes }

// texts returns the operands from a position on.
func texts(args *program.Line, skip int) []string {
	var out []string
	for _, o := range args.Operands() {
		if o.Last >= skip {
			out = append(out, o.Text)
		}
	}
	return out
}

// sourcesAndTargets splits operands of which the last is the target. A word that may be the last one is both.
func sourcesAndTargets(args *program.Line) (sources, targets []string) {
	sources = texts(args, 0)
	if len(sources) < 2 {
		return sources, nil
	}
	final := args.Final()
	for _, o := range final {
		if o.At != args.Operands()[0].At {
			targets = append(targets, o.Text)
		}
	}
	if len(final) == 1 {
		sources = sources[:len(sources)-1]
	}
	return sources, targets
}

// leaves returns the lines of the innermost subcommands that a line could have.
func leaves(args *program.Line) []*program.Line {
	var out []*program.Line
	for _, sub := range args.Subcommands() {
		if inner := leaves(sub); len(inner) > 0 {
			out = append(out, inner...)
		} else {
			out = append(out, sub)
		}
	}
	return out
}
