package shell

import (
	"regexp"
	"strings"
)

var (
	cmdlet = regexp.MustCompile(`(?i)(?:^|[\s;|({=&])(?:get|set|remove|new|test|copy|move|out|add|clear|select|where|foreach|write|` +
		`invoke|start|stop|import|` +
		`export|convertto|convertfrom|join|split|resolve|measure|sort|rename|compress|expand|push|pop)-[a-z]+`)
	powerWord = regexp.MustCompile(`(?i)\$env:\w|\$\w+\s*=|\s-(?:eq|ne|like|match|notlike|notmatch|gt|lt|erroraction)\b|` +
		`^\s*(?:param|foreach|if)\s*\(`)
	// powerSign matches syntax that only PowerShell has. One match is enough for a text that no other shell accepts.
	powerSign = regexp.MustCompile(`(?i)\$(?:lastexitcode|true|false|null|env:\w+|psscriptroot|erroractionpreference)\b|\$_\.\w|` +
		`\[[a-z][\w.]*\]::\w|` + // [Type]::Name
		`(?:^|[\n;{}(|=])\s*&\s*(?:['"({]|\.{0,2}\\|\$\w|[a-z]:\\)|` + // & 'a program'
		`\b(?:if|elseif|while|for|foreach|switch)\s*\(\s*(?:\$|-not\b|!\s*[($])|\bparam\s*\(\s*(?:\$|\[)|` +
		`(?:^|[\n;{}])\s*try\s*\{|\}\s*catch\b|(?:^|[\n;{}])\s*\$\w+\s*[-+]?=\s|\s-(?:eq|ne|lt|gt|le|ge|and|or|like|match)\s+\$|` +
		"@[\"']\\r?\\n|\\s`\\r?\\n|" + // a text of several lines, a line that continues
		`(?:^|[\n;{}(|=])\s*(?:iex|irm|iwr)\s`)
	comments = regexp.MustCompile(`(?m)(?:^|\s)#.*$`)
)

// isPowerShell reports a text with syntax that only PowerShell has. No other shell accepts the text.
func isPowerShell(text string) bool {
	const maxLook = 64 << 10
	text = comments.ReplaceAllString(text[:min(len(text), maxLook)], "")
	return powerSign.MatchString(text) || cmdlet.MatchString(text) && (powerWord.MatchString(text) || strings.Count(text, "\n") == 0)
}

// hasBlocks reports a PowerShell text that other shells accept, although they take its blocks for words.
func hasBlocks(text string) bool {
	return strings.Contains(text, "{") && (powerBlock.MatchString(text) || cmdlet.MatchString(text))
}

var powerBlock = regexp.MustCompile(`(?i)(?:^|[\n;{}])\s*(?:try|do|begin|process|end|finally|trap)\s*\{`)

// powerText reads a text that PowerShell runs: as other shells would read it and, as far as possible, as PowerShell.
func (r *reader) powerText(text string, s *scope, p pipes) value {
	if hasHole(text) || text == "" {
		return r.text(text, s, p)
	}
	if _, ok := r.parser.parse(clean(text)); ok && !strings.ContainsAny(text, "{(`&") {
		return r.text(text, s, p)
	} else if !ok {
		r.noteUnknown()
	}
	out := r.text(text, s, p)
	r.deeper(func() { r.loosely(text, s) })
	return out
}

// These are words of the language. A command follows those in powerLeads, but not those in powerWords.
var (
	powerLeads = wordSet(`else do try finally begin process end return throw exit break continue trap then if while until elseif`)
	powerWords = wordSet(`foreach for switch catch function param in class using data filter`)
)

// loosely reads the commands of a PowerShell text without its full grammar: the words between two signs that separate commands are
// one command.
func (r *reader) loosely(text string, s *scope) {
	if !r.search(text) {
		return
	}
	inner := newScope(s)
	flow := value(nil)
	for _, command := range looseCommands(text) {
		if r.spent {
			return
		}
		if !command.piped {
			flow = nil
		}
		fields := command.words()
		if len(fields) == 0 && len(command.redirects) > 0 {
			fields = []string{oneWord}
		}
		if len(command.redirects) > maxRedirect {
			r.giveUp()
			return
		}
		if len(fields) > 0 {
			r.redirects = command.redirects
			if strings.EqualFold(fields[0], "[scriptblock]::create") {
				r.run([]string{"invoke-expression"}, inner, pipes{}) // the usual purpose
			}
			flow = r.run(fields, inner, pipes{in: flow, want: true})
		}
	}
	s.mayBe(inner)
}

// A looseCommand is the text between two signs that separate commands.
type looseCommand struct {
	fields    []string
	begins    []byte // the first byte of each field as written
	redirects []Redirect
	piped     bool // it gets its input from a pipe
	invoked   bool // a sign says that its first word is a program, even if it is quoted or a variable
}

// words returns the command without words of the language; none if it is only a value.
func (c looseCommand) words() []string {
	fields, begins := c.fields, c.begins
	if len(fields) > 2 && (begins[0] == '$' || begins[0] == '[') {
		for i, field := range fields {
			if field == "=" || field == "+=" {
				fields, begins = fields[i+1:], begins[i+1:]
				break
			}
		}
	}
	for len(fields) > 0 && powerLeads[fold(fields[0])] {
		fields, begins = fields[1:], begins[1:]
	}
	switch {
	case len(fields) == 0 || powerWords[fold(fields[0])]:
		return nil
	case len(fields) == 1 && !c.invoked && len(c.redirects) == 0 && strings.IndexByte(`$-@"'0123456789,+!`, begins[0]) >= 0:
		return nil
	}
	return fields
}

var powerVariable = regexp.MustCompile(`(?i)\$\{?(?:env:)?(\w+)\}?`)

// powerVariables replaces variables by holes.
func powerVariables(word string) string {
	if !strings.Contains(word, "$") {
		return word
	}
	return powerVariable.ReplaceAllStringFunc(word, func(variable string) string {
		switch name := powerVariable.FindStringSubmatch(variable)[1]; strings.ToUpper(name) {
		case "HOME", "USERPROFILE":
			return homeWord
		case "PWD":
			return hereWord
		}
		return oneWord
	})
}
