package policy

import "github.com/weir-gate/weir/internal/call"

// What the words of a policy mean, for editors and the reference.
var (
	verdictMeanings = map[string]string{
		string(Allow):           "The call passes.",
		string(Audit):           "The call passes, and is flagged in the record.",
		string(Deny):            "The call is refused. No other rule can overrule it.",
		string(PendingApproval): "A person is to decide. weir cannot ask anybody yet: the call is refused, and the reason says so.",
		string(Sanitize):        "The call passes with secrets replaced, as the key sanitize says.",
		string(CapCost):         "The call passes unless the budget in the key cap_cost is used up.",
	}
	hintMeanings = map[string]string{
		string(call.HintDestructive): "destructiveHint: the tool may destroy something.",
		string(call.HintReadOnly):    "readOnlyHint: the tool changes nothing.",
		string(call.HintOpenWorld):   "openWorldHint: the tool reaches beyond the server.",
		string(call.HintIdempotent):  "idempotentHint: calling it twice does no more than calling it once.",
	}
	surfaceMeanings = map[string]string{
		string(call.Response): "A model asks for the call.",
		string(call.MCP):      "A client calls an MCP server.",
		string(call.Inbound):  "A request offers the tool to a model.",
		string(call.Egress):   "A program of a session connects, or looks up a name.",
	}
	whoMeanings = map[string]string{
		"org":      "The organisation of the client.",
		"team":     "The team of the client.",
		"employee": "The person.",
		"key":      "The name of the client's key.",
		"session":  "The session of weir run, or the one that the client names.",
	}
	listMeanings = map[string]string{
		allowlist: "Only those that are allowed, without those that are denied.",
		denylist:  "All but those that are denied.",
		noList:    "All.",
	}
	onChangeMeanings = map[string]string{
		string(BlockChanged): "The call is refused.",
		string(AlertChanged): "The call passes, and is flagged in the record.",
		string(AllowChanged): "The call passes.",
	}
)
