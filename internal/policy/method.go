package policy

import "slices"

// methods are the MCP requests that call no tool and that policies govern. No tool may have such a name.
var methods = []string{
	"prompts/get", "resources/read", "resources/subscribe", "completion/complete",
	"sampling/createMessage", "elicitation/create", "roots/list",
}

// IsMethod says whether a name is that of an MCP request that calls no tool and that policies govern.
func IsMethod(name string) bool { return slices.Contains(methods, name) }
