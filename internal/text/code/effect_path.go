package code

import (
	"path"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// lists returns the names in a folder.
func lists(e *evaluator, c invocation) value {
	subject := c.subject()
	e.goesThrough(subject)
	v := value{texts: []string{Run}, taint: subject.taint, folder: subject.alternatives()}
	if deep, ok := c.key("recursive"); ok && !slices.Contains(deep.names, "false") {
		v.folder = subject.each(func(s string) string { return strings.TrimRight(s, "/") + "/" + Tree }).texts
	}
	if c.on != nil && c.on.path || len(subject.texts) > 0 && strings.HasPrefix(c.name, "list.") {
		v = subject.each(func(s string) string { return strings.TrimRight(s, "/") + "/" + Run })
		v.path = true
	}
	return value{list: true, items: []argument{{value: v}}}
}

// walks returns the folders below a folder, each with the names in it.
func walks(e *evaluator, c invocation) value {
	subject := c.subject()
	e.goesThrough(subject)
	below := subject.each(func(s string) string { return strings.TrimRight(s, "/") + "/" + Tree })
	name := text(Run)
	triple := value{list: true, items: []argument{{value: below}, {value: value{list: true, items: []argument{{value: name}}}}, {
		value: value{list: true, items: []argument{{value: name}}},
	}}}
	triple.texts = below.texts
	return value{list: true, items: []argument{{value: triple}}}
}

// globs returns the files that a pattern matches.
func globs(_ *evaluator, c invocation) value {
	pattern := c.first("pathname", "pattern")
	if c.on != nil && c.on.path {
		folder := *c.on
		deep := strings.HasSuffix(c.name, "rglob")
		joined := value{path: true}
		for _, line := range product([][]string{folder.alternatives(), pattern.alternatives()}) {
			name := wild(line[1])
			if deep {
				name = Tree
				if line[1] != "*" && line[1] != "**" {
					name += "/" + wild(line[1])
				}
			}
			joined.texts = append(joined.texts, strings.TrimRight(line[0], "/")+"/"+name)
		}
		return value{list: true, items: []argument{{value: joined}}}
	}
	return value{list: true, items: []argument{{value: pattern.each(wild)}}}
}

// wild turns the wildcards of a pattern into holes.
func wild(pattern string) string {
	return strings.NewReplacer("/**/", "/"+Tree+"/", "**", Tree, "*", Run, "?", Char).Replace(pattern)
}

// joinPath is a path below another.
func (e *evaluator) joinPath(a, b value) value {
	out := value{path: true, taint: a.taint.with(b.taint)}
	for _, line := range product([][]string{a.alternatives(), b.alternatives()}) {
		joined := line[1]
		switch {
		case line[0] == "":
		case line[1] == "":
			joined = line[0]
		case !strings.HasPrefix(line[1], "/") && !strings.HasPrefix(line[1], Home):
			joined = strings.TrimRight(line[0], "/") + "/" + line[1]
		}
		out.texts = append(out.texts, e.bounded(joined))
	}
	return out
}

func joinsPath(e *evaluator, c invocation) value {
	out := value{path: true}
	if c.on != nil && c.on.path {
		out = *c.on
	}
	parts := c.files()
	if len(parts) > maxDestructured {
		return value{texts: []string{Unknown}, path: true}
	}
	for i, part := range parts {
		if i == 0 && len(out.texts) == 0 {
			out.texts = part
			continue
		}
		out = e.joinPath(out, value{texts: part})
	}
	return out
}

func makesPath(e *evaluator, c invocation) value {
	if c.on != nil && c.on.path && c.count() == 0 {
		return value{texts: c.on.each(expandTilde).texts, path: true}
	}
	if c.count() > 1 {
		return joinsPath(e, c)
	}
	if c.count() == 0 {
		return value{texts: []string{"."}, path: true}
	}
	return value{texts: c.arg(0).alternatives(), path: true}
}

func expandTilde(s string) string {
	if s == "~" || strings.HasPrefix(s, "~/") {
		return Home + s[1:]
	}
	for _, name := range []string{"$HOME", "${HOME}", "%USERPROFILE%"} {
		if rest, ok := strings.CutPrefix(s, name); ok {
			return Home + rest
		}
	}
	return s
}

func expandsHome(_ *evaluator, c invocation) value {
	subject := c.subject()
	return value{texts: subject.each(expandTilde).texts, path: subject.path}
}

func parentFolder(s string) string {
	if hasHole(path.Base(s)) {
		return Unknown
	}
	return path.Dir(s)
}

func getsVariable(_ *evaluator, c invocation) value {
	if c.count() == 0 {
		return value{taint: taint{env: true}}
	}
	out := value{}
	for _, name := range c.arg(0).alternatives() {
		if known, ok := variableText(name); ok {
			out.texts = append(out.texts, known)
		}
	}
	if out.texts == nil {
		out.texts = []string{Unknown}
		out = either(out, c.arg(1))
	}
	out.taint.env = out.taint.env || slices.ContainsFunc(c.arg(0).texts, program.SecretVariable)
	return out
}

func getsProperty(_ *evaluator, c invocation) value {
	switch strings.Join(c.arg(0).texts, "") {
	case "user.home":
		return text(Home)
	case "user.dir":
		return text(Here)
	}
	return text(Unknown)
}

func yieldsHome(_ *evaluator, c invocation) value {
	return value{texts: []string{Home}, path: strings.HasSuffix(c.name, "Path.home")}
}

func yieldsHere(_ *evaluator, c invocation) value {
	return value{texts: []string{Here}, path: strings.HasSuffix(c.name, "Path.cwd")}
}

func yieldsEnvironment(*evaluator, invocation) value { return value{taint: taint{env: true}} }
