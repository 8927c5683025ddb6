package program

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
