package shell

import (
	"regexp"
	"strings"

	"github.com/weir-gate/weir/internal/text/code"
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

// loosely reads the commands of a PowerShell text. Other shells accept some of these texts, too, so that they are read twice.
func (r *reader) loosely(text string, s *scope) {
	if !r.search(text) {
		return
	}
	inner := newScope(s)
	r.acts(code.Read(clean(text), code.PowerShell), inner)
	s.mayBe(inner)
}
