package deed

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/address"
	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
)

// variableEnds are the ends that variables of the client name, which the text sets, such as PGHOST. An option with a host comes before
// them, but for a proxy, through which the connection then goes.
func (l *line) variableEnds(byOption bool, port string) (out []end) {
	known := program.HostVariables(l.name)
	for _, set := range l.c.Variables {
		name, text, _ := strings.Cut(set.Text, "=")
		proxy := strings.HasSuffix(strings.ToLower(name), "_proxy")
		switch {
		case !slices.Contains(known, name) || text == "" || byOption && !proxy:
		case name == "PGSERVICE":
			out = append(out, end{host: address.Host{Name: "*", Partial: true}, port: port}) // a file names its host
		default:
			if proxy {
				port = ""
			}
			value := set.From(len(name) + 1)
			for _, part := range splitList(value) {
				out = append(out, ends(part, port)...)
			}
		}
	}
	return out
}

// splitList splits a value with several hosts.
func splitList(w shell.Word) (out []shell.Word) {
	if !w.Known {
		return []shell.Word{w}
	}
	for part := range strings.FieldsFuncSeq(w.Text, func(c rune) bool { return c == ',' || c == '|' }) {
		if part != "direct" && part != "off" {
			out = append(out, shell.Word{Text: part, Known: true})
		}
	}
	return out
}
