package code

import (
	"slices"
	"strconv"
	"strings"
)

// files are the paths that the arguments of a call name.
func (c invocation) files() [][]string {
	var out [][]string
	for _, a := range c.args {
		switch {
		case a.key != "":
		case a.list:
			out = append(out, a.flat()...)
		default:
			out = append(out, a.alternatives())
		}
	}
	return out
}

// subject is the path that a call is about: its first argument, or the value that it is called on.
func (c invocation) subject() value {
	if c.on != nil && (c.on.path || c.on.known()) && (c.count() == 0 || c.on.path && !c.arg(0).known()) {
		return *c.on
	}
	if c.count() == 0 && c.on != nil && len(c.on.made) > 0 {
		return c.on.made[0].value
	}
	return c.first("path", "file", "filename", "src", "source", "url", "fd", "text", "atPath", "at")
}

func isURL(s string) bool { return strings.Contains(s, "://") }

func removes(e *evaluator, c invocation) value { return e.removed(c, "rm", "-f") }

func removesTree(e *evaluator, c invocation) value { return e.removed(c, "rm", "-rf") }

// removed notes the removal of all files of a call.
func (e *evaluator) removed(c invocation, command ...string) value {
	files := c.files()
	if e.language == Perl && len(c.args) == 0 && c.on == nil {
		c.args = []argument{{value: e.vars["$_"]}}
		files = c.files()
	}
	if subject := c.subject(); c.count() == 0 || subject.path && c.on != nil && c.on.path {
		files = [][]string{subject.alternatives()}
	}
	if e.language != Perl && e.language != Ruby && e.language != R && len(files) > 1 && !c.arg(0).list {
		files = files[:1]
	}
	for _, file := range files {
		words := [][]string{}
		for _, word := range command {
			words = append(words, []string{word})
		}
		e.act(append(words, []string{"--"}, file)...)
	}
	return value{}
}

func reads(e *evaluator, c invocation) value {
	subject := c.subject()
	var from taint
	for _, name := range subject.alternatives() {
		if isURL(name) && !strings.HasPrefix(name, "file:") {
			return fetches(e, c)
		}
		if _, ok := decodedURL(name); ok {
			continue
		}
		name = strings.TrimPrefix(name, "file://")
		e.note(Act{Words: []string{"cat", "--", name}})
		if !strings.Contains(c.name, "dotenv") {
			e.readsFile(name)
		}
		from.files = append(from.files, name)
	}
	return value{texts: []string{Unknown}, taint: from}
}

func writes(e *evaluator, c invocation) value {
	subject := c.subject()
	e.written(subject, c.arg(1), c.taint())
	return value{}
}

// empties reads the functions that cut a file off.
func empties(e *evaluator, c invocation) value {
	e.act([]string{"truncate"}, []string{"-s"}, []string{"0"}, []string{"--"}, c.subject().alternatives())
	return value{}
}

func writesReceiver(e *evaluator, c invocation) value {
	if c.on != nil {
		e.written(*c.on, c.first("data"), taint{})
	}
	return value{}
}

// written notes that a file is written, and with what.
func (e *evaluator) written(file, content value, from taint) {
	for _, name := range file.alternatives() {
		a := Act{Words: []string{"tee", "--", name}}
		if len(content.texts) == 1 {
			a.Input, a.HasInput = content.texts[0], true
		}
		if len(from.nets) > 0 {
			a.From, a.HasInput = []string{"curl", from.nets[0]}, false
		}
		e.note(a)
		if a.HasInput && !hasHole(a.Input) && strings.HasSuffix(name, "/"+Run) {
			e.note(Act{Words: []string{"truncate", "-s", "0", "--", name}}) // each file has the same content then
		}
	}
}

func makesFolder(e *evaluator, c invocation) value {
	e.act([]string{"mkdir"}, []string{"-p"}, []string{"--"}, c.subject().alternatives())
	return value{}
}

// changesFolder reads a change of the folder, on which the paths of later calls depend.
func changesFolder(e *evaluator, c invocation) value {
	e.act([]string{"cd"}, c.subject().alternatives())
	return value{}
}

// copies reads functions that copy a file. Those of PHP take an address, too.
func copies(e *evaluator, c invocation) value {
	if from := c.arg(0); slices.ContainsFunc(from.texts, func(s string) bool { return isURL(s) && !strings.HasPrefix(s, "file:") }) {
		e.act([]string{"curl"}, []string{"-o"}, c.arg(1).alternatives(), from.alternatives())
		return value{}
	}
	return e.fromTo(c, "cp", "-r")
}

// copiesStream reads functions that copy what an open file or address holds.
func copiesStream(e *evaluator, c invocation) value {
	if nets := c.arg(0).whole().nets; len(nets) > 0 && c.arg(1).known() {
		e.written(c.arg(1), value{}, taint{nets: nets})
	}
	return value{}
}

func moves(e *evaluator, c invocation) value { return e.fromTo(c, "mv", "-f") }

func links(e *evaluator, c invocation) value { return e.fromTo(c, "ln", "-s") }

