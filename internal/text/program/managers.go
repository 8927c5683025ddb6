package program

// managers are the programs with subcommands that run other commands or manage packages, clouds and machines.
var managers = []*Entry{
	{Names: "npm", Options: "C: s w: loglevel: prefix: silent workspace: f,force g,global D,save-dev", Subs: []Entry{
		{Names: "exec x", Options: "c$ p: y call$ package: yes", Runs: &Runs{}},
	}},
	{Names: "pnpm", Options: "C: F: r w dir: filter: recursive f,force g,global D,save-dev", Subs: []Entry{
		{Names: "dlx", Options: "c package:", Runs: &Runs{Either: true}},
		{Names: "exec", Options: "c r", Runs: &Runs{Either: true}},
	}},
	{Names: "yarn", Options: "s cwd: silent", Subs: []Entry{
		{Names: "dlx", Options: "p: q package:", Runs: &Runs{Either: true}},
		{Names: "exec", Runs: &Runs{Either: true}},
	}},
	{Names: "bundle", Subs: []Entry{
		{Names: "exec", Options: "gemfile: keep-file-descriptors", Runs: &Runs{}},
	}},
	{Names: "poetry", Options: "C: n P: q v directory: project:", Subs: []Entry{
		{Names: "run", Runs: &Runs{}},
	}},
	{Names: "pipenv", Options: "q v python:", Subs: []Entry{
		{Names: "run", Runs: &Runs{}},
	}},
	{Names: "uv", Options: "n q v cache-dir: color: config-file: directory: no-cache offline project:", Subs: []Entry{
		{Names: "run", Options: `m p: q s v active all-extras directory: env-file: exact extra: frozen group: index-url: isolated locked
			module no-dev no-project no-sync package: project: python: refresh script with-editable: with-requirements: with:`, Runs: &Runs{}},
		{Names: "tool", Subs: []Entry{
			{Names: "run", Options: "p: q v from: isolated python: with-editable: with:", Runs: &Runs{}},
		}},
	}},
	{Names: "pdm", Options: "p: q v", Subs: []Entry{
		{Names: "run", Options: "p: s", Runs: &Runs{}},
	}},
	{Names: "hatch", Options: "e: p: q v env:", Subs: []Entry{
		{Names: "run", Runs: &Runs{Either: true, Prefix: ":"}},
	}},
	{Names: "rye", Options: "q v", Subs: []Entry{
		{Names: "run", Runs: &Runs{}},
	}},
	{Names: "conda mamba", Subs: []Entry{
		{Names: "run", Options: "n: p: v cwd: live-stream name: no-capture-output prefix:", Runs: &Runs{}},
	}},
	{Names: "opam", Options: "y,yes q,quiet v,verbose root: switch: color: cli:", Subs: []Entry{
		{Names: "exec", Options: "switch: set-root set-switch", Runs: &Runs{}},
	}},
	{Names: "direnv", Subs: []Entry{
		{Names: "exec", Runs: &Runs{Skip: 1}},
	}},
	{Names: "pipx", Options: "q v", Subs: []Entry{
		{Names: "run", Options: "no-cache pip-args: python: spec:", Runs: &Runs{}},
	}},
	{Names: "mise", Options: "C: q v y cd:", Subs: []Entry{
		{Names: "exec x", Options: "c$ j: command$ jobs: raw", Runs: &Runs{Dashes: true}},
	}},
	{Names: "asdf rbenv pyenv", Subs: []Entry{
		{Names: "exec", Runs: &Runs{}},
	}},
	{Names: "perf", Subs: []Entry{
		{Names: "mem", Runs: &Runs{Skip: 1}},
		{Names: "record", Options: "a c: e: F: g o:", Runs: &Runs{}},
		{Names: "stat", Options: "a d e: o: r:", Runs: &Runs{}},
		{Names: "trace", Options: "e: o:", Runs: &Runs{}},
	}},
	{Names: "nix", Style: Verbs, Options: "L v extra-experimental-features: option:: c,command* I: f,file< expr: impure"},
	{Names: "nix-shell", Style: Launches, Options: "A: E: I: p: command$ expr: pure run$"},
	{Names: "vagrant", Subs: []Entry{
		{Names: "ssh winrm", Options: "c$ p command$ s: shell: e elevated t tty", Runs: &Runs{Only: true, Where: Remote}},
	}},
	{Names: "adb", Style: Dashed, Options: "a d e H: P: s: t:", Subs: []Entry{
		{Names: "exec-in exec-out shell", Options: "e: n T t x", Runs: &Runs{Text: true, Bare: true, Where: Remote}},
	}},
	{Names: "gcloud", Style: Launches, Options: `q,quiet account: format: project: command$ zone: region: configuration:
		impersonate-service-account:
		verbosity: recursive r R`, Subs: []Entry{
		{Names: "compute", Subs: []Entry{
			{Names: "ssh", Options: "project: ssh-flag: tunnel-through-iap zone:", Runs: &Runs{Skip: 1, Text: true, Dashes: true, Where: Remote}},
		}},
	}},
	{Names: "ip", Options: "j n,netns: p", Subs: []Entry{
		{Names: "netns vrf", Subs: []Entry{{Names: "exec", Runs: &Runs{Skip: 1}}}},
	}},
	{Names: "cargo", Options: "C: q v Z: color: config: frozen locked offline", Subs: []Entry{
		{
			Names: "watch", Options: "B: c C: d: E: i: q s$ w: x: delay: exec: ignore: no-restart postpone shell$ use-shell: watch: why workdir:",
			Runs: &Runs{},
		},
	}},
	{Names: "systemctl", Style: Verbs, Options: "H,host: M,machine: n: o: p: q,quiet t: a,all f,force no-pager now system user no-block"},
	{Names: "gsutil", Style: Verbs, Options: "m D q r,R d n o: h: u:"},
	{Names: "helm", Style: Verbs | Launches, Options: `post-renderer$ n,namespace: f,values< debug kube-context: kubeconfig: set:
		set-string: version: timeout:`},
	{Names: "aws", Style: Verbs, Options: `debug endpoint-url@ no-cli-pager output: profile: query: region: color: ca-bundle:
		command: cli-read-timeout: cli-connect-timeout:
		cli-binary-format: parameters: exclude: include: acl: storage-class: content-type: metadata:
		no-verify-ssl no-paginate no-sign-request cli-auto-prompt recursive delete dryrun quiet`},
	{Names: "gh", Options: `R,repo: d: desc: f: filename: t: title: n: notes: F,notes-file< body-file< b: body: D: dir: p:
		pattern: hostname@ a: assignee: l: label: m: milestone: B: base: H: head: reviewer: T: template: target: discussion-category:
		notes-start-tag: L: limit: json: q: jq: S: search: s: state: match-head-commit: subject: draft prerelease latest verify-tag
		generate-notes notes-from-tag fail-on-no-commits clobber web fill fill-first fill-verbose squash merge rebase auto admin
		delete-branch approve request-changes comment public dry-run h,help version`, Subs: []Entry{
		{Names: "gist", Subs: []Entry{{Names: "create new", Files: &Files{}}}},
		{Names: "api", Options: "input< X,method: F,field: f,raw-field: H,header: cache: p,preview: i,include paginate silent slurp verbose"},
		{Names: "issue pr", Subs: []Entry{{Names: "create new comment edit review merge", Options: "F,body-file<"}}},
		{Names: "release", Subs: []Entry{{Names: "create upload", Files: &Files{Skip: 1}}}},
		{Names: "codespace cs", Subs: []Entry{{
			Names: "ssh", Options: "c,codespace: profile: server-port: config debug", Runs: &Runs{Text: true, Where: Remote},
		}}},
	}},
	{Names: "apt apt-get", Style: Verbs, Options: "c: o: q,quiet t: y,yes,assume-yes purge reinstall f,fix-broken m,fix-missing s,simulate"},
	{Names: "terraform tofu", Style: Verbs | Dashed, Options: "chdir/ version help"},
	{Names: "dotnet brew", Style: Verbs},
	{Names: "pixi", Options: "q v", Subs: []Entry{
		{Names: "exec", Options: "c: s: channel: spec:", Runs: &Runs{}},
		{Names: "run", Options: "e: environment: frozen locked manifest-path:", Runs: &Runs{}},
	}},
	{Names: "micromamba", Subs: []Entry{
		{Names: "run", Options: "a: d e: n: p: attach: clean-env cwd: detach env: name: prefix:", Runs: &Runs{}},
	}},
	{
		Names: "deno", Options: "e: eval: P< c,config< import-map< r,reload? preload< env-file? cwd/ q,quiet L,log-level: A,allow-all unstable",
		Files: &Files{Script: true, Named: true, Never: "e eval"},
		Subs:  []Entry{{Names: "run", Files: &Files{Script: true, Named: true}}, {Names: "eval"}},
	},
	{
		Names: "bun", Options: "cwd/ silent e,eval: p,print: c,config< r,preload< env-file< tsconfig-override<",
		Files: &Files{Script: true, Named: true, Never: "e p"}, Subs: []Entry{
			{Names: "run", Files: &Files{Script: true, Named: true}},
			{Names: "x", Options: "p: bun package:", Runs: &Runs{}},
		},
	},
	{Names: "op", Options: "account: cache config: debug format: session:", Subs: []Entry{
		{Names: "run", Options: "env-file: no-masking", Runs: &Runs{}},
	}},
	{Names: "doppler", Options: "t: debug json print-config scope: silent token:", Subs: []Entry{
		{Names: "run", Options: `c: p: t: command$ config: fallback: forward-signals mount-format: mount: name-transformer: only-secrets:
			preserve-env project: token: watch`, Runs: &Runs{}},
	}},
	{Names: "infisical", Options: "l: domain: log-level: silent token:", Subs: []Entry{
		{Names: "run", Options: "c$ e: t: command$ env: expand path: projectId: secret-overriding tags: watch", Runs: &Runs{}},
	}},
	{Names: "aws-vault", Options: "backend: debug keychain: prompt:", Subs: []Entry{
		{
			Names: "exec", Options: "d: j n s t: duration: ec2-server ecs-server json lazy mfa-token: no-session prompt: region: server stdout",
			Runs: &Runs{Skip: 1},
		},
	}},
	{Names: "chamber", Options: "b: r: v backend: retries: verbose", Subs: []Entry{
		{Names: "exec", Options: "pristine strict strict-value:", Runs: &Runs{Skip: 1, Dashes: true}},
	}},
	{Names: "teller", Options: "c: config:", Subs: []Entry{
		{Names: "run", Options: "reset shell", Runs: &Runs{}},
	}},
	{Names: "sops", Subs: []Entry{
		{Names: "exec-env", Runs: &Runs{Skip: 1, Text: true}},
		{Names: "exec-file", Options: "background filename: no-fifo user:", Runs: &Runs{Skip: 1, Text: true}},
	}},
	{Names: "flatpak", Options: "v system user", Subs: []Entry{
		{Names: "enter", Runs: &Runs{Skip: 1}},
		{Names: "run", Options: "a d p u: arch: branch: command! cwd: devel device: env: filesystem: share: socket:", Runs: &Runs{}},
	}},
	{Names: "snap", Subs: []Entry{
		{Names: "run", Options: "command! shell strace", Runs: &Runs{}},
	}},
	{Names: "toolbox", Options: "v y", Subs: []Entry{
		{Names: "run", Options: "c: d: r: container: distro: release:", Runs: &Runs{Where: Contained}},
	}},
	{Names: "distrobox", Options: "v", Subs: []Entry{
		{Names: "enter", Options: "a: n: r T additional-flags: name: root", Runs: &Runs{Skip: 1, Dashes: true, Where: Contained}},
	}},
	{Names: "proot-distro", Subs: []Entry{
		{
			Names: "login", Options: "bind: fix-low-ports isolated shared-tmp termux-home user:",
			Runs: &Runs{Skip: 1, Dashes: true, Where: Contained},
		},
	}},
	{Names: "crictl", Options: "c: D i: r: t: config: debug image-endpoint: runtime-endpoint: timeout:", Subs: []Entry{
		{Names: "exec", Options: "i q s t interactive sync timeout: tty", Runs: &Runs{Skip: 1, Where: Contained}},
	}},
	{Names: "ctr", Options: "a: n: address: debug namespace: timeout:", Subs: []Entry{
		{
			Names: "run", Options: "d t cwd: env: mount: net-host privileged rm runtime: snapshotter: tty user:",
			Runs: &Runs{Skip: 2, Where: Contained},
		},
		{Names: "t task tasks", Subs: []Entry{
			{Names: "exec", Options: "d t cwd: detach exec-id: fifo-dir: tty user:", Runs: &Runs{Skip: 1, Where: Contained}},
		}},
	}},
	{Names: "runc", Options: "debug log: root: systemd-cgroup", Subs: []Entry{
		{Names: "exec", Options: "d e: p: t u: cwd: detach env: pid-file: process: tty user:", Runs: &Runs{Skip: 1, Where: Contained}},
	}},
	{Names: "buildah", Options: "log-level: root: runroot: storage-driver:", Subs: []Entry{
		{
			Names: "run", Options: "e: t v: cap-add: env: isolation: mount: network: tty user: volume: workingdir:",
			Runs: &Runs{Skip: 1, Where: Contained},
		},
		{Names: "unshare", Runs: &Runs{}},
		{Names: "add copy", Options: "chown: chmod: from: q,quiet", Files: &Files{Skip: 1, Tree: "*"}},
	}},
	{Names: "machinectl", Options: "E: H: M: q setenv: uid:", Subs: []Entry{
		{Names: "shell", Options: "E: setenv: uid:", Runs: &Runs{Skip: 1, Where: Contained}},
	}},
	{Names: "singularity apptainer", Options: "d q s v debug quiet silent verbose", Subs: []Entry{
		{Names: "exec run", Options: `B: C c e f H: i p S: W: app: bind: cleanenv contain containall env-file: env: fakeroot home: nv overlay:
			pwd: rocm scratch: workdir: writable writable-tmpfs`, Runs: &Runs{Skip: 1, Where: Contained}},
		{Names: "shell", Options: "B: H: s:", Runs: &Runs{Skip: 1, Bare: true}},
	}},
	{Names: "limactl", Options: "debug log-level:", Subs: []Entry{
		{Names: "shell", Options: "shell: workdir:", Runs: &Runs{Skip: 1, Where: Remote}},
	}},
	{Names: "colima", Options: "p: v profile:", Subs: []Entry{
		{Names: "ssh", Options: "p: profile:", Runs: &Runs{Where: Remote}},
	}},
	{Names: "multipass", Options: "v", Subs: []Entry{
		{Names: "exec", Options: "d: n no-map-working-directory working-directory:", Runs: &Runs{Skip: 1, Dashes: true, Where: Remote}},
	}},
	{Names: "heroku", Subs: []Entry{
		{
			Names: "run run:detached", Options: "a: e: r: s: x app: env: exit-code no-launcher no-notify no-tty remote: size: type:",
			Runs: &Runs{Either: true, Where: Remote},
		},
		{Names: "run:inside", Options: "a: app: exit-code listen", Runs: &Runs{Skip: 1, Either: true, Where: Remote}},
		{Names: "ps:exec", Options: "a: d: r: app: dyno: remote: ssh status", Runs: &Runs{Either: true, Where: Remote}},
	}},
	{Names: "fly flyctl", Options: "a: t: access-token: app: verbose", Subs: []Entry{
		{Names: "ssh", Subs: []Entry{
			{Names: "console", Options: "A: a: C$ s: u: address: app: command$ machine: pty select user:", Runs: &Runs{Where: Remote}},
		}},
		{Names: "machine machines m", Subs: []Entry{
			{Names: "exec", Options: "a: app: c: config: t: timeout:", Runs: &Runs{Skip: 1, Either: true, Where: Remote}},
		}},
	}},
	{Names: "eb", Subs: []Entry{{
		Names: "ssh", Options: "c$ command$ n: number: i: instance: e: custom: o force setup timeout:",
		Runs: &Runs{Only: true, Where: Remote},
	}}},
	{Names: "cf", Subs: []Entry{
		{Names: "ssh", Options: `c$ command$ i: app-instance-index: L: N k t T process: disable-pseudo-tty force-pseudo-tty
			skip-remote-execution`, Runs: &Runs{Only: true, Where: Remote}},
		{Names: "run-task rt", Options: "c$ command$ k: m: l: name: process: wait", Runs: &Runs{Only: true, Where: Remote}},
	}},
	{Names: "copilot", Subs: []Entry{{Names: "svc task job", Options: "a: e: n: app: env: name: container: task-id: yes", Subs: []Entry{
		{Names: "exec", Options: "c$ command$", Runs: &Runs{Only: true, Where: Remote}},
	}}}},
	{Names: "railway", Subs: []Entry{
		{
			Names: "ssh", Options: "s: e: p: d: service: environment: project: deployment-instance: session?",
			Runs: &Runs{Either: true, Where: Remote},
		},
		{Names: "run", Options: "e: s: environment: service:", Runs: &Runs{}},
	}},
	{Names: "az", Style: Verbs, Options: `o,output: query: subscription: scripts$ command$ exec-command$ g,resource-group: n,name: debug
		verbose
		only-show-errors y,yes`, Runs: &Runs{Only: true, Where: Remote}},
	{Names: "rr", Subs: []Entry{
		{Names: "record", Options: "h n: o: chaos env: output-trace-dir:", Runs: &Runs{}},
	}},
	{Names: "pm2", Options: "s silent", Subs: []Entry{
		{Names: "restart start", Options: "f i: n: instances: interpreter: log: name: no-autorestart time watch", Runs: &Runs{Either: true}},
	}},
	{Names: "dagger", Options: "s progress: silent", Subs: []Entry{
		{Names: "run", Options: "progress:", Runs: &Runs{}},
	}},
	{Names: "devbox", Options: "q", Subs: []Entry{
		{Names: "run", Options: "c: e: config: env-file: env: pure quiet", Runs: &Runs{}},
	}},
	{Names: "devenv", Subs: []Entry{
		{Names: "shell", Options: "c: clean:", Runs: &Runs{}},
	}},
}
