package deed

import (
	"path"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/truth"
)

// A place is the files whose change is a deed.
type place struct {
	verb   Verb
	kind   string
	files  []string
	places fileuse.Places
}

// places are the files that make something run or enter later, that say whom and what to trust, and that guard.
var places = compilePlaces([]place{
	{verb: Persists, kind: "login", files: []string{
		"~/.bashrc", "~/.bash_profile", "~/.bash_login", "~/.bash_logout", "~/.bash_aliases", "~/.profile", "~/.zshrc", "~/.zshenv",
		"~/.zprofile",
		"~/.zlogin", "~/.kshrc", "~/.cshrc", "~/.tcshrc", "~/.login", "~/.xprofile", "~/.xinitrc", "~/.xsessionrc", "~/.pam_environment",
		"~/.ssh/rc",
		"~/.config/fish/**", "~/.config/nushell/**", "/etc/profile", "/etc/profile.d/**", "/etc/bash.bashrc", "/etc/bashrc", "/etc/zsh/**",
		"/etc/zshrc", "/etc/zshenv", "/etc/environment", "/etc/environment.d/**", "~/.config/environment.d/**", "/etc/skel/**", "/etc/pam.d/**",
		"Microsoft.PowerShell_profile.ps1", "Microsoft.VSCode_profile.ps1", "~/Documents/PowerShell/profile.ps1",
	}},
	{verb: Persists, kind: "timer", files: []string{
		"/etc/cron*/**", "/etc/crontab", "/etc/anacrontab", "/var/spool/cron/**", "/var/spool/at/**", "/var/cron/**", "/usr/lib/cron/**",
		"/etc/systemd/system/*.timer", "~/.config/systemd/user/*.timer",
	}},
	{verb: Persists, kind: "service", files: []string{
		"/etc/systemd/**", "/lib/systemd/**", "/usr/lib/systemd/**", "/usr/local/lib/systemd/**", "~/.config/systemd/**",
		"~/.local/share/systemd/**", "/etc/init.d/**", "/etc/rc.local", "/etc/rc.d/**", "/etc/init/**", "/Library/LaunchDaemons/**",
		"/System/Library/LaunchDaemons/**", "/etc/xinetd.d/**", "/etc/inetd.conf", "/etc/supervisor/**",
	}},
	{verb: Persists, kind: "hook", files: []string{
		".git/hooks/*[!e]", "~/.gitconfig", "~/.config/git/**", "/etc/gitconfig", ".git/config", "/etc/ld.so.preload",
		"/etc/ld.so.conf.d/**",
		"sitecustomize.py", "usercustomize.py", "/etc/udev/rules.d/**", "/etc/apt/apt.conf.d/**", "/etc/NetworkManager/dispatcher.d/**",
		"/etc/update-motd.d/**", "/etc/modules-load.d/**", "~/.config/direnv/**", "~/.vimrc", "~/.forward", "~/.ipython/**", "~/.jupyter/**",
		"~/.rprofile", "~/.Rprofile", "~/.irbrc", "~/.pryrc", "~/.psqlrc",
		"~/.sqliterc", "~/.gdbinit", "~/.lldbinit", "~/.inputrc", "~/.mailcap", "~/.npm-init.js", "site-packages/*.pth",
		"~/.config/nvim/init.*", "~/.emacs",
		"~/.tmux.conf", "~/.ssh/config", "~/.pythonrc*", "~/.pythonstartup*", "~/.mavenrc", "~/.local/share/kio/**", "~/.config/nvim/**",
		"~/.local/share/nvim/site/**", "~/.screenrc", "~/.gradlerc", "~/.config/mise/**", "~/.rspec", "~/.config/powershell/**", "~/.xsession",
	}},
	{verb: Persists, kind: "key", files: []string{
		"~/.ssh/authorized_keys", "~/.ssh/authorized_keys2", "~/.ssh/authorized_keys*", "~/.ssh/environment", "/etc/ssh/**",
		"~/.rhosts",
		"~/.shosts", "/etc/hosts.equiv",
	}},
	{verb: Persists, kind: "autostart", files: []string{
		"~/.config/autostart/**", "/etc/xdg/autostart/**", "~/Library/LaunchAgents/**", "/Library/LaunchAgents/**", "/Library/StartupItems/**",
		"~/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/**", "~/.config/plasma-workspace/**",
	}},
	{verb: Persists, kind: "agent", files: []string{
		"~/.claude/settings*.json", "~/.claude.json", "~/.claude/hooks/**", "~/.claude/plugins/**", ".claude/settings*.json",
		".claude/hooks/**",
		".mcp.json", "~/.codex/**", ".codex/**", "~/.gemini/**", ".gemini/settings.json", "~/.cursor/**", ".cursor/mcp.json",
		".cursor/hooks.json",
		".vscode/mcp.json", "~/.config/opencode/**", "opencode.json", "opencode.jsonc", "~/.config/goose/**", "~/.aider.conf.yml",
		"~/.continue/**",
		"~/.codeium/**", "claude_desktop_config.json", "managed-settings.json", "~/.config/amp/**", "~/.copilot/**",
	}},
	{verb: Persists, kind: "hook", files: []string{
		"~/.local/bin/git", "~/.local/bin/ssh", "~/.local/bin/sudo", "~/.local/bin/ls", "~/.local/bin/node", "~/.local/bin/npm",
		"~/.local/bin/python*",
		"~/.local/bin/curl", "~/.local/bin/docker", "~/.local/bin/kubectl", "~/bin/git", "~/bin/ssh", "~/bin/sudo", "~/bin/ls", "~/bin/npm",
	}},
	{verb: Widens, kind: "trust", files: []string{
		"~/.npmrc", "~/.yarnrc", "~/.yarnrc.yml", "/etc/npmrc", "~/.pip/**", "~/.config/pip/**", "/etc/pip.conf", "~/.pypirc",
		"~/.config/uv/**",
		"~/.cargo/config", "~/.cargo/config.toml", "~/.gemrc", "~/.condarc", "~/.bundle/config", "~/.m2/settings.xml", "~/.gradle/init.d/**",
		"~/.gradle/init.gradle*", "/etc/apt/sources.list", "/etc/apt/sources.list.d/**", "/etc/apt/trusted.gpg*", "/etc/apt/trusted.gpg.d/**",
		"/etc/apt/keyrings/**", "/etc/yum.repos.d/**", "/etc/pki/**", "/etc/ssl/certs/**", "/usr/local/share/ca-certificates/**", "/etc/hosts",
		"/etc/resolv.conf", "/etc/docker/daemon.json", "~/.docker/daemon.json", "~/.ssh/known_hosts", "/etc/ca-certificates.conf",
		"~/.config/containers/**", "/etc/containers/**", "~/.terraformrc", "~/.tofurc", "~/.curlrc", "~/.wgetrc",
		"~/.gradle/gradle.properties",
		"~/.bunfig.toml", "~/.config/.bunfig.toml", "~/.config/composer/config.json", "~/.config/pdm/**", "~/.config/pypoetry/**",
		"~/.config/yarn/**", "~/.nuget/NuGet/NuGet.Config", "~/.config/NuGet/**", "~/.config/go/env", "~/.config/nix/nix.conf",
		"/etc/nix/nix.conf",
		"~/.cpan/CPAN/MyConfig.pm", "~/.config/opam/**", "~/.sbt/repositories", "~/.config/helm/repositories.yaml", "~/.hgrc",
	}},
	{verb: Escalates, kind: "account", files: []string{
		"/etc/sudoers", "/etc/sudoers.d/**", "/etc/passwd", "/etc/shadow", "/etc/group", "/etc/gshadow", "/etc/doas.conf", "/etc/security/**",
		"/etc/polkit-1/**",
	}},
	{verb: Stops, kind: "guard", files: []string{
		"/etc/selinux/config", "/etc/apparmor.d/**", "/etc/audit/**", "/var/log/auth.log*", "/var/log/secure*", "/var/log/syslog*",
		"/var/log/messages*", "/var/log/kern.log*", "/var/log/audit/**", "/var/log/journal/**", "/var/log/*tmp", "/var/log/lastlog",
		"~/.bash_history", "~/.zsh_history", "/etc/ufw/**",
		"/etc/nftables.conf", "/etc/iptables/**", "/etc/fail2ban/**", "/etc/rsyslog*", "/etc/firewalld/**",
	}},
	{verb: Stops, kind: "guard", files: []string{
		"~/.config/weir/**", "~/.local/state/weir/**", "~/.local/share/weir/**", "~/.local/bin/weir", "/usr/local/bin/weir", "/usr/bin/weir",
		"/etc/weir/**", "/var/lib/weir/**", "~/Library/Application Support/weir/**", "~/.config/weir", "~/.local/state/weir",
		"~/.local/share/weir",
	}},
})

