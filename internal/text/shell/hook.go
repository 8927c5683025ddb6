package shell

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// A hookKind says what a program does with the value of a variable.
type hookKind uint8

const (
	hookNone   hookKind = iota
	hookText            // runs it as a command, though its work is another
	hookBuild           // runs it as a command, which is a part of its work
	hookArgs            // runs it as a command, with arguments such as a file, though its work is another
	hookEdit            // runs it as an editor, with a file: people write one for a single rebase
	hookPrompt          // expands it
	hookScript          // reads the file of that name as a script
	hookCode            // loads code from the files of that name, which cannot be read here
	hookSource          // runs it as code of the language in hookLanguages
	hookEditor          // runs it as a command of an editor
	hookOption          // reads options from it, some of which load code
	hookWords           // takes it as words before its own: the program is in hookPrograms
	hookGit             // uses it as a setting whose name is in another variable
	hookNoted           // runs nothing, but which one it is matters as much as a command
)

// hooks are the variables whose value makes a program run something.
var hooks = map[string]hookKind{
	"BASH_ENV": hookScript, "ENV": hookScript, "ZDOTDIR": hookScript,
	"LUA_INIT": hookSource, "LUA_INIT_5_3": hookSource, "LUA_INIT_5_4": hookSource, "PERL5DB": hookSource,
	"VIMINIT": hookEditor, "EXINIT": hookEditor, "GVIMINIT": hookEditor, "LESS": hookEditor,
}

// hookLanguages are the interpreters of the code in a variable.
var hookLanguages = map[string]string{"LUA_INIT": "lua", "LUA_INIT_5_3": "lua", "LUA_INIT_5_4": "lua", "PERL5DB": "perl"}

// hookPrograms are the programs that take options from a variable.
var hookPrograms = map[string]string{
	"FZF_DEFAULT_OPTS": "fzf", "SKIM_DEFAULT_OPTIONS": "sk", "TAR_OPTIONS": "tar", "MANOPT": "man", "BAT_OPTS": "bat", "ZIPOPT": "zip",
	"PYTEST_ADDOPTS": "pytest", "MAVEN_ARGS": "mvn", "MAKEFLAGS": "make", "GNUMAKEFLAGS": "make", "ACK_OPTIONS": "ack",
}

func init() {
	for name := range hookPrograms {
		hooks[name] = hookWords
	}
	for kind, names := range map[hookKind]string{
		hookText: `PAGER MANPAGER GIT_PAGER SYSTEMD_PAGER AWS_PAGER GH_PAGER GLAB_PAGER BAT_PAGER DELTA_PAGER PSQL_PAGER KUBECTL_PAGER
			GIT_PROXY_COMMAND RSYNC_RSH CVS_RSH SVN_SSH BORG_RSH BORG_PASSCOMMAND RESTIC_PASSWORD_COMMAND RCLONE_PASSWORD_COMMAND BROWSER
			GH_BROWSER LESSOPEN LESSCLOSE PROMPT_COMMAND FZF_DEFAULT_COMMAND FZF_CTRL_T_COMMAND FZF_ALT_C_COMMAND npm_config_script_shell
			npm_config_git NPM_CONFIG_SCRIPT_SHELL NPM_CONFIG_GIT TEXEDIT MAILER CVS_SERVER RSYNC_CONNECT_PROG SKIM_DEFAULT_COMMAND
			NNN_OPENER PERLDOC_PAGER RI_PAGER PERL5SHELL R_BROWSER R_PAGER R_PDFVIEWER`,
		hookBuild: `RUSTC RUSTDOC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER CARGO_BUILD_RUSTC CARGO_BUILD_RUSTC_WRAPPER CCACHE_PREFIX
			CCACHE_PREFIX_CPP CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER CC CXX CPP LD AR AS NM RANLIB STRIP FC PKG_CONFIG OBJC
			HOSTCC YACC LEX`,
		hookArgs: `GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS GIT_SSH_COMMAND GIT_SSH HGMERGE SSH_SK_HELPER
			SSH_PKCS11_HELPER WGET_ASKPASS`,
		hookEdit: `EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR KUBE_EDITOR SUDO_EDITOR FCEDIT HGEDITOR SVN_EDITOR GH_EDITOR PSQL_EDITOR
			P4EDITOR BUNDLER_EDITOR LESSEDIT JJ_EDITOR CVSEDITOR LYNX_EDITOR JULIA_EDITOR`,
		hookPrompt: "PS0 PS1 PS2 PS3 PS4 RPS1",
		hookCode: `LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES GCONV_PATH PYTHONSTARTUP GIT_EXEC_PATH OPENSSL_CONF OPENSSL_ENGINES PHPRC
			R_PROFILE_USER R_PROFILE DOTNET_STARTUP_HOOKS CORECLR_PROFILER_PATH GTK_MODULES GTK_PATH GIO_EXTRA_MODULES QT_PLUGIN_PATH
			VK_LAYER_PATH GCC_EXEC_PREFIX COMPILER_PATH`,
		hookOption: `NODE_OPTIONS PERL5OPT RUBYOPT JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS SBT_OPTS JAVA_OPTS
			GOFLAGS RUSTFLAGS CFLAGS CXXFLAGS npm_config_node_options NPM_CONFIG_NODE_OPTIONS BUN_OPTIONS`,
		hookNoted: program.GuardVariables + " HISTFILE HISTSIZE HISTFILESIZE NO_PROXY no_proxy " + program.ProxyVariables + " " +
			strings.ToLower(program.ProxyVariables),
	} {
		for name := range wordSet(names) {
			hooks[name] = kind
		}
	}
}

