package config

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Notice is what notices of refused calls say beside the reason.
type Notice struct {
	// Contact is whom to ask about what the policy refuses; default nobody.
	Contact string
}

var noticeShape = yamlfile.Shape{Optional: []string{"contact"}}

// maxContact is how many characters a contact may have: it is in every notice.
const maxContact = 120

const aContact = "an address, such as security@acme.example, or the name of a channel"

func (r *loader) notice(c *Notice, n *yamlfile.Node) {
	if !r.report.Mapping(n, noticeShape) {
		return
	}
	v := n.Get("contact")
	if v == nil {
		return
	}
	text, ok := r.text(v, aContact)
	if !ok {
		return
	}
	odd := func(c rune) bool { return !inert.Visible(c) || strings.ContainsRune("<>[]`\"", c) }
	switch {
	case strings.TrimSpace(text) != text || strings.ContainsFunc(text, odd):
		r.report.Add(v, "a contact is one line of plain text, without brackets and quotes", "write "+aContact)
	case utf8.RuneCountInString(text) > maxContact:
		r.report.Add(v, fmt.Sprintf("the contact has more than %d characters", maxContact), "write "+aContact)
	default:
		c.Contact = text
	}
}

func noticeSchema() yamlfile.Schema {
	contact := yamlfile.Schema{"type": "string", "minLength": 1, "maxLength": maxContact, "pattern": "^[^<>\\[\\]`\"\\r\\n]+$"}
	return noticeShape.Schema(map[string]yamlfile.Schema{
		"contact": contact.Describe("Whom to ask about what the policy refuses: an address, or the name of a channel."),
	})
}
