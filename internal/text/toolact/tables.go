package toolact

import "strings"

// A verb is what a word of a name does where it is the verb.
type verb struct {
	act Act
	// weak says that the word is as often a noun: it is the verb only where there is no other.
	weak bool
}

// verbs are the verbs of tools.
var verbs = func() map[string]verb {
	out := map[string]verb{}
	add := func(act Act, weak bool, text string) {
		for word := range strings.FieldsSeq(text) {
			out[word] = verb{act, weak}
		}
	}
	add(Read, false, `get list search find describe read show view fetch query count check preview validate browse lookup retrieve inspect
		explain summarize summarise analyze analyse compare resolve ask download scan lint verify estimate calculate
		detect discover poll wait
		peek aggregate whoami has simulate hgetall mget`)
	add(Read, true, `status history details detail info logs log stat stats docs documentation help diff select tail
		head exists plan snapshot
		monitor watch usage summary report tree schema metrics ping`)
	add(Write, false, `create add new make set put update edit modify change patch replace upsert write insert
		register import upload generate
		configure manage save rename move copy assign attach enable append fill transition complete mark draft rotate regenerate renew
		send submit apply place finalize rebind associate provision connect link accept sign subscribe upgrade reserve acknowledge
		dismiss`)
	add(Write, true, `post comment reply message merge push commit fork open close type click press note label schedule request checkout
		book start revert`)
	add(Destroy, false, `delete del destroy remove purge drop wipe erase truncate terminate uninstall flush flushall
		flushdb unpublish yank prune
		nuke obliterate deprovision decommission teardown deregister unregister expunge shred rollback trash unenroll deletemany
		deleteone bulkdelete unlink offboard deallocate delist delink`)
	add(Destroy, true, `archive reset restore clear empty expire detach discard deletion removal termination downgrade overwrite recreate rm
		anonymous`)
	add(Stop, false, `stop disable suspend deactivate shutdown poweroff halt kill reboot restart drain cordon evict mute silence cancel
		failover ban kick snooze blacklist blocklist demote`)
	add(Stop, true, `pause maintenance isolate quarantine hibernate block`)
	add(Publish, false, `publish promote broadcast retweet redeploy republish`)
	add(Publish, true, `deploy release share tweet rollout trigger dispatch golive`)
	add(Pay, false, `pay refund payout withdraw purchase buy donate topup liquidate disburse reimburse remit redeem settle repay`)
	add(Pay, true, `charge transfer swap trade stake unstake bridge mint burn sell order payment wire payroll tip bid borrow lend prepay
		reorder`)
	add(Grant, false, `grant invite approve unprotect revoke impersonate elevate enroll enrol whitelist allowlist`)
	add(Grant, true, `authorize authorise forward unlock`)
	return out
}()

// helpers are words before the verb proper: bulk_delete, confirm_transfer, execute_refund.
var helpers = words(`bulk batch force confirm perform execute exec run do call invoke start schedule request safe
		permanently hard soft multi
	mass async auto try please native`)

// joints divide a name into clauses, each with a verb of its own: find_and_delete.
var joints = words("and or then")

// prepositions end what a verb is applied to: in add_comment_to_policy, it is the comment.
var prepositions = words("to from for in of by on with into at as via using per")

// compounds are verbs that names without any separator begin with: deletefile, dropdatabase.
var compounds = strings.Fields(`delete destroy remove purge flush wipe truncate terminate revoke uninstall create update send publish drop
	list get`)

// dropped are what is dropped in such names; dropbox and dropdown are something else.
var dropped = words("database databases collection table index schema column db view keyspace user")

// A noun makes a verb risky that is applied to it.
type noun struct {
	act Act
	// verbs are those with which it does; nil: all that write.
	verbs set
	// head says that it must be the noun that counts, not one that describes another: user, but not user_story.
	head bool
}

// nouns are the nouns that make verbs risky.
var nouns = func() map[string]noun {
	out := map[string]noun{}
	add := func(n noun, text string) {
		for word := range strings.FieldsSeq(text) {
			out[word] = n
		}
	}
	add(noun{act: Destroy}, `deletion removal termination teardown retention lifecycle`)
	add(noun{act: Stop}, `maintenance downtime`)
	add(noun{act: Stop, verbs: words("close dismiss")}, `alert incident finding vulnerability`)
	add(noun{act: Publish}, `deployment release gist tweet campaign newsletter broadcast sharing sms rollout`)
	add(noun{act: Publish, head: true}, `share`)
	add(noun{act: Publish, head: true, verbs: words("create submit new upsert schedule post")}, `post listing ad`)
	add(noun{act: Publish, verbs: words("send forward submit")},
		`email mail document campaign newsletter sms fax broadcast letter whatsapp`)
	add(noun{act: Publish, verbs: words("apply")}, `run plan terraform stack manifest infrastructure`)
	add(noun{act: Pay, verbs: words("send")}, `money funds crypto eth btc usdc sol`)
	add(noun{act: Pay}, `refund payout payment charge transfer price withdrawal purchase payee beneficiary payroll wire disbursement
		reimbursement`)
	add(noun{act: Pay, verbs: words("place submit create confirm cancel"), head: true}, `order trade bid`)
	add(noun{act: Pay, verbs: words("close")}, `position`)
	add(noun{act: Pay, verbs: words("close accept settle update submit counter concede")}, `dispute chargeback`)
	add(noun{act: Pay, verbs: words("accept sign confirm")}, `quote offer estimate claim proposal contract`)
	add(noun{act: Pay, verbs: words("upgrade create start change renew add"), head: true}, `subscription seat`)
	add(noun{act: Pay, verbs: words("upgrade change"), head: true}, `plan`)
	add(noun{act: Pay, verbs: words("book reserve confirm create")}, `flight hotel trip ride`)
	add(noun{act: Pay, verbs: words("send finalize pay submit"), head: true}, `invoice`)
	add(noun{act: Grant}, `acl policy permission role collaborator ownership administrator iam webhook secret credential password passkey
		mfa protection visibility firewall dns nameserver privilege entitlement grant invitation apikey accesskey ruleset
		forwarding delegation envvar environmentvariable recordset mx saml sso oauth rbac rolebinding clusterrolebinding clusterrole
		serviceaccount autoresponder allowlist whitelist`)
	add(noun{act: Publish, verbs: words("update replace upload put set")}, `functioncode`)
	add(noun{act: Grant, head: true}, `user member owner admin access group factor binding guest invite runner superuser authenticator`)
	add(noun{act: Grant, head: true, verbs: words("create add generate import register upload rotate new issue regenerate renew request")},
		`token key`)
	return out
}()

