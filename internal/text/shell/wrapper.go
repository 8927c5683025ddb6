package shell

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A wrapper is a program that runs the command in its arguments.
type wrapper struct {
	options  optionSpec
	operands int      // words before the command
	assigns  bool     // x=y may come before the command
	text     bool     // the words are joined and run by a shell
	codes    []string // options whose value is run by a shell
	bare     bool     // without a command it is a shell that reads its input
	verb     string   // a word that may come before the command; "": none
	either   bool     // a single word is run by a shell
	prefix   string   // may end a word before the program, such as dev: in dev:ls; "": nothing
	entry    string   // an option that names the program; "": none
	dashes   bool     // words before -- are not the command
	place    place    // where the command runs
	folders  []string // options that name the folder of the command
}

// A place is where a wrapper runs its command.
type place uint8

const (
	here      place = iota
	contained       // in a container, which has other files
	remote          // another machine
)

// scope returns the scope of a command that runs there.
func (p place) scope(outer *scope) *scope {
	switch p {
	case contained:
		return newContainer()
	case remote:
		return newLogin()
	default:
		return newScope(outer)
	}
}

func (w wrapper) handle(r *reader, c invocation) value {
	line := w.options.read(c.args)
	for _, code := range line.all(w.codes...) {
		r.text(code, newScope(c.scope), c.pipes)
	}
	if program := line.all(w.entry); w.entry != "" && len(program) > 0 {
		// The words after the image are arguments.
		rest := line.operands(c.args)
		return r.run(append([]string{program[0]}, rest[min(1, len(rest)):]...), w.place.scope(c.scope), c.pipes)
	}
	for _, dir := range line.all(w.folders...) {
		c.scope = inFolder(c.scope, dir)
	}
	out := unknownValue
	for i, start := range line.starts {
		written := r.wrapped(w, c.args[start:], c)
		if i == 0 {
			out = written
		}
	}
	if len(line.starts) > 1 {
		return unknownValue
	}
	return out
}

// wrapped reads the command after the options of a wrapper.
func (r *reader) wrapped(w wrapper, args []string, c invocation) value {
	for range w.operands {
		if len(args) == 0 {
			return unknownValue
		}
		if anyNumber(args[0]) {
			r.noteUnknown()
		}
		args = args[1:]
	}
	if len(w.codes) > 0 && len(args) > 0 && strings.HasPrefix(args[0], "-") {
		line := w.options.read(args)
		for _, code := range line.all(w.codes...) {
			r.text(code, newScope(c.scope), c.pipes)
		}
		args = line.operands(args)
	}
	if len(args) > 0 && w.verb != "" && args[0] == w.verb {
		args = args[1:]
	}
	if i := slices.Index(args, "--"); i == 0 || i > 0 && w.dashes {
		args = args[i+1:]
	}
	s := w.place.scope(c.scope)
	for w.assigns && len(args) > 0 {
		name, v, ok := strings.Cut(args[0], "=")
		switch {
		case ok && r.exportedFunction(name, v, s):
		case !ok || !syntax.ValidName(name):
			ok = false
		default:
			s.setText(name, value{v})
			r.hook(name, value{v}, s)
		}
		if !ok {
			break
		}
		args = args[1:]
	}
	switch {
	case len(args) == 0 && w.bare && c.pipes.in != nil:
		return r.texts(c.pipes.in, s, pipes{want: c.pipes.want})
	case len(args) == 0:
		return unknownValue
	case w.prefix != "":
		_, program, ok := strings.Cut(args[0], w.prefix)
		if ok {
			r.run(append([]string{program}, args[1:]...), s, c.pipes)
		}
		return r.run(args, s, c.pipes)
	case w.text || w.either && len(args) == 1:
		return r.text(strings.Join(args, " "), s, c.pipes)
	default:
		return r.run(args, s, c.pipes)
	}
}

