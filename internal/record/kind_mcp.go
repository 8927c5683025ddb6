package record

import "github.com/go-json-experiment/json/jsontext"

var mcpKinds = []Kind{
	{Type: Types.MCPIntercepted, class: asked, Has: ruling, OnlyMCP: true, detail: is[ToolCall]()},
	{Type: Types.MCPCalled, class: called, Has: ruling, OnlyMCP: true, detail: is[ToolCall]()},
	{Type: Types.MCPRequest, class: request, Has: ruling, OnlyMCP: true, detail: is[ToolCall]()},
	{Type: Types.MCPToolSeen, Has: ruling, OnlyMCP: true, Marked: true, Refused: "The tool %s", detail: is[ToolSeen]()},
	{
		Type: Types.MCPToolChanged, Has: Members{Actor: true, Tool: true}, OnlyMCP: true, Marked: true, Notable: true, Refused: "The tool %s",
		detail: is[ToolChanged](),
	},
	{Type: Types.MCPPinChanged, Has: Members{Actor: true}, OnlyMCP: true, Marked: true, Notable: true, detail: is[PinChanged]()},
	{Type: Types.RegistryNoted, Has: Members{Actor: true}, OnlyMCP: true, detail: is[RegistryNoted]()},
}

// A Finding is something in a text of an MCP server that could mislead a model.
type Finding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"` // low, medium, high or critical
	Where    string `json:"where"`    // a JSON pointer, or a name
	Excerpt  string `json:"excerpt"`  // safe to show
}

// ToolSeen is the detail of a Types.MCPToolSeen event.
type ToolSeen struct {
	Definition jsontext.Value `json:"definition,omitzero"` // as the server sent it; nil: it could not be read, or is too long
	Trusted    bool           `json:"trusted"`             // it is trusted because it was seen first
	Findings   []Finding      `json:"findings,omitempty"`
	// LookAlikes are tools, as server/tool, that it could be confused with. Collisions are other servers with a tool of the same name.
	LookAlikes []string `json:"look_alikes,omitempty"`
	Collisions []string `json:"collisions,omitempty"`
	// RenamedFrom is a tool that is gone and that was equal except for its name.
	RenamedFrom string `json:"renamed_from,omitzero"`
}

// ToolChanged is the detail of a Types.MCPToolChanged event.
type ToolChanged struct {
	Was         string         `json:"was,omitzero"`         // the hash that it had
	Differences jsontext.Value `json:"differences,omitzero"` // where the definitions differ: an array; nil: too many differences
	Gone        bool           `json:"gone,omitzero"`        // its server does not offer it any more
	Back        bool           `json:"back,omitzero"`        // its server offers it again
	Noted       bool           `json:"noted,omitzero"`       // only members that are not part of the hash changed
	Findings    []Finding      `json:"findings,omitempty"`
}

// A RegistryMark is the state of what is stored about one MCP server's tools: definitions, pins, and when they came and went.
type RegistryMark struct {
	Revision int64  `json:"revision"`
	Digest   string `json:"digest"` // "sha256:" and hex; "": nothing is stored about it
}

// PinChanged is the detail of a Types.MCPPinChanged event. The event's ToolHash is the hash of the definition that is trusted now.
type PinChanged struct {
	Action string `json:"action"`       // trust: somebody trusts the tool; reset: weir forgets it
	By     string `json:"by"`           // the login name of the person who did it
	Was    string `json:"was,omitzero"` // the hash that was trusted before; "": none was
}

// RegistryNoted is the detail of a Types.RegistryNoted event.
type RegistryNoted struct {
	Revision int64         `json:"revision"`
	Servers  []notedServer `json:"servers"`
	// Differ are the servers whose tools differ from their last record: somebody other than weir changed them, or weir was killed in
	// between.
	Differ []string `json:"differ,omitempty"`
}

// A notedServer is a server and the digest of what is stored about its tools.
type notedServer struct {
	Server string `json:"server"`
	Digest string `json:"digest"`
}

// AddServer adds a server and the digest of what is stored about its tools.
func (d *RegistryNoted) AddServer(server, digest string) {
	d.Servers = append(d.Servers, notedServer{server, digest})
}

func (ToolSeen) detail()      {}
func (ToolChanged) detail()   {}
func (PinChanged) detail()    {}
func (RegistryNoted) detail() {}

// mcpWords say what the members of these details mean, for the schema.
var mcpWords = map[string]string{
	"finding.rule":             "The rule of the scan, class first.",
	"finding.severity":         "low, medium, high or critical.",
	"finding.where":            "The text it is in: a JSON pointer, or a name.",
	"finding.excerpt":          "A piece of the text, safe to show.",
	"tool_seen.definition":     "The definition as the server sent it.",
	"tool_seen.trusted":        "It is trusted because it was seen first.",
	"tool_seen.findings":       "What in the definition could mislead a model.",
	"tool_seen.look_alikes":    "Tools, as server/tool, that it could be taken for.",
	"tool_seen.collisions":     "Other servers with a tool of its name.",
	"tool_seen.renamed_from":   "The tool that is gone and like it in all but the name.",
	"tool_changed.was":         "The hash that it had.",
	"tool_changed.differences": "Where the definitions differ.",
	"tool_changed.gone":        "Its server does not offer it any more.",
	"tool_changed.back":        "Its server offers it again.",
	"tool_changed.noted":       "Only what is not part of the hash is another.",
	"tool_changed.findings":    "What in the definition could mislead a model.",
	"registry_mark.revision":   "The revision of the registry.",
	"registry_mark.digest":     "sha256: and the digest of all that is kept of the tools of the server, in hex.",
	"pin_changed.action":       "trust: the tool is trusted as it is defined; reset: it is forgotten, with who trusted it.",
	"pin_changed.by":           "The login name of who did it.",
	"pin_changed.was":          "The hash of the definition that was trusted before.",
	"registry_noted.revision":  "The revision of the registry.",
	"registry_noted.servers":   "The servers of which tools are kept.",
	"registry_noted.differ": "Servers whose tools are not as the record said last: something else than weir changed them, or weir was " +
		"killed in between.",
	"noted_server.server": "The MCP server.",
	"noted_server.digest": "sha256: and the digest of all that is kept of its tools, in hex.",
}
