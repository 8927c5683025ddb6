package program

// launchers are the programs that run something only if an option says so.
var launchers = []*Entry{
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
	{Names: "wezterm", Runs: &Runs{Dashes: true, Only: true}},
	{Names: "wt", Runs: &Runs{Dashes: true, Only: true}},
}
