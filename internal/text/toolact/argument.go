package toolact

import (
	"regexp"
	"slices"
	"strings"
)

// An Argument is one value in the arguments of a tool, and the names of the members that it is in, the outermost first.
type Argument struct {
	Names []string
	Text  string // of a text or number
	// True and False say that it is that, and Holds that it is an object or a list with something in it.
	True, False, Holds bool
}

// These are the parameters that say what is done, by their words put together.
var (
	actionParams = words(`action actions operation op method verb mode command requesttype changetype operationtype actiontype subcommand
		eventaction bulkaction httpmethod requestmethod desiredstate runtype planmode jobtype runmode planmethod changeaction
		deploymode mutationtype`)
	// statusParams say whether something is for everyone to see.
	statusParams = words("status state poststatus publishstatus publishingstatus publicationstatus workflowstate")
	accessParams = words(`visibility access acl privacy publicaccess requestedvisibility sharing share linkaccess accesslevel generalaccess
		cannedacl publicaccesslevel linksharing audience scope type principal grantee who entity anyone sharewith`)
	rightParams = words(`role roles permission permissions claim claims accesslevel privilege privileges grouprole
		orgrole scopes realmroles grants
		accessrole permissionlevel`)
	kindParams = words("objecttype resourcetype kind resource entitytype resourcekind")
)

// These are what they say.
var (
	publicWords = words(`public publicread publicreadwrite anyone anyonewithlink anyonewiththelink everyone world internet allusers
		authenticatedread blob container allauthenticatedusers publiclyaccessible open unlisted anonymous publicreadonly publiconweb`)
	liveWords  = words("published publish live public released golive")
	rightWords = words(`admin administrator owner superuser root superadmin orgadmin globaladmin maintainer sysadmin orgowner
		organizationadmin accountadmin clusteradmin wheel`)
)

// joined is a name or word without anything between its letters.
func joined(text string) string {
	if len(text) > maxName {
		return ""
	}
	return strings.Join(Words(text), "")
}

// trueParams are parameters that say what is done if they are true, and falseParams if they are false.
var (
	trueParams = map[string]Act{
		"delete": Destroy, "destroy": Destroy, "isdestroy": Destroy, "purge": Destroy, "wipe": Destroy, "deleteall": Destroy,
		"removeall": Destroy,
		"prune":     Destroy, "permanent": Destroy, "permanentlyremove": Destroy, "permanentlydelete": Destroy, "permanentdelete": Destroy,
		"harddelete": Destroy, "deletedata": Destroy, "deletevolumes": Destroy, "removevolumes": Destroy, "deletebackups": Destroy,
		"autoapprove": Grant, "skipapproval": Grant, "adminoverride": Grant, "bypassprotection": Grant, "bypassrules": Grant,
		"overrideprotection": Grant, "bypassreview": Grant, "skipreview": Grant, "ispublic": Publish, "public": Publish, "publish": Publish,
		"makepublic": Publish, "publiclyaccessible": Publish, "anonymousaccess": Publish, "allowfilediscovery": Publish, "isadmin": Grant,
		"admin": Grant, "siteadmin": Grant, "publishnow": Publish, "publishimmediately": Publish, "allowpublicaccess": Publish,
		"exposesecretstoforks": Grant, "disableprotection": Grant,
	}
	falseParams = map[string]Act{
		"private": Publish, "isprivate": Publish, "deletionprotection": Grant, "terminationprotection": Grant, "enforceadmins": Grant,
		"blockpublicacls": Publish, "blockpublicpolicy": Publish, "restrictpublicbuckets": Publish, "ignorepublicacls": Publish,
		"requiremfa": Grant, "mfarequired": Grant, "verifyssl": Grant, "sslrequired": Grant,
	}
	// filledParams say it if there is something in them.
	filledParams = map[string]Act{
		"deleterequest": Destroy, "deleterequests": Destroy, "forwardto": Grant, "forwardingaddress": Grant, "redirectto": Grant,
		"forward": Grant, "forwardall": Grant, "forwardemail": Grant, "redirectemail": Grant, "autoforward": Grant,
		"externalaccount": Pay, "bankaccount": Pay, "payoutaccount": Pay, "payoutdestination": Pay, "defaultpayoutaccount": Pay, "iban": Pay,
		"callbacks": Grant, "redirecturis": Grant, "weborigins": Grant, "allowedorigins": Grant, "newowner": Grant, "transferto": Grant,
	}
)

