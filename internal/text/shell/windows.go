package shell

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// windowsNames are commands whose arguments may be paths with backslashes, because cmd and PowerShell have them too.
var windowsNames = wordSet(`ri rd rmdir del erase rm type gc cat more sc ac clc copy cp cpi xcopy robocopy mi move mv rni ren ni md mkdir
	gci dir ls sl cd chdir pushd findstr sls iwr irm cmd powershell pwsh saps start call`)

// windowsPath matches what is a path only on Windows: with a drive, a server, a hive of the registry, or a folder before a backslash.
var windowsPath = regexp.MustCompile(`^(?:[A-Za-z]:\\|\\\\[\w.$-]+\\|HK[A-Za-z_]+:?\\|(?:\.{1,2}|~|%\w+%)\\|Env:|WSMan:)`)

// hasWindowsPath reports a word that is such a path.
func hasWindowsPath(word *syntax.Word) bool {
	if len(word.Parts) == 0 {
		return false
	}
	switch part := word.Parts[0].(type) {
	case *syntax.Lit:
		return windowsPath.MatchString(part.Value)
	case *syntax.DblQuoted:
		return hasWindowsPath(&syntax.Word{Parts: part.Parts})
	case *syntax.ParamExp:
		return isProfile(part) || beforeBackslash(part, word.Parts[1:])
	}
	return false
}

