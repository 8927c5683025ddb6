package call

import "github.com/go-json-experiment/json/jsontext"

// A Shown tool is one that a request offers to the model.
type Shown struct {
	Names []string // that its calls could have
	// Define returns how the request defines it. It takes time, and most names leave no doubt.
	Define func() Definition
}

// A Definition is what a request says of a tool.
type Definition struct {
	Description string         // "": there is none
	Schema      jsontext.Value // of its arguments; nil: there is none
	// Provider says that the provider defines the tool, and the request only names its kind.
	Provider bool
}

// A Menu tells which tools of MCP servers the names of a request's tools mean, where names alone do not: those that agents use for tools
// of their own, too. It is by folded name. What is not in it the request did not show.
type Menu map[string]Meaning

// A Meaning is what a name in a Menu stands for. The zero Meaning is a tool of the agent's own.
type Meaning struct {
	Tools []ServerTool // it is defined as these are
	Doubt bool         // it may be one of the others that have that name: its definition does not tell
}

// A ServerTool names a tool of an MCP server, exactly.
type ServerTool struct{ Server, Tool string }
