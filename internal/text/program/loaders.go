package program

// loaders are the programs that load a file with code, or a program, that an option names. They read the files in their operands.
var loaders = []*Entry{
	{Names: "nmap", Style: Dashed, Options: `script% script-args: datadir% servicedb< versiondb< resume< iL,excludefile< oN,oX,oS,oG,oA>
		p: e: g: S: D: T:
		b: proxies: dns-servers: stylesheet: exclude: max-retries: host-timeout: min-rate: max-rate: interactive`},
	{Names: "yt-dlp youtube-dl", Options: `exec$ exec-before-download$ downloader,external-downloader$ config-location,config-locations%
		plugin-dirs% netrc-cmd$ ffmpeg-location% o,output: P,paths: f,format: a,batch-file< cookies< load-info-json< r: u: p: x k`},
	{Names: "mpv mplayer vlc", Style: Dashed, Options: `script% scripts% lua% ytdl-hook% input-conf< include< stream-capture>
		o>`, Files: &Files{}},
	{Names: "logrotate", Options: "m,mail$ s,state> l,log> f,force d,debug v,verbose", Files: &Files{}},
	{Names: "unison", Style: Dashed, Options: "sshcmd$ rshcmd$ servercmd$ diff$ merge$ editor$ root: batch auto"},
	{Names: "rdiff-backup duplicity", Options: "remote-schema$ ssh-askpass rsync-options: ssh-options: use-agent", Files: &Files{}},
	{Names: "dar", Options: "E,execute$ F,ref-cipher: c: x: R/ g: P: X: I: B<"},
	{Names: "mksquashfs", Style: Dashed, Options: "p: pd: pf< comp: e: root-owned noappend", Files: &Files{LastWritten: true}},
	{Names: "gpg-agent", Options: "pinentry-program$ scdaemon-program$ homedir/ options< daemon"},
	{Names: "ssh-add", Options: "s% e% t: S% k D d L l x X q v K A c C h: H: T:"},
	{Names: "pkcs11-tool p11tool opensc-tool", Options: "module% provider% l,login p,pin: O r y: o,output-file> i,input-file<"},
	{Names: "aria2c", Options: `on-download-complete$ on-bt-download-complete$ on-download-error$ on-download-start$ on-download-stop$
		on-download-pause$ conf-path% i,input-file< o,out> d,dir: x: s: j: k: l,log> load-cookies< save-session> header: user-agent:
		all-proxy@ http-proxy@ https-proxy@ checksum: c,continue q,quiet`, Hosts: Connects},
	{Names: "stap", Options: "c$ e: x: g v o> m: D: B:", Files: &Files{Script: true}},
	{Names: "udevadm", Options: "a: s: t: p: e"},
	{Names: "dhclient", Options: "sf$ cf% lf> pf> d v r x 4 6 1 q n w"},
	{Names: "openvpn", Options: `config% up$ down$ ipchange$ route-up$ route-pre-down$ client-connect$ tls-verify$ auth-user-pass-verify$
		learn-address$ plugin% script-security: dev: remote: port: proto: cd/ daemon`},
	{Names: "redis-server", Options: `loadmodule% port: bind: dir/ daemonize: save: appendonly: requirepass: dbfilename:
		protected-mode:`, Files: &Files{}},
	{Names: "tshark wireshark", Options: "X: r< w> i: f: Y: T: e: c: a: b: d: o: z: n l V q x"},
	{Names: "run-parts", Options: "test list verbose report reverse exit-on-error umask: a: arg: regex:"},
}