// wrappers are the programs that only run what follows their options.
var wrappers = map[string]wrapper{
	"sudo": {options: newOptions(`A B b E e H i K k l N n P S s V v a: C: c: D: g: h: p: R: r: t: T: U: u: user: group: host:
		prompt: role: type: chdir: chroot: close-from: command-timeout: other-user: login shell stdin background
		set-home preserve-env preserve-groups non-interactive reset-timestamp`), assigns: true, bare: true, folders: []string{"D", "chdir"}},
	"doas":     {options: newOptions("L n s a: C: u:"), bare: true},
	"pkexec":   {options: newOptions("user: disable-internal-agent keep-cwd")},
	"gosu":     {operands: 1},
	"su-exec":  {operands: 1},
	"nohup":    {},
	"nice":     {options: newOptions("n: adjustment: 0 1 2 3 4 5 6 7 8 9")},
	"ionice":   {options: newOptions("c: n: p: P: t u: class: classdata: ignore")},
	"timeout":  {options: newOptions("k: s: v f p kill-after: signal: preserve-status foreground verbose"), operands: 1},
	"gtimeout": {options: newOptions("k: s: v f p kill-after: signal: preserve-status foreground verbose"), operands: 1},
	"stdbuf":   {options: newOptions("i: o: e: input: output: error:")},
	"setsid":   {options: newOptions("c f w ctty fork wait")},
	"time":     {options: newOptions("a f: o: p q v format: output: append portability quiet verbose l h")},
	"exec":     {options: newOptions("a: c l")},
	"chroot":   {options: newOptions("userspec: groups: skip-chdir u: g: G:"), operands: 1, bare: true},
	"unshare": {options: newOptions("i m n p u U C T f r c R: w: S: G: root: wd: setuid: setgid: kill-child mount-proc fork map-root-user " +
		"map-current-user mount pid net ipc uts user"), bare: true},
	"nsenter": {options: newOptions("a t: m u i n p C U T S: G: r w F Z target: all mount uts ipc net pid cgroup user setuid: setgid: " +
		"preserve-credentials root wd no-fork"), bare: true},
	"systemd-run": {options: newOptions(`d G P q r S t u: p: M: H: E: user scope pty pipe quiet wait collect shell same-dir
		unit: property: description: slice: uid: gid: nice: setenv: on-active: on-boot: on-calendar: timer-property: working-directory:
		machine: host:`)},
	"fakeroot":   {options: newOptions("l: s: i: u b:")},
	"caffeinate": {options: newOptions("d i m s u t: w:")},
	"arch":       {options: newOptions("c h d: e: arm64 x86_64")},
	"setarch":    {options: newOptions("R v B F I L S T X Z p addr-no-randomize"), operands: 1},
	"taskset":    {options: newOptions("a c p all-tasks cpu-list pid"), operands: 1},
	"chrt":       {options: newOptions("b d f i o r R m p v a"), operands: 1},
	"numactl":    {options: newOptions("N: m: C: i: p: l a cpunodebind: membind: physcpubind: interleave: preferred: localalloc all")},
	"prlimit":    {options: newOptions("p: o: pid: output: raw noheadings verbose")},
	"cgexec":     {options: newOptions("g: sticky")},
	"runcon":     {options: newOptions("c t: u: r: l: compute type: user: role: range:"), operands: 1},
	"setpriv": {options: newOptions("d reuid: regid: clear-groups keep-groups init-groups groups: inh-caps: ambient-caps: " +
		"bounding-set: no-new-privs reset-env")},
	"strace": {options: newOptions("a: b: c C d D e: E: f F h i I: k n o: O: p: P: q r s: S: t T u: U: v V w x X: y Y z Z output: " +
		"trace: follow-forks")},
	"ltrace":           {options: newOptions("a: A: b c C d D: e: f F: h i l: L n: o: p: r s: S t T u: V w: x:")},
	"valgrind":         {options: newOptions("tool: log-file: leak-check: q v")},
	"unbuffer":         {options: newOptions("p")},
	"rlwrap":           {options: newOptions("a b: c f: H: i l: m M: n N o O: p P: q: r R s: S: t: U w: W: z:")},
	"chronic":          {options: newOptions("e v")},
	"xvfb-run":         {options: newOptions("a e: f: h l n: p: s: w: auto-servernum server-args: server-num: error-file:")},
	"torsocks":         {options: newOptions("i q d u: p: a: P:")},
	"proxychains":      {options: newOptions("q f:")},
	"proxychains4":     {options: newOptions("q f:")},
	"busybox":          {},
	"toybox":           {},
	"winpty":           {},
	"wsl":              {options: newOptions("d: u: e distribution: user: exec cd: shell-type:"), bare: true},
	"start":            {},
	"noglob":           {},
	"nocorrect":        {},
	"npx":              {options: newOptions("y q p: package: c: call: yes no quiet workspace: w:"), codes: []string{"c", "call"}},
	"bunx":             {options: newOptions("p: package: bun")},
	"uvx":              {options: newOptions("p: python: from: with: q")},
	"dbus-run-session": {options: newOptions("config-file: dbus-daemon:")},
	"script": {
		options: newOptions("a e f q c: E: I: O: B: T: t command: return flush quiet append"), operands: 1,
		codes: []string{"c", "command"},
	},
	"watch": {
		options: newOptions("b c d e g n: p t w x C interval: differences beep errexit chgexit exec no-title precise color"),
		text:    true,
	},
	"flock": {
		options:  newOptions("E: F e n o s u w: x c: shared exclusive nonblock unlock close wait: timeout: command:"),
		operands: 1, codes: []string{"c", "command"},
	},
	"hyperfine": {options: newOptions("w: m: M: r: s: p: c: i N S: warmup: min-runs: max-runs: runs: prepare: setup: cleanup: shell: " +
		"export-json: export-markdown:"), text: true, codes: []string{"p", "prepare", "s", "setup", "c", "cleanup"}},
	"nodemon":         {options: newOptions("x: e: w: i: exec: ext: watch: ignore: q"), codes: []string{"x", "exec"}},
	"concurrently":    {options: newOptions("n: c: k r names: prefix: kill-others"), text: true},
	"cross-env":       {assigns: true},
	"cross-env-shell": {assigns: true, text: true},
}

