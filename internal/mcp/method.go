package mcp

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/weir-gate/weir/internal/inert"
)

// The methods that are treated in a way of their own.
const (
	toolsCall     = "tools/call"
	toolsList     = "tools/list"
	initialize    = "initialize"
	ping          = "ping"
	tasksGet      = "tasks/get"
	tasksResult   = "tasks/result"
	tasksList     = "tasks/list"
	tasksCancel   = "tasks/cancel"
	sampling      = "sampling/createMessage"
	elicitation   = "elicitation/create"
	rootsList     = "roots/list"
	cancelNote    = "notifications/cancelled"
	taskStatus    = "notifications/tasks/status"
	notifications = "notifications/" // begins every notification
)

// reserved are the methods that policy knows by the names of tools: no tool may have such a name.
var reserved = []string{
	"prompts/get", "resources/read", "resources/subscribe", "completion/complete", sampling, elicitation, rootsList,
}

// clientMethods are what a client may ask without being judged. All else it asks is.
var clientMethods = map[string]bool{
	initialize: true, ping: true, "server/discover": true, "logging/setLevel": true, toolsList: true, "prompts/list": true,
	"resources/list": true, "resources/templates/list": true, "resources/unsubscribe": true,
	tasksGet: true, tasksResult: true, tasksList: true, tasksCancel: true,
}

// serverMethods are what a server may ask without being judged. All else it asks is.
var serverMethods = map[string]bool{
	ping: true, tasksGet: true, tasksResult: true, tasksList: true, tasksCancel: true,
}

// emptyAnswers are the methods without anything in their answers, ordinarily. Such an answer need not be judged.
var emptyAnswers = map[string]bool{ping: true, "logging/setLevel": true, "resources/unsubscribe": true}

// muteNotifications are those in which a server can say nothing to a model, as long as they have no other params than these.
var muteNotifications = map[string][]string{
	"notifications/tools/list_changed":     nil,
	"notifications/prompts/list_changed":   nil,
	"notifications/resources/list_changed": nil,
	"notifications/resources/updated":      {"uri"},
	"notifications/progress":               {"progressToken", "progress", "total"},
	"notifications/elicitation/complete":   {"elicitationId"},
	cancelNote:                             {"requestId"},
}

// isReserved says that a tool of that name could be taken for a method. Rules of policy compare names without what a reader
// does not see, in any case, and in Unicode's compatible form.
func isReserved(tool string) bool {
	seen := strings.Map(func(r rune) rune {
		if r == ' ' || !inert.Visible(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(tool))
	return slices.ContainsFunc(reserved, func(method string) bool { return strings.EqualFold(seen, method) })
}

// maxMethod is how long a method may be, in bytes.
const maxMethod = 128

// isMethod says that a method cannot pass for another: it has no characters but those of methods, is no notification, and
// is not a known one in another case.
func isMethod(method string) bool {
	if len(method) > maxMethod {
		return false
	}
	for _, c := range []byte(method) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("_-./$:", c) >= 0:
		default:
			return false
		}
	}
	if clientMethods[method] || serverMethods[method] || method == toolsCall || slices.Contains(reserved, method) {
		return true
	}
	lower := strings.ToLower(method)
	return !strings.HasPrefix(lower, notifications) && !knownInLowerCase[lower]
}

// knownInLowerCase are the known methods.
var knownInLowerCase = func() map[string]bool {
	known := map[string]bool{toolsCall: true}
	for _, methods := range []map[string]bool{clientMethods, serverMethods} {
		for m := range methods {
			known[strings.ToLower(m)] = true
		}
	}
	for _, m := range reserved {
		known[strings.ToLower(m)] = true
	}
	return known
}()
