package program

// interpreters are the programs that run code: of a file, of an option or of their input. The options with code have the sign of a
// value, because the code is not that of a shell.
var interpreters = []*Entry{
	{Names: "python pypy ipython", Style: Stops, Options: "c: m: W: X: Q: b B d E h i I O P q R s S t u v V x check-hash-based-pycs:"},
	{
		Names: "node nodejs", Options: `r,require< import< loader: experimental-loader: C,conditions: env-file< env-file-if-exists< title:
		inspect? e,eval: p,print: c,check i,interactive v,version test watch watch-path: test-name-pattern: test-reporter:
		test-reporter-destination> max-old-space-size: stack-trace-limit: enable-source-maps experimental-vm-modules no-warnings
		trace-warnings prof cpu-prof expose-gc input-type: h,help run: permission allow-fs-read: allow-fs-write:`,
		Files: &Files{Script: true, Never: "e p v"},
	},
	{Names: "php", Options: "c< d: f< r: B: R: F< E: S: t: z< v i m n q l w s H C a h ini rf: rc: re: ri:", Files: &Files{
		Script: true, Never: "f r B R F S v i m",
	}},
	{Names: "lua luajit", Options: "e: l: i v E W - b? O? j?", Files: &Files{Script: true, Never: "v"}},
	{Names: "rscript", Options: "e: default-packages: vanilla verbose version no-save slave", Files: &Files{Script: true, Never: "e version"}},
	{
		Names: "tsx ts-node", Options: `e,eval: p,print: P,project< tsconfig< c,config< import-map< r,require< env-file< cwd: watch T
		transpile-only esm files script-mode s C,compiler: O,compiler-options: I,ignore: D,ignore-diagnostics: i`,
		Files: &Files{Script: true, Named: true, Never: "e p"},
	},
	{Names: "java", Style: Dashed, Options: `jar< cp,classpath,class-path: p,module-path: m,module: version add-modules: add-opens:
		add-exports: add-reads: ea da esa server client showversion agentlib? agentpath? javaagent? source: enable-preview`, Files: &Files{
		Script: true, Named: true, Never: "jar m version cp",
	}},
	{Names: "osascript", Options: "e: l: s: i", Files: &Files{Script: true, Never: "e"}},
	{
		Names: "tclsh expect wish julia r groovy", Options: "e: c: f< b< L< p: t: J: E: d D n i q v",
		Files: &Files{Script: true, Never: "e c f b"},
	},
	{Names: "perl ruby", Style: Stops, Options: "e: E: i? I: M: m: F: C? D? l? 0? x? r: a c n p s S t T u U v w W? X h d? K? y"},
	{Names: "gdb lldb", Style: Stops | Dashed, Options: `args* ex: x< command< batch q quiet p,pid: c,core< cd/ d: s: e: iex: ix< n nx nh
		o,one-line: O: k: S< r f< b w tui`},
	{Names: "openssl", Hosts: Connects, Style: Dashed, Options: `in: out> keyout> inkey: passin: passout: pass: k: kfile: K: iv: S: md:
		days: subj: config: extensions: extfile: CA: CAkey: CAcreateserial connect@ proxy@ servername: cert: key: certfile: name: inform:
		outform: keyform: signkey: set_serial: reqexts: newkey: newhdr: text noout pubout pubin modulus nodes noenc des3 aes256 d e a A base64
		salt pbkdf2 iter: export nocerts nokeys clcerts cacerts new x509 verify CAfile: CApath: showcerts starttls: accept: port: www WWW
		quiet tls1_2 tls1_3 hex rand: r c binary sign: verify_return_error signature: topk8 nocrypt v1: v2: pkeyopt: algorithm:
		engine$ provider-path$`},
}

// builders are the programs that build and install other programs.
var builders = []*Entry{
	{Names: "go", Style: Dashed | Launches, Options: `o> C/ p: asmflags: gcflags: ldflags: gccgoflags: tags: mod: modfile: overlay<
		pkgdir: toolexec$
		exec$ vettool$ buildmode: compiler: installsuffix: pgo: run: skip: bench: benchtime: count: cpu: timeout: parallel: fuzz: fuzztime:
		list: shuffle: vet: coverpkg: covermode: coverprofile> cpuprofile> memprofile> blockprofile> mutexprofile> trace> outputdir: a n v x
		race msan asan cover json short failfast work trimpath buildvcs? i c benchmem fullpath u t d m e f: deps test modcacherw linkshared
		cleancache modcache testcache r`, Subs: []Entry{
		{Names: "run", Style: Stops},
		{Names: "build test install vet list generate tool env mod work fmt doc get clean version fix bug telemetry"},
	}},
	{Names: "pip", Style: Verbs, Options: `t,target: d,dest: r,requirement< c,constraint< i,index-url@ extra-index-url@ f,find-links:
		e,editable: prefix: root: src: log> b,build: cache-dir: python: platform: python-version: implementation: abi: report> w,wheel-dir:
		proxy@ trusted-host@ timeout: retries: upgrade-strategy: exists-action: cert: client-cert: progress-bar: only-binary: no-binary:
		global-option: config-settings: format: exclude: path: U,upgrade q,quiet v,verbose y,yes user pre force-reinstall I,ignore-installed
		no-deps no-cache-dir break-system-packages require-virtualenv isolated no-input no-index no-build-isolation use-pep517 dry-run
		disable-pip-version-check require-hashes l,local o,outdated u,uptodate not-required`},
	{Names: "cmake", Options: `E S: B: G: D: C< P< A: T: U: build: install: preset: toolchain: t,target: j,parallel? config: fresh L N
		trace`, Subs: []Entry{
		{Names: "env time", Options: "unset: modify:", Runs: &Runs{Assigns: true}},
		{Names: "chdir", Runs: &Runs{Skip: 1, Assigns: true}},
	}},
}
