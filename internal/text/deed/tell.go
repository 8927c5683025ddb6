package deed

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// azureTargets are the options of az that name where files are sent, and not the files.
var azureTargets = wordSet(`-d --destination --destination-path -c --container-name --account-name -n --name --share-name -g
	--resource-group`)

// gitTells are the subcommands of git that print what was worked on.
var gitTells = wordSet("log show diff remote")

// backedUp notes a backup whose repository another command names, or a variable.
func backedUp(f *finder, l *line) {
	words := l.operands()
	if len(words) == 0 || words[0].Text != "backup" && words[0].Text != "create" || l.sending || l.has("-r", "--repo") == truth.Yes {
		return
	}
	for _, set := range l.c.Assigns {
		if _, repository, _ := strings.Cut(set.Text, "="); strings.Contains(set.Text, "_REPO") && strings.Contains(repository, ":") {
			f.upload(l, 0, truth.Yes)
			return
		}
	}
	for _, other := range f.lines {
		if other == nil || other == l || other.name != l.name {
			continue
		}
		if !f.spend() {
			return
		}
		for _, repository := range other.values("-r", "--repo") {
			if strings.Contains(repository.Text, ":") {
				f.upload(l, 0, truth.Yes)
				return
			}
		}
	}
}

// resolvers ask others for the address of a name: what is in the name is sent.
var resolvers = wordSet(`dig nslookup resolve-dnsname host drill kdig doggo resolvectl getent ping ping6 dog delv adig unbound-host
	systemd-resolve dscacheutil dnslookup traceroute mtr`)

// tellers print something about the machine, the person at it, or the work. What a request is about is mostly computed by others.
var tellers = wordSet(`whoami id uname hostname hostnamectl ps ls find who w last ifconfig ip netstat ss lsof arp df mount crontab history
	docker kubectl psql mysql sqlite3 pip npm lscpu lsblk dmidecode sw_vers system_profiler ipconfig systeminfo tar zip`)

// tellsOthers reports a line whose words hold what other commands print, where it is sent as data: in the name that is looked up, or in
// the body of a request.
func (f *finder) tellsOthers(l *line) bool {
	var words []shell.Word
	switch {
	case resolvers[l.name]:
		words = l.operands()
	case l.name == "curl" || l.name == "wget" || l.name == "http" || l.name == "xh":
		words = l.values("-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "-F", "--form", "--json", "--post-data",
			"--body-data")
	}
	for _, w := range words {
		if w.Known || !hasUnknown(w) || resolvers[l.name] && !strings.Contains(w.Text, ".") {
			continue
		}
		for _, i := range l.c.WordsFrom {
			if f.tells(i, map[int]bool{}) {
				return true
			}
		}
	}
	return false
}

// tells reports a command that tells something, or hands on what such a command prints.
func (f *finder) tells(i int, seen map[int]bool) bool {
	if seen[i] || !f.spend() {
		return false
	}
	seen[i] = true
	c := &f.commands[i]
	if tellers[programName(c.Words[0].Text)] {
		return true
	}
	if programName(c.Words[0].Text) == "git" && len(c.Words) > 1 && gitTells[c.Words[1].Text] {
		return true
	}
	return slices.ContainsFunc(sourcesOf(c), func(j int) bool { return f.tells(j, seen) })
}

// hasUnknown reports a word with a part that is not known.
func hasUnknown(w shell.Word) bool {
	return slices.ContainsFunc(w.Pieces(), func(p shell.Piece) bool { return p.Kind == shell.Unknown })
}

// transferred notes the files that the commands for a client name, such as put FILE.
func transferred(f *finder, l *line) {
	for _, in := range append(slices.Clip(l.c.Input), l.values("-e", "-c")...) {
		for text := range strings.FieldsFuncSeq(in.Text, func(r rune) bool { return r == '\n' || r == ';' }) {
			fields := strings.Fields(text)
			if len(fields) < 2 || !strings.HasSuffix(fields[0], "put") && fields[0] != "send" && fields[0] != "mirror" {
				continue
			}
			d := Deed{Verb: Sends, Kind: "file", Certainty: truth.Yes}
			for _, name := range fields[1:] {
				d.uses = append(d.uses, f.readBy(l.c, shell.Word{Text: name, Known: true})...)
			}
			f.addOf(l, d)
		}
	}
}
