package shell

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/truth"
)

// handlers are the programs that do more with their arguments than their entry in package program says.
var (
	handlers map[string]handler
	// knownNames are the names of all programs that are read, and longestName is the length of the longest.
	knownNames  []string
	longestName int
)

func init() {
	handlers = map[string]handler{}
	for _, table := range []map[string]handler{special(), textPrograms(), folderPrograms, codePrograms(), buildPrograms(), loadPrograms()} {
		for names, h := range table {
			for _, name := range strings.Fields(names) {
				handlers[name] = h
			}
		}
	}
	all := maps.Clone(handlers)
	for _, name := range program.Names() {
		all[name] = nil
	}
	knownNames = slices.Sorted(maps.Keys(all))
	for _, name := range knownNames {
		longestName = max(longestName, len(name))
	}
}

// An invocation is a program about to run.
type invocation struct {
	name  string
	path  string // the name as written
	entry *program.Entry
	args  []string
	scope *scope
	pipes pipes
}

// A handler reads the arguments of a program: what else it runs, and its output.
type handler func(r *reader, c invocation) value

func (r *reader) handle(c invocation) value {
	c.entry, c.name = program.Lookup(c.name)
	return r.handleKnown(c)
}

// handleKnown is handle for a program whose entry is known.
func (r *reader) handleKnown(c invocation) value {
	h := handlers[c.name]
	if h == nil {
		h = known
	}
	out := h(r, c)
	if c.pipes.want && printsSettings(c) {
		return value{""} // what it prints sets variables, and runs nothing
	}
	return out
}

// line returns the arguments of a program in every plausible reading.
func (c invocation) line() *program.Line { return c.entry.Read(c.args) }

// known reads a program of which only the entry is known.
func known(r *reader, c invocation) value {
	if c.entry == program.Unknown {
		return r.stranger(c)
	}
	if e := c.entry; e.Runs == nil && len(e.Subs) == 0 && e.Style&program.Verbs == 0 && !e.Takes(runningSigns) {
		return unknownValue // it runs nothing
	}
	return r.knownLine(c.line(), c)
}

// knownLine is known for arguments that are read already.
func (r *reader) knownLine(line *program.Line, c invocation) value {
	if c.entry.Is("kubectl") {
		r.podRun(c)
	}
	if len(c.entry.Subs) > 0 || c.entry.Style&program.Verbs != 0 {
		r.bareSubcommands(c, line)
		if c.entry.Takes(runningSigns) {
			r.optionTexts(c.entry.Anywhere(c.args), c)
		}
	}
	return r.commands(line, c)
}

// maxStarts bounds the positions where a command may begin after options that are not known.
const maxStarts = 64

// starts returns the positions where the operands may begin. If there are too many, the rest of the text is not read.
func (r *reader) starts(line *program.Line) []int {
	starts := line.Starts()
	if len(starts) > maxStarts {
		r.giveUp(TooLong)
		return nil
	}
	return starts
}

// bareSubcommands notes a command without the options before its subcommand, as patterns are written.
func (r *reader) bareSubcommands(c invocation, line *program.Line) {
	for _, start := range r.starts(line) {
		if start > 0 {
			r.note(append([]string{c.name}, c.args[start:]...))
		}
	}
}

// runningSigns are the signs of options whose value runs: a text, the rest of the line, a file with code.
const runningSigns = "$*%"

// optionTexts reads the texts and commands that options run.
func (r *reader) optionTexts(line *program.Line, c invocation) {
	inner := newScope
	switch runs := line.Entry.Runs; {
	case runs == nil && line.Entry.Style&program.Launches != 0:
		inner = slippedScope
	case runs == nil:
		inner = apartScope
	case runs.Where != program.Here:
		inner = func(outer *scope) *scope { return placeScope(runs.Where, outer) }
	}
	for _, option := range line.Signed('$') {
		r.text(option.Value, inner(c.scope), c.pipes)
	}
	for _, option := range line.Signed('%') {
		r.loadedFile(option.Value, inner(c.scope))
	}
	for _, option := range line.Signed('*') {
		r.run(slices.Clone(line.Args[option.At+1:]), newScope(c.scope), c.pipes)
	}
}

