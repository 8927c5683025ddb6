package call

import "regexp"

// These sentences of reasons may name the part of a call that a refusal is about.
const (
	OtherUses     = "The tool itself is allowed; this use of it is not"
	OtherRequests = "Such requests are allowed; this one is not"
	UnaskedUses   = "The tool itself needs no approval; this use of it does"
)

// NamingPart is one of these sentences with the part, which must have no double quotes; "": without.
func NamingPart(sentence, part string) string {
	if part == "" {
		return sentence + "."
	}
	return sentence + `: "` + part + `".`
}

var aPart = regexp.MustCompile("(" + OtherUses + "|" + OtherRequests + "|" + UnaskedUses + `): "[^"]*"`)

// WithoutPart is a reason without the part of the call, for those who are not to see arguments.
func WithoutPart(reason string) string { return aPart.ReplaceAllString(reason, "$1") }
