package shell

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// secureShell reads ssh: the words after the host are a text for the shell there.
func secureShell(r *reader, c invocation) value {
	line := c.line()
	r.optionTexts(line, c)
	settings := line.Values("o")
	out, told := unknownValue, false
	for _, host := range r.starts(line) {
		after := c.entry.Read(c.args[host+1:])
		settings = append(settings, after.Values("o")...)
		for _, start := range r.starts(after) {
			told = true
			out = r.text(strings.Join(after.Args[start:], " "), newLogin(), c.pipes)
		}
	}
	r.sshSettings(settings, c)
	if !told && c.pipes.in != nil && line.Has("N", "W") != truth.Yes {
		return r.texts(c.pipes.in, newLogin(), pipes{want: c.pipes.want})
	}
	return out
}

// sshSettings reads the settings of ssh that run a command.
func (r *reader) sshSettings(settings []string, c invocation) {
	for _, setting := range settings {
		name, text := setting, ""
		if i := strings.IndexAny(setting, " ="); i >= 0 {
			name, text = setting[:i], setting[i+1:]
		}
		switch fold(name) {
		case "proxycommand", "localcommand", "knownhostscommand":
			r.text(text, apartScope(c.scope), pipes{})
		case "remotecommand":
			r.text(text, newLogin(), pipes{})
		case "pkcs11provider", "securitykeyprovider":
			r.loadedFile(text, c.scope)
		}
	}
}

// urlTransfer reads the options that curl takes from its input or from a file that the text wrote.
func urlTransfer(r *reader, c invocation) value {
	for _, name := range c.line().Values("K") {
		for _, text := range r.given(name, c) {
			if !r.search(text) {
				return unknownValue
			}
			if words := configWords(text); len(words) > 0 {
				r.noteIn(append([]string{c.name}, words...), newScope(c.scope), pipes{})
			}
		}
	}
	return known(r, c)
}

// configWords turns the lines of a file with options of curl into words. A name and its value are separated by a blank, = or a colon.
func configWords(text string) (out []string) {
	const most = 256
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || len(out) > most {
			continue
		}
		name, v := line, ""
		if i := strings.IndexAny(line, " =:\t"); i >= 0 {
			name, v = line[:i], strings.TrimLeft(line[i:], " =:\t")
		}
		if !strings.HasPrefix(name, "-") {
			name = "--" + name
		}
		out = append(out, name)
		if v != "" {
			out = append(out, strings.Trim(v, `"`))
		}
	}
	return out
}

// fileSession reads sftp, whose input may pass lines to a shell.
func fileSession(r *reader, c invocation) value {
	client(r, c)
	return remoteCopy(r, c)
}

// remoteCopy reads the settings of scp and sftp that name a program.
func remoteCopy(r *reader, c invocation) value {
	r.sshSettings(c.entry.Anywhere(c.args).Values("o"), c)
	return known(r, c)
}
