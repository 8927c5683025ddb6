package program

// launchers are the programs that run something only if an option says so.
var launchers = []*Entry{
	{Names: "execlineb", Style: Launches, Options: "c$ P p s: S: W w"},
	{Names: "ansible", Style: Launches, Options: "a$ args$"},
	{Names: "ansible-console", Style: Launches, Options: "a$ args$"},
	{Names: "borg", Options: "rsh$"},
	{Names: "bpftrace", Style: Launches, Options: "c$"},
	{Names: "compgen", Style: Launches, Options: "C$"},
	{Names: "complete", Style: Launches, Options: "C$ F$"},
	{Names: "dpkg", Options: "pre-invoke$ post-invoke$"},
	{Names: "dtrace", Style: Launches, Options: "c$"},
	{Names: "man", Options: "P$ pager$ H$ html$"},
	{Names: "restic", Options: "password-command$"},
	{Names: "tcpdump", Options: "z$"},
	{Names: "watchmedo", Style: Launches, Subs: []Entry{
		{Names: "shell-command", Options: "c$ command$ p: patterns: i: ignore-patterns: R recursive w wait D drop timeout:"},
		{Names: "auto-restart", Options: "d: directory: p: patterns: i: ignore-patterns: R recursive signal: kill-after:", Runs: &Runs{}},
	}},
	{Names: "wezterm", Runs: &Runs{Dashes: true, Only: true}},
	{Names: "wt", Runs: &Runs{Dashes: true, Only: true}},
}
