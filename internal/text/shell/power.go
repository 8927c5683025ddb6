package shell

import (
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"

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
		`(?:^|[\n;{}])\s*&\s+\w|` + // & program
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

// verbs are those with which the names of commands of PowerShell begin.
var verbs = wordSet(`add approve assert backup block build checkpoint clear close compare complete compress confirm connect convert
	convertfrom convertto copy debug deny deploy disable disconnect dismount edit enable enter exit expand export find format get grant
	group hide import initialize install invoke join limit lock measure merge mount move new open optimize out ping pop protect publish
	push read receive redo register remove rename repair request reset resize resolve restart restore resume revoke save search select
	send set show skip split start step stop submit suspend switch sync test trace unblock undo uninstall unlock unprotect unpublish
	unregister update use wait watch where write foreach sort tee`)

// powerSigns are the dashes and quotes of printed texts. For PowerShell they are the same as those that keyboards have.
var powerSigns = strings.NewReplacer("\u2013", "-", "\u2014", "-", "\u2015", "-", "\u201c", `"`, "\u201d", `"`, "\u201e", `"`,
	"\u2018", "'", "\u2019", "'", "\u201a", "'", "\u201b", "'")

// namesCmdlet matches a command of PowerShell at the beginning of a text, or behind another.
var namesCmdlet = regexp.MustCompile(`(?i)(?:^|[;|{(&\n])\s*` +
	`(?:remove|clear|get|set|new|copy|move|invoke|start|stop|out|add|rename)[-\x{2013}-\x{2015}][a-z]{3,}`)

// isCmdlet reports the name of a command of PowerShell: a verb and a noun.
func isCmdlet(name string) bool {
	verb, noun, ok := strings.Cut(name, "-")
	return ok && len(noun) > 1 && verbs[verb] && strings.IndexFunc(noun, func(r rune) bool { return !isNameRune(r) }) < 0
}

// powerAliases are short names that only PowerShell has.
var powerAliases = wordSet("iex irm iwr gci gcm gc ri sal nal saps sajb icm ipmo gwmi gcim spps spsv % ?")

// powerAssigned matches a variable of PowerShell that is set.
var powerAssigned = regexp.MustCompile(`(?:^|[\n;])\s*\$(?:env:)?\w+\s*=[^=~]`)

// usesPower reports statements with a command of PowerShell. The work is bounded by the number of statements.
func usesPower(text string, stmts []*syntax.Stmt) bool {
	last := ""
	for _, stmt := range stmts {
		if call, ok := stmt.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			name := call.Args[0].Lit()
			if name == last {
				continue // texts repeat programs
			}
			last = name
		}
		if callsPower(stmt) {
			return true
		}
	}
	return strings.Contains(text, "$") && powerAssigned.MatchString(text)
}

// callsPower reports a statement whose pipeline or list has a command of PowerShell.
func callsPower(stmt *syntax.Stmt) bool {
	for stmt != nil {
		switch cmd := stmt.Cmd.(type) {
		case *syntax.CallExpr:
			return isPowerCall(cmd)
		case *syntax.BinaryCmd:
			if call, ok := cmd.Y.Cmd.(*syntax.CallExpr); ok && isPowerCall(call) {
				return true
			}
			stmt = cmd.X
		default:
			return false
		}
	}
	return false
}

func isPowerCall(call *syntax.CallExpr) bool {
	if len(call.Args) == 0 {
		return false
	}
	name := fold(call.Args[0].Lit())
	return isCmdlet(name) || powerAliases[name]
}

// powerWords returns the words of a call of PowerShell with the variables in quotes as they are written, if the text sets none of them:
// only PowerShell has $null and $env:NAME, and the shell before it may be one that takes no notice of them.
func powerWords(words []*syntax.Word, s *scope) ([]*syntax.Word, bool) {
	if len(words) < 2 {
		return nil, false
	}
	if name := programName(words[0].Lit()); name != "powershell" && name != "pwsh" {
		return nil, false
	}
	out, changed := make([]*syntax.Word, len(words)), false
	for i, word := range words {
		out[i] = word
		quoted, ok := word.Parts[0].(*syntax.DblQuoted)
		if !ok || len(word.Parts) != 1 {
			continue
		}
		parts := make([]syntax.WordPart, len(quoted.Parts))
		for j, part := range quoted.Parts {
			parts[j] = part
			p, ok := part.(*syntax.ParamExp)
			if !ok || !p.Short || p.Param == nil {
				continue
			}
			if _, set := s.get(p.Param.Value); !set {
				parts[j], changed = &syntax.Lit{Value: `\$` + p.Param.Value}, true
			}
		}
		out[i] = &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: parts}}}
	}
	return out, changed
}

// powerText reads a text that PowerShell runs: as other shells would read it and, as far as possible, as PowerShell.
func (r *reader) powerText(text string, s *scope, p pipes) value {
	return r.shellText(text, s, p, !hasHole(text))
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
