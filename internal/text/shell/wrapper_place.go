package shell

// placeWrappers are the programs that run a command somewhere else: in a sandbox, a container, a terminal or on another machine.
var placeWrappers = map[string]wrapper{
	"firejail": {options: newOptions("quiet noprofile private net: profile: whitelist: blacklist: seccomp caps.drop: env: name:")},
	"proot": {
		options: newOptions("r: b: m: q: w: v: V i: 0 R: S: k: rootfs: bind: mount: qemu: pwd: cwd: verbose: kernel-release: root-id " +
			"change-id: link2symlink"),
		bare: true,
	},
	"sg":     {options: newOptions("c:"), operands: 1, codes: []string{"c"}, either: true},
	"newgrp": {operands: 1, bare: true},
	"flatpak-spawn": {options: newOptions("v verbose host clear-env watch-bus latest-version no-network sandbox env: directory: " +
		"forward-fd:")},
	"systemd-nspawn": {options: newOptions("D: i: M: u: a b x U n q t: E: directory: image: machine: user: boot setenv: bind: bind-ro: " +
		"chdir: as-pid2 ephemeral quiet pipe console:"), place: contained},
	"lxc-attach":  {options: newOptions("n: e s: a: u: v: R: L: f: P: name: clear-env keep-env elevated-privileges"), place: contained},
	"lxc-execute": {options: newOptions("n: f: s: d g: u: name: rcfile: define: daemon"), place: contained},
	"distrobox-enter": {
		options: newOptions("n: r T e name: root no-tty additional-flags: a:"), operands: 1, dashes: true,
		place: contained,
	},
	"lima": {place: remote},
	"orb":  {options: newOptions("m: u: w: s p machine: user: workdir: shell path"), place: remote, either: true},
	"pdsh": {options: newOptions("w: x: l: f: t: u: R: N S b a g: X:"), text: true, place: remote},
	"pssh": {
		options: newOptions("h: H: l: p: o: e: t: O: v A x: X: i I P hosts: host: user: par: outdir: errdir: timeout: inline"),
		text:    true, place: remote,
	},
	"parallel-ssh": {
		options: newOptions("h: H: l: p: o: e: t: O: v A x: X: i I P hosts: host: user: par: outdir: errdir: timeout: inline"),
		text:    true, place: remote,
	},
	"clush": {options: newOptions("w: x: g: X: l: f: t: u: o: a b B L N q v S d n"), text: true, place: remote},
	"fab": {
		options: newOptions("H: i: c: e l hosts: identity: prompt-for-login-password"), dashes: true, text: true,
		place: remote,
	},
	"winrs":   {text: true, place: remote, either: true},
	"psexec":  {options: newOptions("u: p: s d i h"), operands: 1, place: remote},
	"sshpass": {options: newOptions("p: f: d: P: e v")},
	"xterm":   {options: newOptions("e title: T: n: geometry: fn: bg: fg: hold"), either: true},
	"uxterm":  {options: newOptions("e title: T: n: geometry: fn: bg: fg: hold"), either: true},
	"urxvt":   {options: newOptions("e title: T: n: geometry: fn: bg: fg: hold"), either: true},
	"st":      {options: newOptions("a e c: f: g: n: o: T: t: l: i v"), either: true},
	"gnome-terminal": {
		options: newOptions("e: x window tab title: working-directory: profile: wait command:"),
		codes:   []string{"e", "command"},
	},
	"xfce4-terminal": {options: newOptions("e: x command: title: hold working-directory:"), codes: []string{"e", "command"}},
	"konsole":        {options: newOptions("e p: workdir: profile: hold noclose new-tab separate"), either: true},
	"alacritty":      {options: newOptions("e command o: config-file: t: title: working-directory: hold"), either: true},
	"kitty":          {options: newOptions("e c: o: T: d: 1 config: override: title: directory: detach hold single-instance"), either: true},
	"foot":           {options: newOptions("e c: o: T: a: D: H config: override: title: hold working-directory:"), either: true},
	"terminator":     {options: newOptions("e: x command: title: working-directory:"), codes: []string{"e", "command"}},
	"dtach":          {options: newOptions("A: n: c: a: N: e: E r: z"), either: true},
	"abduco":         {options: newOptions("A: n: c: a: e: r f l v q"), either: true},
	"daemonize":      {options: newOptions("a c: e: o: p: l: u: E: v")},
}