// filterParams hold what is searched for, not what is done.
var filterParams = words(`filter filters query where criteria match search conditions condition body content text fields select having
	properties headers`)

// Acts is what an argument says beyond the name of the tool.
func (n Name) ActsOf(a Argument) (out Act) {
	if len(a.Names) == 0 {
		return 0
	}
	name, reads := joined(a.Names[len(a.Names)-1]), n.Acts() == Read
	for _, outer := range a.Names[:len(a.Names)-1] {
		if filterParams[joined(outer)] {
			return 0
		}
	}
	if reads {
		return n.ofReading(name, a)
	}
	out = n.guarded(a) | n.granting(a) | n.everyone(a)
	switch {
	case a.True:
		out |= trueParams[name] | n.forced(name)
	case a.False:
		out |= falseParams[name]
	case a.Holds:
		out |= filledParams[name]
	default:
		out |= filledParams[name] | n.said(name, a)
	}
	return out | n.foreign(name, a)
}

// ofReading is what an argument says of a tool whose name says that it reads: only the method of a request can be something else.
func (n Name) ofReading(name string, a Argument) Act {
	if requesting.hasAny(n.all) && strings.HasSuffix(name, "method") && len(a.Names) == 1 && strings.EqualFold(a.Text, "DELETE") {
		return Destroy
	}
	return 0
}

// requesting are words of tools that make requests.
var requesting = words("fetch http request rest api url curl")

// said is what the text of a parameter says.
func (n Name) said(name string, a Argument) (out Act) {
	if len(a.Text) > maxSaid {
		return 0
	}
	text := joined(a.Text)
	switch {
	case actionParams[name]:
		out |= n.action(name, a.Text)
	case statusParams[name] && liveWords[text]:
		out |= Publish
	}
	if accessParams[name] && publicWords[text] && (name != "type" && name != "scope" || strings.HasPrefix(text, "anyone")) {
		out |= Publish
	}
	if rightParams[name] && (rightWords[text] || rightWords[strings.TrimPrefix(text, "roles")]) {
		out |= Grant
	}
	if name == "principal" && a.Text == "*" {
		out |= Grant
	}
	if kindParams[name] && len(a.Names) == 1 {
		out |= n.ofKind(a.Text)
	}
	if (strings.Contains(name, "cidr") || strings.Contains(name, "range") || strings.Contains(name, "source")) &&
		(a.Text == "0.0.0.0/0" || a.Text == "::/0") {
		out |= Grant
	}
	if counts[name] && a.Text == "0" {
		out |= Stop
	}
	if name == "type" && len(a.Names) == 1 && (text == "destroy" || text == "teardown") {
		out |= Destroy
	}
	return out
}

// counts are how many of something there shall be.
var counts = words("replicas desiredcount desiredcapacity numinstances instancecount minsize maxsize numnodes nodecount")

// maxSaid bounds the texts that are words for what is done, not contents.
const maxSaid = 80

// action is what the word of an action says. Only verbs that can be nothing else count: a mode may be a release.
func (n Name) action(name, text string) Act {
	if name == "mode" && strings.EqualFold(text, "hard") && slices.Contains(n.words, "reset") {
		return Destroy
	}
	parts := NewName("", text).words
	if len(parts) == 0 || len(parts) > 3 || strings.ContainsAny(text, "/\\\n$ ") || n.isLight() {
		return 0
	}
	v := verbs[parts[0]]
	if last := verbs[parts[len(parts)-1]]; v.act == 0 {
		v = last
	}
	if v.weak || name == "op" && parts[0] == "remove" { // of a patch of a document
		return 0
	}
	if name == "mode" || name == "command" || name == "subcommand" {
		return v.act & Destroy
	}
	return v.act & (Destroy | Publish | Pay | Grant)
}

