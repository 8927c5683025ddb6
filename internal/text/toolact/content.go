package toolact

import (
	"regexp"
	"slices"
	"strings"
)

// settingWords are the words of tools that change settings.
var settingWords = words("config configuration setting preference option flag feature property value conf")

// keyParams are where such tools name the setting.
var keyParams = words("key name option setting settings config configkey property path field flag preference parameter feature")

// guardWords are the words of settings that say what is allowed, and what is looked at.
var guardWords = words(`blocked block allowed allow denied deny permission approval approve autoapprove confirm confirmation sandbox
	sandboxed restrict restriction restricted trust trusted whitelist allowlist blacklist denylist blocklist readonly mfa firewall
	scanning protection audit guard guardrail safety unsafe dangerous policy yolo auth authentication verify verification`)

// These words beside them say that it is something else.
var displayWords = words("color theme display font message label title text log list view sort email page icon")

// guarded is what changing a setting does that guards: a tool for settings is told its name, or has it as the name of an argument.
func (n Name) guarded(a Argument) Act {
	if !n.setsOption() {
		return 0
	}
	last := a.Names[len(a.Names)-1]
	if keyParams[joined(last)] && len(a.Text) <= maxSaid && guards(a.Text) || guards(last) {
		return Grant
	}
	return 0
}

// guards says that the name of a setting is of one that guards.
func guards(name string) bool {
	all := Words(name)
	for i := range all {
		all[i] = singular(all[i])
	}
	if i := slices.Index(all, "read"); i >= 0 && i+1 < len(all) && all[i+1] == "only" {
		return true
	}
	return guardWords.hasAny(all) && !displayWords.hasAny(all)
}

// setsOption says that the tool changes settings.
func (n Name) setsOption() bool {
	if n.acts&Write == 0 {
		return false
	}
	return slices.ContainsFunc(n.words, func(word string) bool { return settingWords[singular(word)] })
}

// These match texts that give rights, wherever a tool has them: manifests for a cluster, policies of clouds.
var (
	bindsRole = regexp.MustCompile(`(?is)\bkind["']?\s*:\s*["']?(?:Cluster)?RoleBinding\b|` +
		`\bkind["']?\s*:\s*["']?ClusterRole\b.{0,900}verbs["']?\s*:\s*\[?\s*-?\s*["']?\*`)
	opensHost = regexp.MustCompile(`(?im)["']?\b(?:privileged|hostPID|hostNetwork|hostIPC)["']?\s*:\s*["']?true|["']?\bhostPath["']?\s*:`)
	allowsAll = regexp.MustCompile(`(?is)"Effect"\s*:\s*"Allow".{0,400}"(?:Action|Principal|NotAction)"\s*:\s*` +
		`(?:\[\s*)?(?:"\*"|\{\s*"AWS"\s*:\s*"\*")`)
)

// manifestWords are the words of tools and servers that are given manifests and policies, not texts that speak of them.
var manifestWords = words(`kubernetes k8s kube kubectl resource resources manifest manifests yaml apply cluster argocd flux rancher
	openshift helm aws iam gcp azure cloud cloudformation stack terraform eks gke aks s3 kms sqs sns lambda policy cloudcontrol`)

// maxManifest bounds how much of a text is looked at.
const maxManifest = 1 << 16

// granting is what a manifest or a policy in an argument gives.
func (n Name) granting(a Argument) Act {
	if !manifestWords.hasAny(n.all) {
		return 0
	}
	if roleKinds[joined(a.Text)] && kindParams[joined(a.Names[len(a.Names)-1])] {
		return Grant
	}
	text := a.Text[:min(len(a.Text), maxManifest)]
	if !strings.ContainsAny(text, ":{") || !bindsRole.MatchString(text) && !opensHost.MatchString(text) && !allowsAll.MatchString(text) {
		return 0
	}
	return Grant
}

// roleKinds are the kinds of resources of a cluster that give rights.
var roleKinds = words(`clusterrolebinding rolebinding clusterrole role serviceaccount validatingwebhookconfiguration
	mutatingwebhookconfiguration certificatesigningrequest podsecuritypolicy`)

// chatWords are the words of tools and servers where people read messages, and chatParams where those are.
var (
	chatWords  = words("slack discord teams mattermost telegram rocketchat chat zulip webex matrix message messages channel googlechat")
	chatParams = words("text content message body markdown blocks payload")
	toEveryone = regexp.MustCompile(`<!(?:channel|everyone|here)\b|(?:^|\s)@(?:channel|everyone|here|all)\b`)
)

// everyone says that a message calls on all who can read it.
func (n Name) everyone(a Argument) Act {
	isMessage := n.acts&Write != 0 && chatWords.hasAny(n.all) && chatParams[joined(a.Names[len(a.Names)-1])]
	if isMessage && toEveryone.MatchString(a.Text[:min(len(a.Text), maxManifest)]) {
		return Publish
	}
	return 0
}
