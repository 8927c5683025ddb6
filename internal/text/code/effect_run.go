package code

import (
	"path"
	"slices"
	"strings"
)

// runShell notes that a text is run by a shell.
func (e *evaluator) runShell(command value) {
	for _, line := range command.alternatives() {
		e.startsShell(line, command.taint)
		if saysNothing(line) {
			e.runUnknown(command.whole())
			continue
		}
		if e.folder != nil {
			e.act([]string{"env"}, []string{"-C"}, e.folder, []string{"sh"}, []string{"-c"}, []string{line})
			continue
		}
		e.note(Act{Words: []string{line}, Shell: true, Power: e.language.power})
	}
}

// runUnknown notes that something is run which comes from elsewhere. Commands that are only computed say nothing.
func (e *evaluator) runUnknown(from taint) {
	program := e.language.Program
	if e.language == Awk {
		program = "sh" // it has no code of its own that it could run
	}
	for _, address := range from.nets {
		e.note(Act{Words: []string{program}, From: []string{"curl", address}})
	}
	for _, file := range from.files {
		if e.evaluating && !hasHole(file) {
			e.note(Act{Words: []string{file}, Loads: true})
		}
	}
	for _, command := range from.outputs {
		e.note(Act{Words: []string{command + " | " + program}, Shell: true})
	}
	if from.decoded && len(from.nets) == 0 {
		e.note(Act{Words: []string{program}, From: []string{"base64", "-d"}})
	}
}