// handlers are the programs whose arguments matter beyond their own name.
var (
	handlers     map[string]handler
	handlerNames []string
	// longestHandler is the length of the longest of them.
	longestHandler int
)

func init() {
	handlers = map[string]handler{}
	for _, table := range []map[string]wrapper{wrappers, placeWrappers, toolWrappers} {
		for name, w := range table {
			handlers[name] = w.handle
		}
	}
	for name := range strings.FieldsSeq(loaders) {
		handlers[name], handlers[versionless(name)] = loaderWrapper.handle, loaderWrapper.handle
	}
	for name := range subcommands {
		handlers[name] = subcommand
	}
	for name, options := range optionRunners {
		handlers[name] = options.handle
	}
	for _, table := range []map[string]handler{special(), folderPrograms} {
		for names, h := range table {
			for _, name := range strings.Fields(names) {
				handlers[name] = h
			}
		}
	}
	handlerNames = slices.Sorted(maps.Keys(handlers))
	for _, name := range handlerNames {
		longestHandler = max(longestHandler, len(name))
	}
}

// special returns the handlers of programs that are more than wrappers, by their names.
func special() map[string]handler {
	return map[string]handler{
		"sh bash dash ash zsh ksh ksh93 mksh pdksh rbash yash fish rzsh csh tcsh nu xonsh elvish osh ysh": shellProgram,
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
		"mapfile readarray getopts unset":       forgetVariables,
		"export declare typeset local readonly": declareWords,
		"hash":                                  hash,
		"cp ln mv install":                      copyProgram,
		"xargs gxargs":                          xargs,
		"parallel env_parallel sem rush":        parallel,
		"find gfind":                            find,
		"fd fdfind":                             findFast,
		"ssh autossh mosh plink":                secureShell,
		"docker podman nerdctl":                 container,
		"docker-compose":                        compose,
		"kubectl oc k3s microk8s":               kubernetes,
		"lxc incus":                             afterDashes,
		"git":                                   git,
		"tar gtar bsdtar":                       tar,
		"rsync scp sftp":                        remoteCopy,
		"make gmake":                            makeFile,
		"sed gsed":                              sed,
		"awk gawk mawk nawk":                    awk,
		"vim vi nvim ex view gvim vimdiff ed emacs":                                                            editor,
		"python pypy ipython perl ruby node nodejs deno php lua luajit osascript rscript julia groovy mongosh": interpreter,
		"sqlite3 psql mysql mariadb gdb lldb":                                                                  client,
		"at batch crontab":                                                                                     scheduled,
		"tmux":                                                                                                 multiplexer,
		"capsh":                                                                                                capabilityShell,
		"bwrap":                                                                                                bubblewrap,
		"cmake":                                                                                                buildSystem,
		"less more most":                                                                                       pager,
		"screen":                                                                                               screen,
		"socat":                                                                                                socketRelay,
		"tclsh expect wish":                                                                                    toolCommand,
		"start-stop-daemon":                                                                                    daemonStarter,
		"-a -f -o -p -q -v -l --append --format --output --portability --quiet --verbose": timeOptions,
		"fzf sk":                fuzzyFinder,
		"cmd":                   windowsShell,
		"powershell pwsh":       powerShell,
		"start-process saps":    startProcess,
		"invoke-expression iex": evaluate,
		"echo":                  echo,
		"printf":                printf,
		"cat tac":               catenate,
		"tee sponge":            tee,
		"base64 gbase64":        base64Text,
		"xxd":                   hexText,
		"rev":                   reverse,
		"which type whereis":    which,
		"true false : umask ulimit shopt setopt sleep wait exit return break continue mkdir touch chmod chown rm rmdir kill unalias": silent,
	}
}

// silent programs have no output that is read.
func silent(*reader, invocation) value { return value{""} }
