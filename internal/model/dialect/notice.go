package dialect

import (
	"strings"

	"github.com/weir-gate/weir/internal/call"
)

// CallNoticePrefix begins every notice of a refused call.
const CallNoticePrefix = "[weir] The call to "

// CallNotice is what the model reads in place of a refused call. Nothing else of the policy is shown.
func CallNotice(name string, r call.Ruling) string {
	var b strings.Builder
	b.WriteString(CallNoticePrefix)
	if plainName(name) {
		b.WriteString(`"` + name + `"`)
	} else {
		b.WriteString("a tool")
	}
	b.WriteString(" was refused (" + r.Code)
	if r.Rule != "" {
		b.WriteString(", rule " + r.Rule)
	}
	b.WriteString("): " + sentence(r.Reason) + " Do not retry it; continue without it or ask the user.")
	return b.String()
}

// OfferNotice is what the client reads when a request is refused for a tool that it offers.
func OfferNotice(o Offer, r call.Ruling) string {
	what := "a tool"
	switch {
	case o.IsServer() && plainName(o.Server):
		what = `the MCP server "` + o.Server + `"`
	case o.IsServer():
		what = "an MCP server"
	case plainName(o.Names[0]):
		what = `the tool "` + o.Names[0] + `"`
	}
	rule := ""
	if r.Rule != "" {
		rule = ", rule " + r.Rule
	}
	return "[weir] The request offers " + what + ", which is not allowed here (" + r.Code + rule + "): " + sentence(r.Reason)
}

// ResponseNotice is what the model reads when weir refused the rest of a response.
func ResponseNotice(r Refused) string {
	return "[weir] The rest of this response was refused (" + r.Code + "): " + sentence(r.Reason) +
		" Nothing after this point was delivered; tell the user."
}

// plainName says whether a tool's name can be printed without speaking to the reader: names come from the model.
func plainName(name string) bool {
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

// sentence ends s with a full stop.
func sentence(s string) string {
	if s == "" {
		return "It is not allowed here."
	}
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}
