package shell

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// temporaryFile outputs the name of a new file. Each is another, so that what is written to it can be found again.
func temporaryFile(r *reader, _ invocation) value {
	r.temporaries++
	return value{oneWord + "/" + temporaryName + itoa(r.temporaries) + "\n"}
}

// temporaryName begins the names of temporary files.
const temporaryName = "tmp.XXXXXX"

// accountEntry outputs the line of a user, as far as it is known: mostly for the folder in it.
func accountEntry(_ *reader, c invocation) value {
	if len(c.args) != 2 || c.args[0] != "passwd" {
		return unknownValue
	}
	name := quoteHoles.Replace(c.args[1])
	home := "~" + name
	switch {
	case hasHole(name):
		name, home = "user", homeWord
	case name == "root":
		home = "/root"
	case strings.Trim(name, "0123456789") == "":
		name, home = "user", homeWord
	}
	return value{name + ":x:1000:1000::" + home + ":/bin/bash\n"}
}

// completions reads compgen -c, which outputs the names of all programs. If one of them is chosen by its name, it is that one.
func completions(r *reader, c invocation) value {
	if slices.Contains(c.args, "-c") && len(c.args) == 1 && r.spendBytes(len(knownNames)*longestName) {
		return value{strings.Join(knownNames, "\n") + "\n"}
	}
	return known(r, c)
}

// loadBuiltin reads enable -f, which loads code into the shell.
func loadBuiltin(r *reader, c invocation) value {
	if c.line().Has("f") != truth.No {
		r.noteUnknownAs(Opaque)
	}
	return value{""}
}

// duplicate reads dd, which copies its input.
func duplicate(r *reader, c invocation) value {
	in, to := c.pipes.in, ""
	for _, arg := range c.args {
		name, text, _ := strings.Cut(arg, "=")
		switch name {
		case "if":
			in = r.contents(value{text})
		case "of":
			to = text
		case "skip", "count", "conv", "seek":
			return unknownValue
		}
	}
	if in == nil {
		return unknownValue
	}
	if to != "" {
		r.write(target{name: to}, in)
		return value{""}
	}
	return in
}
