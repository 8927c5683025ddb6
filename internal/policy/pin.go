package policy

import "github.com/weir-gate/weir/internal/call"

// OnChange says what happens to calls of tools whose definition has changed since they were trusted.
type OnChange string

// These are the possible values.
const (
	BlockChanged OnChange = "block" // calls are refused
	AlertChanged OnChange = "alert" // calls pass, flagged
	AllowChanged OnChange = "allow" // calls pass
)

// Pinning says how the definitions of tools are watched.
type Pinning struct {
	Enabled  bool
	OnChange OnChange
	// TrustFirst says that a tool is trusted as it is when first seen.
	TrustFirst bool
}

// These are the reasons of pins and of unknown tools.
const (
	reasonChanged = "The definition of this tool has changed since it was trusted. A person can look at it with: weir mcp pins diff"
	reasonUntried = "Nobody has trusted this tool yet. A person can look at it with: weir mcp tools, and trust it with: weir mcp pins trust"
	reasonUnknown = "This tool is neither one of the agent's own nor of an MCP server that is known here. " +
		"A person can see the known ones with: weir mcp tools"
)

// check refuses or flags calls of tools that differ from what was trusted.
func (p Pinning) check(line int) check {
	verdict := map[OnChange]Verdict{BlockChanged: Deny, AlertChanged: Audit, AllowChanged: Allow}[p.OnChange]
	changed := ownRule(rulePinning, verdict, call.CodeToolChanged, reasonChanged)
	untried := ownRule(rulePinning, verdict, call.CodeUnknownTool, reasonUntried)
	return check{
		id: rulePinning, line: line, verdict: verdict, surfaces: calledSurfaces, ofTools: true,
		about: RuleSummary{Conditions: "a server's tool is not defined as it was when it was trusted", Duties: p.duties(), Reason: reasonChanged},
		meets: func(rd *reading, why *string) *rule {
			state := rd.worst()
			if state == "" && rd.surface == call.MCP && !p.TrustFirst {
				// A tool that its server never listed was never checked.
				state = call.ToolUnknown
			}
			if why != nil {
				*why = stateText(state)
			}
			switch {
			case state == "" || state == call.ToolTrusted || p.OnChange == AllowChanged:
				return nil
			case state == call.ToolChanged:
				return changed
			default:
				return untried
			}
		},
	}
}

func (p Pinning) duties() []string {
	if p.TrustFirst {
		return []string{"trusts tools as they are first seen"}
	}
	return []string{"trusts tools only when a person does"}
}

// stateText describes a state.
func stateText(state call.ToolState) string {
	switch state {
	case "":
		return "the registry knows nothing of it"
	case call.ToolTrusted:
		return "the tool is as it was trusted"
	case call.ToolChanged:
		return "the tool has changed since it was trusted"
	default:
		return "nobody has trusted the tool"
	}
}

// failClosed refuses calls of unknown tools.
func failClosed(line int) check {
	deny := ownRule(ruleFailClosed, Deny, call.CodeUnknownTool, reasonUnknown)
	return check{
		id: ruleFailClosed, line: line, verdict: Deny, surfaces: calledSurfaces, ofTools: true,
		about: RuleSummary{Conditions: "the tool is neither a known server's nor one of native_tools", Reason: deny.reason},
		meets: func(rd *reading, why *string) *rule {
			known := rd.native || rd.vouched
			if why != nil {
				switch {
				case rd.native:
					*why = "the tool is one of native_tools"
				case known:
					*why = "the registry knows the tool"
				default:
					*why = "neither native_tools nor the registry has the tool"
				}
			}
			if known {
				return nil
			}
			return deny
		},
	}
}
