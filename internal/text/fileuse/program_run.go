package fileuse

import "strings"

// interpreters returns the programs that run a file that they are given.
func interpreters() map[string]program {
	return map[string]program{
		"python pypy": runsPython,
		"node nodejs": scriptPlan{options: "r< require< import< loader: experimental-loader: C: conditions: env-file< title: inspect? e: eval: " +
			"p: print:", never: "e eval p print v version"}.program(),
		"php":        scriptPlan{options: "c< d: f< r: B: R: F< E: S: t: z<", never: "f r B R F S v i m"}.program(),
		"lua luajit": scriptPlan{options: "e: l:", never: "v"}.program(),
		"rscript":    scriptPlan{options: "e: default-packages:", never: "e version"}.program(),
		"tsx ts-node deno bun": scriptPlan{
			options: "e: eval: p: P< project< c< config< import-map< r< preload< require< env-file< cwd:",
			never:   "e eval p", subcommand: "run",
		}.program(),
		"java": scriptPlan{
			options: "jar< cp: classpath: p: module-path: m: module:",
			never:   "jar m module version cp classpath", dashed: true, named: true,
		}.program(),
		"go":                        golang,
		"pip pipx":                  installs,
		"osascript":                 scriptPlan{options: "e: l: s:", never: "e"}.program(),
		"tclsh expect wish julia r": scriptPlan{options: "e: c: f< b<", never: "e c f b"}.program(),
	}
}

// A scriptPlan describes an interpreter, which runs the file that its first operand names.
type scriptPlan struct {
	options    string
	never      string // options with which the operand is no file
	subcommand string // a word that may come before the file; then other words are files only if they look like one
	dashed     bool
	named      bool // only a word that looks like a file is one
}

func (p scriptPlan) program() program {
	o := newOptions(p.options)
	o.dashed = p.dashed
	never := strings.Fields(p.never)
	return func(l line) {
		args, rest := o.lead(l.args)
		if p.subcommand != "" && len(rest) > 0 && rest[0] == p.subcommand {
			var more parsed
			more, rest = o.lead(rest[1:])
			args.given = append(args.given, more.given...)
		}
		l.files(o, args)
		if len(rest) == 0 || args.has(never...) {
			return
		}
		if (p.named || p.subcommand != "") && !strings.ContainsAny(rest[0], `./\`) {
			return
		}
		l.use(Reads, rest[0])
	}
}

var pythonOptions = newOptions("c: m: W: X: Q:")

// runsPython reads python. Its module pip writes to a given folder.
func runsPython(l line) {
	args, rest := pythonOptions.lead(l.args)
	switch modules := args.values("m"); {
	case len(modules) > 0 && modules[0] == "pip":
		l.args = rest
		installs(l)
	case len(rest) > 0 && !args.has("c", "m"):
		l.use(Reads, rest[0])
	}
}

var pipOptions = newOptions(`t: target: d: dest: r< requirement< c< constraint< i: index-url: extra-index-url: f: find-links: e:
	editable: prefix: root: src: log> b:
	build: cache-dir: python: platform: python-version: implementation: abi: report> w: wheel-dir: proxy: trusted-host: timeout: retries:
	upgrade-strategy:`)

// installs reads pip, which writes to the folders that its options name.
func installs(l line) {
	args := pipOptions.parse(l.args)
	l.files(pipOptions, args)
	for _, folder := range args.values("t", "target", "d", "dest", "prefix", "root", "src", "w", "wheel-dir") {
		l.unpacked(folder)
	}
}

var goOptions = func() options {
	o := newOptions(`o> C: p: asmflags: gcflags: ldflags: gccgoflags: tags: mod: modfile: overlay: pkgdir: toolexec: exec: buildmode:
		compiler: installsuffix: pgo:
		run: skip: bench: benchtime: count: cpu: timeout: parallel: fuzz: fuzztime: list: shuffle: vet: coverpkg: covermode: coverprofile>
		cpuprofile> memprofile> blockprofile>
		mutexprofile> trace> outputdir:`)
	o.dashed = true
	return o
}()

// golang reads the options of go that name a file to write, and the files given to go run.
func golang(l line) {
	if len(l.args) == 0 {
		return
	}
	args, rest := goOptions.lead(l.args[1:])
	folder := ""
	for _, dir := range args.values("C") {
		folder = dir
	}
	for _, given := range args.given {
		if goOptions.signs[given.name] == '>' {
			l.use(Writes, below(folder, given.value))
		}
	}
	if l.args[0] == "run" && len(rest) > 0 && strings.HasSuffix(rest[0], ".go") {
		l.use(Reads, below(folder, rest[0]))
	}
}

// ran notes the file that a command runs if its program is given as a path. Installed programs are left out.
func (f *finder) ran(path string) {
	cut := strings.LastIndexAny(path, `/\`)
	if cut < 0 {
		return
	}
	folder := strings.TrimRight(path[:cut], `/\`)
	switch folder[strings.LastIndexAny(folder, `/\`)+1:] {
	case "bin", "sbin", "libexec", ".bin", "Scripts", "System32", "system32":
		return
	}
	f.use(Reads, path)
}