// beforeBackslash reports a variable that is the beginning of a path of Windows: $env:NAME, $HOME\x.
func beforeBackslash(p *syntax.ParamExp, behind []syntax.WordPart) bool {
	if len(behind) == 0 || p.Param == nil {
		return false
	}
	lit, ok := behind[0].(*syntax.Lit)
	return ok && (strings.HasPrefix(lit.Value, `\`) || strings.EqualFold(p.Param.Value, "env"))
}

// isWindows reports words that could be a command of Windows.
func isWindows(words []*syntax.Word) bool {
	name := programName(words[0].Lit())
	return windowsNames[name] || isCmdlet(name) || slices.ContainsFunc(words, hasWindowsPath)
}

// windowsWords returns the words of a command as Windows reads them, if it could be a Windows command and other shells would read
// it differently: backslashes stay, and $env:NAME is a variable. The command is read in both ways.
func windowsWords(words []*syntax.Word) ([]*syntax.Word, bool) {
	if !slices.ContainsFunc(words, isReadDifferently) || !isWindows(words) {
		return nil, false
	}
	var out []*syntax.Word
	changed := false
	for _, word := range words {
		if lit := word.Lit(); strings.Contains(lit, `\ `) {
			// This is a path that ends with a backslash, and the next word.
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

// isReadDifferently reports words that Windows may read in another way than other shells.
func isReadDifferently(word *syntax.Word) bool {
	if len(word.Parts) != 1 {
		return true
	}
	lit, ok := word.Parts[0].(*syntax.Lit)
	return !ok || strings.Contains(lit.Value, `\`)
}

// windowsRedirect returns the word of a redirection as Windows reads it, if that is another file.
func windowsRedirect(word *syntax.Word) (*syntax.Word, bool) {
	if word == nil || !hasWindowsPath(word) {
		return nil, false
	}
	parts, changed := windowsParts(word.Parts, false)
	return &syntax.Word{Parts: parts}, changed
}

// isProfile reports $PROFILE, the file that PowerShell runs when it starts.
func isProfile(p *syntax.ParamExp) bool {
	return p.Short && p.Param != nil && strings.EqualFold(p.Param.Value, "profile")
}

// profileParts are the path of that file. Behind it may be the name of another such file: $PROFILE.AllUsersAllHosts.
var profileParts = []syntax.WordPart{
	&syntax.ParamExp{Short: true, Param: &syntax.Lit{Value: "HOME"}}, &syntax.Lit{Value: "/" + profilePath},
}

const profilePath = "Documents/PowerShell/Microsoft.PowerShell_profile.ps1"

// isProfileWord reports a word that is $PROFILE, or a member of it.
func isProfileWord(parts []syntax.WordPart) bool {
	if p, ok := parts[0].(*syntax.ParamExp); !ok || !isProfile(p) || len(parts) > 2 {
		return false
	}
	if len(parts) == 1 {
		return true
	}
	lit, ok := parts[1].(*syntax.Lit)
	return ok && strings.HasPrefix(lit.Value, ".")
}

func windowsParts(parts []syntax.WordPart, inQuotes bool) (out []syntax.WordPart, changed bool) {
	if len(parts) > 0 && isProfileWord(parts) {
		return profileParts, true
	}
	for i := 0; i < len(parts); i++ {
		switch part := parts[i].(type) {
		case *syntax.Lit:
			if text := windowsVariable.ReplaceAllStringFunc(part.Value, knownFolder); text != part.Value {
				changed = true
				part = &syntax.Lit{Value: text}
			}
			if !inQuotes && strings.Contains(part.Value, `\`) || strings.HasPrefix(part.Value, `\\`) && windowsPath.MatchString(part.Value) {
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
			if name == "TEMP" || name == "TMP" { // elsewhere these are variables like others
				name, rest = "LOCALAPPDATA", "/Temp"+rest
			}
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

// knownFolder returns the folder that a variable of cmd names, in terms of the user's folder, or the variable itself.
func knownFolder(variable string) string {
	folder, ok := windowsFolders[strings.ToUpper(strings.Trim(variable, "%!"))]
	if !ok {
		return variable
	}
	return strings.Replace(folder, "~", "%USERPROFILE%", 1)
}

// environmentName parses $env:NAME, which other shells take for the variable env and a text after it.
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

// cmdSign matches the beginning of a text that only cmd understands.
var cmdSign = regexp.MustCompile(`(?i)^\s*(?:@?for\s+/[dflr]\s|@?for\s+%|@?if\s+(?:not\s+)?(?:exist|errorlevel|defined)\s|@echo\s+off)`)

// windowsLeads are words of cmd before a command.
var windowsLeads = wordSet("call start do else @echo")

// windowsCommands splits a text of cmd into commands and their words, whose backslashes stay.
func windowsCommands(text string) [][]string {
	var out [][]string
	var fields []string
	var word []byte
	open, quoted := false, false
	endWord := func() {
		if field := strings.TrimPrefix(windowsVariable.ReplaceAllStringFunc(clean(string(word)), windowsWord), "@"); open {
			// start has a title before the program, which is often empty.
			if len(fields) > 0 || field != "" && !windowsLeads[fold(field)] {
				fields = append(fields, field)
			}
		}
		word, open = nil, false
	}
	endCommand := func() {
		if endWord(); len(fields) > 0 {
			out = append(out, fields)
		}
		fields = nil
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted, open = !quoted, true
		case quoted:
			word = append(word, c)
		case c == '^' && i+1 < len(text):
			i++
			word, open = append(word, text[i]), true
		case c == '&' || c == '|' || c == '\n' || c == '(' || c == ')':
			endCommand()
		case c == ' ' || c == '\t' || c == '\r':
			endWord()
		default:
			word, open = append(word, c), true
		}
	}
	endCommand()
	return out
}

// windowsWord returns what replaces a variable in a word.
func windowsWord(variable string) string {
	text := windowsValue(variable)
	if text == anyWords {
		return oneWord
	}
	return windowsHoles.Replace(text)
}

var windowsHoles = strings.NewReplacer("${HOME}", homeWord, "${PWD}", hereWord)

var (
	windowsSet = regexp.MustCompile(`(?i)(?:^|[&|(\s"])set\s+"?(\w+)=([^&|"\n]*)`)
	windowsFor = regexp.MustCompile(`(?i)\bfor\s+(/[a-z]\s+(?:"[^"]*"\s+)?)?%%?(\w)\s+in\s*\(([^)]*)\)`)
)

// windowsAssigned replaces the variables that a text of cmd sets itself, and those of its loops, by their values.
func windowsAssigned(text string) string {
	const most = 16
	for _, found := range windowsSet.FindAllStringSubmatch(text, most) {
		for _, sign := range []string{"%", "!"} {
			text = strings.ReplaceAll(text, sign+found[1]+sign, found[2])
		}
		if len(text) > maxCode {
			break
		}
	}
	for _, at := range windowsFor.FindAllStringSubmatchIndex(text, 1) {
		name, list := text[at[4]:at[5]], text[at[6]:at[7]]
		if at[2] >= 0 && strings.EqualFold(text[at[2]:at[2]+2], "/f") {
			list = "%_%" // a line of a file, or of what a command prints
		}
		text = text[:at[1]] + strings.NewReplacer("%%"+name, list, "%"+name, list).Replace(text[at[1]:])
	}
	return text
}
