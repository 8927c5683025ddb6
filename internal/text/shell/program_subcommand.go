package shell

import (
	"slices"
	"strings"
)

// A subcommandSpec is a program with subcommands, some of which run commands.
type subcommandSpec struct {
	globals optionSpec          // options before the subcommand
	run     map[string]wrapper  // subcommands, of one or two words, that run the words after them
	codes   map[string][]string // by subcommand, or "" for the program: options whose value is run by a shell
}

// runsNext is a subcommand that runs the words after its options.
func runsNext(options string, operands int) wrapper {
	return wrapper{options: newOptions(options), operands: operands}
}

var subcommands = map[string]subcommandSpec{
	"npm": {newOptions("prefix: C: workspace: w: silent s loglevel:"), map[string]wrapper{
		"exec": {options: newOptions("y c: p: package: call: yes"), codes: []string{"c", "call"}},
		"x":    {options: newOptions("y c: p: package: call: yes"), codes: []string{"c", "call"}},
	}, nil},
	"pnpm": {newOptions("C: dir: filter: F: r recursive w"), map[string]wrapper{
		"exec": {options: newOptions("r c"), either: true}, "dlx": {options: newOptions("package: c"), either: true},
	}, nil},
	"yarn": {newOptions("cwd: silent s"), map[string]wrapper{
		"exec": {either: true},
		"dlx":  {options: newOptions("p: package: q"), either: true},
	}, nil},
	"bundle": {newOptions(""), map[string]wrapper{"exec": runsNext("keep-file-descriptors gemfile:", 0)}, nil},
	"poetry": {newOptions("C: P: directory: project: q v n"), map[string]wrapper{"run": runsNext("", 0)}, nil},
	"pipenv": {newOptions("python: q v"), map[string]wrapper{"run": runsNext("", 0)}, nil},
	"uv": {newOptions("q v n project: directory: cache-dir: color: config-file: no-cache offline"), map[string]wrapper{
		"run": runsNext(`p: python: with: with-editable: with-requirements: extra: group: package: env-file: directory: project: isolated frozen
			locked no-sync no-project no-dev all-extras active q v s m script module exact index-url: refresh`, 0),
		"tool run": runsNext("p: python: from: with: with-editable: q v isolated", 0),
	}, nil},
	"pdm":    {newOptions("p: q v"), map[string]wrapper{"run": runsNext("s p:", 0)}, nil},
	"hatch":  {newOptions("e: env: p: q v"), map[string]wrapper{"run": {either: true, prefix: ":"}}, nil},
	"rye":    {newOptions("q v"), map[string]wrapper{"run": runsNext("", 0)}, nil},
	"conda":  {newOptions(""), map[string]wrapper{"run": runsNext("n: p: name: prefix: cwd: v no-capture-output live-stream", 0)}, nil},
	"mamba":  {newOptions(""), map[string]wrapper{"run": runsNext("n: p: name: prefix: cwd: v no-capture-output live-stream", 0)}, nil},
	"direnv": {newOptions(""), map[string]wrapper{"exec": runsNext("", 1)}, nil},
	"pipx":   {newOptions("q v"), map[string]wrapper{"run": runsNext("spec: python: pip-args: no-cache", 0)}, nil},
	"mise":   {newOptions("C: q v y cd:"), map[string]wrapper{"exec": miseExec, "x": miseExec}, nil},
	"asdf":   {newOptions(""), map[string]wrapper{"exec": runsNext("", 0)}, nil},
	"rbenv":  {newOptions(""), map[string]wrapper{"exec": runsNext("", 0)}, nil},
	"pyenv":  {newOptions(""), map[string]wrapper{"exec": runsNext("", 0)}, nil},
	"perf": {newOptions(""), map[string]wrapper{
		"stat": runsNext("e: r: o: a d", 0), "record": runsNext("e: F: o: c: a g", 0),
		"trace": runsNext("e: o:", 0), "mem": runsNext("", 1),
	}, nil},
	"nix":       {newOptions("v L extra-experimental-features:"), nil, nil},
	"nix-shell": {newOptions("p: A: run: command: pure I: E: expr:"), nil, map[string][]string{"": {"run", "command"}}},
	"vagrant": {newOptions(""), map[string]wrapper{"ssh": {
		options: newOptions("c: command: p"), codes: []string{"c", "command"},
		operands: 1,
	}}, nil},
	"adb": {newOptions("s: t: H: P: d e a"), map[string]wrapper{"shell": adbShell, "exec-out": adbShell, "exec-in": adbShell}, nil},
	"gcloud": {newOptions("project: account: q quiet format:"), map[string]wrapper{
		"compute ssh": {options: newOptions("zone: project: tunnel-through-iap ssh-flag:"), operands: 1, dashes: true, text: true, place: remote},
	}, map[string][]string{"": {"command"}}},
	"ip": {newOptions("n: netns: j p 4 6"), nil, nil},
	"cargo": {newOptions("C: config: Z: color: q v locked offline frozen"), map[string]wrapper{
		"watch": {options: newOptions("x: s: w: i: d: C: E: B: c q why exec: shell: watch: ignore: delay: workdir: use-shell: postpone " +
			"no-restart"), codes: []string{"s", "shell"}},
	}, nil},
	"systemctl": {newOptions("H: M: t: p: n: o: user system no-pager quiet q now host: machine:"), nil, nil},
	"helm":      {newOptions("n: namespace: kube-context: kubeconfig: debug"), nil, nil},
	"aws":       {newOptions("profile: region: output: endpoint-url: query: no-cli-pager debug"), nil, nil},
	"go":        {newOptions("C:"), nil, nil},
	"gh":        {newOptions("R: repo:"), nil, nil},
	"apt":       {newOptions("y q o: c: t: yes assume-yes"), nil, nil},
	"apt-get":   {newOptions("y q o: c: t: yes assume-yes"), nil, nil},
	"dotnet":    {},
	"terraform": {},
	"tofu":      {},
	"brew":      {},
	"pixi": {newOptions("q v"), map[string]wrapper{
		"run":  runsNext("e: manifest-path: environment: frozen locked", 0),
		"exec": runsNext("s: c: spec: channel:", 0),
	}, nil},
	"micromamba": {
		newOptions(""),
		map[string]wrapper{"run": runsNext("n: p: a: e: d name: prefix: cwd: attach: env: detach clean-env", 0)},
		nil,
	},
	"bun": {newOptions("cwd: silent"), map[string]wrapper{"x": runsNext("bun p: package:", 0)}, nil},
	"op": {
		newOptions("account: session: format: config: cache debug"),
		map[string]wrapper{"run": runsNext("env-file: no-masking", 0)},
		nil,
	},
	"doppler": {
		newOptions("t: token: scope: json print-config silent debug"),
		map[string]wrapper{"run": {options: newOptions("p: c: t: project: config: token: command: mount: mount-format: preserve-env fallback: " +
			"name-transformer: only-secrets: watch forward-signals"), codes: []string{"command"}}},
		nil,
	},
	"infisical": {
		newOptions("l: log-level: silent domain: token:"),
		map[string]wrapper{"run": {
			options: newOptions("c: command: env: e: path: projectId: tags: t: watch secret-overriding expand"),
			codes:   []string{"c", "command"},
		}},
		nil,
	},
	"aws-vault": {
		newOptions("debug backend: prompt: keychain:"),
		map[string]wrapper{"exec": runsNext("d: n j s t: duration: no-session region: mfa-token: json server ec2-server ecs-server lazy "+
			"prompt: stdout", 1)},
		nil,
	},
	"chamber": {
		newOptions("r: b: v retries: backend: verbose"),
		map[string]wrapper{"exec": {options: newOptions("pristine strict strict-value:"), operands: 1, dashes: true}},
		nil,
	},
	"teller": {newOptions("c: config:"), map[string]wrapper{"run": runsNext("reset shell", 0)}, nil},
	"sops": {newOptions(""), map[string]wrapper{
		"exec-env":  {operands: 1, text: true},
		"exec-file": {options: newOptions("no-fifo filename: user: background"), operands: 1, text: true},
	}, nil},
	"flatpak": {newOptions("v user system"), map[string]wrapper{"run": {options: newOptions("command: cwd: env: branch: arch: devel d p a " +
		"u: filesystem: share: socket: device:"), entry: "command"}, "enter": runsNext("", 1)}, nil},
	"snap": {newOptions(""), map[string]wrapper{"run": {options: newOptions("shell command: strace"), entry: "command"}}, nil},
	"toolbox": {newOptions("v y"), map[string]wrapper{"run": {
		options: newOptions("c: d: r: container: distro: release:"),
		place:   contained,
	}}, nil},
	"distrobox": {newOptions("v"), map[string]wrapper{"enter": {
		options: newOptions("n: r T name: root additional-flags: a:"), operands: 1,
		dashes: true, place: contained,
	}}, nil},
	"proot-distro": {newOptions(""), map[string]wrapper{"login": {options: newOptions("user: isolated shared-tmp bind: termux-home " +
		"fix-low-ports"), operands: 1, dashes: true, place: contained}}, nil},
	"crictl": {
		newOptions("r: i: t: D c: runtime-endpoint: image-endpoint: timeout: config: debug"),
		map[string]wrapper{"exec": {options: newOptions("i t s q timeout: sync tty interactive"), operands: 1, place: contained}},
		nil,
	},
	"ctr": {newOptions("n: a: namespace: address: timeout: debug"), map[string]wrapper{
		"run": {
			options: newOptions("t d rm tty env: mount: net-host privileged cwd: user: runtime: snapshotter:"), operands: 2,
			place: contained,
		},
		"task exec": ctrExec, "tasks exec": ctrExec, "t exec": ctrExec,
	}, nil},
	"runc": {
		newOptions("root: log: debug systemd-cgroup"),
		map[string]wrapper{"exec": {
			options: newOptions("t d e: u: p: tty detach env: cwd: user: process: pid-file:"), operands: 1,
			place: contained,
		}},
		nil,
	},
	"buildah": {
		newOptions("root: runroot: log-level: storage-driver:"),
		map[string]wrapper{"run": {
			options:  newOptions("t v: e: tty volume: user: env: workingdir: isolation: mount: cap-add: network:"),
			operands: 1, place: contained,
		}, "unshare": {}},
		nil,
	},
	"machinectl": {
		newOptions("q E: setenv: uid: M: H:"),
		map[string]wrapper{"shell": {options: newOptions("E: setenv: uid:"), operands: 1, place: contained}},
		nil,
	},
	"singularity": {newOptions("d q s v debug quiet silent verbose"), map[string]wrapper{
		"exec": imageExec, "run": imageExec,
		"shell": {options: newOptions("s: B: H:"), operands: 1, bare: true},
	}, nil},
	"apptainer": {newOptions("d q s v debug quiet silent verbose"), map[string]wrapper{
		"exec": imageExec, "run": imageExec,
		"shell": {options: newOptions("s: B: H:"), operands: 1, bare: true},
	}, nil},
	"limactl": {newOptions("debug log-level:"), map[string]wrapper{"shell": {
		options: newOptions("workdir: shell:"), operands: 1,
		place: remote,
	}}, nil},
	"colima": {newOptions("p: profile: v"), map[string]wrapper{"ssh": {options: newOptions("p: profile:"), place: remote}}, nil},
	"multipass": {newOptions("v"), map[string]wrapper{"exec": {
		options:  newOptions("d: n working-directory: no-map-working-directory"),
		operands: 1, dashes: true, place: remote,
	}}, nil},
	"heroku": {newOptions(""), map[string]wrapper{"run": {options: newOptions("a: r: s: e: x app: remote: size: env: type: exit-code " +
		"no-tty no-launcher no-notify"), either: true, place: remote}}, nil},
	"fly":     flyCommands,
	"flyctl":  flyCommands,
	"railway": {newOptions(""), map[string]wrapper{"run": runsNext("s: e: service: environment:", 0)}, nil},
	"az":      {newOptions("o: output: subscription: query:"), nil, map[string][]string{"": {"scripts", "command"}}},
	"rr":      {newOptions(""), map[string]wrapper{"record": runsNext("n: o: h env: output-trace-dir: chaos", 0)}, nil},
	"pm2":     {newOptions("s silent"), map[string]wrapper{"start": pm2Start, "restart": pm2Start}, nil},
	"dagger":  {newOptions("s progress: silent"), map[string]wrapper{"run": runsNext("progress:", 0)}, nil},
	"devbox":  {newOptions("q"), map[string]wrapper{"run": runsNext("c: e: pure quiet env: env-file: config:", 0)}, nil},
	"devenv":  {newOptions(""), map[string]wrapper{"shell": runsNext("c: clean:", 0)}, nil},
}

