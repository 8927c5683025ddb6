package mcp

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/weir-gate/weir/internal/text/inert"
)

// The methods with special treatment.
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

// reserved are the methods that rules name like tools: no tool may have such a name.
var reserved = []string{
	"prompts/get", "resources/read", "resources/subscribe", "completion/complete", sampling, elicitation, rootsList,
}

// A vocabulary is the set of methods of one side that MCP defines, each with the members that its params may have besides _meta.
type vocabulary map[string][]string

// names says whether the vocabulary has a method.
func (v vocabulary) names(method string) bool {
	_, named := v[method]
	return named
}

// clientMethods are the requests of a client that need not be judged. All others are judged.
var clientMethods = vocabulary{
	initialize: {"protocolVersion", "capabilities", "clientInfo"}, ping: nil, "server/discover": nil, "logging/setLevel": {"level"},
	toolsList: {"cursor"}, "prompts/list": {"cursor"}, "resources/list": {"cursor"}, "resources/templates/list": {"cursor"},
	"resources/unsubscribe": {"uri"},
	tasksGet:                {memberTaskID}, tasksResult: {memberTaskID}, tasksList: {"cursor"}, tasksCancel: {memberTaskID},
}

// serverMethods are the requests of a server that need not be judged. All others are judged.
var serverMethods = vocabulary{
	ping: nil, tasksGet: {memberTaskID}, tasksResult: {memberTaskID}, tasksList: {"cursor"}, tasksCancel: {memberTaskID},
}

// openMembers are the objects among those members. MCP does not limit what is in them.
var openMembers = []string{"capabilities", "clientInfo"}

// clientNotes are the notifications of a client that need not be judged. All others are judged.
var clientNotes = vocabulary{
	"notifications/initialized":        nil,
	"notifications/roots/list_changed": nil,
	"notifications/progress":           {"progressToken", "progress", "total", "message"},
	cancelNote:                         {"requestId", "reason"},
	taskStatus:                         {memberTaskID, "status", "statusMessage", "createdAt", "lastUpdatedAt", "ttl", "pollInterval"},
}

// serverNotes are the notifications of servers that MCP defines. Their text is scanned, if they have any; other notifications are
// also judged as calls.
var serverNotes = func() vocabulary {
	notes := vocabulary{
		"notifications/message": nil, "notifications/tasks": nil, taskStatus: nil, "notifications/subscriptions/acknowledged": nil,
	}
	for method := range muteNotifications {
		notes[method] = nil
	}
	return notes
}()

// emptyResponses are the methods whose responses are normally empty. An empty response need not be judged.
var emptyResponses = map[string]bool{ping: true, "logging/setLevel": true, "resources/unsubscribe": true}

// muteNotifications are notifications in which a server cannot say anything to a model, as long as they have only these params.
var muteNotifications = vocabulary{
	"notifications/tools/list_changed":     nil,
	"notifications/prompts/list_changed":   nil,
	"notifications/resources/list_changed": nil,
	"notifications/resources/updated":      {"uri"},
	"notifications/progress":               {"progressToken", "progress", "total"},
	"notifications/elicitation/complete":   {"elicitationId"},
	cancelNote:                             {"requestId"},
}

// isReserved says whether a tool of that name could be taken for a method. Rules compare names without invisible characters, in any
// case, and in Unicode's compatibility form.
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

// isMethod says whether a method cannot be taken for another: it has only characters of methods, is not a notification, and is not
// a known method in another case.
func isMethod(method string) bool {
	if !isPlainName(method) {
		return false
	}
	if clientMethods.names(method) || serverMethods.names(method) || method == toolsCall || slices.Contains(reserved, method) {
		return true
	}
	lower := strings.ToLower(method)
	return !strings.HasPrefix(lower, notifications) && !knownInLowerCase[lower]
}

// isNotification says whether a method is that of a notification, and cannot be taken for another.
func isNotification(method string) bool {
	if !isPlainName(method) || !strings.HasPrefix(method, notifications) {
		return false
	}
	return clientNotes.names(method) || serverNotes.names(method) || !knownInLowerCase[strings.ToLower(method)]
}

// isPlainName says whether a name has only characters of methods.
func isPlainName(method string) bool {
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
	return true
}

// knownInLowerCase are the known methods and notifications.
var knownInLowerCase = func() map[string]bool {
	known := map[string]bool{toolsCall: true}
	for _, v := range []vocabulary{clientMethods, serverMethods, clientNotes, serverNotes} {
		for m := range v {
			known[strings.ToLower(m)] = true
		}
	}
	for _, m := range reserved {
		known[strings.ToLower(m)] = true
	}
	return known
}()
