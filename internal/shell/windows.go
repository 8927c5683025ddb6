package shell

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// windowsNames are commands whose arguments may be paths with backslashes, since cmd and PowerShell know them too.
var windowsNames = wordSet(`remove-item ri rd rmdir del erase rm type get-content gc cat more set-content sc add-content ac clear-content clc
	out-file tee-object copy-item cpi copy cp xcopy robocopy move-item mi move mv rename-item rni ren new-item ni md mkdir get-childitem gci dir ls
	set-location sl cd chdir pushd push-location findstr select-string sls invoke-webrequest iwr invoke-restmethod irm
	cmd powershell pwsh start-process saps`)

// windowsWords returns the words of a command as Windows reads them, if it could be one of Windows and that is not how
// other shells read them: backslashes are kept, and $env:NAME is a variable. The command is read in both ways.
func windowsWords(words []*syntax.Word) ([]*syntax.Word, bool) {
	if len(words) < 2 || !windowsNames[programName(words[0].Lit())] {
		return nil, false
	}
	out := []*syntax.Word{words[0]}
	changed := false
	for _, word := range words[1:] {
		if lit := word.Lit(); strings.Contains(lit, `\ `) {
			// A path that ends with a backslash, and the next word.
			changed = true
			for text := range strings.SplitSeq(lit, " ") {
				if text != "" {
					out = append(out, &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: strings.ReplaceAll(text, `\`, `\\`)}}})
				}
			}
			continue
		}
		parts, other := windowsParts(word.Parts, false)
		changed = changed || other
		out = append(out, &syntax.Word{Parts: parts})
	}
	return out, changed
}

func windowsParts(parts []syntax.WordPart, inQuotes bool) (out []syntax.WordPart, changed bool) {
	for i := 0; i < len(parts); i++ {
		switch part := parts[i].(type) {
		case *syntax.Lit:
			if !inQuotes && strings.Contains(part.Value, `\`) {
				changed = true
				part = &syntax.Lit{Value: strings.ReplaceAll(part.Value, `\`, `\\`)}
			}
			out = append(out, part)
		case *syntax.DblQuoted:
			inner, other := windowsParts(part.Parts, true)
			changed = changed || other
			out = append(out, &syntax.DblQuoted{Parts: inner})
		case *syntax.ParamExp:
			name, rest, ok := environmentName(part, parts[i+1:])
			if !ok {
				out = append(out, part)
				continue
			}
			changed = true
			out = append(out, &syntax.ParamExp{Short: true, Param: &syntax.Lit{Value: name}})
			if !inQuotes {
				rest = strings.ReplaceAll(rest, `\`, `\\`)
			}
			out = append(out, &syntax.Lit{Value: rest})
			i++
		default:
			out = append(out, part)
		}
	}
	return out, changed
}

// environmentName reads $env:NAME, which other shells take for the variable env and a text behind it.
func environmentName(p *syntax.ParamExp, behind []syntax.WordPart) (name, rest string, ok bool) {
	if p.Param == nil || !strings.EqualFold(p.Param.Value, "env") || len(behind) == 0 {
		return "", "", false
	}
	lit, ok := behind[0].(*syntax.Lit)
	if !ok || !strings.HasPrefix(lit.Value, ":") {
		return "", "", false
	}
	name = lit.Value[1:]
	end := strings.IndexFunc(name, func(r rune) bool { return !isNameRune(r) })
	if end < 0 {
		end = len(name)
	}
	return strings.ToUpper(name[:end]), name[end:], end > 0
}

func isNameRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

var (
	cmdlet = regexp.MustCompile(`(?i)(?:^|[\s;|({=&])(?:get|set|remove|new|test|copy|move|out|add|clear|select|where|foreach|write|invoke|start|stop|import|` +
		`export|convertto|convertfrom|join|split|resolve|measure|sort|rename|compress|expand|push|pop)-[a-z]+`)
	powerWord = regexp.MustCompile(`(?i)\$env:\w|\$\w+\s*=|\s-(?:eq|ne|like|match|notlike|notmatch|gt|lt|erroraction)\b|^\s*(?:param|foreach|if)\s*\(`)
	comments  = regexp.MustCompile(`(?m)(?:^|\s)#.*$`)
)

// isPowerShell reports a text that other shells do not write so.
func isPowerShell(text string) bool {
	const maxLook = 64 << 10
	text = comments.ReplaceAllString(text[:min(len(text), maxLook)], "")
	return cmdlet.MatchString(text) && powerWord.MatchString(text) || strings.Count(text, "\n") == 0 && cmdlet.MatchString(text)
}

// powerWords are words of the language, not commands.
var powerWords = wordSet(`if else elseif foreach for while do switch try catch finally function param begin process end return throw exit
	break continue in class using trap data filter`)

// loosely reads the commands of a text of PowerShell, whose grammar is not known here: what stands between signs that
// divide commands is one, word by word.
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
		fields := command.fields
		if !command.piped {
			flow = nil
		}
		if assigned := slices.Index(fields, "="); assigned >= 0 {
			fields = fields[assigned+1:]
		}
		if len(fields) > 0 && !powerWords[fold(fields[0])] {
			flow = r.run(fields, inner, pipes{in: flow, want: true})
		}
	}
	s.mayBe(inner)
}

// A looseCommand is what stands between signs that divide commands.
type looseCommand struct {
	fields []string
	piped  bool // a pipe leads to it
}

// looseCommands divides a text into commands and their words.
func looseCommands(text string) []looseCommand {
	var out []looseCommand
	var fields []string
	piped := false
	var word []byte
	open := false
	endWord := func() {
		if open {
			fields = append(fields, powerVariables(clean(string(word))))
		}
		word, open = nil, false
	}
	endCommand := func() {
		endWord()
		if len(fields) > 0 {
			out = append(out, looseCommand{fields, piped})
		}
		fields, piped = nil, false
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ';', '\n', '|', '{', '}', '(', ')', '&':
			endCommand()
			piped = c == '|'
		case ' ', '\t', '\r':
			endWord()
		case '#':
			if open {
				word = append(word, c)
				continue
			}
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case '`':
			if i++; i < len(text) && text[i] != '\n' && text[i] != '\r' {
				word, open = append(word, text[i]), true
			}
		case '"', '\'':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				end = len(text) - i - 1
			}
			word, open = append(word, text[i+1:i+1+end]...), true
			i += end + 1
		default:
			word, open = append(word, c), true
		}
	}
	endCommand()
	return out
}

var powerVariable = regexp.MustCompile(`(?i)\$\{?(?:env:)?(\w+)\}?`)

// powerVariables puts holes in the place of variables.
func powerVariables(word string) string {
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
