package deed

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// stripped notes a program that starts an agent without what leads it through weir: env without variables, or any that sets those of
// its requests.
func (f *finder) stripped(l *line) {
	agent := func(it item) bool { return !it.option && agents[programName(it.word.Text)] }
	if silent[l.name] && l.name != "env" && l.name != "sudo" || !slices.ContainsFunc(l.items, agent) {
		return
	}
	takes := l.name == "env" && (l.has("-i", "--ignore-environment") == truth.Yes || l.items[0].word.Text == "-")
	for _, w := range l.values("-u", "--unset", "--unsetenv") {
		takes = takes || agentSettings[strings.ToLower(w.Text)]
	}
	for _, it := range l.items {
		text := it.word.Text
		if strings.HasPrefix(text, "--") {
			_, text, _ = strings.Cut(text, "=") // --setenv=NAME=VALUE
		}
		name, to, ok := strings.Cut(text, "=")
		name = strings.ToLower(name)
		takes = takes || ok && (agentSettings[name] && !leadsToWeir(to) || strings.HasPrefix(name, weirName+"_"))
	}
	if takes {
		f.noteWeir(l, truth.Yes)
	}
}

func leadsToWeir(address string) bool {
	return strings.HasSuffix(strings.TrimRight(address, "/"), ":"+weirPort)
}

// weirFiles are the files of weir, wherever it can have them.
var weirFiles = mustPlaces([]string{
	"~/.config/weir", "~/.config/weir/**", "~/.local/state/weir", "~/.local/state/weir/**", "~/.local/share/weir", "~/.local/share/weir/**",
	"/etc/weir", "/etc/weir/**", "/var/lib/weir", "/var/lib/weir/**", "/run/weir/**", "~/Library/Application Support/weir",
	"~/Library/Application Support/weir/**", `~\AppData\*\weir`, `~\AppData\*\weir\**`, `C:\ProgramData\weir`, `C:\ProgramData\weir\**`,
	"~/.config/systemd/user/weir*", "~/Library/LaunchAgents/*weir*",
})

// lookers are the programs that only look at a file, or of which it is known what they do to it.
var lookers = wordSet(`weir
	cat bat less more head tail nl tac wc ls dir ll eza exa tree stat file du test [ grep egrep fgrep rg ag ack diff cmp
	sort uniq cut awk gawk sed jq yq cp mv rm ln mkdir rmdir touch chmod chown chgrp tee dd install truncate tar zip unzip gzip rsync scp find
	fd
	git cd pushd echo printf export realpath readlink basename dirname sha256sum md5sum shasum yamllint vim vi nvim nano emacs view code
	sqlite3 env sudo get-content gc type findstr select-string get-childitem gci test-path bash sh zsh source . xargs man which ssh docker
	podman systemctl launchctl curl wget watch inotifywait set-content remove-item copy-item move-item copy move del ren`)

// handsOver notes a file of weir that is given to a program of which it is not known what it does with it: most such programs that are
// of use there change it.
func (f *finder) handsOver(l *line) {
	if lookers[l.name] || l.c.Contained {
		return
	}
	for _, it := range l.items {
		text := it.word.Text
		if len(text) > maxWeirPath || !strings.Contains(strings.ToLower(text), weirName) {
			continue
		}
		word := it.word
		if at := strings.IndexByte(text, '='); at >= 0 {
			word = word.From(at + 1)
		}
		for _, use := range f.readBy(l.c, word) {
			if touches(use) {
				f.noteWeir(l, truth.Maybe)
				return
			}
		}
	}
}

// maxWeirPath bounds the words in which a path of weir is looked for.
const maxWeirPath = 1 << 10

func touches(use fileuse.Use) bool {
	return slices.Contains(weirFiles.Touched([]fileuse.Use{use}, fileuse.Reads), truth.Yes)
}

// checksOut notes a command of git in the folder of weir, or for it, that may change its files.
func (f *finder) checksOut(l *line) {
	if l.name != "git" || hasWord(l.first(), "status", "log", "diff", "show", "rev-parse", "ls-files", "blame", "grep") {
		return
	}
	folders := append(slices.Clone(l.c.Folders), l.values("-C", "--work-tree", "--directory")...)
	folders = append(folders, l.operands()...)
	for _, set := range l.c.Assigns {
		if name := "GIT_WORK_TREE="; strings.HasPrefix(set.Text, name) {
			folders = append(folders, set.From(len(name)))
		}
	}
	for _, folder := range folders {
		if strings.Contains(folder.Text, weirName) && slices.ContainsFunc(f.readBy(l.c, folder), touches) {
			f.noteWeir(l, truth.Maybe)
			return
		}
	}
}

