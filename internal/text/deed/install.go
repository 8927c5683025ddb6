package deed

import (
	"slices"
	"strings"
	"sync"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// An installer is what is known of a program that installs or runs code of others.
type installer struct {
	verbs   map[string]bool // nil: every command does
	letters []string        // of options with a registry
	first   bool            // only the first operand names code
	forges  bool            // code from public forges is usual
	github  bool            // owner/name is a repository
}

// installers are the tables of package program, compiled when they are first needed.
var installers = sync.OnceValue(func() map[string][]installer {
	out := map[string][]installer{}
	for text := range strings.Lines(joinedRows.Replace(program.Installers)) {
		names, words, ok := strings.Cut(text, "=")
		if !ok {
			continue
		}
		in := newInstaller(strings.Fields(words))
		for name := range strings.FieldsSeq(names) {
			out[name] = append(out[name], in)
		}
	}
	return out
})

func newInstaller(words []string) installer {
	in := installer{verbs: map[string]bool{}}
	for _, word := range words {
		switch {
		case word == "first":
			in.first = true
		case word == "forges":
			in.forges = true
		case word == "github":
			in.github = true
		case strings.HasPrefix(word, "-"):
			in.letters = append(in.letters, word)
		default:
			in.verbs[word] = true
		}
	}
	if in.verbs["*"] {
		in.verbs = nil
	}
	return in
}

// installed notes that a line installs or runs code that it names by a URL, or takes packages from a registry that nobody knows.
func (f *finder) installed(l *line) {
	for _, in := range installers()[l.name] {
		if certainty := in.fetches(l); certainty != truth.No {
			f.addOf(l, Deed{Verb: RunsFetched, Certainty: certainty, hosts: urlHosts(l)})
		}
		if in.registers(l) {
			f.note(l, Widens, "trust", truth.Yes)
		}
	}
}

// fetches says whether a line names code by a URL.
func (in installer) fetches(l *line) truth.Value {
	armed := in.verbs == nil
	for i, it := range l.items {
		text := it.word.Text
		switch {
		case it.option && armed && in.ends(l.name, text):
			return truth.No
		case it.option && armed:
			_, v, ok := strings.Cut(text, "=")
			if ok && !in.otherValue(l.name, text) && in.source(v) {
				return truth.Yes
			}
		case it.option:
		case armed && i > 0 && l.items[i-1].option && in.otherValue(l.name, l.items[i-1].word.Text):
		case armed && (in.source(text) || in.github && isShorthand(text)):
			return truth.Yes
		case in.verbs[strings.ToLower(text)]:
			armed = true
		case armed && in.first && !it.value && text != "--":
			if !it.word.Known && isHole(text, 0) {
				return truth.Maybe
			}
			return truth.No
		}
	}
	return truth.No
}

// ends reports an option after which a command of its own follows.
func (in installer) ends(name, option string) bool {
	return option == "--" && !in.first || name == "nix" && (option == "-c" || option == "--command")
}

// otherValue reports an option whose URL is not that of code.
func (in installer) otherValue(name, option string) bool {
	return in.names(option) || besides(name, option)
}

// names reports an option that names a registry.
func (in installer) names(option string) bool {
	name, _, _ := strings.Cut(option, "=")
	return registryOptions[name] || slices.Contains(in.letters, name)
}

var registryOptions = wordSet(program.RegistryOptions)

// besides reports an option whose URL is not where code comes from.
func besides(name, option string) bool {
	option, _, _ = strings.Cut(option, "=")
	switch option {
	case "--proxy", "--https-proxy", "--http-proxy", "--noproxy", "--cert", "--cafile", "--homepage", "--otp", "-o", "--option",
		"--trusted-host", "--keyserver", "--base-url", "--env", "--extra-vars", "-var", "--build-arg":
		return true
	case "-e":
		return strings.HasPrefix(name, "ansible")
	}
	return strings.HasPrefix(option, "-D") || strings.HasPrefix(option, "-P")
}

// schemes are how words begin that name code elsewhere.
var schemes = []string{
	"http://", "https://", "ftp://", "ftps://", "git://", "ssh://", "git+", "hg+", "svn+", "bzr+", "git@", "github:", "gitlab:", "bitbucket:",
	"gist:", "sourcehut:", "tarball+http", "git::", "gogs:",
}

// source reports a word that names code by a URL: alone, or after the name of a package.
func (in installer) source(text string) bool {
	for _, mark := range []string{"", "@", "@ ", "=", "(", ":\""} {
		rest := text
		if mark != "" {
			at := strings.Index(text, mark)
			if at <= 0 {
				continue
			}
			rest = text[at+len(mark):]
		}
		for _, scheme := range schemes {
			if len(rest) >= len(scheme) && strings.EqualFold(rest[:len(scheme)], scheme) {
				return !in.usualForge(rest) && !onThisMachine(rest)
			}
		}
	}
	return false
}

// usualForge reports a URL of a public forge, for programs whose packages usually come from there.
func (in installer) usualForge(url string) bool {
	for _, e := range sourceEnds(url) {
		switch e.host.Name {
		case "github.com", "gitlab.com", "codeberg.org", "bitbucket.org", "git.sr.ht":
			return in.forges
		}
	}
	return false
}

func onThisMachine(url string) bool {
	for _, e := range sourceEnds(url) {
		return e.local()
	}
	return false
}

func sourceEnds(url string) []end {
	if at := strings.Index(url, "://"); at >= 0 {
		url = url[strings.LastIndexAny(url[:at], "+:")+1:]
	}
	return ends(shell.Word{Text: url, Known: !holed(url)}, "")
}

// isShorthand reports the name of a repository of GitHub, which package managers of JavaScript take for one: owner/name.
func isShorthand(text string) bool {
	owner, name, ok := strings.Cut(text, "/")
	name, _, _ = strings.Cut(name, "#")
	return ok && owner != "" && name != "" && isLetter(owner[0]) && !strings.ContainsAny(owner, ".@:~$*\\") &&
		!strings.ContainsAny(name, "/@:*\\") && !holed(text)
}

// registers reports a line that takes packages from a registry that is none of the usual ones.
func (in installer) registers(l *line) bool {
	if in.verbs != nil && !slices.ContainsFunc(l.items, func(it item) bool { return !it.option && in.verbs[strings.ToLower(it.word.Text)] }) {
		return false
	}
	for i, it := range l.items {
		if !it.option || !in.names(it.word.Text) {
			continue
		}
		_, v, ok := strings.Cut(it.word.Text, "=")
		if !ok && i+1 < len(l.items) {
			v = l.items[i+1].word.Text
		}
		if at := strings.Index(v, ","); at >= 0 && strings.Contains(v[at:], "://") {
			v = v[at+1:] // a name before it
		}
		if strings.Contains(v, "://") && !strings.HasPrefix(v, "file:") && !isUsual(v) {
			return true
		}
	}
	return false
}

// registryVariables are the names of variables that say where packages and programs come from.
var registryVariables = strings.Fields(`*_registry *_registry_* *registry_server *_index_url *_index *_mirror *_mirror_* *_download_host
	*_download_base_url *_dist_server *_dist_root *_update_root *_bottle_domain *_cdn *_cdn_host *_download_url goproxy`)

// registry notes a variable by which packages come from a place that nobody knows.
func (f *finder) registry(l *line, set string) {
	name, v, _ := strings.Cut(set, "=")
	if strings.Contains(v, "://") && !isUsual(v) && matchKnown(registryVariables, name) == truth.Yes {
		f.note(l, Widens, "trust", truth.Yes)
	}
}

// isUsual reports a URL of a registry that everyone uses, or of this machine.
func isUsual(url string) bool {
	for _, e := range sourceEnds(url) {
		if !e.local() && matchKnown(usualRegistries, e.host.Name) != truth.Yes {
			return false
		}
	}
	return true
}

var usualRegistries = strings.Fields(program.UsualRegistries)
