package code

import "strings"

// powerRun notes a command of PowerShell, and returns what is known of its output.
func (e *evaluator) powerRun(l powerLine) value {
	if len(l.words) == 0 {
		return value{}
	}
	in := value{}
	if l.piped {
		in = e.vars["$_"]
	}
	l.name = commandName(l.words[0].alternatives()[0])
	from := in.whole()
	for _, word := range l.words {
		from = from.with(word.whole())
	}
	out := value{texts: []string{Unknown}, taint: from}
	if powerKeywords[l.name] {
		return out
	}
	e.powerCalled(l)
	switch l.name {
	case "new-object":
		return e.powerObject(l)
	case "join-path":
		return e.joinPath(l.subject("path"), l.last())
	case "invoke-expression":
		e.powerEvaluate(l, in)
	case "invoke-webrequest", "invoke-restmethod", "curl", "wget", "curl.exe", "start-bitstransfer":
		e.powerNote(l)
		return e.powerFetch(l, in)
	}
	e.powerStarts(l, in)
	e.powerNote(l)
	return powerOutput(l, in, out)
}

// commandName is the full name of a command. A name with wildcards that could be Invoke-Expression counts as that.
func commandName(name string) string {
	name = lower(name)
	if full, ok := aliases[name]; ok {
		return full
	}
	if hasHole(name) && name != Unknown && (couldName(name, "invoke-expression") || couldName(name, "iex")) {
		return "invoke-expression" // & (Get-Command i*x)
	}
	return name
}

// powerOutput is what is known of the output of a command.
func powerOutput(l powerLine, in, out value) value {
	switch l.name {
	case "get-content":
		for _, name := range l.subject("path", "literalpath").texts {
			if strings.HasPrefix(lower(name), "env:") {
				out.taint.env = true
				continue
			}
			out.taint.files = more(out.taint.files, []string{name}, maxTaint)
		}
	case "get-childitem", "ls", "get-item":
		return powerList(l)
	case "foreach-object", "where-object", "select-object", "sort-object", "out-string", "convertto-json", "tee-object", "get-unique":
		if len(in.texts) > 0 && l.name != "convertto-json" && l.name != "out-string" {
			out.texts, out.path = in.texts, in.path
		}
	case "write-output", "echo", "write":
		out.texts = l.subject("inputobject").texts
	case "get-command":
		out.texts = l.subject("name").each(wild).texts
	case "get-psreadlineoption":
		out.names = []string{"$psreadlineoption"}
	case "get-wmiobject", "get-ciminstance":
		class := l.subject("class", "classname")
		out.names = class.each(strings.ToLower).texts
	case "get-process", "get-service":
		if named := l.subject("name"); len(named.texts) > 0 {
			out.texts = named.texts
		}
	}
	return out
}

// powerStarts reads the commands that start, stop or send something which their words do not say in one place.
func (e *evaluator) powerStarts(l powerLine, in value) {
	switch l.name {
	case "add-type":
		for _, name := range []string{"typedefinition", "memberdefinition", "path"} {
			if source, ok := l.parameter(name); ok {
				e.runUnknown(source.whole())
			}
		}
	case "out-file", "set-content", "add-content", "tee-object":
		e.powerShare(l, in)
	case "stop-process", "stop-service", "set-service", "suspend-service", "remove-service":
		if l.piped && in.known() {
			e.act([]string{l.name}, []string{"-Name"}, in.texts)
		}
	case "send-mailmessage":
		server, _ := l.parameter("smtpserver")
		files, _ := l.parameter("attachments")
		body, _ := l.parameter("body")
		e.transfer("smtp://"+server.alternatives()[0], "", body, true, taint{files: files.texts}.with(body.whole()))
	case "start-process":
		e.powerStart(l, l.subject("filepath"), "argumentlist", "args")
	case "new-scheduledtaskaction":
		e.powerStart(l, l.subject("execute"), "argument")
	case "invoke-wmimethod", "invoke-cimmethod", "new-service":
		if given, ok := l.parameter("argumentlist", "arguments", "binarypathname"); ok {
			if line, ok := given.member("commandline"); ok {
				given = line
			}
			if given.known() {
				e.note(Act{Words: given.texts[:1], Shell: true})
			}
		}
	}
}

