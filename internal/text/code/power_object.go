package code

import "strings"

// powerParameters are the parameters that the body of a function names: { param($a, $b) … }.
func (e *evaluator) powerParameters() []string {
	if !e.sign(0, "{") || e.peek(1).text != "param" || !e.sign(2, "(") {
		return []string{}
	}
	from := e.at + 3
	return parameters(e.tokens[min(from, len(e.tokens)):min(max(from, e.peek(2).end), len(e.tokens))])
}

// powerCalled sets what a function of the text gets: its parameters, and $args.
func (e *evaluator) powerCalled(l powerLine) {
	params, ok := e.functions[l.name]
	if !ok {
		return
	}
	var given value
	for i, word := range l.words[1:] {
		if l.option(i+1) != "" {
			continue
		}
		if len(params) > 0 {
			e.set(params[0], word)
			params = params[1:]
		}
		given = either(given, word)
	}
	e.set("$args", given)
}

// removesItem reads the method by which objects for files, folders and copies of disks remove themselves.
func removesItem(e *evaluator, c invocation) value {
	if c.on == nil {
		return value{}
	}
	if c.on.path {
		e.act([]string{"rm"}, []string{"-rf"}, []string{"--"}, c.on.alternatives())
	}
	for _, name := range c.on.names {
		if strings.Contains(name, "shadowcopy") {
			e.note(Act{Words: []string{"wmic", "shadowcopy", "delete"}})
		}
	}
	return value{}
}

// loadsProgram reads the functions that load compiled code: from an address, from what was fetched, or from a file.
func loadsProgram(e *evaluator, c invocation) value {
	source := c.arg(0)
	from := source.whole()
	for _, text := range source.texts {
		if isURL(text) {
			from.nets = more(from.nets, []string{text}, maxTaint)
		}
	}
	e.runUnknown(from)
	return value{}
}

// setsKey reads the function that sets a value of the registry.
func setsKey(e *evaluator, c invocation) value {
	e.act([]string{"reg"}, []string{"add"}, c.arg(0).alternatives(), []string{"/v"}, c.arg(1).alternatives(), []string{"/d"},
		c.arg(2).alternatives())
	return value{}
}

// setsVariable reads the function that sets a variable of the environment, if it stays set.
func setsVariable(e *evaluator, c invocation) value {
	for _, scope := range c.arg(2).texts {
		if strings.EqualFold(scope, "machine") || strings.EqualFold(scope, "user") {
			e.act([]string{"setx"}, c.arg(0).alternatives(), c.arg(1).alternatives(), []string{"/M"})
		}
	}
	return value{}
}

// clearsLog reads the functions that empty a log of events.
func clearsLog(e *evaluator, c invocation) value {
	e.act([]string{"wevtutil"}, []string{"cl"}, c.arg(0).alternatives())
	return value{}
}

// listsPasswords reads the methods of the vault for passwords.
func listsPasswords(e *evaluator, c invocation) value {
	if c.on != nil && strings.Contains(strings.Join(c.on.names, " "), "passwordvault") {
		e.note(Act{Words: []string{"vaultcmd", "/listcreds"}})
	}
	return value{}
}

// findsType reads the search for a type by its name: who looks for the one that scans scripts means to switch it off.
func findsType(e *evaluator, c invocation) value {
	if strings.Contains(strings.ToLower(strings.Join(c.arg(0).texts, " ")), "amsi") {
		e.note(Act{Words: []string{"set-mppreference", "-DisableScriptScanning", "1"}})
	}
	return value{}
}