// anyPlace is all of them.
var anyPlace = func() fileuse.Places {
	var all []string
	for _, p := range places {
		all = append(all, p.files...)
	}
	return mustPlaces(all)
}()

func compilePlaces(list []place) []place {
	for i := range list {
		list[i].places = mustPlaces(list[i].files)
	}
	return list
}

func mustPlaces(files []string) fileuse.Places {
	places, err := fileuse.NewPlaces(files)
	if err != nil {
		panic(err) // they are part of the program, and tested
	}
	return places
}

// changed notes the changes of files that are a deed. Removing a file stops what it guards, and persists nothing.
func (f *finder) changed(uses []fileuse.Use) {
	known, modes := f.usedBy("git", "ssh-keyscan"), f.usedBy("chmod", "chown", "chgrp")
	for i := range uses {
		one := uses[i : i+1]
		if known[one[0].Path]--; known[one[0].Path] >= 0 {
			continue
		}
		if one[0].Deed == fileuse.Reads || !counts(anyPlace, one) {
			continue
		}
		modes[one[0].Path]--
		for _, p := range places {
			if modes[one[0].Path] >= 0 && (p.verb == Persists || p.verb == Widens) {
				continue // other rights for a file are told by the words of the command
			}
			if counts(p.places, one) && (one[0].Deed == fileuse.Writes || p.verb == Stops) {
				f.add(Deed{
					Verb: p.verb, Kind: p.kind, Certainty: p.places.Touched(one, fileuse.Writes)[0],
					Command: "changes " + one[0].Path, names: []string{one[0].Path, path.Base(one[0].Path), namedGuard(one[0].Path)},
				})
			}
		}
		if one[0].Deed == fileuse.Removes && counts(hooks, one) {
			f.add(Deed{Verb: Stops, Kind: "check", Certainty: truth.Yes, Command: "removes " + one[0].Path, names: []string{one[0].Path}})
		}
	}
}

// hooks are the checks that run before a commit or a push.
var hooks = mustPlaces([]string{".git/hooks", ".git/hooks/**", ".husky", ".husky/**", ".pre-commit-config.yaml", "lefthook.yml"})

// namedGuard is weir if the path has that name.
func namedGuard(file string) string {
	if strings.Contains(file, "weir") {
		return "weir"
	}
	return file
}

// usedBy are the paths that some programs use, with how often: what they write there is told by their words.
func (f *finder) usedBy(programs ...string) map[string]int {
	known := map[string]int{}
	for i, l := range f.lines {
		if l != nil && slices.Contains(programs, l.name) {
			for _, u := range fileuse.Find(f.commands[i : i+1]) {
				known[u.Path]++
			}
		}
	}
	return known
}

// counts reports whether a use is of a place. A folder that may contain such files does not count when it is changed: it may also not.
func counts(places fileuse.Places, one []fileuse.Use) bool {
	for _, a := range places.Touched(one, fileuse.Writes) {
		if a == truth.Yes || a == truth.Maybe && !one[0].Tree {
			return true
		}
	}
	return false
}
