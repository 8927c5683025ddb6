package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

var (
	approvalShape = yamlfile.Shape{Optional: []string{
		"wait", "expires", "grant_expires", "approvers", "votes", "self", "scopes", "same", "step_up", "on_expiry",
	}}
	selfWords  = yamlfile.Choice{What: "a word for one's own calls", Words: []string{"allow", "deny"}, Meanings: selfMeanings}
	scopeWords = yamlfile.Choice{
		What: "a scope", Words: []string{string(approval.Once), string(approval.Session)}, NotBuilt: []string{"always"}, Meanings: scopeMeanings,
	}
	factorWords = yamlfile.Choice{
		What: "a factor", Words: []string{string(approval.TOTP), string(approval.NoFactor)}, NotBuilt: []string{"webauthn"},
		Meanings: factorMeanings,
	}
	expiryWords = yamlfile.Choice{What: "a word for what nobody decided", Words: []string{"deny"}, Meanings: expiryMeanings}
)

// An asking is what a rule that asks a person demands.
type asking struct {
	terms approval.Terms
	// same are the arguments that make two calls the same; nil: all.
	same []SamePath
	text string // of the rule: a yes is for the rule as it is written
}

// A SamePath is one of the arguments that make two calls the same.
type SamePath struct {
	Path  string
	Place int // in Policy.paths
}

// These are what a rule that says nothing else asks for, and the bounds, in seconds.
const (
	defaultWait    = 4 * 60
	defaultExpires = 24 * 60 * 60
	defaultGrant   = 15 * 60
	maxWait        = 60 * 60
	maxExpires     = 31 * 24 * 60 * 60
	maxGrant       = 24 * 60 * 60
	minExpires     = 60
	minGrant       = 10
	maxVotes       = 16
	maxApprovers   = 64
)

// asks compiles what a rule with the verdict pending_approval demands.
func (c *compiler) asks(n *yamlfile.Node, r *rule) {
	r.asking = &asking{text: string(n.JSON()), terms: approval.Terms{
		Wait: defaultWait, Expires: defaultExpires, GrantExpires: defaultGrant, Scopes: []approval.Scope{approval.Once},
		StepUp: approval.TOTP,
	}}
	demand := approval.Demand{Rule: r.id, Approvers: []string{"role:" + approval.RoleApprover}, Votes: 1}
	if v := n.Get("approval"); v != nil && c.report.Mapping(v, approvalShape) {
		c.askTimes(v, &r.asking.terms)
		c.askWhom(v, &demand)
		c.askHow(v, r)
	}
	r.asking.terms.Demands = []approval.Demand{demand}
}

func (c *compiler) askTimes(n *yamlfile.Node, t *approval.Terms) {
	for _, one := range []struct {
		key         string
		field       *approval.Seconds
		least, most int64
		span        string
	}{
		{"wait", &t.Wait, 0, maxWait, "a time up to 1h, such as 4m; 0s asks without waiting"},
		{"expires", &t.Expires, minExpires, maxExpires, "a time from 1m to 31d, such as 24h"},
		{"grant_expires", &t.GrantExpires, minGrant, maxGrant, "a time from 10s to 24h, such as 15m"},
	} {
		v := n.Get(one.key)
		if v == nil {
			continue
		}
		if v.Kind == yamlfile.Number {
			c.report.Add(v, "a time needs a unit", "write "+one.span)
			continue
		}
		text, ok := c.report.String(v, one.span)
		if !ok {
			continue
		}
		seconds, ok := parseSpan(text)
		if !ok || seconds < one.least || seconds > one.most {
			c.report.Add(v, yamlfile.Quote(text)+" is not such a time", "write "+one.span)
			continue
		}
		*one.field = approval.Seconds(seconds)
	}
}

// parseSpan parses a whole number with a unit.
func parseSpan(text string) (seconds int64, ok bool) {
	units := map[byte]int64{'s': 1, 'm': 60, 'h': 60 * 60, 'd': 24 * 60 * 60}
	if len(text) < 2 {
		return 0, false
	}
	count, err := strconv.ParseUint(text[:len(text)-1], 10, 31)
	unit, known := units[text[len(text)-1]]
	return int64(count) * unit, err == nil && known
}

const anApprover = "role:NAME, team:NAME or user:NAME"

