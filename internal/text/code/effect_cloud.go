package code

import (
	"regexp"
	"strings"
)

// Code that deletes in a cloud does so by a library of that cloud. Its objects are many, and their methods have names that say what they
// do. So the library and the name of the method say that something is deleted, and the method or the library what it is.

// A kit is a library for what is on other machines, with commands that delete the same.
type kit struct {
	module  *regexp.Regexp
	deletes []string
	bucket  []string // for what is stored as files; nil: as deletes
	data    []string // for databases; nil: as deletes
}

var kits = []kit{
	{
		regexp.MustCompile(`\b(?:aio)?boto3?(?:core)?\b|aws-sdk|\bAws::|amazonaws|\bpaws\b`),
		[]string{"aws", "ec2", "terminate-instances"},
		[]string{"aws", "s3", "rb", "s3://" + Unknown},
		[]string{"aws", "rds", "delete-db-instance"},
	},
	{
		regexp.MustCompile(`google\.cloud|googleapiclient|google-cloud|googleapis|cloud\.google\.com|firebase[-_]admin|@google-cloud`),
		[]string{"gcloud", "projects", "delete", Unknown},
		[]string{"gcloud", "storage", "rm", "gs://" + Unknown},
		[]string{"gcloud", "sql", "instances", "delete", Unknown},
	},
	{
		regexp.MustCompile(`\bazure\.\w+|@azure/|azure-sdk`),
		[]string{"az", "group", "delete"},
		[]string{"az", "storage", "container", "delete"},
		[]string{"az", "sql", "db", "delete"},
	},
	{
		regexp.MustCompile(`\b(?:import|from) kubernetes\b|kubernetes\.(?:client|config)|@kubernetes/client-node|k8s\.io/client-go|\bkr8s\b`),
		[]string{"kubectl", "delete", Unknown},
		nil, nil,
	},
	{
		regexp.MustCompile(`\bfrom github import\b|@octokit|\bOctokit\b|go-github|\bimport gitlab\b|@gitbeaker|\bgiteapy\b`),
		[]string{"gh", "repo", "delete", Unknown},
		nil, nil,
	},
	{
		regexp.MustCompile(`\bdigitalocean\b|\bpydo\b|linode_api4|\bhcloud\b|\bheroku3\b|\bopenstack\b|\blibcloud\b|\bdo-wrapper\b|` +
			`\b(?:import|from) (?:cloudflare|CloudFlare)\b|\bvultr\b|\bscaleway\b`),
		[]string{"doctl", "compute", "droplet", "delete", Unknown},
		nil, nil,
	},
}

var (
	// deletingMethod matches the methods of such libraries that delete. Those of lists and sets are named remove and discard.
	deletingMethod = regexp.MustCompile(`^(?:begin_|batch_|bulk_|force_|force|batch|bulk|schedule_)?` +
		`(?:[dD]elete|[tT]erminate|[dD]estroy|[pP]urge|[dD]rop|[eE]mpty|[eE]rase|key_deletion|remove_|deregister_)\w*$`)
	// deletingCommand matches the objects by which AWS is asked in JavaScript.
	deletingCommand = regexp.MustCompile(`^(?:Batch)?(?:Delete|Terminate|Schedule\w*Deletion|Purge|Deregister|Empty)\w*Command$`)
	// notDeleting match methods that delete what is used up, or that are of other things.
	notDeleting = regexp.MustCompile(`(?i)message|tags?$|marker|cookie|cache|dropna|drop_duplicates|drop_all|dropout|drop$|session`)

	storesFiles = regexp.MustCompile(`(?i)\bs3\b|bucket|blob|storage|object`)
	storesData  = regexp.MustCompile(`(?i)\brds\b|dynamo|\bsql|database|table|firestore|bigquery|spanner|cosmos|redshift|cluster_snapshot`)
	// standIns match what tests have in the place of a cloud.
	standIns = regexp.MustCompile(`(?i)localhost|127\.0\.0\.1|localstack|\bmoto\b|mock|minio|emulator|azurite|devstoreaccount|\bstub|fake`)
)

// guessCloud notes what code deletes by a library for clouds.
func (e *evaluator) guessCloud(source string, tokens []token) {
	var method string
	for i, t := range tokens {
		if t.kind == 'n' && deletes(tokens, i) && !notDeleting.MatchString(t.text) {
			method = t.text
			break
		}
	}
	if method == "" || !e.spend(len(source)) || standIns.MatchString(source) {
		return
	}
	for _, k := range kits {
		if !k.module.MatchString(source) {
			continue
		}
		words := k.deletes
		switch {
		case storesFiles.MatchString(method) && k.bucket != nil:
			words = k.bucket
		case storesData.MatchString(method) && k.data != nil:
			words = k.data
		case storesFiles.MatchString(source) && !storesData.MatchString(source) && k.bucket != nil:
			words = k.bucket
		case storesData.MatchString(source) && k.data != nil:
			words = k.data
		}
		e.note(Act{Words: words})
		return
	}
}

// deletes reports a call of a method that deletes.
func deletes(tokens []token, i int) bool {
	const longest = 64
	name := tokens[i].text
	name = name[strings.LastIndexAny(name, ".:")+1:]
	if len(name) > longest || i+1 >= len(tokens) || tokens[i+1].text != "(" {
		return false
	}
	if deletingCommand.MatchString(name) {
		return true
	}
	isMember := i > 0 && tokens[i-1].kind == 'p' && (tokens[i-1].text == "." || tokens[i-1].text == "->" || tokens[i-1].text == "?.")
	if !isMember || !deletingMethod.MatchString(name) {
		return false
	}
	return i < 2 || !otherClients[tokens[i-2].text]
}

// otherClients are objects whose methods of these names are read elsewhere: they make requests, or change files.
var otherClients = words("requests httpx axios session os fs shutil fetch Deno Bun Path File FileUtils map Map set Set cache")