// powerShare reads commands that write what they get to a share of another machine.
func (e *evaluator) powerShare(l powerLine, in value) {
	for _, file := range l.subject("filepath", "path", "literalpath").texts {
		host, ok := strings.CutPrefix(file, `\\`)
		given, _ := l.parameter("value", "inputobject")
		if from := in.whole().with(given.whole()); ok && from.any() {
			host, _, _ = strings.Cut(host, `\`)
			e.transfer("smb://"+host, "", value{}, true, from)
		}
	}
}

// lower is a name in lower case, with its holes.
func lower(name string) string {
	out := []byte(name)
	for i, c := range out {
		if c >= 'A' && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return string(out)
}

// couldName reports whether a name with holes for wildcards could be another.
func couldName(pattern, name string) bool {
	at := 0
	for i, part := range strings.FieldsFunc(pattern, func(r rune) bool { return r == '\uFFFD' }) {
		found := strings.Index(name[at:], part)
		if found < 0 || i == 0 && found > 0 && !isHole(pattern[0]) {
			return false
		}
		at += found + len(part)
	}
	return at == len(name) || isHole(pattern[len(pattern)-1])
}

// last is the last word that is no parameter.
func (l powerLine) last() value {
	if v, ok := l.parameter("childpath"); ok {
		return v
	}
	return l.words[len(l.words)-1]
}

// powerNote notes the command as written, and by its full name.
func (e *evaluator) powerNote(l powerLine) {
	lines := make([][]string, len(l.words))
	for i, word := range l.words {
		lines[i] = word.alternatives()
		if word.list && len(word.texts) == 0 {
			lines[i] = []string{Unknown}
		}
	}
	again := false
	if full, ok := aliases[lower(lines[0][0])]; ok {
		lines[0] = append([]string{full}, lines[0]...)
	}
	for _, words := range product(lines) {
		a := Act{Words: words, Piped: l.piped, Again: again}
		if l.given != "" {
			a.Piped, a.HasInput, a.Input = false, true, l.given
		}
		e.note(a)
		again = true
	}
}

// powerEvaluate reads a text that is run: the argument, or the input.
func (e *evaluator) powerEvaluate(l powerLine, in value) {
	source := l.subject("command")
	if len(l.words) == 1 {
		source = in
	}
	for _, text := range source.alternatives() {
		if saysNothing(text) {
			e.runUnknown(source.whole())
			e.startsShell(Unknown, source.whole())
			continue
		}
		e.runUnknown(taint{decoded: source.whole().decoded})
		e.again(text)
	}
}

// powerFetch reads a request.
func (e *evaluator) powerFetch(l powerLine, in value) value {
	address := l.subject("uri", "source", "url")
	method := "GET"
	if given, ok := l.parameter("method"); ok && len(given.texts) == 1 {
		method = strings.ToUpper(given.texts[0])
	}
	body, sends := l.parameter("body")
	from := body.whole().with(address.whole())
	if !sends && in.whole().any() {
		from, sends = from.with(in.whole()), true
	}
	if file, ok := l.parameter("infile"); ok {
		from.files = more(from.files, file.alternatives(), maxTaint)
	}
	from.nets = nil
	for _, url := range address.alternatives() {
		if from.any() || sends {
			e.transfer(url, method, body, sends, from)
		}
	}
	return value{texts: []string{Unknown}, taint: taint{nets: address.alternatives()}}
}

// powerList is the files that a folder has. The variables of the environment are a folder, too.
func powerList(l powerLine) value {
	folder := l.subject("path", "literalpath")
	if len(folder.texts) == 0 {
		folder = text(".")
	}
	out := value{path: true}
	for _, name := range folder.texts {
		lower := strings.ToLower(name)
		if strings.HasPrefix(lower, "env:") {
			out.taint.env = true
		}
		name = strings.TrimRight(name, `/\`)
		if name == "" {
			name = "/"
		}
		below := name + "/" + Run
		if l.has("recurse") {
			below = name + "/" + Tree
		}
		if l.name == "get-item" || strings.ContainsAny(name, "*?") {
			below = wild(name)
		}
		out.texts = append(out.texts, below)
	}
	return out
}

// powerStart reads a program that is started with its arguments.
func (e *evaluator) powerStart(l powerLine, program value, names ...string) {
	words := [][]string{program.alternatives()}
	arguments, ok := l.parameter(names...)
	if !ok {
		for i := 2; i < len(l.words); i++ {
			if l.option(i) == "" && l.option(i-1) == "" {
				arguments, ok = l.words[i], true
				break
			}
		}
	}
	if !ok || len(program.texts) == 0 {
		e.runWords(words, taint{})
		return
	}
	var joined []string
	if arguments.list {
		for _, item := range arguments.items {
			joined = append(joined, item.alternatives()[0])
		}
	} else {
		joined = arguments.alternatives()[:1]
	}
	for _, line := range words[0] {
		// The program gets its arguments as one text.
		e.note(Act{Words: []string{line + " " + strings.Join(joined, " ")}, Shell: true})
		e.note(Act{Words: append([]string{line}, joined...)})
	}
}

// powerType evaluates [type] before :: or a value.
func (e *evaluator) powerType() (value, bool) {
	end := e.peek(0).end
	if end > len(e.tokens) || end-e.at > 4*lookAhead || end-e.at < 3 {
		return value{}, false
	}
	name := strings.ToLower(strings.Trim(e.raw(1, end-e.at-1), "[] "))
	if kind, where, ok := strings.Cut(name, ","); ok && strings.Contains(kind, ".") && strings.Contains(where, ",") {
		name = kind // with the file that it is in
	}
	if strings.ContainsAny(name, "$'\"(,") {
		return value{}, false
	}
	e.at = end
	if e.sign(0, "::") {
		return value{names: []string{name}}, true
	}
	v := e.operand()
	switch name {
	case "char":
		if v.list {
			return maps(e, invocation{args: []argument{{value: value{names: []string{"chr"}}}, {value: v}}}), true
		}
		return makesChar(e, invocation{args: []argument{{value: v}}}), true
	case "scriptblock":
		return value{texts: v.texts, taint: v.taint, names: []string{"scriptblock()"}}, true
	}
	return v, true
}

// powerOperator evaluates -f, -join, -replace and the like after a value.
func (e *evaluator) powerOperator(v *value) bool {
	if !e.sign(0, "-") || e.peek(1).kind != 'n' || e.peek(1).space {
		return false
	}
	name := e.peek(1).text
	e.at += 2
	right := e.operand()
	for e.sign(0, ",") && name != "eq" {
		e.at++
		next := e.operand()
		if !right.list {
			right = value{list: true, items: []argument{{value: right}}}
		}
		right.items = append(right.items, argument{value: next})
	}
	switch name {
	case "f":
		items := right.items
		if !right.list {
			items = []argument{{value: right}}
		}
		if len(v.texts) == 1 {
			*v = e.filledFormat(v.texts[0], items, right.whole())
		}
	case "join":
		*v = joinsList(e, invocation{on: v, args: []argument{{value: right}}})
	case "split":
		*v = splits(e, invocation{on: v, args: []argument{{value: right}}})
	case "replace", "creplace", "ireplace":
		args := right.items
		if !right.list {
			args = []argument{{value: right}, {value: text("")}}
		}
		*v = replaces(e, invocation{on: v, args: args})
	default:
		*v = value{taint: v.whole().with(right.whole())}
	}
	return true
}
