package shell

// toolWrappers are the programs that run a command with something added: other limits, variables, a lock, a watch.
var toolWrappers = map[string]wrapper{
	"trickle":      {options: newOptions("s d: u: w: t: l: n:")},
	"cpulimit":     {options: newOptions("l: e: p: b f z i k c: m v limit: background foreground lazy include-children")},
	"softlimit":    {options: newOptions("a: m: c: d: f: l: o: p: r: s: t:")},
	"chpst":        {options: newOptions("u: U: e: m: d: o: p: f: c: r: t: b: l: L: n: / : P 0 1 2 v")},
	"setuidgid":    {operands: 1},
	"s6-setuidgid": {operands: 1},
	"s6-envdir":    {operands: 1},
	"envdir":       {operands: 1},
	"envuidgid":    {operands: 1},
	"with-contenv": {},
	"tini":         {options: newOptions("s v w g e: p:")},
	"tini-static":  {options: newOptions("s v w g e: p:")},
	"dumb-init":    {options: newOptions("c v r: single-child verbose rewrite:")},
	"catatonit":    {options: newOptions("P L g")},
	"eatmydata":    {},
	"faketime":     {options: newOptions("m f date-prog:"), operands: 1},
	"catchsegv":    {},
	"gtime":        {options: newOptions("a f: o: p q v format: output: append portability quiet verbose")},
	"gnice":        {options: newOptions("n: adjustment:")},
	"gstdbuf":      {options: newOptions("i: o: e: input: output: error:")},
	"genv":         {options: envOptions, assigns: true},
	"ifne":         {options: newOptions("n")},
	"retry":        {options: newOptions("t: d: u: m: times: delay: until: tries: max:"), either: true},
	"setlock":      {options: newOptions("n N x X"), operands: 1},
	"lockf":        {options: newOptions("k n s t: w p"), operands: 1},
	"lockrun":      {options: newOptions("lockfile: maxtime: wait verbose quiet L: T: W V Q")},
	"with-lock-ex": {options: newOptions("w q f"), operands: 1},
	"gdbserver":    {options: newOptions("multi once wrapper: attach"), operands: 1},
	"heaptrack":    {options: newOptions("o: p: a: d r output: pid: analyze: record-only")},
	"memusage":     {options: newOptions("n: p: d: t T m progname: png: data:")},
	"bear":         {options: newOptions("o: output: append config:"), dashes: true},
	"dotenv":       {options: newOptions("f: e: v: c o q: file: quote: env: override"), dashes: true, verb: "run", assigns: true},
	"dotenvx":      {options: newOptions("f: e: fk: q v d"), dashes: true, verb: "run"},
	"env-cmd": {options: newOptions("f: e: r: x v file: environments: rc-file: fallback expand-envs silent verbose use-shell " +
		"no-override")},
	"entr": {options: newOptions("a c d n p r s x z"), either: true},
	"watchexec": {options: newOptions("e: w: W: i: f: r c d: s: p n o: N q v E: exts: watch: ignore: filter: restart clear: debounce: " +
		"shell: signal: project-origin: on-busy-update: delay-run: poll: workdir: postpone stop-signal: stop-timeout: no-vcs-ignore " +
		"emit-events-to: fs-events: verbose"), either: true},
	"reflex": {options: newOptions("r: g: R: G: s d: e: v all inverse-regex: inverse-glob: regex: glob: start-service sequential " +
		"only-files only-dirs shutdown-timeout:"), either: true},
	"onchange": {
		options: newOptions("i k p: f: d: e: a j: o: initial kill exclude: delay: add poll: filter:"), operands: 1,
		dashes: true,
	},
	"when-changed":  {options: newOptions("v r 1 s c:"), operands: 1, either: true, codes: []string{"c"}},
	"xcrun":         {options: newOptions("sdk: toolchain: l n k v log no-cache kill-cache verbose")},
	"wine":          {},
	"qemu-x86_64":   {options: newOptions("L: E: U: cpu: strace")},
	"qemu-aarch64":  {options: newOptions("L: E: U: cpu: strace")},
	"dbus-launch":   {options: newOptions("exit-with-session sh-syntax auto-syntax")},
	"ssh-agent":     {options: newOptions("a: c s k D d E: P: t: O:")},
	"tsocks":        {},
	"watchman-make": {options: newOptions("p: t: s: r: run: settle: root: make:"), codes: []string{"run", "make"}},
	"chokidar": {
		options: newOptions("c: d: t: i: f: p command: debounce: throttle: ignore: silent initial verbose"), operands: 1,
		codes: []string{"c", "command"},
	},
}

// loaders are the names of the program that loads others.
const loaders = `ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-x32.so.2 ld-linux-aarch64.so.1 ld-linux-armhf.so.3
	ld-linux-riscv64-lp64d.so.1
	ld64.so.1 ld64.so.2 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1 ld-musl-armhf.so.1 ld-musl-i386.so.1`

var loaderWrapper = wrapper{options: newOptions(`list verify inhibit-cache library-path: inhibit-rpath: audit: preload: argv0: help version
	glibc-hwcaps-prepend: glibc-hwcaps-mask: list-tunables list-diagnostics`)}
