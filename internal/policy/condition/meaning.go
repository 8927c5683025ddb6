package condition

import "strings"

// A meaning says what an operator is for, to people: in editors and in the reference.
type meaning struct {
	value string // what its value is; "": it has none
	holds string // when it holds
}

// meanings has an entry for every operator of the table. The not_ and surely_ forms follow from it.
var meanings = map[string]meaning{
	"equals":      {"one text, number, true, false or null", "The value is the same JSON value. A number never equals a text."},
	"in":          {"a list of texts, numbers, true, false or null", "The value equals one of them."},
	"gt":          {"a number", "The value is a number, and greater."},
	"gte":         {"a number", "The value is a number, and greater or equal."},
	"lt":          {"a number", "The value is a number, and less."},
	"lte":         {"a number", "The value is a number, and less or equal."},
	"matches":     {"a regular expression (RE2), or several", "One of them is found anywhere in the text. Write ^ and $ for the whole text."},
	"contains":    {"a text", "The text has this part."},
	"starts_with": {"a text", "The text begins so."},
	"ends_with":   {"a text", "The text ends so."},
	"exists":      {"", "The path selects something, also null."},
	"within":      {"paths", "The cleaned path is in one of them. A relative path is only within . and $project."},
	"path_in":     {"places", "The value is the path of such a file."},
	"host_in":     {"hosts or globs", "A host in the value is one of them: of a URL, of host:port, or in a longer text."},
	"links_to":    {"hosts or globs", "The text links to such a host. Without a link neither form holds in a rule that restricts."},
	"cidr_in":     {"addresses or ranges", "A host in the value is such an address, in any spelling."},
	"sql": {
		"kinds of statements",
		"The text has such a statement. Without param_path: a command gives one to a database.",
	},
	"sql_remote":        {"kinds of statements", "A command gives such a statement to a database that is not on this machine."},
	"surely_sql_remote": {"kinds of statements", "As sql_remote, unless neither the statement nor the place of the database is known."},
	"sql_lasting": {
		"kinds of statements", "A command gives such a statement, which the text shows, to a database that is not one for tests or development.",
	},
	"secret": {"kinds of secrets", "The value has such a secret, or such personal data, in it."},
	"runs": {
		"commands or globs", "A shell would run such a command, wherever it is in the text. * is any text, <word> one plain word.",
	},
	"reads":   {"places", "A command or a tool for files reads such a file."},
	"writes":  {"places", "A command, a tool for files or a patch creates, changes, replaces or removes such a file."},
	"removes": {"places", "A command or a tool for files removes such a file or folder, one that contains it, or all in it."},
	"connects": {
		"hosts or globs, host:port, ranges, local, remote, listen or shell", "A command opens or awaits such a connection.",
	},
	"sends":          {"places, environment, input or *", "A command makes such a file leave the machine."},
	"deletes_remote": {"kinds, kind:glob, !own or *", "A command deletes something that is not on this machine."},
	"widens":         {"kinds, kind:glob, !own or *", "A command gives rights, or makes something reachable for others."},
	"persists":       {"kinds, kind:glob, !own or *", "A command makes something run later, or stay after the session."},
	"escalates":      {"kinds, kind:glob, !own or *", "A command gets more rights itself."},
	"stops":          {"kinds, kind:glob, !own or *", "A command stops a machine, a service, a process or what guards them."},
	"publishes":      {"kinds, kind:glob, !own or *", "A command publishes something."},
	"rewrites":       {"branches or globs", "A command overwrites or deletes a branch or tag of a remote repository."},
	"runs_fetched": {
		"hosts or globs, decoded, computed, inline, slipped or *",
		"A command runs code that comes from the network, or that was decoded, in the same call.",
	},
	"acts": {"what tools do", "The tool does that, as its name or its arguments say."},
	"expr": {"an expression (CEL)", "The expression over tool, server, args, actor and session is true."},
}

const (
	notForm    = "not_"
	surelyForm = "surely_"
)

// meaning is what the operator means.
func (op operator) meaning() meaning {
	if m, ok := meanings[op.name]; ok {
		return m
	}
	if base, ok := strings.CutPrefix(op.name, surelyForm); ok {
		m := meanings[base]
		return meaning{m.value, "As " + base + ", without doubt: what the text does not show does not count."}
	}
	base := strings.TrimPrefix(op.name, notForm)
	m := meanings[base]
	if op.kind == opTyped && op.usual != nil {
		return meaning{m.value, "There is something of the kind that " + base + " looks for, and it is none of these."}
	}
	return meaning{m.value, "The value does not satisfy " + base + ", or there is none."}
}
