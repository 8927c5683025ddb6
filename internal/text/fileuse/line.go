package fileuse

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/shell"
)

// A line is a command with its arguments, as marked texts.
type line struct {
	*finder
	name  string
	args  []string
	loose bool     // an argument may be several arguments, also options
	input []string // its input, if that names the files to use
	found func() []shell.Word
}

// An option is an option of a command, with its value if it has one.
type option struct {
	name  string
	value string
}

// parsed are arguments, split into options and operands.
type parsed struct {
	given    []option
	operands []string
}

func (p parsed) has(names ...string) bool {
	return slices.ContainsFunc(p.given, func(o option) bool { return slices.Contains(names, o.name) })
}

// values are the values of the named options.
func (p parsed) values(names ...string) []string {
	var out []string
	for _, o := range p.given {
		if slices.Contains(names, o.name) && o.value != "" {
			out = append(out, o.value)
		}
	}
	return out
}

// options describes the options of a program. Its text is a list of names: one letter is written with one dash, longer names with
// two, or with one if the program does so. A sign after the name says that it takes a value: ":" a value that is no file, "<" a
// file that is read, ">" a file that is written, "?" an optional value, only directly attached.
type options struct {
	signs map[string]byte
	// dashed programs write long names with one dash and do not cluster letters.
	dashed bool
}

func newOptions(list string) options {
	o := options{signs: map[string]byte{}}
	for _, name := range strings.Fields(list) {
		sign := byte(0)
		if last := name[len(name)-1]; strings.IndexByte(":<>?", last) >= 0 && len(name) > 1 {
			sign, name = last, name[:len(name)-1]
		}
		o.signs[name] = sign
	}
	return o
}

// sign returns what kind of value an option takes. Long names may be shortened.
func (o options) sign(name string) (full string, sign byte) {
	if sign, ok := o.signs[name]; ok || len(name) < 3 {
		return name, sign
	}
	for known := range o.signs {
		if strings.HasPrefix(known, name) {
			if full != "" {
				return name, 0 // it is ambiguous
			}
			full = known
		}
	}
	if full == "" {
		return name, 0
	}
	return full, o.signs[full]
}

// lead parses the options before the first operand, and returns what follows them.
func (o options) lead(args []string) (parsed, []string) {
	end := 0
	for end < len(args) && len(args[end]) > 1 && args[end][0] == '-' && args[end] != "--" {
		end += o.width(args[end])
	}
	end = min(end, len(args))
	return o.parse(args[:end]), args[end:]
}

// width returns how many arguments an option uses.
func (o options) width(arg string) int {
	if len(o.parse([]string{arg, "x"}).operands) > 0 {
		return 1
	}
	return 2
}

// parse splits arguments into options and operands. Options may follow operands, up to --.
func (o options) parse(args []string) parsed {
	var out parsed
	for i := 0; i < len(args); i++ {
		arg := args[i]
		next := func() string {
			if i+1 < len(args) {
				i++
				return args[i]
			}
			return ""
		}
		switch {
		case arg == "--":
			out.operands = append(out.operands, args[i+1:]...)
			return out
		case len(arg) < 2 || arg[0] != '-':
			out.operands = append(out.operands, arg)
		case strings.HasPrefix(arg, "--") || o.dashed:
			name, value, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			full, sign := o.sign(name)
			if sign != 0 && sign != '?' && !given {
				value = next()
			}
			out.given = append(out.given, option{full, value})
		default:
			out.cluster(o, arg[1:], next)
		}
	}
	return out
}

// cluster splits letters into options. The last of them may have its value attached.
func (p *parsed) cluster(o options, letters string, next func() string) {
	for i := range len(letters) {
		name := letters[i : i+1]
		if o.signs[name] == 0 {
			p.given = append(p.given, option{name: name})
			continue
		}
		value := letters[i+1:]
		if value == "" && o.signs[name] != '?' {
			value = next()
		}
		p.given = append(p.given, option{name, value})
		return
	}
}

// files notes the files that the values of options name.
func (l line) files(o options, p parsed) {
	for _, given := range p.given {
		switch o.signs[given.name] {
		case '<':
			l.use(Reads, given.value)
		case '>':
			l.use(Writes, given.value)
		}
	}
}