// startsShell notes whether a command is a shell.
func (e *evaluator) startsShell(line string, from taint) {
	if e.collecting() {
		return
	}
	fields := strings.Fields(line)
	if slices.Contains(from.nets, inbound) {
		e.socket(socket{host: "0.0.0.0", port: "80", listens: true})
		e.shells = true // a server that runs what it is asked
	}
	if isBareShell(fields) {
		e.bare = true // its commands are in what the code writes to it
	} else {
		e.ran = e.ran || !saysNothing(line)
	}
	if line == Unknown || len(fields) == 0 {
		e.shells = e.shells || len(from.nets) > 0 || len(e.sockets) > 0
		e.unknown = true
		return
	}
	switch strings.TrimSuffix(path.Base(strings.ReplaceAll(fields[0], `\`, "/")), ".exe") {
	case "sh", "bash", "zsh", "dash", "ash", "ksh", "fish", "cmd", "powershell", "pwsh", "busybox":
		e.shells = true
	}
}

// isBareShell reports the words of a shell that reads its commands from its input.
func isBareShell(words []string) bool {
	if len(words) == 0 || len(words) > 2 || len(words) == 2 && words[1] != "-s" && words[1] != "-i" && words[1] != "-" {
		return false
	}
	switch path.Base(words[0]) {
	case "sh", "bash", "zsh", "dash", "ash", "ksh":
		return true
	}
	return false
}

// runWords notes that a program is run with its arguments.
func (e *evaluator) runWords(words [][]string, from taint) {
	if len(words) == 0 {
		return
	}
	for _, line := range product(words) {
		e.startsShell(line[0], from)
		if line[0] == Unknown && len(line) == 1 {
			e.runUnknown(from)
			continue
		}
		if e.folder != nil {
			line = append([]string{"env", "-C", e.folder[0]}, line...)
		}
		e.note(Act{Words: line})
	}
}

// runs reads the functions that start a command: from a text, a list, or a program and a list.
func runs(e *evaluator, c invocation) value {
	if folder, ok := c.key("cwd"); ok && folder.known() {
		e.folder = folder.texts
		defer func() { e.folder = nil }()
	}
	from := c.taint()
	positional := slices.DeleteFunc(slices.Clone(c.args), func(a argument) bool { return a.key != "" || len(a.params) > 0 })
	if given, ok := c.key("args", "cmd", "command"); ok && (len(positional) == 0 || positional[0].list && !hasTexts(positional[0])) {
		positional = []argument{{value: given}}
	} else if ok && positional[0].known() {
		positional = []argument{positional[0], {value: given}} // Deno.Command("rm", {args: […]})
	}
	if n := len(positional); n > 1 && isOpenMode(positional[n-1]) {
		positional = positional[:n-1]
	}
	// A handle comes first in some functions.
	for len(positional) > 1 && !positional[0].known() && !positional[0].list {
		positional = positional[1:]
	}
	if len(positional) == 0 {
		return value{texts: []string{Unknown}}
	}
	first := positional[0]
	if first.list {
		words := first.flat()
		for _, a := range positional[1:] {
			if a.key == "" && !a.list && a.known() && e.language == Perl {
				words = append(words, a.alternatives())
			}
		}
		e.input(c, words)
		e.runWords(words, from)
		return outputOf(words)
	}
	var words [][]string
	words = append(words, first.alternatives())
	for _, a := range positional[1:] {
		switch {
		case a.list && hasTexts(a):
			words = append(words, a.flat()...)
		case !a.list && a.known() && e.joinsWords(c.name):
			words = append(words, a.alternatives())
		}
	}
	e.runShell(first.value)
	if len(words) > 1 {
		e.runWords(words, from)
	}
	e.input(c, words)
	if len(words) > 1 {
		return outputOf(words)
	}
	return value{texts: []string{Unknown}, taint: printed(first.value)}
}

// outputOf is what a command of these words prints.
func outputOf(words [][]string) value {
	line := make([]string, len(words))
	for i, word := range words {
		if len(word) != 1 || hasHole(word[0]) {
			return text(Unknown)
		}
		line[i] = "'" + strings.ReplaceAll(word[0], "'", `'\''`) + "'"
	}
	return value{texts: []string{Unknown}, taint: printed(text(strings.Join(line, " ")))}
}

// printed says that a value is what a command prints.
func printed(command value) (t taint) {
	for _, line := range command.texts {
		if !hasHole(line) && len(line) < maxText>>4 {
			t.outputs = more(t.outputs, []string{line}, maxNames)
		}
	}
	return t
}

// isOpenMode reports the mode in which the output or input of a command is opened.
func isOpenMode(a argument) bool {
	return len(a.texts) == 1 && a.texts[0] != "" && len(a.texts[0]) <= 3 && strings.Trim(a.texts[0], "rwbt+") == "" && a.texts[0] != "bt"
}

// joinsWords reports a function whose further arguments are words of the command, and not its mode.
func (e *evaluator) joinsWords(name string) bool {
	if strings.HasSuffix(name, "popen") || strings.HasSuffix(name, "Popen") || strings.Contains(name, "subprocess.") {
		return false
	}
	return e.language != PHP
}

// hasTexts reports a list of texts.
func hasTexts(a argument) bool {
	return slices.ContainsFunc(a.items, func(i argument) bool { return i.key == "" && (i.known() || i.list || len(i.names) > 0) })
}

// input notes a command whose input is a file, the environment or a text.
func (e *evaluator) input(c invocation, words [][]string) {
	in, ok := c.key("input", "stdin")
	if !ok || len(words) == 0 {
		return
	}
	t := in.whole()
	for _, line := range product(words) {
		for _, source := range t.sources() {
			e.note(Act{Words: line, From: source})
		}
		if len(in.texts) == 1 && in.texts[0] != Unknown {
			e.note(Act{Words: line, Input: in.texts[0], HasInput: true})
		}
	}
}

// sources are the commands that output what a value comes from.
func (t taint) sources() [][]string {
	var out [][]string
	for _, file := range t.files {
		out = append(out, []string{"cat", "--", file})
	}
	if t.env {
		out = append(out, []string{"env"})
	}
	return out
}

// executes reads the functions that name a program twice: its file, and the first word.
func executes(e *evaluator, c invocation) value {
	args := slices.Clone(c.args)
	for len(args) > 1 && !args[0].known() && !args[0].list {
		args = args[1:]
	}
	if len(args) == 0 {
		return value{}
	}
	words := [][]string{args[0].alternatives()}
	rest := args[1:]
	if len(rest) > 0 && rest[0].list {
		rest = rest[0].items
	}
	for i, a := range rest {
		if i > 0 && !a.list {
			words = append(words, a.alternatives())
		}
	}
	e.runWords(words, c.taint())
	return value{}
}

// shellModule reads sh.rm("-rf", x) of Python, whose functions are programs.
func shellModule(e *evaluator, c invocation) value {
	words := [][]string{{c.name[strings.LastIndexByte(c.name, '.')+1:]}}
	e.runWords(append(words, c.files()...), taint{})
	return value{}
}

// runsReceiver reads "rm x".execute() of Groovy.
func runsReceiver(e *evaluator, c invocation) value {
	if e.language == Java && c.on != nil && (c.on.known() || c.on.list) {
		return runs(e, invocation{name: c.name, args: []argument{{value: *c.on}}})
	}
	return queries(e, c)
}

// evaluates reads the functions that run a text as code.
func evaluates(e *evaluator, c invocation) value {
	source := c.first("text", "code", "source")
	if n := c.count(); strings.HasSuffix(c.name, "Function") && n > 0 {
		source = c.arg(n - 1)
	}
	for _, line := range source.alternatives() {
		switch {
		case isURL(line) && !strings.ContainsAny(line, " (\n") && e.language == R:
			e.note(Act{Words: []string{e.language.Program}, From: []string{"curl", line}})
		case line == Unknown:
			e.unknown = e.unknown || !e.collecting() && len(source.whole().files) == 0
			e.evaluating = true
			e.runUnknown(source.whole())
			e.evaluating = false
		default:
			e.runUnknown(taint{decoded: source.whole().decoded})
			e.again(line)
		}
	}
	if e.language.power {
		e.note(Act{Words: []string{"invoke-expression", Unknown}})
	}
	return value{texts: []string{Unknown}}
}

// runsFile reads functions that run a file, which the code may have written.
func runsFile(e *evaluator, c invocation) value {
	e.act([]string{e.language.Program}, c.subject().alternatives())
	return value{}
}

// loads reads functions that load a library, which runs code of it.
func loads(e *evaluator, c invocation) value {
	for _, a := range c.args {
		for _, file := range a.texts {
			if strings.Contains(file, "/") && !isURL(file) && !hasHole(file) {
				e.note(Act{Words: []string{file}, Loads: true})
			}
		}
	}
	return value{}
}

// installs reads functions that install a package, which runs code of it, from an address.
func installs(e *evaluator, c invocation) value {
	for _, address := range c.arg(0).texts {
		if isURL(address) {
			e.runUnknown(taint{nets: []string{address}})
		}
	}
	return value{}
}

// parses reads parse and compile, whose result is run by eval.
func parses(_ *evaluator, c invocation) value { return c.first("text", "source") }

// imports reads functions that return a module, or run a file.
func imports(e *evaluator, c invocation) value {
	out := value{}
	for _, name := range c.arg(0).texts {
		if source, ok := DataURL(name); ok {
			e.again(source)
			continue
		}
		switch {
		case strings.HasPrefix(name, "./") || strings.HasPrefix(name, "/") || strings.HasPrefix(name, Home) || strings.HasPrefix(name, "~"):
			e.note(Act{Words: []string{"cat", "--", name}})
			out.taint.files = append(out.taint.files, name)
		case isURL(name):
			e.runUnknown(taint{nets: []string{name}})
		default:
			out.names = more(out.names, []string{moduleName(name)}, maxNames)
		}
	}
	return out
}

// getsAttribute reads getattr(object, "name").
func getsAttribute(e *evaluator, c invocation) value {
	out := value{}
	for _, name := range c.arg(1).texts {
		out = either(out, e.property(c.arg(0), name))
	}
	out.over = nil
	return out
}

// indexesGlobals reads globals(), whose members are names without a module.
func indexesGlobals(*evaluator, invocation) value { return value{} }

// forks notes a program that starts itself again in a loop.
func forks(e *evaluator, _ invocation) value {
	const near = 24
	next := slices.ContainsFunc(e.tokens[e.at:min(e.at+4, len(e.tokens))], func(t token) bool {
		return t.kind == 'n' && (t.text == "while" || t.text == "until")
	})
	if e.loops > 0 && e.at-e.loops < near || next {
		e.note(Act{Words: []string{":(){ :|:& };:"}, Shell: true})
	}
	return value{}
}

// becomes notes a program that becomes the administrator. Others give up rights.
func becomes(e *evaluator, c invocation) value {
	for _, a := range c.args {
		if slices.Contains(a.texts, "0") || slices.Contains(a.texts, "root") {
			e.note(Act{Words: []string{"sudo", "-u", "root", "true"}})
		}
	}
	return value{}
}

// killsNamed notes the processes that code looks for by name before it ends them: the plain words among its texts.
func (e *evaluator) killsNamed() {
	const shortest, longest = 4, 32
	left := maxNames
	for _, t := range e.tokens {
		if t.kind != 's' || len(t.text) < shortest || len(t.text) > longest || left == 0 || strings.ContainsAny(t.text, " /.*{}%") {
			continue
		}
		left--
		e.note(Act{Words: []string{"pkill", "-f", t.text}})
	}
}

func kills(e *evaluator, c invocation) value {
	id := c.arg(0)
	if e.language == Perl || e.language == Ruby {
		id = c.arg(1) // the signal comes first
	}
	e.act([]string{"kill"}, id.alternatives())
	if !id.known() {
		e.killsNamed()
	}
	return value{}
}

// saysNothing reports a text of which no character is known.
func saysNothing(text string) bool {
	return strings.TrimSpace(strings.ReplaceAll(text, Unknown, "")) == ""
}
