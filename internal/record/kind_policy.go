package record

var policyKinds = []Kind{
	{Type: Types.PolicyAllowed, Has: Members{Actor: true, Tool: true}, Notable: true, detail: is[PolicyAllowed]()},
}

// PolicyAllowed is the detail of a Types.PolicyAllowed event. The event has the id, the tool and the actor of the refused call, and the
// version of the policy with the exception.
type PolicyAllowed struct {
	By string `json:"by"` // the login name of the person who did it
	// For is session, always, or a time such as 1h. Until is when the exception ends, if it does.
	For   string `json:"for"`
	Until string `json:"until,omitzero"`
	// Rules are the rules that get the exception. Added are new rules that allow the call and the calls in its arguments, where the
	// default refuses them: one, or several with a comma and a blank between them.
	Rules []string `json:"rules,omitempty"`
	Added string   `json:"added_rule,omitzero"`
	Files []string `json:"files"` // those of the policy that change
	Was   string   `json:"was"`   // the version of the policy before
	// Others is how many other calls of the last 7 days would have passed.
	Others int `json:"other_calls,omitzero"`
}

func (PolicyAllowed) detail() {}

// policyWords say what the members of these details mean, for the schema.
var policyWords = map[string]string{
	"policy_allowed.by":          "The login name of the person who allowed the call.",
	"policy_allowed.for":         "How long it is allowed: session, always, or a time such as 1h.",
	"policy_allowed.until":       "When the exception ends, if it does.",
	"policy_allowed.rules":       "The rules that get the exception.",
	"policy_allowed.added_rule":  "New rules that allow the call, or calls in it, where the default refuses them; commas separate them.",
	"policy_allowed.files":       "The files of the policy that change.",
	"policy_allowed.was":         "The version of the policy before.",
	"policy_allowed.other_calls": "How many other calls of the last 7 days would have passed.",
}
