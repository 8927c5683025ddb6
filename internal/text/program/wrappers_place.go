package program

const nomadOptions = `task: job: group: i t e: namespace: region: address: token: ca-cert: client-cert: client-key: tls-skip-verify
	no-color`

// placeWrappers run a command somewhere else: in a sandbox, a container, a terminal or on another machine.
var placeWrappers = []*Entry{
	{Names: "firejail", Options: "blacklist: caps.drop: env: name: net: noprofile private profile: quiet seccomp whitelist:", Runs: &Runs{}},
	{Names: "proot", Options: `b: i: k: m: q: R: r: S: V v: w: bind: change-id: cwd: kernel-release: link2symlink mount: pwd: qemu: root-id
		rootfs: verbose:`, Runs: &Runs{Bare: true}},
	{Names: "sg", Options: "c$", Runs: &Runs{Skip: 1, Either: true}},
	{Names: "newgrp", Runs: &Runs{Skip: 1, Bare: true}},
	{
		Names: "flatpak-spawn", Options: "v clear-env directory: env: forward-fd: host latest-version no-network sandbox verbose watch-bus",
		Runs: &Runs{},
	},
	{Names: "systemd-nspawn", Options: `a b D: E: i: M: n q t: U u: x as-pid2 bind-ro: bind: boot chdir: console: directory: ephemeral
		image: machine: pipe quiet setenv: user:`, Runs: &Runs{Where: Contained}},
	{Names: "lxc-attach", Options: "a: e f: L: n: P: R: s: u: v: clear-env elevated-privileges keep-env name:", Runs: &Runs{Where: Contained}},
	{Names: "lxc-execute", Options: "d f: g: n: s: u: daemon define: name: rcfile:", Runs: &Runs{Where: Contained}},
	{
		Names: "distrobox-enter", Options: "a: e n: r T additional-flags: name: no-tty root",
		Runs: &Runs{Skip: 1, Dashes: true, Where: Contained},
	},
	{Names: "juju", Options: "m: model: debug verbose", Subs: []Entry{
		{Names: "ssh", Options: "proxy no-host-key-checks pty?", Runs: &Runs{Skip: 1, Either: true, Where: Remote}},
		{Names: "exec run", Options: "all a: application: u: unit: machine: timeout: wait:", Runs: &Runs{Either: true, Where: Remote}},
	}},
	{Names: "tsh", Options: "l,login: proxy: user: cluster: debug", Subs: []Entry{
		{Names: "ssh", Options: "p,port: A L: R: D: o: N t,tty X C J: no-resume", Runs: &Runs{Skip: 1, Text: true, Where: Remote}},
	}},
	{Names: "tailscale", Subs: []Entry{{Names: "ssh", Runs: &Runs{Skip: 1, Text: true, Where: Remote}}}},
	{Names: "coder", Options: "url@ token:", Subs: []Entry{
		{Names: "ssh", Options: "A R: e: stdio wait: no-wait log-dir:", Runs: &Runs{Skip: 1, Text: true, Where: Remote}},
	}},
	{Names: "devpod", Subs: []Entry{
		{Names: "ssh", Options: "command$ user: workdir: agent-forwarding? start-services?", Runs: &Runs{Only: true, Where: Remote}},
	}},
	{Names: "modal", Subs: []Entry{
		{
			Names: "shell", Options: "c,cmd$ e,env: image: add-python: gpu: cpu: memory: cloud: region: volume: pty?",
			Runs: &Runs{Only: true, Where: Remote},
		},
	}},
	{Names: "hcloud", Options: "context: config:", Subs: []Entry{{Names: "server", Subs: []Entry{
		{Names: "ssh", Options: "p,port: u,user: ipv6", Runs: &Runs{Skip: 1, Text: true, Where: Remote}},
	}}}},
	{
		Names: "doctl", Style: Verbs, Options: "t,access-token: c,context: o,output: ssh-command$ ssh-user: ssh-key-path: ssh-port: f,force",
		Runs: &Runs{Only: true, Where: Remote},
	},
	{Names: "platform upsun magento-cloud", Subs: []Entry{
		{
			Names: "ssh environment:ssh", Options: "p,project: e,environment: A,app: I,instance: worker: o,option: all pipe y,yes q,quiet",
			Runs: &Runs{Either: true, Where: Remote},
		},
	}},
	{Names: "dokku", Subs: []Entry{
		{Names: "enter", Runs: &Runs{Skip: 2, Where: Remote}},
		{Names: "run run:detached", Options: "e,env: no-tty force-tty cron-id: ttl-seconds:", Runs: &Runs{Skip: 1, Either: true, Where: Remote}},
	}},
	{Names: "nomad", Subs: []Entry{
		{Names: "exec", Style: Dashed, Options: nomadOptions, Runs: &Runs{Skip: 1, Where: Clustered}},
		{Names: "alloc", Subs: []Entry{{Names: "exec", Style: Dashed, Options: nomadOptions, Runs: &Runs{Skip: 1, Where: Clustered}}}},
	}},
	{Names: "render", Subs: []Entry{{Names: "ssh", Options: "o,output: confirm e,ephemeral", Runs: &Runs{Only: true, Where: Remote}}}},
	{Names: "kamal", Options: "d,destination: c,config-file< p,primary h,hosts: r,roles: version: q,quiet v,verbose", Subs: []Entry{
		{Names: "app server", Subs: []Entry{{
			Names: "exec", Options: "i,interactive reuse e,env: detach", Runs: &Runs{Either: true, Where: Remote},
		}}},
		{Names: "accessory", Subs: []Entry{{
			Names: "exec", Options: "i,interactive reuse", Runs: &Runs{Skip: 1, Either: true, Where: Remote},
		}}},
	}},
	{Names: "minikube", Options: "p,profile:", Subs: []Entry{
		{Names: "ssh", Options: "n,node: native-ssh?", Runs: &Runs{Either: true}},
	}},
	{Names: "lima", Runs: &Runs{Where: Remote}},
	{Names: "orb", Options: "m: p s u: w: machine: path shell user: workdir:", Runs: &Runs{Either: true, Where: Remote}},
	{Names: "pdsh", Options: "a b f: g: l: N R: S t: u: w: X: x:", Runs: &Runs{Text: true, Where: Remote}},
	{
		Names: "pssh parallel-ssh", Options: "A e: H: h: I i l: O: o: P p: t: v X: x: errdir: host: hosts: inline outdir: par: timeout: user:",
		Runs: &Runs{Text: true, Where: Remote},
	},
	{Names: "clush", Options: "a B b d f: g: L l: N n o: q S t: u: v w: X: x:", Runs: &Runs{Text: true, Where: Remote}},
	{Names: "fab", Options: "c: e H: i: l hosts: identity: prompt-for-login-password", Runs: &Runs{Text: true, Dashes: true, Where: Remote}},
	{Names: "winrs", Runs: &Runs{Text: true, Either: true, Where: Remote}},
	{Names: "psexec", Options: "d h i p: s u:", Runs: &Runs{Skip: 1, Where: Remote}},
	{Names: "sshpass", Options: "d: e f: P: p: v", Runs: &Runs{}},
	{Names: "xterm uxterm urxvt", Style: Dashed, Options: "e n: T: bg: fg: fn: geometry: hold title:", Runs: &Runs{Either: true}},
	{Names: "st", Options: "a c: e f: g: i l: n: o: T: t: v", Runs: &Runs{Either: true}},
	{Names: "gnome-terminal", Options: "e$ x command$ profile: tab title: wait window working-directory:", Runs: &Runs{}},
	{Names: "xfce4-terminal", Options: "e$ x command$ hold title: working-directory:", Runs: &Runs{}},
	{Names: "konsole", Options: "e p: hold new-tab noclose profile: separate workdir:", Runs: &Runs{Either: true}},
	{Names: "alacritty", Options: "e o: t: command config-file: hold title: working-directory:", Runs: &Runs{Either: true}},
	{Names: "kitty", Options: "c: d: e o: T: config: detach directory: hold override: single-instance title:", Runs: &Runs{Either: true}},
	{Names: "foot", Options: "a: c: D: e H o: T: config: hold override: title: working-directory:", Runs: &Runs{Either: true}},
	{Names: "terminator", Options: "e$ x command$ title: working-directory:", Runs: &Runs{}},
	{Names: "dtach", Options: "A: a: c: E e: N: n: r: z", Runs: &Runs{Either: true}},
	{Names: "abduco", Options: "A: a: c: e: f l n: q r v", Runs: &Runs{Either: true}},
	{Names: "daemonize", Options: "a c: E: e: l: o: p: u: v", Runs: &Runs{}},
}