func (e *evaluator) fromTo(c invocation, command, option string) value {
	from, to := c.arg(0), c.arg(1)
	if c.on != nil && c.on.path && c.count() < 2 {
		from, to = *c.on, c.arg(0)
	}
	for _, source := range sourcesOf(from) {
		e.act([]string{command}, []string{option}, []string{"--"}, source, to.alternatives())
	}
	return value{}
}

func sourcesOf(v value) [][]string {
	if v.list {
		return v.flat()
	}
	return [][]string{v.alternatives()}
}

// opens reads the ways to open a file. In perl, ruby and PHP a file may also be a command or a URL.
func opens(e *evaluator, c invocation) value {
	args := slices.Clone(c.args)
	if e.language == Perl && len(args) > 1 {
		return e.perlOpen(args[1:])
	}
	subject := c.subject()
	mode := c.arg(1)
	if c.on != nil && c.on.path {
		subject, mode = *c.on, c.arg(0)
	}
	if given, ok := c.key("mode"); ok {
		mode = given
	}
	out := value{texts: []string{Unknown}}
	for _, name := range subject.alternatives() {
		if command, ok := strings.CutPrefix(name, "|"); ok && (e.language == Ruby) {
			e.runShell(text(command))
			continue
		}
		if isURL(name) {
			return fetches(e, c)
		}
		how := strings.Join(mode.alternatives(), "")
		if len(mode.texts) == 0 {
			how = strings.Join(mode.names, " ")
		}
		if strings.ContainsAny(how, "wax+") || strings.Contains(how, "WR") {
			e.note(Act{Words: []string{"tee", "--", name}})
		}
		if !strings.ContainsAny(how, "wax") || strings.Contains(how, "+") {
			e.note(Act{Words: []string{"cat", "--", name}})
			e.readsFile(name)
			out.taint.files = append(out.taint.files, name)
		}
	}
	return out
}

// perlOpen reads the mode and the file after the handle: "<", "f" or "<f", and the commands "-|", "c" or "c |".
func (e *evaluator) perlOpen(args []argument) value {
	mode := strings.TrimSpace(strings.Join(args[0].alternatives(), ""))
	rest := invocation{args: args[1:]}
	switch {
	case (mode == "-|" || mode == "|-") && len(args) > 1:
		return runs(e, rest)
	case strings.HasSuffix(mode, "|") && mode != "|":
		e.runShell(text(strings.TrimRight(mode, "| ")))
		return value{}
	case strings.HasPrefix(mode, "|"):
		e.runShell(text(strings.TrimLeft(mode, "| ")))
		return value{}
	case strings.Contains(mode, "&"):
		return value{} // >&SOCKET
	}
	name := strings.TrimLeft(mode, "<>+ ")
	sign := mode[:len(mode)-len(name)]
	files := []string{strings.TrimSpace(name)}
	if len(args) > 1 {
		files = args[1].alternatives()
		if sign == "" {
			sign = mode
		}
	}
	out := value{texts: []string{Unknown}}
	for _, file := range files {
		if strings.ContainsAny(sign, ">+") {
			e.note(Act{Words: []string{"tee", "--", file}})
		}
		if strings.Contains(sign, ">") && !strings.Contains(sign, "+") {
			continue
		}
		e.note(Act{Words: []string{"cat", "--", file}})
		e.readsFile(file)
		out.taint.files = append(out.taint.files, file)
	}
	return out
}

// octal returns a mode as a shell writes it.
func octal(s string) string {
	switch {
	case strings.HasPrefix(s, "0o") || strings.HasPrefix(s, "0O"):
		return s[2:]
	case strings.HasPrefix(s, "0x"):
		if n, err := strconv.ParseInt(s[2:], 16, 32); err == nil {
			return strconv.FormatInt(n, 8)
		}
	case strings.HasPrefix(s, "0") && len(s) > 1:
		return s[1:]
	}
	if n, err := strconv.Atoi(s); err == nil && strings.ContainsAny(s, "89") || err == nil && (n == 511 || n == 438) {
		return strconv.FormatInt(int64(n), 8)
	}
	return s
}

func changesMode(e *evaluator, c invocation) value {
	mode, files := c.arg(1), c.files()
	switch {
	case c.on != nil && c.on.path:
		mode, files = c.arg(0), [][]string{c.on.alternatives()}
	case isMode(c.arg(0)):
		mode, files = c.arg(0), files[1:]
	case len(files) > 0:
		files = files[:1]
	}
	option := "-f"
	if strings.HasSuffix(c.name, "_R") {
		option = "-R"
	}
	for _, file := range files {
		e.act([]string{"chmod"}, []string{option}, mode.each(octal).texts, []string{"--"}, file)
	}
	return value{}
}

// isMode reports a number, or a text such as u+x.
func isMode(v value) bool {
	return slices.ContainsFunc(v.texts, func(s string) bool {
		return s != "" && (s[0] >= '0' && s[0] <= '9' || strings.Trim(s, "ugoarwxst+-=,") == "" && strings.ContainsAny(s, "+-="))
	})
}

func changesOwner(e *evaluator, c invocation) value {
	files := c.files()
	if len(files) > 1 {
		e.act([]string{"chown"}, []string{Unknown}, []string{"--"}, files[0])
	}
	return value{}
}