func hookOf(name string) hookKind {
	switch {
	case strings.HasPrefix(name, "GIT_CONFIG_VALUE_"):
		return hookGit
	case strings.HasPrefix(name, "CARGO_TARGET_") && (strings.HasSuffix(name, "_RUNNER") || strings.HasSuffix(name, "_LINKER")):
		return hookBuild
	case name == "GIT_CONFIG_PARAMETERS":
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
		case kind == hookNoted:
			r.noteIn([]string{"export", name + "=" + text}, newScope(s), pipes{})
		case text == "":
		case kind == hookCode:
			r.loaded(name, text, s)
		case kind == hookScript:
			r.startScript(name, text, s)
		case hasHole(text):
		case kind == hookPrompt:
			r.substitutionsIn(text, s)
		case kind == hookOption:
			r.optionHook(text, s)
		case kind == hookSource:
			r.codes(value{text}, invocation{name: hookLanguages[name], scope: slippedScope(s)})
		case kind == hookEditor:
			editor(r, invocation{name: "vim", args: []string{"-c", strings.TrimPrefix(text, "+")}, scope: slippedScope(s)})
		case kind == hookWords:
			r.text(hookPrograms[name]+" "+text, slippedScope(s), pipes{})
		case name == "GIT_CONFIG_PARAMETERS":
			for setting := range strings.SplitSeq(text, "' '") {
				r.gitAssignment(strings.ReplaceAll(setting, "'", ""), invocation{name: "git", scope: s})
			}
		case kind == hookGit:
			key, _ := s.get("GIT_CONFIG_KEY_" + strings.TrimPrefix(name, "GIT_CONFIG_VALUE_"))
			for _, setting := range key.text {
				r.gitSetting(setting, text, invocation{name: "git", scope: s})
			}
		case kind == hookEdit:
			r.withArgs(text, []string{anyWords}, s, pipes{})
		case kind == hookArgs:
			r.withArgs(text, []string{anyWords}, apartScope(s), pipes{})
		case kind == hookBuild:
			r.text(text, slippedScope(s), pipes{})
		default:
			r.text(strings.TrimPrefix(text, "|"), apartScope(s), pipes{})
		}
	}
}

// alwaysCode are the variables that serve only to load code, so that nothing is known of what a program does.
var alwaysCode = wordSet("LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES GCONV_PATH PYTHONSTARTUP GIT_EXEC_PATH")

// loaded notes files with code that a variable has programs load.
func (r *reader) loaded(name, text string, s *scope) {
	if alwaysCode[name] {
		r.noteUnknownAs(Opaque)
	}
	if hasHole(text) {
		return
	}
	for file := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ':' || c == ' ' || c == ';' }) {
		r.loadedFile(file, s)
	}
}

// loadedFile notes a file with code that a program loads beside its own.
func (r *reader) loadedFile(file string, s *scope) {
	if strings.Contains(file, "/") {
		r.run([]string{file}, slippedScope(s), pipes{})
	}
}

// optionHook reads options in a variable: those that load code, and those that name a program.
func (r *reader) optionHook(text string, s *scope) {
	if _, source, ok := strings.Cut(text, "data:text/javascript,"); ok {
		r.codes(value{source}, invocation{name: "node", scope: slippedScope(s)})
	}
	if _, source, ok := strings.Cut(text, ";"); ok && strings.HasPrefix(text, "-M") {
		r.codes(value{source}, invocation{name: "perl", scope: slippedScope(s)}) // perl puts it after use
	}
	if loadsCode(text) {
		r.noteUnknownAs(Opaque)
	}
	options := strings.Fields(text)
	for i, option := range options {
		name, v, ok := strings.Cut(option, "=")
		switch {
		case !ok && i+1 < len(options) && loadsCode(option):
			v = options[i+1]
		case strings.HasPrefix(name, "-r") && len(name) > 2:
			v = name[2:]
		case strings.HasPrefix(option, "-javaagent:"), strings.HasPrefix(option, "-agentpath:"):
			_, v, _ = strings.Cut(option, ":")
		case strings.TrimLeft(name, "-") == "toolexec" || strings.TrimLeft(name, "-") == "exec":
			r.text(v, slippedScope(s), pipes{})
			continue
		case name == "-fplugin":
		case !loadsCode(option):
			continue
		}
		r.loadedFile(v, s)
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
		if !hasHole(text) {
			r.loadedFile(text, s)
		}
		r.noteUnknownAs(Opaque)
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
