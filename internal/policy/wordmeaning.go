package policy

import (
	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/call"
)

// What the words of a policy mean, for editors and the reference.
var (
	verdictMeanings = map[string]string{
		string(Allow):           "The call passes.",
		string(Audit):           "The call passes, and is flagged in the record.",
		string(Deny):            "The call is refused. No other rule can overrule it.",
		string(PendingApproval): "The call is held until a person decides, as the key approval says.",
		string(Sanitize):        "The call passes with secrets replaced, as the key sanitize says.",
		string(CapCost):         "The call passes unless the budget in the key cap_cost is used up.",
	}
	selfMeanings = map[string]string{
		"allow": "The person in whose name the call is made may say yes.",
		"deny":  "Somebody else must say yes.",
	}
	scopeMeanings = map[string]string{
		string(approval.Once):    "One call.",
		string(approval.Session): "The same call as often as the session makes it, for 8 hours at most.",
	}
	factorMeanings = map[string]string{
		string(approval.TOTP):     "A voter gives a code of their authenticator.",
		string(approval.NoFactor): "Being at the machine is enough. An agent outside of weir run is there, too.",
	}
	expiryMeanings = map[string]string{"deny": "It stays refused. Nothing else is possible."}
	hintMeanings   = map[string]string{
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
