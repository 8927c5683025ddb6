package deed

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/shell"
)

// shareHost is the server in the path of a share, \\server\share\file; "": the path is none.
func shareHost(path string) string {
	rest, ok := strings.CutPrefix(path, `\\`)
	if !ok {
		return ""
	}
	host, _, ok := strings.Cut(rest, `\`)
	host, _, _ = strings.Cut(host, "@") // server@port of WebDAV
	if !ok || host == "." || host == "?" || holed(host) {
		return ""
	}
	return host
}

// shareEnds are the servers on whose shares a line writes.
func shareEnds(l *line) (out []end) {
	if !l.namesShare() {
		return nil
	}
	for _, u := range fileuse.Find([]shell.Command{*l.c}) {
		if host := shareHost(u.Path); host != "" && u.Deed != fileuse.Reads {
			out = append(out, ends(shell.Word{Text: "smb://" + host, Known: true}, "")...)
		}
	}
	return out
}

// namesShare reports a line with the path of a share.
func (l *line) namesShare() bool {
	for _, it := range l.items {
		if strings.Contains(it.word.Text, `\\`) {
			return true
		}
	}
	for _, r := range l.c.Redirects {
		if strings.HasPrefix(r.File.Text, `\\`) {
			return true
		}
	}
	return false
}
