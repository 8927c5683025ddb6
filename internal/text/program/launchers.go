package program

// launchers are the programs that run something only if an option says so.
var launchers = []*Entry{
	{Names: "execlineb", Options: "c$ P p s: S: W w"},
	{Names: "ansible", Options: "a$ args$"},
	{Names: "ansible-console", Options: "a$ args$"},
	{Names: "borg", Options: "rsh$"},
	{Names: "bpftrace", Options: "c$"},
	{Names: "compgen", Options: "C$"},
	{Names: "complete", Options: "C$ F$"},
	{Names: "dpkg", Options: "pre-invoke$ post-invoke$"},
	{Names: "dtrace", Options: "c$"},
	{Names: "man", Options: "P$ pager$ H$ html$"},
	{Names: "restic", Options: "password-command$"},
	{Names: "tcpdump", Options: "z$"},
	{Names: "watchmedo", Subs: []Entry{
		{Names: "shell-command", Options: "c$ command$ p: patterns: i: ignore-patterns: R recursive w wait D drop timeout:"},
		{Names: "auto-restart", Options: "d: directory: p: patterns: i: ignore-patterns: R recursive signal: kill-after:", Runs: &Runs{}},
	}},
	{Names: "wezterm", Runs: &Runs{Dashes: true, Only: true}},
	{Names: "wt", Runs: &Runs{Dashes: true, Only: true}},
}
