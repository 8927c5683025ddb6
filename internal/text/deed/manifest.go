package deed

import (
	"regexp"
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

var (
	// opensMachine matches what gives a container the machine that it runs on.
	opensMachine = regexp.MustCompile(`(?im)["']?\b(?:privileged|hostPID|hostNetwork|hostIPC|allowPrivilegeEscalation)["']?\s*:\s*["']?true|` +
		`["']?\bhostPath["']?\s*:|-\s*["']?(?:SYS_ADMIN|ALL|SYS_PTRACE|SYS_MODULE)["']?\s*$`)
	// bindsRole matches what gives an account the rights of an administrator.
	bindsRole = regexp.MustCompile(`(?is)kind["']?\s*:\s*["']?(?:Cluster)?RoleBinding.*\b(?:cluster-admin|system:masters|admin)\b|` +
		`kind["']?\s*:\s*["']?ClusterRole\b.*verbs["']?\s*:\s*\[?\s*-?\s*["']?\*`)
	// startsTimer matches what is started again and again.
	startsTimer = regexp.MustCompile(`(?im)kind["']?\s*:\s*["']?CronJob\b`)
)

// manifests reads what kubectl is told by its input.
func manifests(f *finder, l *line) {
	gives := false
	for _, w := range l.operands() {
		switch w.Text {
		case "apply", "create", "replace", "patch":
			gives = true
		}
	}
	if !gives || l.has(dryRuns...) == truth.Yes {
		return
	}
	for _, in := range l.c.Input {
		if opensMachine.MatchString(in.Text) {
			f.note(l, Escalates, "container", truth.Yes)
		}
		if bindsRole.MatchString(in.Text) {
			f.note(l, Widens, "role", truth.Yes)
		}
		if startsTimer.MatchString(in.Text) {
			f.note(l, Persists, "timer", truth.Maybe)
		}
	}
}

// graphDeletes matches the statements of databases with languages of their own that delete more than single entries.
var graphDeletes = regexp.MustCompile(`(?i)\bdetach\s+delete\b|\bdrop\s+(?:database|constraint|index|table|namespace)\b|` +
	`\bremove\s+(?:namespace|database|table|ns|db)\b|\bmatch\s*\(\w*\)\s*delete\b|\bdelete\s+\w+\s*;?\s*$`)

// graphs reads the statements that such a database gets.
func graphs(f *finder, l *line) {
	if !l.remote() {
		return
	}
	texts := l.c.Input
	for _, it := range l.items {
		texts = append(texts[:len(texts):len(texts)], it.word)
	}
	for _, text := range texts {
		if graphDeletes.MatchString(text.Text) {
			f.note(l, DeletesRemote, "database", truth.Yes)
			return
		}
	}
}

// An apiDeed is what a request to a well-known API changes, by its path.
type apiDeed struct {
	hosts []string
	path  *regexp.Regexp
	verb  Verb
	kind  string
}

// apiDeeds are what requests other than DELETE do to what others use: who may enter, who is told, what is public, what is protected.
var apiDeeds = []apiDeed{
	{forges, regexp.MustCompile(`(?i)/(?:hooks|keys|deploy_keys|collaborators|memberships|members|invitations|teams|access_tokens|` +
		`protection|protected_branches|rulesets|permissions|runners|installations|secrets|outside_collaborators|ssh_keys|gpg_keys|` +
		`personal_access_tokens|impersonation_tokens|share|transfer|variables)(?:/|\?|$)`), Widens, "role"},
	{[]string{"api.cloudflare.com"}, regexp.MustCompile(`(?i)/(?:tokens|members|dns_records|firewall|settings|access|page_?rules|workers|` +
		`purge_cache|rulesets)(?:/|\?|$)`), Widens, "network"},
	{
		[]string{"api.heroku.com", "api.vercel.com", "api.netlify.com", "api.fly.io", "api.machines.dev", "api.render.com"},
		regexp.MustCompile(`(?i)/(?:collaborators|members|teams|invitations|keys|tokens|oauth|config-vars|env|hooks|domains|dns)(?:/|\?|$)`),
		Widens, "role",
	},
	{
		[]string{"api.digitalocean.com", "api.linode.com", "api.hetzner.cloud", "api.vultr.com", "api.scaleway.com"},
		regexp.MustCompile(`(?i)/(?:firewalls|account/keys|keys|ssh_keys|actions|tokens|users)(?:/|\?|$)`), Widens, "network",
	},
	{[]string{"*.googleapis.com"}, regexp.MustCompile(`(?i):setIamPolicy|/iam\b|/acl\b|serviceAccounts/[^/]+/keys`), Widens, "role"},
	{[]string{"management.azure.com", "graph.microsoft.com"}, regexp.MustCompile(`(?i)roleAssignments|/addPassword|/addKey|` +
		`appRoleAssignments|/members/|inviteUser|/invitations|networkSecurityGroups`), Widens, "role"},
	{
		[]string{"*.okta.com", "*.auth0.com"},
		regexp.MustCompile(`(?i)/(?:users|roles|clients|apps|groups|policies|factors|tokens)(?:/|\?|$)`),
		Widens, "role",
	},
	{
		[]string{"registry.npmjs.org", "hub.docker.com", "pypi.org", "upload.pypi.org"},
		regexp.MustCompile(`(?i)/(?:-/(?:package|team|org|npm|user)|v2/repositories/[^/]+/[^/]+/privacy|legacy)`), Widens, "role",
	},
	{
		[]string{"api.pagerduty.com", "api.datadoghq.com", "api.datadoghq.eu", "sentry.io", "api.opsgenie.com"},
		regexp.MustCompile(`(?i)/(?:maintenance_windows|downtime|monitor|services|rules|mute)`), Stops, "check",
	},
}

// forges are the hosts where repositories are.
var forges = []string{
	"api.github.com", "github.com", "*github*", "*gitlab*", "api.bitbucket.org", "*gitea*", "codeberg.org", "dev.azure.com",
}

// makesPublic matches the text of a request that shows a repository to everybody, or archives it.
var makesPublic = regexp.MustCompile(`(?i)"?(?:private"?\s*[:=]\s*"?false|visibility"?\s*[:=]\s*"?public|archived"?\s*[:=]\s*"?true)`)

// changesByAPI notes what a request to a well-known API changes. It is no deletion, and more than a question.
func (f *finder) changesByAPI(l *line, e end, method string, posts bool) {
	switch method {
	case "GET", "HEAD", "OPTIONS", "DELETE":
		return
	case "":
		if !posts {
			return
		}
	}
	for _, w := range l.operands() {
		for i := range apiDeeds {
			if d := &apiDeeds[i]; matchKnown(d.hosts, e.host.Name) == truth.Yes && d.path.MatchString(pathOf(w.Text)) {
				f.note(l, d.verb, d.kind, truth.Yes)
				return
			}
		}
	}
	if matchKnown(forges, e.host.Name) != truth.Yes {
		return
	}
	for _, it := range l.items {
		if makesPublic.MatchString(it.word.Text) {
			f.note(l, Widens, "visibility", truth.Yes)
			return
		}
	}
}

// pathOf is a URL without its host.
func pathOf(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	}
	if slash := strings.IndexByte(url, '/'); slash >= 0 {
		return url[slash:]
	}
	return ""
}
