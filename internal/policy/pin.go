package policy

import "github.com/weir-gate/weir/internal/call"

// OnChange says what becomes of calls of tools that are not defined as they were when they were trusted.
type OnChange string

// What can become of them.
const (
	BlockChanged OnChange = "block" // they are refused
	AlertChanged OnChange = "alert" // they pass, flagged
	AllowChanged OnChange = "allow" // they pass
)

// Pinning is how the definitions of tools are watched.
type Pinning struct {
	Enabled  bool
	OnChange OnChange
	// TrustFirst says that a tool is trusted as it is first seen.
	TrustFirst bool
}

// The reasons of pins and of tools that nobody knows.
const (
	reasonChanged = "The definition of this tool has changed since it was trusted. A person can look at it with: weir mcp pins diff"
	reasonUntried = "Nobody has trusted this tool yet. A person can look at it with: weir mcp tools, and trust it with: weir mcp pins trust"
	reasonUnknown = "This tool is neither one of the agent's own nor of an MCP server that is known here. " +
		"A person can see the known ones with: weir mcp tools"
)

// check refuses or flags calls of tools that are not as they were trusted.
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
				// A tool that its server never listed was never looked at.
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

// stateText words a state.
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

// failClosed refuses calls of tools that nobody knows.
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