func (c *compiler) askWhom(n *yamlfile.Node, d *approval.Demand) {
	if v := n.Get("approvers"); v != nil {
		items, _ := c.report.OneOrMore(v, anApprover)
		d.Approvers = nil
		for _, item := range items {
			text, ok := c.report.String(item, anApprover)
			kind, name, _ := strings.Cut(text, ":")
			switch {
			case !ok:
			case !slices.Contains([]string{"role", "team", "user"}, kind) || strings.TrimSpace(name) != name || name == "":
				c.report.Add(item, yamlfile.Quote(text)+" names no approver", "write "+anApprover+", such as role:approver")
			default:
				d.Approvers = append(d.Approvers, text)
			}
		}
		if len(d.Approvers) > maxApprovers {
			c.report.Add(v, "too many approvers", fmt.Sprintf("name up to %d; a role or a team stands for many people", maxApprovers))
		}
	}
	if v := n.Get("votes"); v != nil {
		literal, ok := c.report.Number(v)
		votes, err := strconv.Atoi(literal)
		if ok && (err != nil || votes < 1 || votes > maxVotes) {
			c.report.Add(v, "this is not a number of votes", fmt.Sprintf("write a whole number from 1 to %d", maxVotes))
			return
		}
		d.Votes = max(1, votes)
		if people := distinctUsers(d.Approvers); people > 0 && people < d.Votes {
			c.report.Add(v, fmt.Sprintf("%d votes are needed, and there are only %d who may vote", d.Votes, people),
				"name more approvers, or ask for fewer votes")
		}
	}
}

// distinctUsers is how many people approvers are; 0: some stand for several people, so it is not known.
func distinctUsers(approvers []string) int {
	users := map[string]bool{}
	for _, a := range approvers {
		kind, name, _ := strings.Cut(a, ":")
		if kind != "user" {
			return 0
		}
		users[strings.ToLower(name)] = true
	}
	return len(users)
}

func (c *compiler) askHow(n *yamlfile.Node, r *rule) {
	t := &r.asking.terms
	if v := n.Get("self"); v != nil {
		word, _ := c.report.Word(v, selfWords)
		t.Self = word == "allow"
	}
	if v := n.Get("scopes"); v != nil {
		items, _ := c.report.OneOrMore(v, "a scope")
		t.Scopes = nil
		for _, item := range items {
			if word, ok := c.report.Word(item, scopeWords); ok {
				t.Scopes = append(t.Scopes, approval.Scope(word))
			}
		}
	}
	if v := n.Get("step_up"); v != nil {
		word, _ := c.report.Word(v, factorWords)
		t.StepUp = approval.Factor(word)
	}
	if v := n.Get("on_expiry"); v != nil {
		c.report.Word(v, expiryWords)
	}
	v := n.Get("same")
	if v == nil {
		return
	}
	items, _ := c.report.OneOrMore(v, "a path such as command")
	for _, item := range items {
		c.conditions.OfConnections = r.onlyOn(call.Egress)
		if place, ok := c.conditions.Path(item, false); ok {
			r.asking.same = append(r.asking.same, SamePath{item.Text, place})
		}
		c.conditions.OfConnections = false
	}
}

func approvalSchema() yamlfile.Schema {
	span := yamlfile.Schema{"type": "string", "pattern": `^[0-9]{1,10}[smhd]$`}
	return approvalShape.Schema(map[string]yamlfile.Schema{
		"wait": span.Describe("How long the call is held for a decision, up to 1h. The client may bear less. 0s: it is not held.").Default("4m"),
		"expires": span.Describe("How long the request can be decided, from 1m to 31d.").
			Default("24h"),
		"grant_expires": span.Describe("How long a yes can be used, from 10s to 24h.").Default("15m"),
		"approvers": yamlfile.OneOrMoreSchema(yamlfile.Schema{"type": "string", "pattern": `^(role|team|user):.+$`}).
			Describe("Who may vote: role:NAME, team:NAME or user:NAME, as people in weir.yaml are named.").Default([]string{"role:approver"}),
		"votes": yamlfile.Schema{"type": "integer", "minimum": 1, "maximum": maxVotes}.
			Describe("How many different people must say yes. One no is enough to refuse the call.").Default(1),
		"self": selfWords.Schema().Describe("Whether the employee in whose name the call is made may say yes.").Default("deny"),
		"scopes": yamlfile.OneOrMoreSchema(scopeWords.Schema()).
			Describe("What a yes may cover. The voter chooses.").Default([]string{string(approval.Once)}),
		"same": yamlfile.OneOrMoreSchema(yamlfile.TextSchema()).
			Describe("The arguments that make two calls the same, as param_path names them. " +
				"Without it all count, except those in which known agents only tell what they want."),
		"step_up":   factorWords.Schema().Describe("What a voter must prove beside being at the machine.").Default(string(approval.TOTP)),
		"on_expiry": expiryWords.Schema().Describe("What becomes of a call that nobody decided.").Default("deny"),
	})
}
