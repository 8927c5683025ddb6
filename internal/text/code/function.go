package code

// lambda returns the parameters if a function without a name begins here: x => …, (x, y) => …, function(x), |x|, lambda x:.
func (e *evaluator) lambda() []string {
	switch {
	case e.peek(0).kind == 'n' && e.sign(1, "=>"):
		name := e.peek(0).text
		e.at += 2
		return []string{name}
	case e.sign(0, "(") && e.peek(0).end < len(e.tokens) && e.tokens[e.peek(0).end].text == "=>":
		end := e.peek(0).end
		params := parameters(e.tokens[e.at+1 : end-1])
		e.at = end + 1
		return params
	case e.is("lambda"):
		e.at++
		start := e.at
		for e.at < len(e.tokens) && !e.sign(0, ":") && e.at < start+lookAhead {
			e.at++
		}
		return parameters(e.tokens[start:e.at])
	case e.sign(0, "|") && e.peek(1).kind == 'n':
		e.at++
		start := e.at
		for e.at < len(e.tokens) && !e.sign(0, "|") && e.at < start+lookAhead {
			e.at++
		}
		params := parameters(e.tokens[start:e.at])
		e.at++
		return params
	}
	return nil
}

// parameters are the names in a list, without their types and defaults.
func parameters(tokens []token) []string {
	var out []string
	for i := 0; i < len(tokens) && len(out) < lookAhead; i++ {
		if tokens[i].kind != 'n' || leads[tokens[i].text] {
			continue
		}
		name := tokens[i].text
		for i+1 < len(tokens) && tokens[i+1].text != "," {
			if i++; tokens[i].kind == 'n' && tokens[i].text[0] == '$' {
				name = tokens[i].text // a type before the name, as in PHP
			}
		}
		out = append(out, name)
	}
	return out
}

// define notes the parameters of a function.
func (e *evaluator) define() {
	e.at++
	name := ""
	for e.peek(0).kind == 'n' || e.sign(0, ".") || e.sign(0, "*") {
		if e.peek(0).kind == 'n' {
			name = e.peek(0).text
		}
		e.at++
	}
	if !e.sign(0, "(") {
		if e.language.power && name != "" {
			e.functions[name] = e.powerParameters()
		}
		return
	}
	end := e.peek(0).end
	inside := e.tokens[min(e.at+1, len(e.tokens)):min(end, len(e.tokens))]
	if _, ok := e.functions[name]; !ok && name != "" {
		e.functions[name] = parameters(inside)
	}
	e.group(")") // for defaults
	e.at = max(e.at, min(end, len(e.tokens)))
}

// functionName is the name of the function in brackets that begin here; a function without a name gets one.
func (e *evaluator) functionName() string {
	at := 1
	if e.peek(at).text == "async" {
		at++
	}
	if t := e.peek(at); t.kind != 'n' || t.text != "function" || e.language != JavaScript && e.language != PHP {
		return ""
	}
	if t := e.peek(at + 1); t.kind == 'n' {
		return t.text
	}
	open := e.at + at + 1
	if open >= len(e.tokens) || e.tokens[open].text != "(" {
		return ""
	}
	const unnamed = "=>"
	e.functions[unnamed] = parameters(e.tokens[open+1 : max(open+1, min(e.tokens[open].end, len(e.tokens))-1)])
	return unnamed
}

// loop binds the names of a loop to the elements of what it goes through.
func (e *evaluator) loop() bool {
	at := e.at + 1
	if e.peek(1).kind == 'n' && e.peek(1).text == "await" {
		at++
	}
	if at < len(e.tokens) && e.tokens[at].text == "(" {
		at++
	}
	var names []string
	for i := at; i < min(at+lookAhead, len(e.tokens)); i++ {
		switch t := e.tokens[i]; {
		case t.kind == 'n' && (t.text == "in" || t.text == "of"):
			e.at = i + 1
			e.bind(names, e.assignedValue())
			return true
		case t.kind == 'p' && t.text == "(" && len(names) > 0 && e.language == Perl:
			e.at = i
			e.bind(names, e.expression())
			return true
		case t.kind == 'n' && leads[t.text]: // const x of y
		case t.kind == 'n':
			names = append(names, t.text)
		case t.kind == 'p' && (t.text == "," || t.text == "(" || t.text == ")"):
		case t.kind == 'p' && t.text == ":" && e.language == Java && len(names) > 0:
			e.at = i + 1
			e.bind(names[len(names)-1:], e.expression())
			return true
		default:
			i = len(e.tokens)
		}
	}
	if e.language != PHP && e.language != Perl {
		return false
	}
	// foreach (X as $k => $v), for (X) with $_.
	e.at++
	if !e.sign(0, "(") {
		return true
	}
	items := e.group(")")
	if len(items) > 0 {
		v := items[0].value
		for _, item := range items[1:] {
			v = either(v, item.value)
		}
		names := []string{"$_"}
		for i := e.at - 2; i > 0 && i > e.at-6; i-- {
			if e.tokens[i].kind == 'n' && e.language == PHP {
				names = []string{e.tokens[i].text}
				break
			}
		}
		e.bind(names, v)
	}
	return true
}

// bind sets names to the elements of a value.
func (e *evaluator) bind(names []string, v value) {
	elements := v.elements()
	for i, name := range names {
		element := elements
		if len(names) > 1 && elements.list && i < len(elements.items) {
			element = elements.items[i].value
		}
		e.set(name, element)
	}
}
