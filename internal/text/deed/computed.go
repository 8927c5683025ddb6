package deed

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/address"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// showing are the commands of weir that only show something: with a second word where only some of the commands below it do.
var showing = strings.Fields(`bodies calls completion demo doctor events help stats status verify version findings/list findings/show report
	audit/verify audit/export config/check config/schema policy/check policy/explain policy/test policy/replay policy/suggest policy/list
	policy/lists policy/preset policy/schema mcp/servers mcp/tools mcp/calls mcp/events mcp/inspect
	mcp/pins/list mcp/pins/diff approvals/list approvals/show grants/list`)

// commandsWeir reads weir itself. A command that does more than show something changes what agents may do, or what weir sees of it.
func commandsWeir(f *finder, l *line) {
	var words []string
	for _, it := range l.items {
		if !it.option {
			words = append(words, it.word.Text)
		}
		if it.option && slices.Contains([]string{"--help", "-h", "--version"}, it.word.Text) {
			return
		}
	}
	for n := range min(len(words), 3) {
		if slices.Contains(showing, strings.Join(words[:n+1], "/")) {
			return
		}
	}
	if len(words) == 0 || l.c.Contained {
		return
	}
	f.addOf(l, Deed{Verb: Stops, Kind: "guard", Certainty: truth.Yes, names: []string{"weir"}})
}

// computedKind is the kind of deed, and the host, of a command that another program prints. It is looked for by name only: the
// output of a program may well be harmless.
const computedKind = "computed"

// computed notes a command of which the text only says that another program prints it: its output is run.
func (f *finder) computed(i int) {
	c := &f.commands[i]
	unknown := func(p shell.Piece) bool { return p.Kind == shell.Unknown }
	if !c.Contained && slices.ContainsFunc(c.Words[0].Pieces(), unknown) {
		from := end{host: address.Host{Name: computedKind}}
		f.add(Deed{Verb: RunsFetched, Kind: computedKind, Certainty: truth.Maybe, Command: c.String(), hosts: []end{from}})
	}
}
