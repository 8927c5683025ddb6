package deed

import (
	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// A startPlace is the files of which one kind of persistence consists.
type startPlace struct {
	kind   string
	places fileuse.Places
}

// startFiles are the files that make something run or enter later, by kind.
var startFiles = []struct {
	kind  string
	files []string
}{
	{"login", []string{
		"~/.bashrc", "~/.bash_profile", "~/.bash_login", "~/.bash_logout", "~/.bash_aliases", "~/.profile", "~/.zshrc", "~/.zshenv",
		"~/.zprofile",
		"~/.zlogin", "~/.kshrc", "~/.cshrc", "~/.tcshrc", "~/.login", "~/.xprofile", "~/.xinitrc", "~/.xsessionrc", "~/.pam_environment",
		"~/.ssh/rc",
		"~/.config/fish/**", "~/.config/nushell/**", "/etc/profile", "/etc/profile.d/**", "/etc/bash.bashrc", "/etc/bashrc", "/etc/zsh/**",
		"/etc/zshrc", "/etc/zshenv", "/etc/environment", "/etc/environment.d/**", "~/.config/environment.d/**", "/etc/skel/**", "/etc/pam.d/**",
		"Microsoft.PowerShell_profile.ps1", "Microsoft.VSCode_profile.ps1", "~/Documents/PowerShell/profile.ps1",
	}},
	{"timer", []string{
		"/etc/cron*/**", "/etc/crontab", "/etc/anacrontab", "/var/spool/cron/**", "/var/spool/at/**", "/var/cron/**", "/usr/lib/cron/**",
		"/etc/systemd/system/*.timer", "~/.config/systemd/user/*.timer",
	}},
	{"service", []string{
		"/etc/systemd/**", "/lib/systemd/**", "/usr/lib/systemd/**", "/usr/local/lib/systemd/**", "~/.config/systemd/**",
		"~/.local/share/systemd/**", "/etc/init.d/**", "/etc/rc.local", "/etc/rc.d/**", "/etc/init/**", "/Library/LaunchDaemons/**",
		"/System/Library/LaunchDaemons/**", "/etc/xinetd.d/**", "/etc/inetd.conf", "/etc/supervisor/**",
	}},
	{"hook", []string{
		".git/hooks/**", ".husky/**", "~/.gitconfig", "~/.config/git/**", "/etc/gitconfig", ".git/config", "/etc/ld.so.preload",
		"/etc/ld.so.conf.d/**",
		"sitecustomize.py", "usercustomize.py", "/etc/udev/rules.d/**", "/etc/apt/apt.conf.d/**", "/etc/NetworkManager/dispatcher.d/**",
		"/etc/update-motd.d/**", "/etc/modules-load.d/**", "~/.config/direnv/**", "~/.vimrc", "~/.config/nvim/init.*", "~/.emacs",
		"~/.tmux.conf",
	}},
	{"key", []string{
		"~/.ssh/authorized_keys", "~/.ssh/authorized_keys2", "~/.ssh/authorized_keys*", "~/.ssh/config", "~/.ssh/environment", "/etc/ssh/**",
		"~/.rhosts",
		"~/.shosts", "/etc/hosts.equiv",
	}},
	{"autostart", []string{
		"~/.config/autostart/**", "/etc/xdg/autostart/**", "~/Library/LaunchAgents/**", "/Library/LaunchAgents/**", "/Library/StartupItems/**",
		"~/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/**", "~/.config/plasma-workspace/**",
	}},
	{"agent", []string{
		"~/.claude/settings*.json", "~/.claude.json", "~/.claude/hooks/**", "~/.claude/plugins/**", ".claude/settings*.json",
		".claude/hooks/**",
		".mcp.json", "~/.codex/**", ".codex/**", "~/.gemini/**", ".gemini/settings.json", "~/.cursor/**", ".cursor/mcp.json",
		".cursor/hooks.json",
		".vscode/mcp.json", "~/.config/opencode/**", "opencode.json", "opencode.jsonc", "~/.config/goose/**", "~/.aider.conf.yml",
		"~/.continue/**",
		"~/.codeium/**", "claude_desktop_config.json", "managed-settings.json", "~/.config/amp/**", "~/.copilot/**",
	}},
}

var startPlaces = func() (out []startPlace) {
	for _, f := range startFiles {
		out = append(out, startPlace{f.kind, mustPlaces(f.files)})
	}
	return out
}()

// anyStart is all of them.
var anyStart = func() fileuse.Places {
	var all []string
	for _, f := range startFiles {
		all = append(all, f.files...)
	}
	return mustPlaces(all)
}()

func mustPlaces(files []string) fileuse.Places {
	places, err := fileuse.NewPlaces(files)
	if err != nil {
		panic(err) // they are part of the program, and tested
	}
	return places
}

// persisted notes the writes to files that make something run later.
func (f *finder) persisted(uses []fileuse.Use) {
	// What git writes to its own settings is read elsewhere.
	known := map[string]int{}
	for _, l := range f.lines {
		if l != nil && l.name == "git" {
			for _, u := range fileuse.Find([]shell.Command{*l.c}) {
				known[u.Path]++
			}
		}
	}
	for i := range uses {
		one := uses[i : i+1]
		if known[one[0].Path]--; known[one[0].Path] >= 0 {
			continue
		}
		if one[0].Deed != fileuse.Writes || !counts(anyStart, one) {
			continue
		}
		for _, place := range startPlaces {
			if counts(place.places, one) {
				f.add(Deed{Verb: Persists, Kind: place.kind, Certainty: place.places.Touched(one, fileuse.Writes)[0],
					Command: "writes " + one[0].Path, names: []string{one[0].Path}})
			}
		}
	}
}

// counts reports whether a use is of a place. A folder that may contain such files does not count: it may also not.
func counts(places fileuse.Places, one []fileuse.Use) bool {
	for _, a := range places.Touched(one, fileuse.Writes) {
		if a == truth.Yes || a == truth.Maybe && !one[0].Tree {
			return true
		}
	}
	return false
}
