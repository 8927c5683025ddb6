package shell

import "strings"

// An optionSpec describes the options of a program: true for those that take a value.
type optionSpec map[string]bool

// newOptions parses a list such as "n v u: user:". A colon marks an option that takes a value. A name of one letter is written with
// one dash, a longer name with two.
func newOptions(list string) optionSpec {
	spec := optionSpec{}
	for _, name := range strings.Fields(list) {
		short, valued := strings.CutSuffix(name, ":")
		spec[short] = valued
	}
	return spec
}

// A commandLine is the parsed options of a command.
type commandLine struct {
	values map[string][]string
	starts []int // where the operands may begin; several after an unknown option
}

// read parses the options before the operands.
func (spec optionSpec) read(args []string) commandLine {
	line := commandLine{values: map[string][]string{}}
	end, doubted := spec.scan(args, line.values)
	line.starts = []int{end}
	if doubted >= 0 {
		// The word after the first unknown option may be its value.
		end, _ = spec.scan(args[doubted:], map[string][]string{})
		line.starts = append(line.starts, doubted+end)
	}
	return line
}

// scan returns the end of the options, and where they would continue if the first unknown one had a value, or -1.
func (spec optionSpec) scan(args []string, values map[string][]string) (end, doubted int) {
	at, doubted := 0, -1
	for at < len(args) {
		arg := args[at]
		if arg == "--" {
			at++
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			break
		}
		used, doubt := spec.option(arg, args[at+1:], values)
		at += used
		if doubt && doubted < 0 && at+1 < len(args) && !strings.HasPrefix(args[at], "-") {
			doubted = at + 1
		}
	}
	return min(at, len(args)), doubted
}

// option parses one argument that holds options. It returns how many arguments that used, and whether it may be one more.
func (spec optionSpec) option(arg string, rest []string, values map[string][]string) (used int, doubt bool) {
	next := func() string {
		if len(rest) > 0 {
			return rest[0]
		}
		return ""
	}
	if long, ok := strings.CutPrefix(arg, "--"); ok {
		name, v, given := strings.Cut(long, "=")
		valued, listed := spec[name]
		switch {
		case given:
			values[name] = append(values[name], v)
		case valued:
			values[name] = append(values[name], next())
			return 2, false
		default:
			values[name] = append(values[name], "")
			return 1, !listed
		}
		return 1, false
	}
	for i := 1; i < len(arg); i++ {
		name := arg[i : i+1]
		valued, listed := spec[name]
		switch {
		case valued && i+1 < len(arg):
			values[name] = append(values[name], arg[i+1:])
			return 1, false
		case valued:
			values[name] = append(values[name], next())
			return 2, false
		default:
			values[name] = append(values[name], "")
			doubt = doubt || !listed
		}
	}
	return 1, doubt
}

// has reports whether an option was given.
func (line commandLine) has(names ...string) bool {
	for _, name := range names {
		if _, ok := line.values[name]; ok {
			return true
		}
	}
	return false
}

// all returns the values given to any of the options.
func (line commandLine) all(names ...string) []string {
	var out []string
	for _, name := range names {
		out = append(out, line.values[name]...)
	}
	return out
}

// operands returns the arguments after the options, in the most likely reading.
func (line commandLine) operands(args []string) []string { return args[line.starts[0]:] }
