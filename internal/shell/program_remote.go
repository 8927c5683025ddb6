package shell

import (
	"slices"
	"strings"
)

var sshOptions = newOptions(`4 6 A a C f G g K k M N n q s T t V v X x Y y B: b: c: D: E: e: F: I: i: J: L: l: m: O: o: P: p: Q: R: S: W: w:
	ssh: server: port:`)

// secureShell reads ssh: what follows the host is a text for the shell there.
func secureShell(r *reader, c invocation) value {
	line := sshOptions.read(c.args)
	options := line.all("o")
	rest := line.operands(c.args)
	if len(rest) > 0 {
		after := sshOptions.read(rest[1:])
		options = append(options, after.all("o")...)
		rest = after.operands(rest[1:])
	}
	for _, option := range options {
		name, text := option, ""
		if i := strings.IndexAny(option, " ="); i >= 0 {
			name, text = option[:i], option[i+1:]
		}
		switch fold(name) {
		case "proxycommand", "localcommand", "remotecommand", "knownhostscommand":
			r.text(text, newScope(c.scope), pipes{})
		}
	}
	if len(rest) > 0 {
		return r.text(strings.Join(rest, " "), newScope(nil), pipes{in: c.pipes.in, want: c.pipes.want})
	}
	if c.pipes.in != nil && !line.has("N", "W") {
		return r.texts(c.pipes.in, newScope(nil), pipes{want: c.pipes.want})
	}
	return unknownValue
}

// remoteCopy reads the options of rsync and scp that name a program.
func remoteCopy(r *reader, c invocation) value {
	for i, arg := range c.args {
		var code string
		switch name, v, given := strings.Cut(arg, "="); {
		case given && (name == "--rsh" || name == "--rsync-path"):
			code = v
		case given && strings.HasSuffix(fold(name), "proxycommand"):
			code = v
		case i > 0 && slices.Contains([]string{"-e", "--rsh", "--rsync-path", "-S"}, c.args[i-1]):
			code = arg
		case c.name == "rsync" && strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--"):
			// -avze TEXT: the text is the next word.
			if strings.HasSuffix(arg, "e") && i+1 < len(c.args) {
				code = c.args[i+1]
			}
		}
		if code != "" {
			r.text(code, newScope(c.scope), pipes{})
		}
	}
	return unknownValue
}

var containerGlobals = newOptions("D H: c: l: v debug host: context: config: log-level: tls tlsverify tlscacert: tlscert: tlskey: url: connection: remote")

var containerOptions = newOptions(`i t d P q interactive tty detach rm privileged init publish-all quiet read-only no-healthcheck oom-kill-disable T
	no-TTY no-deps service-ports build latest l a: attach: c: e: env: env-file: h: hostname: l: label: m: memory: n: name: p: publish: u: user: v:
	volume: w: workdir: network: net: mount: entrypoint: platform: pull: restart: cap-add: cap-drop: security-opt: shm-size: gpus: ulimit:
	add-host: cidfile: cpus: cpu-shares: detach-keys: device: dns: ip: ipc: link: log-driver: log-opt: mac-address: pid: pids-limit: runtime:
	stop-signal: stop-timeout: storage-opt: sysctl: tmpfs: userns: uts: volumes-from: volume-driver: expose: f: file: project-name: index:`)

// container reads docker and its kin: exec and run have a container or image, and then a command.
func container(r *reader, c invocation) value {
	line := containerGlobals.read(c.args)
	rest := line.operands(c.args)
	r.bareSubcommand(c, rest)
	if len(rest) > 1 && rest[0] == "container" {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return unknownValue
	}
	switch rest[0] {
	case "compose":
		c.args = rest[1:]
		return compose(r, c)
	case "exec", "run", "create":
		return r.inContainer(rest[1:], c)
	}
	return unknownValue
}

// bareSubcommand notes a command without the options in front of its subcommand, as patterns name it.
func (r *reader) bareSubcommand(c invocation, rest []string) {
	if len(rest) > 0 && len(rest) < len(c.args) {
		r.note(append([]string{c.name}, rest...))
	}
}

var composeGlobals = newOptions("f: p: file: project-name: profile: env-file: project-directory: ansi: parallel: progress: verbose")

