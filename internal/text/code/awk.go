package code

import "strings"

// awkPipe reads "command" | getline and print | "command". Addresses such as /inet/tcp/0/host/port are connections.
func (e *evaluator) awkPipe(v value) (value, bool) {
	e.at++
	if e.take("getline") {
		e.awkRun(v)
		line := value{texts: []string{Unknown}, taint: v.taint.with(printed(v))}
		if e.peek(0).kind == 'n' && !ends[e.peek(0).text] {
			e.set(e.peek(0).text, line)
			e.at++
		} else {
			e.record = e.record.with(line.taint)
		}
		return line, true
	}
	right := e.operand()
	for e.peek(0).kind == 's' && !e.peek(0).line {
		right = e.join(right, e.operand())
	}
	e.awkRun(right)
	for _, line := range product([][]string{right.texts, v.texts}) {
		input := line[1]
		for strings.HasPrefix(input, Unknown) {
			input = input[len(Unknown):]
		}
		if len(right.texts) > 0 && strings.Trim(input, "0123456789") != "" { // numbers are those of fields
			e.note(Act{Words: line[:1], Shell: true, Input: input + "\n", HasInput: true})
		}
	}
	for _, command := range v.taint.with(e.record).outputs {
		for _, reader := range right.texts {
			e.note(Act{Words: []string{command + " | " + reader}, Shell: true})
		}
	}
	if !e.collecting() {
		e.sent = e.sent.with(v.whole())
	}
	return value{}, true
}

// awkRun notes a command, or a connection.
func (e *evaluator) awkRun(v value) {
	if e.awkConnection(v) {
		return
	}
	if !v.known() && len(e.sockets) > 0 && !e.collecting() {
		e.shells = true
	}
	e.runShell(v)
}

func (e *evaluator) awkConnection(v value) bool {
	found := false
	for _, name := range v.texts {
		for _, kind := range []string{"/inet/", "/inet4/", "/inet6/"} {
			parts := strings.Split(strings.TrimPrefix(name, kind), "/")
			if strings.HasPrefix(name, kind) && len(parts) >= 4 {
				found = true
				e.socket(socket{host: parts[2], port: parts[3]})
			}
		}
	}
	return found
}

// awkFile reads getline < file and print > file. Other uses of the signs compare.
func (e *evaluator) awkFile(sign string) bool {
	reads := sign == "<"
	start := max(0, e.at-lookAhead)
	isStatement := false
	for i := e.at - 1; i >= start; i-- {
		t := e.tokens[i]
		if t.kind == 'n' && (t.text == "getline" && reads || (t.text == "print" || t.text == "printf") && !reads) {
			isStatement = true
			break
		}
		if t.kind == 'p' && (t.text == ";" || t.text == "{" || t.text == "}" || t.text == "(" && !reads) || t.line && i < e.at-1 {
			break
		}
	}
	if !isStatement {
		return false
	}
	e.at++
	file := e.operand()
	for e.peek(0).kind == 's' && !e.peek(0).line {
		file = e.join(file, e.operand())
	}
	if e.awkConnection(file) {
		return true
	}
	for _, name := range file.alternatives() {
		if reads {
			e.note(Act{Words: []string{"cat", "--", name}})
			if !e.collecting() {
				e.sent.files = more(e.sent.files, []string{name}, maxTaint)
			}
			continue
		}
		if name != Unknown {
			e.note(Act{Words: []string{"tee", "--", name}})
		}
	}
	return true
}
