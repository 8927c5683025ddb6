package program

// toolWrappers run a command with something added: other limits, variables, a lock, a watch.
var toolWrappers = []*Entry{
	{Names: "trickle", Options: "d: l: n: s t: u: w:", Runs: &Runs{}},
	{Names: "cpulimit", Options: "b c: e: f i k l: m p: v z background foreground include-children lazy limit:", Runs: &Runs{}},
	{Names: "softlimit", Options: "a: c: d: f: l: m: o: p: r: s: t:", Runs: &Runs{}},
	{Names: "chpst", Options: "b: c: d: e: f: L: l: m: n: o: P p: r: t: U: u: v", Runs: &Runs{}},
	{Names: "setuidgid s6-setuidgid s6-envdir envdir envuidgid", Runs: &Runs{Skip: 1}},
	{Names: "with-contenv eatmydata catchsegv wine tsocks", Runs: &Runs{}},
	{Names: "tini tini-static", Options: "e: g p: s v w", Runs: &Runs{}},
	{Names: "dumb-init", Options: "c r: v rewrite: single-child verbose", Runs: &Runs{}},
	{Names: "catatonit", Options: "g L P", Runs: &Runs{}},
	{Names: "faketime", Options: "f m date-prog:", Runs: &Runs{Skip: 1}},
	{Names: "ifne", Options: "n", Runs: &Runs{}},
	{Names: "retry", Options: "d: m: t: u: delay: max: times: tries: until:", Runs: &Runs{Either: true}},
	{Names: "setlock", Options: "N n X x", Runs: &Runs{Skip: 1}},
	{Names: "lockf", Options: "k n p s t: w", Runs: &Runs{Skip: 1}},
	{Names: "lockrun", Options: "L: Q T: V W lockfile: maxtime: quiet verbose wait", Runs: &Runs{}},
	{Names: "with-lock-ex", Options: "f q w", Runs: &Runs{Skip: 1}},
	{Names: "gdbserver", Options: "attach multi once wrapper:", Runs: &Runs{Skip: 1}},
	{Names: "heaptrack", Options: "a: d o: p: r analyze: output: pid: record-only", Runs: &Runs{}},
	{Names: "memusage", Options: "d: m n: p: T t data: png: progname:", Runs: &Runs{}},
	{Names: "bear", Options: "o: append config: output:", Runs: &Runs{Dashes: true}},
	{Names: "dotenv", Options: "c e: f: o q: v: env: file: override quote:", Runs: &Runs{Assigns: true, Dashes: true, Verb: "run"}},
	{Names: "dotenvx", Options: "d e: f: q v fk:", Runs: &Runs{Dashes: true, Verb: "run"}},
	{
		Names: "env-cmd", Options: "e: f: r: v x environments: expand-envs fallback file: no-override rc-file: silent use-shell verbose",
		Runs: &Runs{},
	},
	{Names: "entr", Options: "a c d n p r s x z", Runs: &Runs{Either: true}},
	{Names: "watchexec", Options: `c d: E: e: f: i: N n o: p q r s: v W: w: clear: debounce: delay-run: emit-events-to: exts: filter:
		fs-events: ignore: no-vcs-ignore on-busy-update: poll: postpone project-origin: restart shell: signal: stop-signal: stop-timeout:
		verbose watch: workdir:`, Runs: &Runs{Either: true}},
	{Names: "reflex", Options: `d: e: G: g: R: r: s v all glob: inverse-glob: inverse-regex: only-dirs only-files regex: sequential
		shutdown-timeout: start-service`, Runs: &Runs{Either: true}},
	{Names: "onchange", Options: "a d: e: f: i j: k o: p: add delay: exclude: filter: initial kill poll:", Runs: &Runs{Skip: 1, Dashes: true}},
	{Names: "when-changed", Options: "c$ r s v", Runs: &Runs{Skip: 1, Either: true}},
	{Names: "xcrun", Options: "k l n v kill-cache log no-cache sdk: toolchain: verbose", Runs: &Runs{}},
	{Names: "qemu-x86_64 qemu-aarch64", Options: "E: L: U: cpu: strace", Runs: &Runs{}},
	{Names: "dbus-launch", Options: "auto-syntax exit-with-session sh-syntax", Runs: &Runs{}},
	{Names: "ssh-agent", Options: "a: c D d E: k O: P: s t:", Runs: &Runs{}},
	{Names: "watchman-make", Options: "p: r: s: t: make$ root: run$ settle:", Runs: &Runs{}},
	{Names: "chokidar", Options: "c$ d: f: i: p t: command$ debounce: ignore: initial silent throttle: verbose", Runs: &Runs{Skip: 1}},
	{Names: "ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-x32.so.2 ld-linux-aarch64.so.1 ld-linux-armhf.so.3 " +
		"ld-linux-riscv64-lp64d.so.1 ld64.so.1 ld64.so.2 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1 ld-musl-armhf.so.1 ld-musl-i386.so.1 " +
		"ld.so ld-linux.so ld64.so", Options: `argv0: audit% glibc-hwcaps-mask: glibc-hwcaps-prepend: help inhibit-cache inhibit-rpath:
			library-path: list list-diagnostics list-tunables preload% verify version`, Runs: &Runs{}},
}
