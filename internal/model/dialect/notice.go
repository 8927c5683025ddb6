package dialect

import "github.com/weir-gate/weir/internal/call"

// OfferNotice is the text for the client if a request is refused because of a tool that it offers.
func OfferNotice(o Offer, r call.Ruling) string {
	what := "a tool"
	switch {
	case o.IsServer() && call.IsPlainName(o.Server):
		what = `the MCP server "` + o.Server + `"`
	case o.IsServer():
		what = "an MCP server"
	case call.IsPlainName(o.Names[0]):
		what = `the tool "` + o.Names[0] + `"`
	}
	rule := ""
	if r.Rule != "" {
		rule = ", rule " + r.Rule
	}
	return "[weir] The request offers " + what + ", which is not allowed here (" + r.Code + rule + "): " + call.Sentence(r.Reason) +
		r.Questions()
}

// ResponseNotice is the text for the model if weir refused the rest of a response.
func ResponseNotice(r Refused) string {
	return "[weir] The rest of this response was refused (" + r.Code + "): " + call.Sentence(r.Reason) +
		" Nothing after this point was delivered; tell the user."
}