var (
	miseExec  = wrapper{options: newOptions("c: command: j: jobs: raw"), codes: []string{"c", "command"}, dashes: true}
	adbShell  = wrapper{options: newOptions("e: n t T x"), text: true, bare: true, place: remote}
	ctrExec   = wrapper{options: newOptions("t d exec-id: cwd: user: tty detach fifo-dir:"), operands: 1, place: contained}
	imageExec = wrapper{options: newOptions("B: H: W: S: c e C i p f bind: home: workdir: scratch: env: env-file: pwd: overlay: app: nv " +
		"rocm contain containall cleanenv fakeroot writable writable-tmpfs"), operands: 1, place: contained}
	pm2Start = wrapper{options: newOptions("n: i: f name: instances: interpreter: log: time watch no-autorestart"), either: true}

	flyCommands = subcommandSpec{newOptions("a: t: app: access-token: verbose"), map[string]wrapper{
		"ssh console": {
			options: newOptions("C: a: s: u: A: command: app: select user: address: machine: pty"), codes: []string{"C", "command"},
			place: remote,
		},
	}, nil}
)

// subcommand reads a program with subcommands.
func subcommand(r *reader, c invocation) value {
	spec := subcommands[c.name]
	args := slices.DeleteFunc(slices.Clone(c.args), func(arg string) bool {
		// This removes terraform -chdir=DIR and cargo +nightly.
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
	for words := min(2, len(rest)-1); words > 0; words-- {
		if w, ok := spec.run[strings.Join(rest[:words], " ")]; ok {
			c.args = rest[words:]
			return w.handle(r, c)
		}
	}
	if c.name == "bun" {
		return interpreter(r, c)
	}
	subcommandRunners[c.name].read(r, c)
	r.settings(c)
	return unknownValue
}
