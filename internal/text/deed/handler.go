package deed

import (
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// handlers read the programs whose deeds no row can say.
var handlers = handlerNames(map[string]func(*finder, *line){
	"chmod":         changeMode,
	"install rsync": setsMode,
	"curl curlie wget wget2 http https xh xhs httpie invoke-webrequest iwr invoke-restmethod irm": request,
	"kubectl oc k":             manifests,
	"cypher-shell surreal":     graphs,
	"restic borg kopia rustic": backedUp,
	"python python3 python2 py php caddy httpd ruby http-server serve live-server darkhttpd miniserve dufs simple-http-server webfsd": served,
	"env export": func(f *finder, l *line) {
		for _, it := range l.items {
			f.setting(l, it.word)
		}
	},
	"unset":                 unsetsFound,
	"docker podman nerdctl": foundContainers,
	"kill prlimit renice stop-process spps taskkill": killed,
	"pkill killall skill":                            killedByName,
	"fuser kill-port fkill":                          killedByPort,
	"weir":                                           commandsWeir,
	"sudo":                                           func(f *finder, l *line) { changesRoot(f, l); guesses(f, l) },
	"su doas sudo-rs":                                guesses,
	"git":                                            func(f *finder, l *line) { pushed(f, l); f.committed(l) },
	"sftp psftp ftp lftp smbclient":                  transferred,
	registryPrograms:                                 changesKey,
	registryRemovers:                                 removesKey,
})

func handlerNames(lists map[string]func(*finder, *line)) map[string]func(*finder, *line) {
	out := map[string]func(*finder, *line){}
	for names, h := range lists {
		for name := range strings.FieldsSeq(names) {
			out[name] = h
		}
	}
	return out
}

// changeMode reads chmod: rights for everybody, and programs that run as their owner.
func changeMode(f *finder, l *line) {
	for _, it := range l.items {
		if it.option && strings.Trim(it.word.Text, "-+=ugoarwxXst,") != "" {
			continue
		}
		mode := it.word
		if !mode.Known {
			f.note(l, Widens, "file", truth.Maybe)
			return
		}
		everybody, setuid := readMode(mode.Text)
		if everybody {
			f.note(l, Widens, "file", truth.Yes)
			f.opensSocket(l)
		}
		if setuid {
			f.note(l, Escalates, "setuid", truth.Yes)
		}
		if !it.option && !it.value {
			return // the rest are files
		}
	}
}

// setsMode reads programs that copy files and give them a mode.
func setsMode(f *finder, l *line) {
	for _, w := range l.values("-m", "--mode", "--chmod") {
		for clause := range strings.SplitSeq(strings.TrimLeft(w.Text, "DF"), ",") {
			if _, setuid := readMode(strings.TrimLeft(clause, "DF")); setuid {
				f.note(l, Escalates, "setuid", truth.Yes)
			}
		}
	}
}

// rights notes a mode that is taken from a program that runs as its owner, and a shell that keeps the rights of its owner.
func (f *finder) rights(l *line) {
	if l.name == "chmod" {
		for _, w := range l.values("--reference") {
			if setuidPrograms[fileName(w.Text)] {
				f.note(l, Escalates, "setuid", truth.Yes)
			}
		}
	}
	if len(l.items) > 0 && l.items[0].word.Text == "-p" && inTemporary(l.c.Path.Text) {
		if len(l.items) == 1 || l.items[1].word.Text == "-c" {
			f.note(l, Escalates, "setuid", truth.Yes)
		}
	}
}

// setuidPrograms are programs that every system lets run as their owner.
var setuidPrograms = wordSet("su sudo passwd mount umount newgrp chsh chfn gpasswd pkexec ping doas crontab at")

// initScript is the line by which a script of init.d is named as service would name it, or nil.
func (l *line) initScript() *line {
	path := l.c.Path.Text
	if !strings.HasPrefix(path, "/etc/init.d/") && !strings.HasPrefix(path, "/etc/rc.d/") {
		return nil
	}
	c := *l.c
	c.Words = append([]shell.Word{{Text: "service", Known: true}, {Text: fileName(path), Known: true}}, c.Words[1:]...)
	return newLine(&c, "service")
}

// removesGuard notes a program of what guards the machine that removes it.
func (f *finder) removesGuard(l *line) {
	if !strings.HasPrefix(l.name, "uninstall") {
		return
	}
	for part := range strings.SplitSeq(strings.ToLower(l.c.Path.Text), "/") {
		if part != "" && matchKnown(guards, part) == truth.Yes {
			f.note(l, Stops, "guard", truth.Yes)
		}
	}
}

// opensSocket notes that everybody may command what runs containers, and so the machine.
func (f *finder) opensSocket(l *line) {
	for _, w := range l.operands() {
		switch fileName(w.Text) {
		case "docker.sock", "containerd.sock", "podman.sock", "crio.sock", "buildkitd.sock", "lxd.sock":
			f.note(l, Escalates, "container", truth.Yes)
		}
	}
}

// readMode says whether a mode lets everybody write, and whether it sets the user or group that a program runs as.
func readMode(mode string) (everybody, setuid bool) {
	const others, special = 0o2, 0o6000
	if n, err := strconv.ParseUint(strings.TrimLeft(mode, "=+"), 8, 32); err == nil {
		return n&others != 0 && n&0o1000 == 0, n&special != 0
	}
	for clause := range strings.SplitSeq(mode, ",") {
		op := strings.IndexAny(clause, "+=")
		if op < 0 || strings.Trim(clause[:op], "ugoa-rwxXst") != "" {
			continue
		}
		who, rights := clause[:op], clause[op+1:]
		everybody = everybody || strings.ContainsAny(who, "oa") && strings.Contains(rights, "w")
		setuid = setuid || strings.Contains(rights, "s")
	}
	return everybody, setuid
}

// request reads the clients of HTTP: a DELETE deletes, and some hosts publish what they get.
func request(f *finder, l *line) {
	if !l.remote() {
		return
	}
	method := l.values("-X", "--request", "--method", "-Method", "-CustomMethod")
	for _, w := range l.operands() {
		if len(w.Text) > 2 && w.Text == strings.ToUpper(w.Text) && strings.Trim(w.Text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
			method = append(method, w)
		}
	}
	deletes := truth.No
	for _, w := range method {
		deletes = max(deletes, matchAny([]string{"delete", "purge"}, w))
	}
	posts := len(method) > 0 || l.has("-d", "--data", "--data-raw", "--data-binary", "--json", "-F", "--form", "-Body",
		"--post-data") == truth.Yes
	for _, w := range l.operands() {
		if deletes == truth.No && containsAny(w.Text, "_delete_by_query", "/_shutdown", "/_all?") {
			deletes = truth.Maybe
		}
	}
	said := ""
	for _, w := range method {
		said = strings.ToUpper(w.Text)
	}
	for _, e := range l.ends {
		if e.local() || e.listens {
			continue
		}
		f.changesByAPI(l, e, said, posts)
		if deletes != truth.No {
			f.note(l, DeletesRemote, kindOf(e), deletes)
		}
		if posts && deletes == truth.No && matchKnown(messengers, e.host.Name) == truth.Yes {
			f.note(l, Publishes, "message", truth.Yes)
		}
	}
}

// messengers are the hosts that show what they get to people.
var messengers = []string{
	"hooks.slack.com", "slack.com", "*.webhook.office.com", "discord.com", "discordapp.com", "api.telegram.org", "api.twilio.com",
	"api.sendgrid.com",
	"api.mailgun.net", "api.postmarkapp.com", "api.resend.com", "api.twitter.com", "api.x.com", "graph.facebook.com", "ntfy.sh",
	"api.pushover.net",
	"chat.googleapis.com",
}

// kindOf says what is deleted at a host.
func kindOf(e end) string {
	name := e.host.Name
	for _, kind := range []struct {
		kind  string
		globs []string
	}{
		{"repository", []string{"api.github.com", "*github*", "*gitlab*", "*bitbucket*", "*gitea*", "dev.azure.com"}},
		{"bucket", []string{
			"s3.*", "*.s3.*", "*.s3-*", "storage.googleapis.com", "*.blob.core.windows.net", "*.r2.cloudflarestorage.com",
			"*minio*",
		}},
		{"registry", []string{"registry.*", "hub.docker.com", "*.pkg.dev", "ghcr.io", "*.azurecr.io", "*.ecr.*", "*artifactory*", "*nexus*"}},
		{"database", []string{"*elastic*", "*opensearch*", "*couch*", "*firestore*", "*.firebaseio.com", "*supabase*", "*mongo*"}},
		{"cluster", []string{"kubernetes*", "*.eks.amazonaws.com", "*.azmk8s.io"}},
	} {
		if matchKnown(kind.globs, name) == truth.Yes {
			return kind.kind
		}
	}
	switch e.port {
	case "9200", "5984", "8086", "8123", "6333", "7700":
		return "database"
	case "6443", "10250", "2379":
		return "cluster"
	case "5000":
		return "registry"
	case "15672":
		return "message"
	}
	return "cloud"
}

// guards are the processes that guard this machine.
var guards = append([]string{weirWord}, strings.Fields(program.SharedVerbs["%guard"])...)

// assigned notes the variables that are set for a command.
func (f *finder) assigned(l *line) {
	for _, set := range l.c.Assigns {
		f.setting(l, set)
	}
}

// settings are variables that switch off checks, with the values that do.
var settings = []struct {
	verb  Verb
	kind  string
	globs []string
}{
	{Widens, "trust", []string{
		"node_tls_reject_unauthorized=0", "git_ssl_no_verify=1", "git_ssl_no_verify=true", "pythonhttpsverify=0", "npm_config_strict_ssl=false",
		"pip_trusted_host=*", "goinsecure=*", "goflags=*-insecure*", "gonosumdb=*", "gonosumcheck=*", "gosumdb=off",
		"curl_ca_bundle=", "requests_ca_bundle=", "ssl_cert_file=/dev/null", "bundle_ssl_verify_mode=0",
		"git_ssh_command=*stricthostkeychecking*no*",
		"aws_ca_bundle=", "ansible_host_key_checking=false", "docker_content_trust=0",
	}},
	{Stops, "check", []string{
		"husky=0", "husky_skip_hooks=*", "skip=*", "lefthook=0", "pre_commit_allow_no_config=1",
		"git_config_value_*=/dev/null",
	}},
	{Stops, "guard", []string{"histfile=", "histfile=/dev/null", "histsize=0", "histfilesize=0", "histcontrol=ignorespace"}},
	{Stops, "guard", guardSettings},
	{Persists, "agent", []string{"goose_mode=auto", "opencode_permission=*allow*", "is_sandbox=1"}},
	{Stops, "guard", []string{"https_proxy=", "http_proxy=", "all_proxy="}},
	{Stops, "guard", []string{"no_proxy=*anthropic*", "no_proxy=*openai*", "no_proxy=*chatgpt*", "no_proxy=*googleapis*"}},
}

// guardSettings match any value of the variables that lead agents through what guards them.
var guardSettings = func() (out []string) {
	for name := range strings.FieldsSeq(strings.ToLower(program.GuardVariables)) {
		out = append(out, name+"=*")
	}
	return out
}()

// setting notes a variable that switches off a check.
func (f *finder) setting(l *line, set shell.Word) {
	if leadsPast(l, set) {
		f.noteWeir(l, truth.Yes)
	}
	f.registry(l, set.Text)
	for _, s := range settings {
		f.note(l, s.verb, s.kind, matchSaid(s.globs, set))
	}
}
