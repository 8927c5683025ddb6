package shell

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/weir-gate/weir/internal/text/program"
)

var (
	windowsVariable = regexp.MustCompile(`%\w+%|!\w+!`)
	windowsCommand  = regexp.MustCompile(`(?i)^(?:/[a-z:]+)*?/[ck]`)
)

// windowsShell reads cmd /c TEXT.
func windowsShell(r *reader, c invocation) value {
	for i, arg := range c.args {
		option := windowsCommand.FindStringIndex(arg)
		if option == nil {
			continue
		}
		text := strings.Join(append([]string{arg[option[1]:]}, requoted(c.args[i+1:])...), " ")
		text = windowsAssigned(text)
		if i := strings.Index(strings.ToLower(text), "mshta"); i >= 0 {
			r.hypertextText(text[i:], c)
		}
		if strings.Contains(text, `\`) {
			r.windowsText(text, c.scope)
		}
		text = strings.ReplaceAll(strings.TrimSpace(text), "^", "")
		// Backslashes separate folders there, and are no escapes.
		text = strings.ReplaceAll(text, `\`, "/")
		text = windowsVariable.ReplaceAllStringFunc(text, windowsValue)
		return r.text(text, newScope(c.scope), pipes{in: c.pipes.in, from: c.pipes.from, made: c.pipes.made, want: c.pipes.want})
	}
	return unknownValue
}

// requoted are the words of a command with the quotes that those with blanks had. One word alone is the whole command.
func requoted(args []string) []string {
	if len(args) < 2 {
		return args
	}
	out := slices.Clone(args)
	for i, arg := range out {
		if strings.Contains(arg, " ") && !strings.Contains(arg, `"`) {
			out[i] = `"` + arg + `"`
		}
	}
	return out
}

// windowsText reads the commands of a text of cmd, word by word.
func (r *reader) windowsText(text string, s *scope) {
	if r.search(text) {
		for _, fields := range windowsCommands(text) {
			r.run(fields, newScope(s), pipes{})
		}
	}
}

// windowsValue returns what replaces a variable in a text that is parsed again.
func windowsValue(variable string) string {
	name := strings.ToUpper(strings.Trim(variable, "%!"))
	switch name {
	case "CD":
		return "${PWD}"
	case "USERPROFILE", "HOME":
		return "${HOME}"
	case "TEMP", "TMP":
		return "${HOME}/AppData/Local/Temp"
	}
	if folder, ok := windowsFolders[name]; ok {
		return strings.Replace(folder, "~", "${HOME}", 1)
	}
	if program.SecretVariable(name) {
		return "${" + name + "}"
	}
	return anyWords
}

// windowsFolders are the variables of Windows that name folders. The drive of a home is part of its path here.
var windowsFolders = map[string]string{
	"APPDATA": "~/AppData/Roaming", "LOCALAPPDATA": "~/AppData/Local", "HOMEPATH": "~", "HOMEDRIVE": "", "PUBLIC": "C:/Users/Public",
	"PROGRAMDATA": "C:/ProgramData", "ALLUSERSPROFILE": "C:/ProgramData", "SYSTEMROOT": "C:/Windows", "WINDIR": "C:/Windows",
	"SYSTEMDRIVE": "C:", "PROGRAMFILES": "C:/Program Files", "COMSPEC": "C:/Windows/System32/cmd.exe",
}

// powerShell reads -Command TEXT and -EncodedCommand, also with shortened names.
func powerShell(r *reader, c invocation) value {
	valued := []string{
		"executionpolicy", "ep", "version", "windowstyle", "workingdirectory", "wd", "outputformat", "inputformat",
		"configurationname",
	}
	for i := 0; i < len(c.args); i++ {
		arg := c.args[i]
		if len(arg) < 2 || (arg[0] != '-' && arg[0] != '/') {
			if _, ok := r.file(arg); !ok && !strings.HasSuffix(fold(arg), ".ps1") {
				return r.powerText(strings.Join(c.args[i:], " "), newScope(c.scope), c.pipes)
			}
			return unknownValue
		}
		name := fold(strings.TrimLeft(arg, "-/"))
		rest := c.args[i+1:]
		switch {
		case name == "ec" || strings.HasPrefix("encodedcommand", name):
			for _, word := range rest[:min(1, len(rest))] {
				r.powerText(decodeUTF16(word), newScope(c.scope), c.pipes)
			}
			return unknownValue
		case strings.HasPrefix("command", name) || strings.HasPrefix("commandwithargs", name):
			if len(rest) > 0 && rest[0] == "-" && c.pipes.in != nil {
				return r.texts(c.pipes.in, newScope(c.scope), pipes{want: c.pipes.want})
			}
			return r.powerText(strings.Join(rest, " "), newScope(c.scope), c.pipes)
		case strings.HasPrefix("file", name):
			for _, file := range rest[:min(1, len(rest))] {
				source, _ := r.file(file)
				for _, text := range source {
					r.powerText(text, newScope(c.scope), pipes{})
				}
			}
			return unknownValue
		}
		for _, option := range valued {
			if strings.HasPrefix(option, name) {
				i++
				break
			}
		}
	}
	if c.pipes.in != nil {
		return r.texts(c.pipes.in, newScope(c.scope), pipes{want: c.pipes.want})
	}
	return unknownValue
}

// decodeUTF16 decodes an encoded command; if it is invalid, the result is unknown.
func decodeUTF16(encoded string) string {
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(encoded, "="))
	if err != nil || len(data)%2 != 0 {
		return anyWords
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = uint16(data[2*i]) | uint16(data[2*i+1])<<8
	}
	return string(utf16.Decode(units))
}

// startProcess reads Start-Process [-FilePath] PROGRAM [-ArgumentList] WORDS.
func startProcess(r *reader, c invocation) value {
	var fields []string
	for i := 0; i < len(c.args); i++ {
		switch arg := fold(c.args[i]); {
		case arg == "-filepath" || arg == "-argumentlist" || arg == "-args" || arg == "-wait" || arg == "-nonewwindow" || arg == "-passthru":
		case arg == "-verb" || arg == "-windowstyle" || arg == "-workingdirectory":
			i++
		default:
			fields = append(fields, strings.Fields(strings.ReplaceAll(c.args[i], ",", " "))...)
		}
	}
	return r.run(fields, newScope(c.scope), pipes{})
}

// powerAlias notes another name of a command: Set-Alias [-Name] NAME [-Value] COMMAND.
func powerAlias(r *reader, c invocation) value {
	var words []string
	for _, arg := range c.args {
		if !strings.HasPrefix(arg, "-") && !hasHole(arg) {
			words = append(words, arg)
		}
	}
	if len(words) > 1 && words[0] != words[1] {
		r.aliases[words[0]] = words[1]
	}
	return value{""}
}

// windowsStarter reads the programs of Windows that start a command which is one of their words: wmic process call create TEXT,
// forfiles /c TEXT, schtasks /tr TEXT, runas /user:X TEXT, pcalua -a PROGRAM.
func windowsStarter(r *reader, c invocation) value {
	for i, arg := range c.args {
		before := ""
		if i > 0 {
			before = fold(c.args[i-1])
		}
		starts := before == "create" || before == "/c" || before == "/tr" || before == "-a"
		if starts || i == len(c.args)-1 && i > 0 && (c.name == "runas" || c.name == "conhost") {
			windowsShell(r, invocation{name: "cmd", args: []string{"/c", arg}, scope: c.scope})
		}
	}
	return unknownValue
}