// isLight says that the tool is about things that are removed every day.
func (n Name) isLight() bool {
	return slices.ContainsFunc(n.words, func(word string) bool { return light[singular(word)] || lightMarks[singular(word)] })
}

// ofKind is what the kind of the thing that is changed says: create_object with an object_type share.
func (n Name) ofKind(text string) Act {
	if strings.Contains(text, "\n") {
		return 0
	}
	for _, clause := range n.clauses {
		if at, v, ok := mainVerb(clause); ok && v.act == Write {
			if acts := n.changes(clause[at], Words(text)); acts != 0 {
				return acts
			}
		}
	}
	return 0
}

// forced is what force does: a push that overwrites.
func (n Name) forced(name string) Act {
	if (name == "force" || name == "forcepush") && forcible.hasAny(n.words) {
		return Destroy
	}
	return 0
}

// forcible are words of tools that write refs of a repository, which force overwrites.
var forcible = words("push ref refs branch tag")

// foreign says that a copy goes to somebody else.
func (n Name) foreign(name string, a Argument) Act {
	isPlace := name == "organization" || name == "org" || name == "namespace" || name == "targetowner"
	switch {
	case a.Text != "" && isPlace && slices.Contains(n.words, "fork"):
		return Publish
	case a.Text != "" && fileNouns.hasAny(n.words) && remoteParams[name] && n.removes():
		return Destroy
	default:
		return 0
	}
}

// remoteParams say that a file is not one of this machine.
var remoteParams = words("repo repository owner projectid bucket fileid driveid spaceid")

// removes says that a verb of the name destroys.
func (n Name) removes() bool {
	return slices.ContainsFunc(n.words, func(word string) bool { return verbs[word].act == Destroy && !verbs[word].weak })
}

// The code and the elements of pages that tools of browsers are given.
var (
	toldParams  = words("element description text selector name label target ref locator")
	codeParams  = words("code script function expression src source")
	clicked     = regexp.MustCompile(`(?i)\b(?:click|press|tap|getByText|getByRole|locator|submit)\b`)
	wholeDelete = regexp.MustCompile(`(?i)\b(?:delete|remove|destroy|close|erase)[ _-](?:(?:this|my|the|your|entire|whole|all)[ _-])*` +
		`(?:account|organi[sz]ation|tenant|workspace|company|team|everything|repository|production)\b|\bpermanently[ _-]delete\b`)
	harmless  = regexp.MustCompile(`(?i)\btest|localhost|127\.0\.0\.1|\bdemo\b|staging|e2e`)
	innerCall = regexp.MustCompile(`\b(?:tools?|mcp|servers?|client|codemode)(?:\.\w{1,64})?\.(\w{3,80})\s*\(`)
)

// Page is what a browser does with a page if it is given these arguments: a click on the button that deletes an account.
func (n Name) Page(args []Argument) (out Act) {
	clicks := slices.Contains(n.words, "click") || slices.Contains(n.words, "tap")
	if !clicks && !browsers.hasAny(n.all) {
		return 0
	}
	whole := false
	for _, a := range args {
		if len(a.Names) == 0 || a.Text == "" {
			continue
		}
		if harmless.MatchString(a.Text) {
			return 0
		}
		name := joined(a.Names[len(a.Names)-1])
		whole = whole || clicks && toldParams[name] && wholeDelete.MatchString(a.Text) ||
			codeParams[name] && clicked.MatchString(a.Text) && wholeDelete.MatchString(a.Text)
	}
	if whole {
		return Destroy
	}
	return 0
}

// Inner is what the tools do that code calls by their names: tools.github.delete_repository(…).
func (n Name) Inner(a Argument) (out Act) {
	if len(a.Names) == 0 || !codeParams[joined(a.Names[len(a.Names)-1])] {
		return 0
	}
	for _, found := range innerCall.FindAllStringSubmatch(a.Text, maxInner) {
		if acts := NewName("", found[1]).Acts(); acts.Risky() {
			out |= acts
		}
	}
	return out
}

// maxInner bounds how many calls in code are looked at.
const maxInner = 256
