package shell

import (
	"regexp"
	"slices"
	"strings"
)

// A setting is an option of a program that takes settings, and the keys whose value the program runs or loads.
type setting struct {
	options []string
	runs    *regexp.Regexp
	loads   *regexp.Regexp
}

// settings are the programs that run what a setting names.
var settings = map[string]setting{
	"hg": {
		[]string{"config"},
		regexp.MustCompile(`(?i)^(?:hooks\.|alias\.|ui\.(?:editor|ssh|remotecmd|merge)|extdiff\.|merge-tools\.[^=]*executable|pager\.pager)`),
		regexp.MustCompile(`(?i)^extensions\.`),
	},
	"jj":       {[]string{"config"}, regexp.MustCompile(`(?i)^(?:ui\.(?:pager|editor|diff)|merge-tools\.|fix\.tools\.)`), nil},
	"svn":      {[]string{"config-option"}, regexp.MustCompile(`(?i)^config:(?:tunnels|helpers):`), nil},
	"wget":     {[]string{"e", "execute"}, regexp.MustCompile(`(?i)^use_?askpass`), nil},
	"postgres": {[]string{"c"}, regexp.MustCompile(`(?i)_command`), regexp.MustCompile(`(?i)_preload_libraries`)},
	"sshd":     {[]string{"o"}, regexp.MustCompile(`(?i)command|program`), nil},
}

// settingPrograms reads a program that takes settings in its options.
func settingPrograms(r *reader, c invocation) value {
	of := settings[strings.TrimSuffix(c.name, "2")]
	for i := range c.args {
		for _, option := range of.options {
			dashes := "--"
			if len(option) == 1 {
				dashes = "-"
			}
			if text, ok := optionValue(dashes+option, c.args[i:]); ok {
				r.setting(of, text, c)
			}
		}
	}
	return known(r, c)
}

// setting reads one setting of a program.
func (r *reader) setting(of setting, text string, c invocation) {
	key, v, ok := strings.Cut(text, "=")
	key, v = strings.TrimSpace(key), strings.Trim(strings.TrimSpace(v), `"'`)
	switch {
	case !ok || v == "" || hasHole(v):
	case of.loads != nil && of.loads.MatchString(key):
		r.loadedFile(v, c.scope)
	case of.runs.MatchString(key):
		r.text(strings.TrimPrefix(strings.TrimPrefix(v, "$"), "!"), apartScope(c.scope), pipes{})
	}
}

// packagedShell reads snap, which runs a shell with the folders of a package.
func packagedShell(r *reader, c invocation) value {
	if i := slices.Index(c.args, "--shell"); i > 0 && c.args[0] == "run" {
		for at, arg := range c.args[1:] {
			if !strings.HasPrefix(arg, "-") {
				return r.run(append([]string{"bash"}, c.args[at+2:]...), newScope(c.scope), c.pipes)
			}
		}
	}
	return known(r, c)
}

// requestLines match the requests in a file of hurl.
var requestLines = regexp.MustCompile(`(?m)^\s*(GET|POST|PUT|PATCH|DELETE)\s+(\S+)`)

// requestFile reads the requests in the input of a program, or in a file that the text wrote.
func requestFile(r *reader, c invocation) value {
	texts := slices.Clone(c.pipes.in)
	for _, arg := range c.args {
		texts = append(texts, r.given(arg, c)...)
	}
	for _, text := range texts {
		if !r.search(text) {
			break
		}
		for _, found := range requestLines.FindAllStringSubmatch(text, maxActions) {
			r.run([]string{"curl", "-X", found[1], found[2]}, newScope(c.scope), pipes{})
		}
	}
	return unknownValue
}

// folderSettings reads direnv: once it is allowed, the file .envrc runs whenever somebody enters the folder.
func folderSettings(r *reader, c invocation) value {
	if len(c.args) > 0 && (c.args[0] == "allow" || c.args[0] == "grant" || c.args[0] == "permit" || c.args[0] == "reload") {
		if text, ok := r.file(".envrc"); ok {
			r.texts(text, newScope(c.scope), pipes{})
		}
	}
	return known(r, c)
}

// serviceFile reads the lines of inetd, each of which has the program that a service starts behind six words.
func serviceFile(r *reader, c invocation) value {
	const before = 5
	texts := slices.Clone(c.pipes.in)
	for _, arg := range c.args {
		texts = append(texts, r.given(arg, c)...)
	}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			if words := strings.Fields(line); len(words) > before && !strings.HasPrefix(line, "#") {
				r.run([]string{"nc", "-l", "-e", words[before], words[0]}, newScope(c.scope), pipes{})
			}
		}
	}
	return unknownValue
}