func compose(r *reader, c invocation) value {
	rest := composeGlobals.read(c.args).operands(c.args)
	if len(rest) > 0 && (rest[0] == "exec" || rest[0] == "run") {
		return r.inContainer(rest[1:], c)
	}
	return unknownValue
}

func (r *reader) inContainer(args []string, c invocation) value {
	line := containerOptions.read(args)
	for _, start := range line.starts {
		rest := args[start:]
		if len(rest) == 0 {
			continue
		}
		fields := rest[1:]
		if entry := line.all("entrypoint"); len(entry) > 0 {
			fields = append([]string{entry[len(entry)-1]}, fields...)
		}
		r.run(fields, newScope(nil), pipes{in: c.pipes.in})
	}
	return unknownValue
}

var kubernetesGlobals = newOptions(`n: s: v: namespace: context: cluster: kubeconfig: user: token: server: as: as-group: request-timeout: tls-server-name:
	certificate-authority: client-certificate: client-key: cache-dir: insecure-skip-tls-verify`)

// kubernetes reads kubectl: what follows -- is a command.
func kubernetes(r *reader, c invocation) value {
	rest := kubernetesGlobals.read(c.args).operands(c.args)
	r.bareSubcommand(c, rest)
	if slices.Contains(c.args, "--") {
		return afterDashes(r, c)
	}
	if len(rest) > 1 && rest[0] == "kubectl" {
		c.args = rest[1:]
		return kubernetes(r, c)
	}
	if len(rest) > 1 && rest[0] == "exec" {
		// Old versions need no dashes.
		line := newOptions("i t q c: f: n: stdin tty quiet container: filename: namespace: pod-running-timeout:").read(rest[1:])
		if words := line.operands(rest[1:]); len(words) > 1 {
			r.run(words[1:], newScope(nil), pipes{in: c.pipes.in})
		}
	}
	return unknownValue
}

// afterDashes reads a program that runs what follows --.
func afterDashes(r *reader, c invocation) value {
	if i := slices.Index(c.args, "--"); i >= 0 {
		r.run(c.args[i+1:], newScope(nil), pipes{in: c.pipes.in})
	}
	return unknownValue
}

// A subcommandSpec is a program with subcommands, some of which run commands.
type subcommandSpec struct {
	globals optionSpec          // options in front of the subcommand
	run     map[string]wrapper  // subcommands that run what follows
	codes   map[string][]string // subcommands, or "" for the program: options whose value is read by a shell
}

// runsNext is a subcommand that runs what follows its options.
func runsNext(options string, operands int) wrapper {
	return wrapper{options: newOptions(options), operands: operands}
}

