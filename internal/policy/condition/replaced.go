package condition

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/shell"
)

// An edit replaces a text in a file.
type edit struct{ name, old, new string }

// These are where tools for files have what is replaced, and by what.
var (
	oldParams = []string{"old_string", "oldString", "old_str", "oldText", "old_text", "search", "old"}
	newParams = []string{"new_string", "newString", "new_str", "newText", "new_text", "replace", "replacement", "new"}
)

// maxEdits bounds how many edits of one call are looked at.
const maxEdits = 64

// editsIn lists the edits in arguments: of a patch, of a pair of texts, and of lists of such pairs.
func (f *Facts) editsIn(v *argument.Value) (out []edit) {
	one := edit{name: f.writtenFile()}
	for i := range v.Members {
		m := &v.Members[i]
		switch {
		case m.Value.Kind == '"' && isParam(oldParams, m.Name):
			one.old = m.Value.Text
		case m.Value.Kind == '"' && isParam(newParams, m.Name):
			one.new = m.Value.Text
		case m.Value.Kind == '"' && isParam(patchParams, m.Name):
			for _, file := range fileuse.PatchedFiles(m.Value.Text) {
				out = append(out, edit{file.Path, file.Removed, file.Added})
			}
		}
		for _, item := range m.Value.Items() {
			if len(out) < maxEdits {
				out = append(out, f.editsIn(item)...)
			}
		}
	}
	if one.old != "" {
		out = append(out, one)
	}
	return out
}

// replacements are the commands that come to the same as what is replaced: code of a stranger in the place of code that was trusted, and
// checks that are gone.
func (f *Facts) replacements() (found []shell.Command) {
	for _, e := range f.editsIn(&f.args) {
		for _, command := range e.means() {
			found = shell.Append(found, shell.Read(command, shell.Start{}))
		}
	}
	return found
}

// These are commands that come to the same as a text in a file.
const (
	skipsCheck  = "git commit --no-verify"
	rootInside  = "docker run --privileged -v /:/host alpine"
	loadsOthers = "LD_PRELOAD=/tmp/x.so true"
	takesFork   = "pip install git+https://"
)

// means are the commands that an edit comes to.
func (e edit) means() (out []string) {
	if isProse(e.name) {
		return nil
	}
	if before := guardsIn(e.old); len(before) > 0 && len(before) > len(guardsIn(e.new)) {
		out = append(out, skipsCheck)
	}
	if action := otherAction(e.old, e.new); action != "" {
		out = append(out, takesFork+"github.com/"+action)
	}
	if takesOther(e) {
		out = append(out, takesFork+"fork.invalid/x")
	}
	if e.loosens() {
		out = append(out, skipsCheck)
	}
	return out
}

// guardsIn are the guards that a text names.
func guardsIn(text string) map[string]bool {
	out := map[string]bool{}
	for _, guard := range guards.FindAllString(text, -1) {
		out[strings.ToLower(guard)] = true
	}
	return out
}

// guards are programs that look for secrets and holes.
var guards = regexp.MustCompile(`(?i)codeql|detect-secrets|gitleaks|trivy|semgrep|snyk|dependency-review|\bbandit\b|` +
	`gosec|brakeman|trufflehog|` +
	`checkov|tfsec|ggshield|talisman|osv-scanner|npm audit|pip-audit|cargo audit|cargo deny|govulncheck|bundler-audit|` +
	`zizmor|\bkics\b|\bgrype\b|` +
	`cosign verify|eslint-plugin-security|slsa-verifier|detect-private-key|sonarqube|whitesource|ignore-scripts=true|strict-ssl=true`)

// uses matches the action of a workflow: its owner, its name, and the version.
var uses = regexp.MustCompile(`uses:\s*["']?([\w.-]+)/([\w./-]+)@([\w./-]+)`)

// pinned and numbered match versions that do not move, and those that move only with releases.
var (
	pinned   = regexp.MustCompile(`^[0-9a-f]{40}$`)
	numbered = regexp.MustCompile(`^(?:v?\d[\w.-]*|[0-9a-f]{40})$`)
)