// commands reads the commands that a line could run.
func (r *reader) commands(line *program.Line, c invocation) value {
	runs := line.Entry.Runs
	switch {
	case line.Entry.Takes(runningSigns) && runs != nil && runs.Only:
		r.optionTexts(line.Entry.Anywhere(line.Args), c) // its operands are no command
	case line.Entry.Takes(runningSigns):
		r.optionTexts(line, c)
	}
	if i := slices.Index(line.Args, "--"); i >= 0 && runs != nil && runs.Only && i+1 < len(line.Args) {
		return r.run(slices.Clone(line.Args[i+1:]), placeScope(runs.Where, c.scope), c.pipes)
	}
	out := unknownValue
	for _, sub := range line.Subcommands() {
		out = r.commands(sub, c)
	}
	if runs == nil || runs.Only {
		return out
	}
	for _, folder := range line.Signed('/') {
		c.scope = inFolder(c.scope, folder.Value)
	}
	starts := r.starts(line)
	if named, ok := r.namedProgram(line, starts, c); ok {
		return named
	}
	for i, start := range starts {
		if written := r.wrapped(line.Entry, line.Args[start:], c); i == 0 {
			out = written
		}
	}
	if !line.Sure() {
		out = r.wrapped(line.Entry, nil, c)
	}
	if len(starts) > 1 {
		return unknownValue
	}
	return out
}

// namedProgram reads a program that an option names. The words after the first operand are its arguments.
func (r *reader) namedProgram(line *program.Line, starts []int, c invocation) (out value, ok bool) {
	for _, option := range line.Signed('!') {
		ok = ok || option.Sure
		out = unknownValue
		if len(starts) == 0 {
			r.run([]string{option.Value}, placeScope(line.Entry.Runs.Where, c.scope), c.pipes)
		}
		for _, start := range starts {
			rest := line.Args[start:]
			fields := append([]string{option.Value}, rest[min(1, len(rest)):]...)
			out = r.run(fields, placeScope(line.Entry.Runs.Where, c.scope), c.pipes)
		}
	}
	return out, ok
}

// placeScope returns the scope of a command that runs somewhere.
func placeScope(where program.Place, outer *scope) *scope {
	switch where {
	case program.Contained:
		return newContainer()
	case program.Clustered:
		return &scope{contained: true, away: true}
	case program.Remote:
		return newLogin()
	default:
		return newScope(outer)
	}
}

// wrapped reads the command after the options of a program.
func (r *reader) wrapped(e *program.Entry, args []string, c invocation) value {
	runs := e.Runs
	if len(args) > 1 && runs.Where == program.Contained && runs.Skip == 1 && e.Is("run") {
		r.imageRun(args[0], args[1:], placeScope(runs.Where, c.scope), c.pipes)
	}
	for range runs.Skip {
		if len(args) == 0 {
			return unknownValue
		}
		if anyNumber(args[0]) {
			r.noteUnknown()
		}
		args = args[1:]
	}
	if len(args) > 0 && strings.HasPrefix(args[0], "-") && e.Takes("$") {
		line := e.Read(args)
		r.optionTexts(line, c)
		if args = nil; len(line.Starts()) > 0 {
			args = line.Args[line.Starts()[0]:]
		}
	}
	if len(args) > 0 && runs.Verb != "" && args[0] == runs.Verb {
		args = args[1:]
	}
	if i := slices.Index(args, "--"); i == 0 || i > 0 && runs.Dashes {
		args = args[i+1:]
	}
	s := placeScope(runs.Where, c.scope)
	if runs.Assigns {
		args = r.assignments(args, s)
	}
	switch {
	case len(args) == 0 && runs.Bare && c.pipes.in != nil:
		return r.texts(c.pipes.in, s, pipes{want: c.pipes.want})
	case len(args) == 0:
		return unknownValue
	case runs.Prefix != "":
		_, program, ok := strings.Cut(args[0], runs.Prefix)
		if ok {
			r.run(append([]string{program}, args[1:]...), s, c.pipes)
		}
		return r.run(args, s, c.pipes)
	case runs.Each:
		return r.eachText(args, s, c.pipes)
	case runs.Words != "" && takesWords(e, c.args):
		r.text(strings.Join(args, " "), newScope(s), pipes{})
		return r.run(args, s, c.pipes)
	case runs.Text || runs.Either && len(args) == 1:
		return r.text(strings.Join(args, " "), s, c.pipes)
	default:
		return r.run(args, s, c.pipes)
	}
}

// takesWords reports an option with which a program does not join the words of its command, or that may be there.
func takesWords(e *program.Entry, args []string) bool {
	line := e.Read(args)
	return slices.ContainsFunc(strings.Fields(e.Runs.Words), func(name string) bool { return line.Has(name) != truth.No })
}

// eachText reads words of which every one is a text for a shell. Options may stand between them. Words without a blank may also be
// one command, where a script gives them on.
func (r *reader) eachText(args []string, s *scope, p pipes) value {
	if !slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, " ") }) {
		return r.run(slices.Clone(args), newScope(s), p)
	}
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			r.text(arg, newScope(s), p)
		}
	}
	return unknownValue
}