var subcommands = map[string]subcommandSpec{
	"npm": {newOptions("prefix: C: workspace: w: silent s loglevel:"), map[string]wrapper{
		"exec": {options: newOptions("y c: p: package: call: yes"), codes: []string{"c", "call"}},
		"x":    {options: newOptions("y c: p: package: call: yes"), codes: []string{"c", "call"}},
	}, nil},
	"pnpm": {newOptions("C: dir: filter: F: r recursive w"), map[string]wrapper{
		"exec": runsNext("r c", 0), "dlx": runsNext("package: c", 0),
	}, nil},
	"yarn":   {newOptions("cwd: silent s"), map[string]wrapper{"exec": runsNext("", 0), "dlx": runsNext("p: package: q", 0)}, nil},
	"bundle": {newOptions(""), map[string]wrapper{"exec": runsNext("keep-file-descriptors gemfile:", 0)}, nil},
	"poetry": {newOptions("C: P: directory: project: q v n"), map[string]wrapper{"run": runsNext("", 0)}, nil},
	"pipenv": {newOptions("python: q v"), map[string]wrapper{"run": runsNext("", 0)}, nil},
	"uv": {newOptions("q v n project: directory: cache-dir: color: config-file: no-cache offline"), map[string]wrapper{
		"run": runsNext(`p: python: with: with-editable: with-requirements: extra: group: package: env-file: directory: project: isolated frozen
			locked no-sync no-project no-dev all-extras active q v s m script module exact index-url: refresh`, 0),
	}, nil},
	"pdm":       {newOptions("p: q v"), map[string]wrapper{"run": runsNext("s p:", 0)}, nil},
	"hatch":     {newOptions("e: env: p: q v"), map[string]wrapper{"run": runsNext("", 0)}, nil},
	"rye":       {newOptions("q v"), map[string]wrapper{"run": runsNext("", 0)}, nil},
	"conda":     {newOptions(""), map[string]wrapper{"run": runsNext("n: p: name: prefix: cwd: v no-capture-output live-stream", 0)}, nil},
	"mamba":     {newOptions(""), map[string]wrapper{"run": runsNext("n: p: name: prefix: cwd: v no-capture-output live-stream", 0)}, nil},
	"direnv":    {newOptions(""), map[string]wrapper{"exec": runsNext("", 1)}, nil},
	"pipx":      {newOptions("q v"), map[string]wrapper{"run": runsNext("spec: python: pip-args: no-cache", 0)}, nil},
	"mise":      {newOptions("C: q v y"), map[string]wrapper{"exec": {codes: []string{"c", "command"}, options: newOptions("c: command: j:")}, "x": runsNext("c: command: j:", 0)}, nil},
	"asdf":      {newOptions(""), map[string]wrapper{"exec": runsNext("", 0)}, nil},
	"rbenv":     {newOptions(""), map[string]wrapper{"exec": runsNext("", 0)}, nil},
	"pyenv":     {newOptions(""), map[string]wrapper{"exec": runsNext("", 0)}, nil},
	"perf":      {newOptions(""), map[string]wrapper{"stat": runsNext("e: r: o: a d", 0), "record": runsNext("e: F: o: c: a g", 0), "trace": runsNext("e: o:", 0)}, nil},
	"nix":       {newOptions("v L extra-experimental-features:"), nil, map[string][]string{"": {"c", "command"}}},
	"nix-shell": {newOptions("p: A: run: command: pure I: E: expr:"), nil, map[string][]string{"": {"run", "command"}}},
	"vagrant":   {newOptions(""), map[string]wrapper{"ssh": {options: newOptions("c: command: p"), codes: []string{"c", "command"}, operands: 1}}, nil},
	"adb":       {newOptions("s: t: H: P: d e a"), map[string]wrapper{"shell": {options: newOptions("e: n t T x"), text: true, bare: true}}, nil},
	"gcloud":    {newOptions("project: account: q quiet format:"), nil, map[string][]string{"": {"command"}}},
	"ip":        {newOptions("n: netns: j p 4 6"), nil, nil},
	"cargo":     {newOptions("C: config: Z: color: q v locked offline frozen"), nil, nil},
	"systemctl": {newOptions("H: M: t: p: n: o: user system no-pager quiet q now host: machine:"), nil, nil},
	"helm":      {newOptions("n: namespace: kube-context: kubeconfig: debug"), nil, nil},
	"aws":       {newOptions("profile: region: output: endpoint-url: query: no-cli-pager debug"), nil, nil},
	"go":        {newOptions("C:"), nil, nil},
	"gh":        {newOptions("R: repo:"), nil, nil},
	"apt":       {newOptions("y q o: c: t: yes assume-yes"), nil, nil},
	"apt-get":   {newOptions("y q o: c: t: yes assume-yes"), nil, nil},
}

// subcommand reads a program with subcommands.
func subcommand(r *reader, c invocation) value {
	spec := subcommands[c.name]
	args := slices.DeleteFunc(slices.Clone(c.args), func(arg string) bool {
		// terraform -chdir=DIR and cargo +nightly
		return strings.HasPrefix(arg, "-chdir=") || c.name == "cargo" && strings.HasPrefix(arg, "+")
	})
	line := spec.globals.read(args)
	for i, arg := range args {
		for _, name := range spec.codes[""] {
			text, ok := strings.CutPrefix(arg, "--"+name+"=")
			if !ok && i > 0 && (args[i-1] == "--"+name || len(name) == 1 && args[i-1] == "-"+name) {
				text, ok = arg, true
			}
			if ok {
				r.text(text, newScope(c.scope), c.pipes)
			}
		}
	}
	rest := line.operands(args)
	if len(rest) < len(c.args) && len(rest) > 0 {
		r.note(append([]string{c.name}, rest...))
	}
	if c.name == "ip" && len(rest) > 3 && rest[0] == "netns" && rest[1] == "exec" {
		return r.run(rest[3:], newScope(c.scope), c.pipes)
	}
	if len(rest) > 1 {
		if w, ok := spec.run[rest[0]]; ok {
			c.args = rest[1:]
			return w.handle(r, c)
		}
	}
	return unknownValue
}
