package program

// shells are the shells, and what they have built in.
var shells = []*Entry{
	{
		Names: "sh bash dash ash zsh ksh ksh93 mksh pdksh rbash yash fish rzsh csh tcsh nu xonsh elvish osh ysh " +
			"oksh loksh posh murex rc", Style: Stops,
		Options: `a b c e f h i k l,login m n p r,restricted s t u v,verbose x B C D,dump-strings E H P o: O: rcfile,init-file< norc noprofile
			posix debugger command$ init-command$ no-config interactive private pipefail`,
	},
	{Names: "env", Options: `i,ignore-environment 0,null v,debug u,unset: C,chdir/ S,split-string: P: block-signal? default-signal?
		ignore-signal? list-signal-handling`, Runs: &Runs{Assigns: true}},
	{Names: "su runuser", Style: Stops, Options: `c,command$ session-command$ s,shell: g,group: G,supp-group: w,whitelist-environment: l,login
		m p,preserve-environment f,fast P,pty h V u,user: T,no-pty`},
	{Names: "command builtin", Style: Stops, Options: "p v V"},
	{Names: "trap", Style: Stops, Options: "l p P"},
	{Names: "hash", Style: Stops, Options: "d l r t p:"},
	{Names: "mapfile readarray", Style: Stops, Options: "d: n: O: s: t u: C: c:"},
	{Names: "enable", Style: Stops, Options: "a d f< n p s"},
	{Names: "read", Style: Stops, Options: "a: d: e E i: n: N: p: r s t: u: A k q"},
	{Names: "bind", Options: "x: f< q: r: u: m: l p P s S v V X"},
	{Names: "at batch", Options: "f< q: t: c: d: r: l m M v V"},
	{Names: "xargs", Style: Stops, Options: `0,null a,arg-file< d,delimiter: E: e,eof? i,replace? I: J: L: l,max-lines? n,max-args: o,open-tty
		P,max-procs: p,interactive r,no-run-if-empty R: S: s,max-chars: t,verbose x,exit process-slot-var: show-limits`},
	{Names: "parallel env_parallel sem rush", Style: Stops, Options: `j,jobs: P: k,keep-order 0 a,arg-file< d,delimiter: I: S,sshlogin: X m
		n: N: L: q,quote r t u,ungroup v C,colsep: dry-run joblog> load: results: retries: timeout: tag halt: bar progress eta will-cite
		no-notice pipe line-buffer lb`},
	{Names: "tmux", Style: Stops, Options: "2 C D d l N q u v c$ f< L: S: T: V"},
	{Names: "screen", Style: Stops, Options: "A a c< D d e: f h: i L l m O p: Q q R r: S: s: T: t: U v w x X"},
	{Names: "start-stop-daemon", Style: Stops, Options: `S,start K,stop T,status H V x,exec! a,startas! p,pidfile: n,name: u,user: g,group:
		c,chuid: s,signal: r,chroot: d,chdir/ N,nicelevel: P,procsched: I,iosched: k,umask: b,background m,make-pidfile C q,quiet t,test
		v,verbose o,oknodo`},
	{Names: "bwrap", Style: Stops, Options: `args: argv0: userns: userns2: pidns: uid: gid: hostname: chdir/ unsetenv: lock-file: sync-fd:
		remount-ro: exec-label: file-label: proc: dev: tmpfs: mqueue: dir: seccomp: add-seccomp-fd: block-fd: userns-block-fd: info-fd:
		json-status-fd: cap-add: cap-drop: perms: size: overlay-src: tmp-overlay: ro-overlay: setenv:: bind:: bind-try:: dev-bind::
		dev-bind-try:: ro-bind:: ro-bind-try:: file:: bind-data:: ro-bind-data:: symlink:: chmod:: bind-fd:: ro-bind-fd:: overlay:::
		unshare-all unshare-user unshare-user-try unshare-ipc unshare-pid unshare-net unshare-uts unshare-cgroup unshare-cgroup-try
		share-net die-with-parent new-session clearenv as-pid-1 disable-userns assert-userns-disabled`, Runs: &Runs{}},
	{Names: "ls dir", Options: `a,all A,almost-all b B c C d,directory f F g G h,human-readable H i l L m n N o p q Q r,reverse R,recursive s S
		t u U v x X Z 1 I,ignore: w,width: T,tabsize: hide: color? format: sort: time: block-size: time-style: indicator-style: full-time
		group-directories-first`},
	{Names: "make gmake", Options: `C,directory/ E: f,file,makefile< I,include-dir: j,jobs? l,load-average? o,old-file: W,what-if:
		B,always-make d e i k,keep-going n,dry-run,just-print p q,question r R s,silent,quiet S t v w eval: debug? O,output-sync?`},
	{Names: "fzf sk", Options: `preview$ with-shell$ bind: q,query: m,multi e,exact n,nth: d,delimiter: header: prompt: height: f,filter:
		color: layout: preview-window: expect:`},
}

// TmuxCommand is any command of tmux.
var TmuxCommand = &Entry{Style: Stops, Options: "A d D E P X b h v I Z c: e: F: f: n: s: t: x: y: l: k a g p r R H N: M K T u w"}
