package toolact

import (
	"regexp"
	"slices"
)

// placeParams name what a tool works on, or the environment that it is in.
var placeParams = words(`environment env target stage namespace namespaceid database databasename db project projectid branch branchid
	container containerid containername cluster workspace name app appname stack instance schema collection bucket service repo repository`)

// These match names of what is for tests, development or previews, and of what others depend on.
var (
	ownName = regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(?:dev|develop|development|tests?|testing|tst|sandbox|scratch|tmp|temp|demo|previews?|` +
		`ephemeral|pr-?\d+)\d*(?:$|[^a-z0-9])`)
	sharedName = regexp.MustCompile(`(?i)prod|prd|live|stag|stg|\bmain\b|master|shared|backup|customer|release|trunk|default`)
)

// Soften takes from what the name of a tool says what is everyday work with these arguments: on what is for tests, development or
// previews, on a branch of one's own, on a pod that comes again, on a process of this machine, on a single note of the agent's own.
func (n Name) Soften(acts Act, args []Argument) Act {
	own, branch, named, pid, texts := false, false, false, false, 0
	for _, a := range args {
		if a.Text != "" {
			texts++
		}
		if len(a.Names) != 1 || a.Text == "" || len(a.Text) > maxSaid {
			continue
		}
		name := joined(a.Names[0])
		pid = pid || (name == "pid" || name == "processid") && a.Text != "1" && a.Text != "-1" && a.Text != "0"
		if !placeParams[name] {
			continue
		}
		if sharedName.MatchString(a.Text) {
			return acts
		}
		own = own || ownName.MatchString(a.Text)
		branch = branch || name == "branch" || name == "branchname"
		named = named || name == "namespace"
	}
	isForge := forgeServers.hasAny(n.all)
	switch head := n.head(); {
	case own:
		return acts &^ (Destroy | Stop | Publish)
	case isForge && branch && (head == "file" || head == "branch"):
		return acts &^ Destroy
	case head == "pod" && named:
		return acts &^ Destroy
	case head == "process" && pid && texts == 1 && !isCloud.hasAny(n.all):
		return acts &^ Stop
	case memoryServers.hasAny(n.server) && remembered[head] && texts <= 2:
		return acts &^ Destroy
	}
	return acts
}

// memoryServers hold what an agent has noted for itself, and remembered are the things that they have.
var (
	memoryServers = words("memory serena mem0 memories openmemory zep letta")
	remembered    = words("entity observation relation memory note fact")
)

// forgeServers hold repositories, and isCloud has servers whose processes are not of this machine.
var (
	forgeServers = words("github gitlab bitbucket gitea forgejo codeberg")
	isCloud      = words("aws gcp azure cloud heroku kubernetes k8s database postgres mysql mongodb")
)

// head is the noun that the last verb of the name is applied to.
func (n Name) head() string {
	for _, clause := range slices.Backward(n.clauses) {
		if at, _, ok := mainVerb(clause); ok {
			return headOf(objectOf(clause, at))
		}
	}
	return ""
}