// acting are the programs that change a file or a process that was looked for.
var acting = wordSet(`mv cp rm ln chmod chown tee dd install truncate gdb lldb strace prlimit renice taskset cpulimit criu chrt ionice
	setcap
	patchelf objcopy strip upx gcore kill`)

// foundWeir notes that weir was looked for, its program or its process, and something is done to what was found.
func (f *finder) foundWeir(l *line) {
	if !acting[l.name] || !l.computed() {
		return
	}
	names, _ := f.searched(l)
	if slices.Contains(names, weirName) {
		f.noteWeir(l, truth.Yes)
	}
}

// ruling are the commands of weir that let agents do more, by their first two words. Hardly another program has them, so that they
// tell weir under another name: a copy, a link, what a package or a build makes.
var ruling = wordSet(`approvals/approve approvals/enrol policy/allow policy/sync pins/trust pins/accept grants/add`)

// starters are the known programs that run others by a name that does not say which.
var starters = wordSet("go nix npx bunx pnpx uvx pipx cargo dotnet java exe")

// underOtherName notes a command of weir that is given to a program of another name, or of one that is not known.
func (f *finder) underOtherName(c *shell.Command) {
	name := programName(c.Words[0].Text)
	entry, _ := program.Lookup(name)
	if c.Contained || name == weirName || silent[name] || entry != program.Unknown && !starters[name] {
		return
	}
	for i := 1; i+1 < len(c.Words) && i <= maxSearched; i++ {
		if ruling[c.Words[i].Text+"/"+c.Words[i+1].Text] {
			l := &line{c: c, name: weirName}
			f.noteWeir(l, truth.Maybe)
			return
		}
	}
}

// foundContainers notes that containers are stopped which a search for weir found.
func foundContainers(f *finder, l *line) {
	if !hasWord(l.first(), "stop", "kill", "rm", "pause", "restart", "container", "update", "rename", "exec") || !l.computed() {
		return
	}
	names, _ := f.searched(l)
	if slices.ContainsFunc(names, namesWeir) {
		f.noteWeir(l, truth.Yes)
	}
}

// asksWeir reports a line that asks weir on this machine to decide on a call. Its port is enough for programs that send what no rule
// reads; whether something listens there may be asked.
func (l *line) asksWeir() bool {
	here, atPort := false, false
	for _, e := range l.ends {
		if e.listens {
			return false // it leads others to weir
		}
		here = here || e.local()
		atPort = atPort || e.local() && e.port == weirPort
	}
	if !here {
		return false
	}
	if atPort && (isNetcat(l.name) || l.name == "telnet" || l.name == "socat" || len(deviceEnds(l)) > 0) {
		return l.has("-z") != truth.Yes && l.name != "true" && l.name != ":"
	}
	for _, it := range l.items {
		text := strings.ToLower(it.word.Text)
		decides := strings.Contains(text, "/approvals") && strings.Contains(text, "approve")
		if decides && strings.Count(text, "approv") > 1 || atPort && containsAny(text, "approv", "/policy", "/grants", "/pins", "/control") {
			return true
		}
	}
	return false
}

// committed notes what goes into the message of a commit, a tag or a note, if the call also pushes.
func (f *finder) committed(l *line) {
	if hasWord(l.first(), "add", "stage") {
		f.addedSecrets(l)
	}
	if !hasWord(l.first(), "commit", "notes", "tag") {
		return
	}
	if f.pushes() {
		f.message(l, truth.Maybe)
	}
}

// pushes reports that the call has git push something.
func (f *finder) pushes() bool {
	return slices.ContainsFunc(f.commands[:min(len(f.commands), maxSearched)], func(c shell.Command) bool {
		return programName(c.Words[0].Text) == "git" && hasWord(c.Words, "push")
	})
}

// secretNames are files that nobody adds to a repository which others read.
var secretNames = wordSet(".env .env.local .env.production .env.prod .netrc .pgpass .git-credentials id_rsa id_ed25519 id_ecdsa id_dsa " +
	"master.key credentials.json service-account.json .htpasswd terraform.tfstate")

// addedSecrets notes files with secrets that are added and pushed by the same call.
func (f *finder) addedSecrets(l *line) {
	if !f.pushes() {
		return
	}
	for _, w := range l.operands() {
		if w.Known && secretNames[w.Text[strings.LastIndexByte(w.Text, '/')+1:]] {
			f.addOf(l, Deed{Verb: Sends, Kind: "file", Certainty: truth.Yes, uses: f.readBy(l.c, w)})
		}
	}
}
