package program

// wrappers are the programs that only run the command in their arguments.
var wrappers = []*Entry{
	{Names: "sudo", Options: `A,askpass B,bell b,background E,preserve-env? e,edit H,set-home i,login K,remove-timestamp k,reset-timestamp
		l,list N,no-update n,non-interactive P,preserve-groups S,stdin s,shell V,version v,validate a: C,close-from: c: D,chdir/ g,group:
		h,host: p,prompt: R,chroot: r,role: t,type: T,command-timeout: U,other-user: u,user:`, Runs: &Runs{Assigns: true, Bare: true}},
	{Names: "doas", Options: "a: C: L n s u:", Runs: &Runs{Bare: true}},
	{Names: "pkexec", Options: "disable-internal-agent keep-cwd user:", Runs: &Runs{}},
	{Names: "kdesu gksu gksudo beesu lxqt-sudo lxsudo", Options: "c$ u: f: p: t n d command$ user: message:", Runs: &Runs{Either: true}},
	{Names: "dzdo pfexec please sudo-rs sesudo", Options: "u: g: p: P: n i s E H user: group:", Runs: &Runs{Bare: true}},
	{Names: "run0", Options: `u: g: D: user: group: unit: property: description: slice: slice-inherit nice: chdir/ setenv: background: machine:
		pty pipe shell-prompt-prefix: no-ask-password`, Runs: &Runs{Bare: true}},
	{Names: "gosu su-exec", Runs: &Runs{Skip: 1}},
	{Names: "nohup busybox toybox winpty start noglob nocorrect", Runs: &Runs{}},
	{Names: "nice", Options: "n: adjustment:", Runs: &Runs{}},
	{Names: "ionice", Options: "c: n: P: p: t u: class: classdata: ignore", Runs: &Runs{}},
	{Names: "timeout", Options: "f k: p s: v foreground kill-after: preserve-status signal: verbose", Runs: &Runs{Skip: 1}},
	{Names: "stdbuf", Options: "e: i: o: error: input: output:", Runs: &Runs{}},
	{Names: "setsid", Options: "c f w ctty fork wait", Runs: &Runs{}},
	{Names: "time", Options: "a f: h l o: p q v append format: output: portability quiet verbose", Runs: &Runs{}},
	{Names: "exec", Options: "a: c l", Runs: &Runs{}},
	{Names: "chroot", Options: "G: g: u: groups: skip-chdir userspec:", Runs: &Runs{Skip: 1, Bare: true}},
	{Names: "unshare", Options: `C c f G: i m n p r R: S: T U u w: fork ipc kill-child map-current-user map-root-user mount mount-proc net
		pid root: setgid: setuid: user uts wd:`, Runs: &Runs{Bare: true}},
	{Names: "nsenter", Options: `a C F G: i m n p r S: T t: U u w Z all cgroup ipc mount net no-fork pid preserve-credentials root setgid:
		setuid: target: user uts wd`, Runs: &Runs{Bare: true}},
	{
		Names: "systemd-run", Options: `d E: G H: M: P p: q r S t u: collect description: gid: host: machine: nice: on-active: on-boot:
		on-calendar: pipe property: pty quiet same-dir scope setenv: shell slice: timer-property: uid: unit: user wait working-directory:`,
		Runs: &Runs{},
	},
	{Names: "fakeroot", Options: "b: i: l: s: u", Runs: &Runs{}},
	{Names: "caffeinate", Options: "d i m s t: u w:", Runs: &Runs{}},
	{Names: "arch", Options: "c d: e: h arm64 x86_64", Runs: &Runs{}},
	{Names: "setarch", Options: "B F I L p R S T v X Z addr-no-randomize", Runs: &Runs{Skip: 1}},
	{Names: "taskset", Options: "a c p all-tasks cpu-list pid", Runs: &Runs{Skip: 1}},
	{Names: "chrt", Options: "a b d f i m o p R r v", Runs: &Runs{Skip: 1}},
	{Names: "numactl", Options: `a C: i: l m: N: p: all cpunodebind: interleave: localalloc membind: physcpubind: preferred:`, Runs: &Runs{}},
	{Names: "prlimit", Options: "o: p: noheadings output: pid: raw verbose", Runs: &Runs{}},
	{Names: "cgexec", Options: "g: sticky", Runs: &Runs{}},
	{Names: "runcon", Options: "c l: r: t: u: compute range: role: type: user:", Runs: &Runs{Skip: 1}},
	{Names: "setpriv", Options: `d ambient-caps: bounding-set: clear-groups groups: inh-caps: init-groups keep-groups no-new-privs regid:
		reset-env reuid:`, Runs: &Runs{}},
	{Names: "strace", Options: `a: b: C c D d E: e: F f h i I: k n O: o: P: p: q r S: s: T t U: u: V v w x X: Y y Z z follow-forks output:
		trace:`, Runs: &Runs{}},
	{Names: "ltrace", Options: "A: a: b C c d D: e: f F: h i L l: n: o: p: r S s: T t u: V w: x:", Runs: &Runs{}},
	{Names: "valgrind", Options: "q v leak-check: log-file: tool:", Runs: &Runs{}},
	{Names: "unbuffer", Options: "p", Runs: &Runs{}},
	{Names: "rlwrap", Options: "a b: c f: H: i l: m M: N n o O: p P: q: R r S: s: t: U W: w: z:", Runs: &Runs{}},
	{Names: "chronic", Options: "e v", Runs: &Runs{}},
	{Names: "xvfb-run", Options: "a e: f: h l n: p: s: w: auto-servernum error-file: server-args: server-num:", Runs: &Runs{}},
	{Names: "torsocks", Options: "a: d i P: p: q u:", Runs: &Runs{}},
	{Names: "proxychains proxychains4", Options: "f: q", Runs: &Runs{}},
	{Names: "wsl", Options: "d: e u: cd: distribution: exec shell-type: user:", Runs: &Runs{Bare: true}},
	{Names: "npx", Options: "c$ p: q w: y call$ no package: quiet workspace: yes", Runs: &Runs{}},
	{Names: "bunx", Options: "p: bun package:", Runs: &Runs{}},
	{Names: "uvx", Options: "p: q from: python: with:", Runs: &Runs{}},
	{Names: "dbus-run-session", Options: "config-file: dbus-daemon:", Runs: &Runs{}},
	{Names: "script", Options: "a B: c$ e E: f I: O: q t T: append command$ flush quiet return", Runs: &Runs{Skip: 1}},
	{
		Names: "watch", Options: "b C c d e g n: p t w x beep chgexit color differences errexit exec interval: no-title precise",
		Runs: &Runs{Text: true, Words: "x exec"},
	},
	{Names: "flock", Options: "c$ e E: F n o s u w: x close command$ exclusive nonblock shared timeout: unlock wait:", Runs: &Runs{Skip: 1}},
	{Names: "hyperfine", Options: `c$ i M: m: N p$ r: s$ S: w: cleanup$ export-json: export-markdown: max-runs: min-runs: prepare$ runs:
		setup$ conclude$ shell: warmup: output: reference$ parameter-scan::: parameter-list:: L::`, Runs: &Runs{Each: true}},
	{Names: "nodemon", Options: "e: i: q w: x$ exec$ ext: ignore: watch:", Runs: &Runs{}},
	{Names: "concurrently conc", Options: `c: k m: n: p: P r s: g,group kill-others kill-others-on-fail max-processes: names: prefix: raw
		success: prefix-colors: restart-tries: restart-after: timings default-input-target: hide: teardown$ cwd/`, Runs: &Runs{Each: true}},
	{Names: "mprocs", Options: "c: s: config: ctl: names: npm server:", Runs: &Runs{Each: true}},
	{Names: "pee mispipe", Runs: &Runs{Each: true}},
	{Names: "cross-env", Runs: &Runs{Assigns: true}},
	{Names: "cross-env-shell", Runs: &Runs{Assigns: true, Text: true}},
}
