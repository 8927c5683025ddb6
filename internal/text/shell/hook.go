package shell

import "strings"

// A hookKind says what a program does with the value of a variable.
type hookKind uint8

const (
	hookNone   hookKind = iota
	hookText            // runs it as a command
	hookArgs            // runs it as a command, with arguments such as a file
	hookPrompt          // expands it
	hookScript          // reads the file of that name as a script
	hookCode            // loads code from the file of that name, which cannot be read here
	hookOption          // reads options from it, some of which load code
	hookGit             // uses it as a setting whose name is in another variable
)

// hooks are the variables whose value makes a program run something.
var hooks = map[string]hookKind{
	"BASH_ENV": hookScript, "ENV": hookScript, "ZDOTDIR": hookScript,
	"NODE_OPTIONS": hookOption, "PERL5OPT": hookOption, "RUBYOPT": hookOption, "JAVA_TOOL_OPTIONS": hookOption, "JDK_JAVA_OPTIONS": hookOption,
}

func init() {
	for kind, names := range map[hookKind]string{
		hookText: `PAGER MANPAGER GIT_PAGER SYSTEMD_PAGER AWS_PAGER GIT_PROXY_COMMAND RSYNC_RSH CVS_RSH BROWSER LESSOPEN
			LESSCLOSE PROMPT_COMMAND FZF_DEFAULT_COMMAND RUSTC_WRAPPER`,
		hookArgs: `EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR KUBE_EDITOR SUDO_EDITOR FCEDIT GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS
			SUDO_ASKPASS GIT_SSH_COMMAND GIT_SSH`,
		hookPrompt: "PS0 PS1 PS2 PS3 PS4 RPS1 MAKEFLAGS TAR_OPTIONS",
		hookCode:   "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES GCONV_PATH PERL5DB PYTHONSTARTUP GIT_EXEC_PATH",
	} {
		for name := range wordSet(names) {
			hooks[name] = kind
		}
	}
}

func hookOf(name string) hookKind {
	if strings.HasPrefix(name, "GIT_CONFIG_VALUE_") {
		return hookGit
	}
	return hooks[name]
}

// hook reads the value of a variable that makes programs run something. An unknown value is common, and is ignored unless the
// variable only serves to load code.
func (r *reader) hook(name string, texts value, s *scope) {
	kind := hookOf(name)
	if kind == hookNone {
		return
	}
	for _, text := range texts {
		switch {
		case text == "":
		case kind == hookCode:
			r.noteUnknown()
		case kind == hookScript:
			r.startScript(name, text, s)
		case hasHole(text):
		case kind == hookPrompt:
			r.substitutionsIn(text, s)
		case kind == hookOption:
			if loadsCode(text) {
				r.noteUnknown()
			}
		case kind == hookGit:
			key, _ := s.get("GIT_CONFIG_KEY_" + strings.TrimPrefix(name, "GIT_CONFIG_VALUE_"))
			for _, setting := range key.text {
				r.gitSetting(setting, text, invocation{name: "git", scope: s})
			}
		case kind == hookArgs:
			r.withArgs(text, []string{anyWords}, s, pipes{})
		default:
			r.text(strings.TrimPrefix(text, "|"), newScope(s), pipes{})
		}
	}
}

// startScript reads the file that a shell reads at its start. Its name is expanded first. ENV is often no file but the name of a
// stage.
func (r *reader) startScript(name, text string, s *scope) {
	if !hasHole(text) {
		r.substitutionsIn(text, s)
	}
	if code, ok := r.file(text); ok {
		r.texts(code, newScope(s), pipes{})
		return
	}
	if name == "BASH_ENV" || !hasHole(text) && strings.IndexByte("/.~", text[0]) >= 0 {
		r.noteUnknown()
	}
}

// loadsCode reports the options of interpreters that load code before the program.
func loadsCode(options string) bool {
	for option := range strings.FieldsSeq(options) {
		name, _, _ := strings.Cut(option, "=")
		switch {
		case name == "--require" || name == "--import" || name == "--loader" || name == "--experimental-loader":
			return true
		case strings.HasPrefix(option, "-r") || strings.HasPrefix(option, "-M") || strings.HasPrefix(option, "-d:"),
			strings.HasPrefix(option, "-javaagent") || strings.HasPrefix(option, "-agentpath") || strings.HasPrefix(option, "-agentlib"):
			return true
		}
	}
	return false
}

// exportedFunction reads the variables by which bash passes functions to the shells that it starts: BASH_FUNC_name%%=() { … }.
func (r *reader) exportedFunction(name, body string, s *scope) bool {
	function, ok := strings.CutPrefix(name, "BASH_FUNC_")
	if !ok || !strings.HasPrefix(body, "() {") && !hasHole(body) {
		return false
	}
	r.text(strings.TrimRight(function, "%()")+" "+body, s, pipes{})
	return true
}

// substitutionsIn reads the commands in a text that is expanded but not run.
func (r *reader) substitutionsIn(text string, s *scope) {
	if strings.Contains(text, "$(") || strings.Contains(text, "`") {
		r.text(": \""+strings.ReplaceAll(text, `"`, `\"`)+"\"", newScope(s), pipes{})
	}
}
