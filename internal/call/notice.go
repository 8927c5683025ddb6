package call

import "strings"

// MaxName is how many bytes the name of a tool may have, whoever names it.
const MaxName = 1 << 10

// NoticePrefix begins every notice of a refused call.
const NoticePrefix = "[weir] The call to "

// Notice is what the model reads in place of the call to a tool that the ruling refuses. Nothing else of the policy is shown.
func (r Ruling) Notice(tool string) string {
	var b strings.Builder
	b.WriteString(NoticePrefix)
	if IsPlainName(tool) {
		b.WriteString(`"` + tool + `"`)
	} else {
		b.WriteString("a tool")
	}
	what := " was refused ("
	if r.Code == CodeApprovalPending {
		what = " waits for a person ("
	}
	b.WriteString(what + r.Code)
	if r.Rule != "" {
		b.WriteString(", rule " + r.Rule)
	}
	if r.Code == CodeApprovalPending {
		b.WriteString(r.pending())
		return b.String()
	}
	b.WriteString("): " + Sentence(r.Reason) + " Do not retry it; continue without it or ask the user." + r.Questions())
	return b.String()
}

// pending is the rest of a notice about a call that a person is still to decide: the model can make it again.
func (r Ruling) pending() string {
	id := ""
	if r.Approval != "" {
		id = ", " + r.Approval
	}
	return id + "): " + Sentence(r.Reason) + " Nothing ran. Tell the user that it waits for approval; once it is approved, make exactly the " +
		"same call again." + r.Questions()
}

// WithContact is the ruling with whom to ask about it, if a policy refused the call. Of other refusals a contact knows no more.
func (r Ruling) WithContact(contact string) Ruling {
	if !r.Released && r.Policy != "" {
		r.Contact = contact
	}
	return r
}

// Questions is the sentence that says whom to ask, with a blank before it; "": nobody is named.
func (r Ruling) Questions() string {
	if r.Contact == "" {
		return ""
	}
	return " Questions about it go to " + Sentence(r.Contact)
}

// IsPlainName reports whether a name can be printed without speaking to the reader: models and servers choose names.
func IsPlainName(name string) bool {
	if name == "" || len(name) > 64 {
		return false
	}
	for _, c := range []byte(name) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("_-.:/@", c) >= 0:
		default:
			return false
		}
	}
	return true
}

// Sentence is a reason that ends with a full stop.
func Sentence(reason string) string {
	if reason == "" {
		return "It is not allowed here."
	}
	if strings.HasSuffix(reason, ".") || strings.HasSuffix(reason, "!") || strings.HasSuffix(reason, "?") {
		return reason
	}
	return reason + "."
}