// workLoaders are the same for the tools of a project: linters, tests and builds. That they load code of the project is their work.
var workLoaders = []*Entry{
	{Names: "ansible-playbook", Style: Launches, Options: `i,inventory% vault-password-file% connection-password-file% become-password-file%
		e,extra-vars: l,limit: t,tags: skip-tags: u,user: f,forks: M,module-path% ssh-common-args: ssh-extra-args: private-key: c: T: b K k C
		D v check diff syntax-check list-tasks list-hosts`, Files: &Files{}},
	{Names: "pytest py.test", Style: Launches, Options: `c,config-file% p: rootdir: confcutdir% o,override-ini: k: m: n: maxfail: tb: junitxml>
		junit-xml> basetemp: import-mode: cov: cov-report: cov-config< ignore: deselect: durations: log-file> v x s q l lf ff nf
		sw`, Files: &Files{}},
	{Names: "eslint", Style: Launches, Options: `c,config% rulesdir% resolve-plugins-relative-to% parser: plugin: rule: ext: f,format:
		o,output-file> ignore-path< ignore-pattern: cache-location: cache fix quiet max-warnings:`, Files: &Files{}},
	{Names: "prettier stylelint", Style: Launches, Options: `config% plugin% plugins% custom-syntax% custom-formatter% ignore-path< w,write
		c,check fix l cache log-level: stdin-filepath: parser: o,output-file>`, Files: &Files{}},
	{Names: "webpack rollup vite esbuild parcel", Style: Launches, Options: `c,config% plugin: p: output-path: o: outdir: outfile> mode:
		env: m:
		w,watch bundle minify sourcemap format: platform: target: external: loader: port: host: base: outDir: entry:`, Files: &Files{}},
	{Names: "jest vitest mocha ava nyc c8 tap", Style: Launches, Options: `c,config% r,require% globalSetup% setupFiles% setupFilesAfterEnv%
		testRunner% reporter: reporters: t,testNamePattern: testPathPattern: f: g,grep: file% spec: timeout: opts% u w watch run coverage
		maxWorkers: outputFile> include: exclude: report-dir: temp-dir:`, Files: &Files{}},
	{Names: "gulp grunt karma", Style: Launches, Options: "f,gulpfile% gruntfile% r,require% b,base: tasks: cwd/ log-level: single-run"},
	{Names: "cypress playwright", Style: Launches, Options: `c,config% C,config-file% spec: s: b,browser: e,env: reporter: p,project:
		g,grep: headed ui`},
	{Names: "rspec rubocop", Style: Launches, Options: `r,require% c,config% O,options% f,format: o,out> e,example: t,tag: P,pattern:
		I: a A autocorrect only: except: seed: order:`, Files: &Files{}},
	{Names: "phpunit phpstan psalm", Style: Launches, Options: `bootstrap% a,autoload-file% c,configuration% filter: group: testsuite: l,level:
		log-junit> coverage-html: memory-limit: error-format: no-progress`, Files: &Files{}},
	{Names: "gradle gradlew", Style: Launches, Options: `I,init-script% b,build-file% c,settings-file% p,project-dir: g,gradle-user-home:
		include-build% P: D: x,exclude-task: q,quiet i,info d,debug s,stacktrace w,warn t,continuous offline parallel daemon no-daemon scan
		tests: rerun-tasks refresh-dependencies console: m,dry-run dependency-verification: F: M: max-workers:`},
	{Names: "ant", Style: Dashed | Launches, Options: "f,file,buildfile% lib% logger: listener: D: logfile> propertyfile< q v d k"},
	{Names: "scons", Style: Launches, Options: "f,file,sconstruct% C/ j: Q s c n site-dir%"},
	{Names: "ctest", Style: Launches, Options: `S% SP% test-dir/ j,parallel: R,tests-regex: E,exclude-regex: L: C,build-config: T: M: D: O>
		timeout: output-on-failure V N build-and-test:: build-generator: test-command*`},
	{Names: "pre-commit", Style: Launches, Options: `c,config% hook-stage: files: from-ref: to-ref: commit-msg-filename: a,all-files v
		color:`},
	{Names: "pylint", Style: Launches, Options: `rcfile% load-plugins: init-hook: disable: enable: f: output: j: ignore:
		msg-template:`, Files: &Files{}},
}