// assignments reads the variables that are set before a command, and returns the command.
func (r *reader) assignments(args []string, s *scope) []string {
	for len(args) > 0 {
		name, v, ok := strings.Cut(args[0], "=")
		switch {
		case ok && r.exportedFunction(name, v, s):
		case !ok || !syntax.ValidName(name):
			return args
		default:
			s.setText(name, value{v})
			r.hook(name, value{v}, s)
		}
		args = args[1:]
	}
	return args
}

// special returns the handlers of programs that are more than wrappers, by their names.
func special() map[string]handler {
	return map[string]handler{
		"sh bash dash ash zsh ksh ksh93 mksh pdksh rbash yash fish rzsh csh tcsh nu xonsh elvish osh ysh oksh loksh posh murex rc": shellProgram,
		"eval":                                  evaluate,
		"source .":                              source,
		"env":                                   environment,
		"su runuser":                            substituteUser,
		"command builtin":                       command,
		"trap":                                  trap,
		"bind":                                  keyBinding,
		"test [":                                condition,
		"let":                                   letWords,
		"set":                                   setParameters,
		"shift":                                 shift,
		"alias":                                 alias,
		"read":                                  readVariables,
		"mapfile readarray":                     readLines,
		"getopts unset":                         forgetVariables,
		"export declare typeset local readonly": declareWords,
		"hash":                                  hash,
		"cp ln mv install":                      copyProgram,
		"xargs":                                 xargs,
		"parallel env_parallel sem rush":        parallel,
		"find":                                  find,
		"fd fdfind":                             findFast,
		"ssh autossh mosh plink":                secureShell,
		"git":                                   git,
		"tar bsdtar":                            tar,
		"scp":                                   remoteCopy,
		"sftp":                                  fileSession,
		"make gmake":                            makeFile,
		"sed":                                   sed,
		"vim vi nvim ex view gvim vimdiff ed emacs":                                     editor,
		"sqlite3 psql mysql mariadb gdb lldb duckdb sqlplus sqlite litecli mycli pgcli": client,
		"bc ftp lftp telnet gnuplot crash":                                              client,
		"at batch crontab":                                                              scheduled,
		"tmux":                                                                          multiplexer,
		"capsh":                                                                         capabilityShell,
		"less more most":                                                                pager,
		"salt salt-call":                                                                stateManager,
		"apt apt-get aws":                                                               configured,
		"hg svn wget wget2 jj postgres sshd":                                            settingPrograms,
		"snap":                                                                          packagedShell,
		"hurl httpyac":                                                                  requestFile,
		"direnv":                                                                        folderSettings,
		"inetd xinetd":                                                                  serviceFile,
		"cargo":                                                                         toolchained,
		"bun":                                                                           scriptRunner,
		"screen":                                                                        screen,
		"socat":                                                                         socketRelay,
		"tclsh expect wish":                                                             toolCommand,
		"start-stop-daemon":                                                             daemonStarter,
		"-a -f -o -p -q -v -l --append --format --output --portability --quiet --verbose": timeOptions,
		"fzf sk":                fuzzyFinder,
		"cmd":                   windowsShell,
		"powershell pwsh":       powerShell,
		"start-process saps":    startProcess,
		"invoke-expression iex": evaluate,
		"which type whereis":    which,
		"wmic forfiles schtasks runas pcalua conhost": windowsStarter,
		"set-alias new-alias sal nal":                 powerAlias,
		"true false : umask ulimit shopt setopt sleep wait exit return break continue mkdir touch chmod chown rm rmdir kill unalias": silent,
	}
}

// textPrograms returns the handlers of programs that output a text that can be computed.
func textPrograms() map[string]handler {
	return map[string]handler{
		"tr":               translate,
		"cut":              cutOut,
		"head tail":        someLines,
		"sort uniq shuf":   sameLines,
		"grep egrep fgrep": matchingLines,
		"paste":            pasted,
		"base32":           base32Text,
		"recode":           recoded,
		"iconv uconv":      converted,
		"dc":               deskCalculator,
		"mktemp tempfile":  temporaryFile,
		"getent":           accountEntry,
		"compgen":          completions,
		"enable":           loadBuiltin,
		"dd":               duplicate,
		"printf":           printf,
		"cat tac":          catenate,
		"tee sponge":       tee,
		"base64":           base64Text,
		"xxd":              hexText,
		"rev":              reverse,
		"echo write-output write-host write-verbose write-warning write-error write-information write-debug": echo,
	}
}

// silent programs have no output that is read.
func silent(*reader, invocation) value { return value{""} }
