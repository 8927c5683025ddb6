package program

import (
	"path"
	"slices"
	"strings"
)

// systemFolders are where systems and package managers put what they install. Everything below them counts.
var systemFolders = strings.Fields(`/bin /sbin /usr /opt /snap /nix /run/current-system /Applications /Library /System 
	/home/linuxbrew/.linuxbrew ~/.sdkman ~/.nvm/versions ~/.pyenv/versions ~/.rustup/toolchains
	 ~/.asdf/installs ~/.local/share/mise/installs ~/sdk ~/.gradle/jdks ~/Android/Sdk ~/Library/Android/sdk`)

// usualFolders are where package managers put the programs of a user; ~ is the user's folder.
var usualFolders = strings.Fields(`~/.cargo/bin ~/go/bin ~/.local/bin ~/bin ~/.bun/bin ~/.deno/bin ~/.volta/bin ~/.pyenv/shims
	~/.rbenv/shims ~/.asdf/shims ~/.local/share/mise/shims ~/.dotnet/tools ~/.nix-profile/bin ~/.npm-global/bin ~/.yarn/bin
	~/.local/share/pnpm ~/.composer/vendor/bin`)

// projectFolders are where package managers put the programs of a project, below any folder of it.
var projectFolders = strings.Fields("node_modules/.bin .venv/bin venv/bin vendor/bin .tox/bin .venv/Scripts venv/Scripts")

// temporaryFolders are where anybody can put a program.
var temporaryFolders = strings.Fields("/tmp /var/tmp /dev/shm /private/tmp /private/var/tmp")

// UsualFolder reports a folder in which systems and package managers put programs, those of a project included. A program there is the
// one that its name says. The user's folder is written as ~.
func UsualFolder(folder string) bool {
	folder = strings.ReplaceAll(folder, `\`, "/")
	if slices.Contains(strings.Split(folder, "/"), "..") {
		return false
	}
	folder = path.Clean(folder)
	if isUsual(folder) {
		return true
	}
	if rest, ok := strings.CutPrefix(folder, "/root"); ok && isUsual("~"+rest) {
		return true
	}
	for _, homes := range []string{"/home/", "/Users/"} {
		rest, ok := strings.CutPrefix(folder, homes)
		_, rest, below := strings.Cut(rest, "/")
		if ok && below && isUsual("~/"+rest) {
			return true
		}
	}
	for _, temporary := range temporaryFolders {
		if folder == temporary || strings.HasPrefix(folder, temporary+"/") {
			return false
		}
	}
	return slices.ContainsFunc(projectFolders, func(own string) bool { return folder == own || strings.HasSuffix(folder, "/"+own) })
}

func isUsual(folder string) bool {
	return slices.Contains(usualFolders, folder) ||
		slices.ContainsFunc(systemFolders, func(system string) bool { return folder == system || strings.HasPrefix(folder, system+"/") })
}
