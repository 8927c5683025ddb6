package config

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/approval/factor"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

var personShape = yamlfile.Shape{Required: []string{"user", "totp"}, Optional: []string{"roles", "teams"}}

// personName matches the names of people, roles and teams: they are written in policies and shown in terminals.
var personName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$`)

const aPersonName = "up to 128 letters, digits and . _ @ + -"

// people reads who may vote on calls that wait for an approval.
func (r *loader) people(cfg *Config, n *yamlfile.Node) {
	items, _ := r.report.List(n)
	users := map[string]int{}
	for _, item := range items {
		if !r.report.Mapping(item, personShape) {
			continue
		}
		var m factor.Member
		if v := item.Get("user"); v != nil {
			m.User = r.personName(v)
		}
		if v := item.Get("totp"); v != nil {
			m.Secret = r.totp(v)
		}
		for key, names := range map[string]*[]string{"roles": &m.Roles, "teams": &m.Teams} {
			if v := item.Get(key); v != nil {
				list, _ := r.report.OneOrMore(v, "a name")
				for _, one := range list {
					*names = append(*names, r.personName(one))
				}
			}
		}
		if first, twice := users[strings.ToLower(m.User)]; twice && m.User != "" {
			r.report.Add(item.Get("user"), fmt.Sprintf("this person is named twice, first on line %d", first), "name everybody once")
		}
		users[strings.ToLower(m.User)] = item.Line
		cfg.People = append(cfg.People, m)
	}
}

func (r *loader) personName(n *yamlfile.Node) string {
	text, ok := r.text(n, "a name")
	if ok && !personName.MatchString(text) {
		r.report.Add(n, "this is not a name for a person, a role or a team", "use "+aPersonName)
	}
	return text
}

// totp checks a secret without repeating it.
func (r *loader) totp(n *yamlfile.Node) factor.Secret {
	text, ok := r.text(n, "the secret of an authenticator")
	if !ok {
		return nil
	}
	s, err := factor.ParseSecret(text)
	if err != nil {
		r.report.Add(n, err.Error(), "make one with: weir approvals enrol --user NAME")
	}
	return s
}

func peopleSchema() yamlfile.Schema {
	name := yamlfile.TextSchema()
	return yamlfile.ListSchema(personShape.Schema(map[string]yamlfile.Schema{
		"user":  name.Describe("Who it is: " + aPersonName + ". Policies name them as user:NAME."),
		"totp":  yamlfile.TextSchema().Describe("The secret of their authenticator, as weir approvals enrol writes it."),
		"roles": yamlfile.OneOrMoreSchema(name).Describe("Their roles; " + approval.RoleApprover + " may vote where a rule names nobody."),
		"teams": yamlfile.OneOrMoreSchema(name).Describe("Their teams."),
	}))
}
