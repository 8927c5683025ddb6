package address

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// programsIn searches a text for the names of programs that write hosts in ways of their own.
func programsIn(text string) (found program.Hosts) {
	for i := 0; i < len(text); {
		if !isProgramByte(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && isProgramByte(text[i]) {
			i++
		}
		if i-start > program.LongestHosts {
			continue
		}
		found |= program.HostsOf(strings.ToLower(text[start:i]))
	}
	return found
}

func isProgramByte(c byte) bool { return isLetter(c) || c == '-' }

// programWord reads a word of a text that names such programs.
func (s *scanner) programWord(w string) {
	switch {
	case len(w) < 3:
		return
	case w[0] == '@' && s.programs&program.Resolves != 0:
		s.word(w[1:])
	case s.programs&program.Connects == 0:
		return
	case w[0] == '-' && isLetter(w[1]):
		s.word(w[2:])
	case w[0] == '.' || w[0] == '$':
		s.filledWord(w)
	}
	if strings.Count(w, ":") < 2 {
		return
	}
	if open, end := strings.IndexByte(w, '['), strings.IndexByte(w, ']'); open >= 0 && end > open {
		s.word(w[open : end+1])
		w = w[:open] + w[end+1:]
	}
	for part := range strings.SplitSeq(w, ":") {
		s.word(strings.TrimLeft(part, "+-"))
	}
}

// filledWord adds a host whose begin is filled in by a shell, such as $X.example.com.
func (s *scanner) filledWord(w string) {
	w = w[:indexAny(w, "/:")]
	dot := strings.IndexByte(w, '.')
	if dot < 0 || len(w) > maxName || strings.Count(w[dot:], ".") < 2 || !isName(w[dot+1:]) || isFileName(w) {
		return
	}
	for _, h := range readHost(w[dot+1:]) {
		s.unsure(func() { s.emit(Host{Name: "*." + h.Name, Loose: true, Partial: true}) })
	}
}

// deviceFolders are the folders in which shells and awk offer connections as files. A host follows, in awk after a port.
var deviceFolders = []struct {
	path string
	port bool
}{
	{"/dev/tcp/", false},
	{"/dev/udp/", false},
	{"/inet/tcp/", true},
	{"/inet/udp/", true},
	{"/inet4/tcp/", true},
	{"/inet4/udp/", true},
	{"/inet6/tcp/", true},
	{"/inet6/udp/", true},
}

// devices adds the hosts in the names of such files.
func (s *scanner) devices(text string) {
	for _, folder := range deviceFolders {
		for rest := text; ; {
			i := strings.Index(rest, folder.path)
			if i < 0 {
				break
			}
			rest = rest[i+len(folder.path):]
			host := rest
			if folder.port {
				_, host, _ = strings.Cut(rest[:min(len(rest), maxName)], "/")
			}
			s.unsure(func() { s.authority(url{scheme: "tcp", rest: host, slashes: 2}) })
		}
	}
}

func nameSet(names string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		set[name] = true
	}
	return set
}