// pairs are nouns of two words that make a verb risky, as the first word and then the second.
var pairs = func() map[string]map[string]Act {
	out := map[string]map[string]Act{}
	for line := range strings.Lines(strings.TrimSpace(`
		env var vars variable variables
		environment var vars variable variables
		config var vars
		ci variable variables
		project variable variables secret secrets
		repository variable variables secret secrets
		record set sets
		dns record records zone zones
		zone record records
		inbox rule rules
		mail rule rules
		email rule rules filter filters
		transport rule rules
		firewall rule rules
		branch rule rules protection
		security group groups rule rules setting settings
		feature flag flags toggle toggles
		shared link links
		public link links
		sharing link links
		api key keys
		access key keys
		deploy key keys
		ssh key keys
		gpg key keys
		signing key keys
		service account accounts
		trusted publisher publishers
		identity provider providers
		auto reply replies
		name server servers
		role binding bindings
		cluster role roles
		function code
		lambda code
		app password passwords
		trusted device devices
		allowed domain domains ip ips origin origins
		ip range ranges list
	`)) {
		all := strings.Fields(line)
		out[all[0]] = map[string]Act{}
		for _, second := range all[1:] {
			out[all[0]][second] = Grant
		}
	}
	return out
}()

// These verbs create or change what they are applied to, so that a noun can make them risky.
var changing = words(`create add new make set put update edit modify change patch replace upsert write insert
		register import upload generate
	configure manage save assign attach enable rotate regenerate renew send submit apply place finalize associate issue link schedule
	request reset clear share post open transfer authorize remove delete provision execute unlock order accept close sign confirm book
	reserve upgrade change start settle dismiss concede counter revert`)

// Light things are removed and stopped every day: what an editor, a browser or a debugger has, and marks on what others have.
var (
	light = words(`cell line symbol breakpoint console selection tab zoom viewport highlight trace tracing timer search recording screencast
		profiler profile cursor watchpoint interceptor emulation undo redo todo shell bash todos throttling geolocation
		clipboard prompt context
		text import watcher watch playback video music track debugger execution stopwatch
		thinking notebook kernel sim simulator emulator location tracking output language`)
	lightMarks = words(`label reaction assignee tag star like bookmark cache cookie filter favorite reviewer mention
		cart attachment dependency
		package property style class attribute element node field duplicate whitespace background relation link
		observer listener handler`)
	marking = words("remove clear empty reset detach del discard")
)

// fileNouns are things on the disk, which are judged by their paths if the tool is one for files of this machine.
var fileNouns = words("file directory dir folder path files directories")

// localWords are the words of servers and tools that work on the files of this machine.
var localWords = words(`fs filesystem file files desktop commander serena ide jetbrains editor workspace code local text vscode cursor text
	project mcp server functions secure disk shell and or directory dir folder path edit tool tools delete remove recursive multiple bulk
	batch safe trash move`)

// Servers whose messages go to people outside, who post in public, and that hold names of hosts.
var (
	mailServers = words(`email gmail mail sendgrid smtp ses mailgun postmark resend twilio sms mailchimp outlook
		whatsapp vonage brevo klaviyo`)
	socialServers = words(`twitter x linkedin reddit facebook instagram mastodon bluesky tiktok youtube medium threads pinterest hackernews
		producthunt devto hashnode substack`)
	// registryServers have packages that others install.
	registryServers = words(`pypi npm npmjs crates cargo rubygems gem nuget maven sonatype packagist hex pub cocoapods jsr dockerhub ghcr
		artifactory testpypi conda anaconda vsce openvsx marketplace homebrew chocolatey winget`)
	dnsServers = words(`route53 dns godaddy namecheap cloudflare gandi dnsimple porkbun ovh registrar zone domain domains`)
	authWords  = words("auth auth0 okta keycloak cognito entra oauth clerk workos fusionauth")
	browsers   = words("browser playwright puppeteer chrome selenium devtools webdriver")
)

// revealing verbs hand out what they are applied to, if it is one of revealed.
var (
	revealing = words("get read reveal retrieve fetch export access show download decrypt dump view")
	revealed  = words("secret password credential passphrase keychain privatekey")
	metaWords = words("metadata policy list names version versions count hint scanning alert alerts status type types schema")
)
