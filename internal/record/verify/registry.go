package verify

import (
	"fmt"
	"maps"
	"slices"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// toolMarks are the recorded states of the servers' tools. Events of several processes may be recorded in another order than their
// changes, so the highest revision counts.
type toolMarks struct {
	before map[string]record.RegistryMark // what is stored, before the events were read
	said   map[string]record.RegistryMark
	all    int64 // the highest revision of an event that names all servers
}

func (m *toolMarks) add(t record.Text) {
	if t.Registry.Revision > 0 {
		m.say(t.Server, t.Registry)
	}
	if t.Type != record.Types.RegistryNoted {
		return
	}
	detail, err := t.ReadDetail()
	noted, ok := detail.(record.RegistryNoted)
	if err != nil || !ok {
		return
	}
	m.all = max(m.all, noted.Revision)
	for _, s := range noted.Servers {
		m.say(s.Server, record.RegistryMark{Revision: noted.Revision, Digest: s.Digest})
	}
}

func (m *toolMarks) say(server string, mark record.RegistryMark) {
	if m.said == nil {
		m.said = map[string]record.RegistryMark{}
	}
	if mark.Revision >= m.said[server].Revision {
		m.said[server] = mark
	}
}

// readRegistry reads the state of the tools before the events are read: later changes may be in the events, or not yet.
func (v *verifier) readRegistry() (err error) {
	if v.Registry == nil {
		return nil
	}
	v.tools.before, _, err = v.Registry(v.ctx)
	if err == nil || v.ctx.Err() != nil {
		return err
	}
	// The events can be checked anyway.
	v.problem(Problem{What: "what is kept of the tools of MCP servers cannot be read: " + err.Error()})
	v.Registry = nil
	return nil
}

// maxToolName bounds names of strangers in problems, in characters.
const maxToolName = 128

// findWrongTools reports MCP servers whose tools differ from the record.
func (v *verifier) findWrongTools() error {
	if v.Registry == nil {
		return nil
	}
	after, wrong, err := v.Registry(v.ctx)
	if err != nil {
		return err
	}
	for _, tool := range wrong {
		v.problem(Problem{What: fmt.Sprintf("the tool %s of an MCP server does not have its hash: something else than weir changed it",
			inert.Name(tool, maxToolName))})
	}
	servers := maps.Clone(v.tools.said)
	if servers == nil {
		servers = map[string]record.RegistryMark{}
	}
	for id := range after {
		if _, ok := servers[id]; !ok {
			servers[id] = record.RegistryMark{}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(servers)) {
		said, name := servers[id], inert.Name(id, maxToolName)
		digest := after[id].Digest
		switch {
		case said.Revision == 0 && v.tools.all > 0 && after[id] == v.tools.before[id]:
			v.problem(Problem{What: fmt.Sprintf("the record knows of no tools of the MCP server %s: something else than weir put them in", name)})
		case said.Revision == 0:
			v.report.Unsaid = append(v.report.Unsaid, id)
		case said.Digest != digest && said.Digest != v.tools.before[id].Digest:
			v.problem(Problem{What: fmt.Sprintf("what is kept of the tools of the MCP server %s, or of who trusts them, is not as the record "+
				"says: something else "+
				"than weir changed it, or weir was killed as it took note of them. Look at weir mcp pins list; weir mcp pins reset forgets them",
				name)})
		default:
			v.report.Servers++
		}
	}
	return nil
}