// otherAction is the action of another owner, or of a branch, in the place of one that was pinned; "": there is none.
func otherAction(before, after string) string {
	old := uses.FindAllStringSubmatch(before, maxEdits)
	wasPinned := slices.ContainsFunc(old, func(u []string) bool { return pinned.MatchString(u[3]) })
	for _, now := range uses.FindAllStringSubmatch(after, maxEdits) {
		known := slices.ContainsFunc(old, func(u []string) bool { return u[1] == now[1] })
		sameName := !known && slices.ContainsFunc(old, func(u []string) bool { return path.Base(u[2]) == path.Base(now[2]) })
		if sameName || wasPinned && !numbered.MatchString(now[3]) || len(old) > 0 && !known && !numbered.MatchString(now[3]) {
			return now[1] + "/" + now[2]
		}
	}
	return ""
}

// dependencies are the files that say which code of others a build takes.
var dependencies = []string{
	"cargo.toml", "pyproject.toml", "package.json", "gemfile", "pipfile", "composer.json", "go.mod", "package.swift", "pubspec.yaml",
	"mix.exs", "requirements.txt", "setup.py", "setup.cfg", "deno.json", "build.gradle", "pnpm-workspace.yaml", "podfile",
}

// elsewhere matches a dependency that does not come from a registry: its name, and the source.
var elsewhere = regexp.MustCompile(`(?m)^[\s"'({]*(?:gem\s+["'])?([\w@][\w./@-]*).{0,80}?(?:\bgit\s*[=:]\s*["']|` +
	`:git\s*=>|\bgithub\s*[=:]\s*["']|` +
	`git\+(?:https?|ssh):|["']github:|["']git@|@\s*https?://|["']https?://\S+\.(?:tgz|tar\.gz|zip|whl|git)\b|` +
	`\bpath\s*=\s*["'](?:/tmp|/var/tmp|\.\./\.\./))`)

// takesOther says that an edit takes a dependency from somewhere else that came from a registry.
func takesOther(e edit) bool {
	name := strings.ToLower(path.Base(e.name))
	if !slices.Contains(dependencies, name) && !strings.HasPrefix(name, "requirements") {
		return false
	}
	if elsewhere.MatchString(e.old) {
		return false
	}
	return slices.ContainsFunc(elsewhere.FindAllStringSubmatch(e.new, maxEdits), func(found []string) bool {
		return strings.Contains(e.old, found[1])
	})
}

// These match what gives a container the machine, commands in files of builds, and code that a build takes from outside of the project.
var (
	givesMachine = regexp.MustCompile(`(?m)(?:\bprivileged["']?:\s*true|\b(?:pid|ipc|userns_mode)["']?:\s*["']?host\b|` +
		`host(?:PID|IPC)["']?:\s*true|` +
		`["'\s-]/:/\w|source:\s*["']?/["']?\s*$|--privileged|--pid=host|docker\.sock:|\bSYS_ADMIN\b|` +
		`hostPath:\s*\{?\s*path:\s*["']?/["']?\s*(?:$|\}))`)
	gypCommands  = regexp.MustCompile(`<!@?\(([^()]{2,500})\)`)
	makeCommands = regexp.MustCompile(`\$\(shell ([^()]{2,500})\)`)
	backendPath  = regexp.MustCompile(`backend-path\s*=\s*\[[^\]]*["'](?:/|~|\.\./)`)
)

// meantBy are the commands that a file comes to, beside those that it spells out.
func meantBy(p part) (out []string) {
	name := strings.ToLower(path.Base(p.name))
	switch ending := path.Ext(name); {
	case ending == ".gyp" || ending == ".gypi":
		out = captured(gypCommands, p.text)
	case ending == ".mk" || strings.HasPrefix(name, "makefile") || name == "gnumakefile":
		out = captured(makeCommands, p.text)
	case name == "pyproject.toml" && backendPath.MatchString(p.text):
		out = []string{loadsOthers}
	case (ending == ".yml" || ending == ".yaml" || name == "devcontainer.json") && givesMachine.MatchString(p.text):
		out = []string{rootInside}
	}
	return out
}

func captured(re *regexp.Regexp, text string) (out []string) {
	for _, found := range re.FindAllStringSubmatch(text, maxEdits) {
		out = append(out, found[1])
	}
	return out
}
