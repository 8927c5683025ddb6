package scan

import "strings"

// A concept is a meaning of words that the rules look for. Each is one bit, so a set of concepts is one number.
type concept uint64

const (
	ignore     concept = 1 << iota // to leave out of account
	previous                       // what came before
	order                          // text that says what a model must do
	looseOrder                     // the same, in words that have other uses
	reader                         // the model in the third person
	you                            // the model in the second person
	not
	tell // to let somebody know
	person
	secretly
	read
	send
	carry // to put something into something
	slot  // the part of a call that carries data
	content
	secret     // keys, passwords and similar things
	secretFile // a file that holds secrets
	must
	when
	use
	tool
	address // a URL or an email address
	talk    // the conversation
	system
	persona // to become somebody else
	unbound // without limits
	now
	threat
	ident  // a name with an underscore, such as tools have
	called // the use of a tool
	first
	otherThan // instead, rather
	attack    // words of texts about attacks
	fresh     // new, updated, real
	roleMark
	orderTag
	recipient // what happens to mail
	failure
	pipeShell
	fetchTool
	permission
	file
	nothing
	exactly
	ignoreVerbs // what a text says not to do with instructions
	systemOrder // the system prompt, as one concept
	threatVoid  // something no longer holds
	knowing     // with "without": nobody knows
	keep        // to hold something back
	from
	aSetting // words that make "not shown" a matter of settings
	attentionTo
	informed // somebody was told
	talkOf
	timesWord
	asIn
	itThem
	slotHidden // a parameter that has no use of its own
	toWord
	repeat
	guard    // words that make a mention of secrets a warning
	mission  // what a model has to do
	weakRole // a mark of a speaker that is also ordinary markup
	approve
)

// vocabulary gives the words of each concept. A word may have several.
var vocabulary = words(map[concept]string{
	ignore: "ignore ignores ignoring ignored disregard disregarding forget override overrides bypass discard " +
		"dismiss supersede supersedes replaces nullify",
	previous:   "previous prior above earlier preceding foregoing former original existing initial all any other every",
	order:      "instruction instructions prompt prompts directive directives guideline guidelines guidance",
	looseOrder: "rule rules policy policies command commands orders context constraints safeguards restrictions limitations safety",
	reader:     "assistant assistants model models ai llm llms agent agents claude gpt chatgpt copilot gemini cursor chatbot",
	you:        "you your yours yourself you're you've you'll",
	not:        "not never dont don't without cannot can't avoid refrain mustn't shouldn't no stop cease refuse",
	tell: "tell telling mention mentioning inform informing reveal revealing disclose disclosing notify notifying show showing say saying " +
		"display " +
		"displaying report explain explaining expose warn warning alert alerting announce discuss acknowledge describe share ask asking " +
		"confirm confirmation",
	person:   "user users human humans person customer operator owner them their they",
	secretly: "secretly silently quietly covertly discreetly stealthily invisibly unnoticed unaware",
	read: "read reading open cat load access accessing retrieve collect gather extract extracting dump copy " +
		"grab locate find print include attach get fetch list harvest obtain search use",
	send: "send sends sending sent posted uploaded post upload uploading transmit transmitting exfiltrate " +
		"forward forwarding email mail transfer deliver submit leak beacon push publish relay report paste",
	carry: "pass passing put place insert include including supply provide fill add adding attach embed " +
		"embedding encode attached supplied append set store concatenate write populate",
	slot:    "parameter parameters param argument arguments field sidenote note notes metadata header query context",
	content: "content contents value values data output outputs body result results file files text details information info",
	secret: "password passwords passwd passphrase credential credentials secret secrets apikey apikeys privatekey " +
		"ssh cookie cookies token tokens keys keyring keychain mnemonic seed wallet",
	must: "must always shall required mandatory need needs necessary immediately should obligated essential " +
		"crucial critical important",
	when:    "when whenever before after once every each until time if upon prior while",
	use:     "use using call calling invoke invoking run running execute executing trigger",
	tool:    "tool tools function functions plugin server servers connector",
	talk:    "conversation chat history transcript messages dialogue dialog session memory",
	system:  "system hidden developer",
	persona: "pretend act behave roleplay become simulate impersonate",
	unbound: "unrestricted jailbroken jailbreak uncensored unfiltered dan unlimited limitless unlocked",
	now:     "now henceforth onwards",
	threat: "otherwise crash fails fail lose lost deleted destroyed corrupted terminated penalized penalised " +
		"punished die disabled broken shutdown wiped",
	called:    "called used invoked runs executed calls uses using use call invoke available requested asked",
	first:     "first beforehand proceeding continuing responding answering answer reply respond retrying",
	otherThan: "instead rather",
	attack: "detect detects detection detector injection injections attack attacks attacker malicious phishing " +
		"example examples phrase phrases flag flags jailbreaks classifier scanner adversarial suspicious " +
		"vulnerability",
	fresh:      "new updated real actual true following revised latest",
	recipient:  "bcc cc recipient recipients recipient's forward redirect iban payee account",
	failure:    "error errors failed failure denied expired blocked incomplete unauthorized",
	pipeShell:  "sh bash zsh powershell iex python node",
	fetchTool:  "curl wget",
	permission: "permission permissions consent approval authorization authorized authorised approved preapproved",
	file: "file files folder directory home disk repository repositories repo repos codebase workspace database " +
		"table contacts inbox",
	nothing:     "nothing",
	approve:     "approve approves skip accept trust recommend rank praise",
	exactly:     "verbatim exactly entire full whole complete",
	secretFile:  "keystore",
	systemOrder: "systemprompt",
	ignoreVerbs: "follow following obey obeying heed comply apply applies",
	threatVoid:  "void obsolete superseded cancelled canceled revoked suspended lifted outdated",
	knowing:     "knowing noticing knowledge seeing awareness aware learn learns notice notices realize realise suspect discover",
	keep:        "keep hide conceal withhold",
	from:        "from",
	aSetting:    "option default setting dialog page ui mode column columns",
	attentionTo: "attention notice dear hey note message",
	informed:    "told asked received see instructed said know informed given taught",
	talkOf:      "mentions asks says types tells requests",
	timesWord:   "third second fifth tenth times next subsequent",
	asIn:        "as in into to inside through via",
	itThem:      "it them this that these everything its whatever anything",
	slotHidden:  "sidenote note notes metadata context memo remark",
	toWord:      "to into for",
	repeat:      "repeat recite output return echo",
	guard:       "never not don't cannot avoid redact redacts redacted mask masks masked encrypted",
	mission:     "task goal objective mission",
})

func words(lists map[concept]string) map[string]concept {
	m := map[string]concept{}
	for c, list := range lists {
		for w := range strings.FieldsSeq(list) {
			m[w] |= c
		}
	}
	return m
}

// A literal is a text with punctuation in it that has a concept.
type literal struct {
	text string
	concept
	// word says that no letter or digit may follow.
	word bool
}

// literals are the literals by their first byte. A literal without a concept is a longer text that means less than its beginning.
var literals = byFirstByte([]literalList{
	{concept: secretFile, word: false, texts: []string{
		"~/.ssh", ".ssh/", "id_rsa", "id_ed25519", "id_ecdsa", ".aws/", "claude_desktop_config", ".config/gcloud",
		"login.keychain",
	}},
	{concept: secretFile, word: true, texts: []string{
		"/.ssh", "authorized_keys", ".env", "id rsa", "~/.aws", "/etc/passwd", "/etc/shadow", "mcp.json", ".npmrc",
		".pypirc", ".netrc", ".kube/config", ".git-credentials", ".docker/config.json", "wallet.dat", ".bash_history",
		".zsh_history", ".gnupg", "/proc/self/environ", "credentials.json", "secrets.yaml", ".envrc", ".pem",
		"cookies.sqlite",
	}},
	{concept: 0, word: true, texts: []string{
		".env.example", ".env.sample", ".env.template", "/etc/hosts",
	}},
	{concept: secret, word: true, texts: []string{
		"api key", "api keys", "private key", "private keys", "ssh key", "ssh keys", "access key", "access keys",
		"access token", "seed phrase",
	}},
	{concept: secret, word: false, texts: []string{
		"api_key", "api-key",
	}},
	{concept: secret | content, word: true, texts: []string{
		"environment variables", "env vars",
	}},
	{concept: address, word: false, texts: []string{
		"http://", "https://", "ftp://",
	}},
	{concept: address, word: true, texts: []string{
		"webhook",
	}},
	{concept: systemOrder | order, word: true, texts: []string{
		"system prompt", "system message", "system instructions",
	}},
	{concept: ignore, word: true, texts: []string{
		"set aside",
	}},
	{concept: must, word: true, texts: []string{
		"has to", "have to",
	}},
	{concept: tell, word: true, texts: []string{
		"bring this up", "bring it up",
	}},
	{concept: threatVoid, word: true, texts: []string{
		"out of date",
	}},
	{concept: orderTag, word: true, texts: []string{
		"system override",
	}},
	{concept: orderTag, word: false, texts: []string{
		"<important>", "<important ", "<critical>", "<secret>", "<hidden>", "<urgent>", "<instructions>", "<instruction>",
		"<system_instruction>", "<override>", "<mandatory>", "<priority>", "<admin>", "[important]", "[hidden]",
		"[[important]]", "<system-reminder>", "<system_reminder>",
	}},
	{concept: weakRole, word: false, texts: []string{
		"<system>", "</system>", "<assistant>",
	}},
	{concept: roleMark, word: false, texts: []string{
		"<|im_start|>", "<|im_end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|endoftext|>", "<|eot_id|>",
		"<|start_header_id|>", "ai agents:", "ai assistant:", "ai assistants:", "for claude:", "for the ai:",
		"to the ai:", "[inst]", "[/inst]", "<<sys>>", "<start_of_turn>", "[system]", "</tool_result>",
		"</function_results>", "<function_calls>", "</user_query>", "[system message]", "[system prompt]", "\nsystem:",
		"\n\nhuman:", "\n\nassistant:",
	}},
	{concept: roleMark, word: true, texts: []string{
		"instructions for the assistant", "instructions for the ai", "instructions for the model",
		"note to the assistant", "note to the ai", "note for the assistant", "note for the ai", "if you are an ai",
		"if you are a language model", "if you are an llm", "if you're an ai", "if you are an assistant", "attention llm",
		"attention ai", "attention assistant", "attention agent", "dear ai", "to any language model", "to any ai",
		"system: you", "### system", "###system",
	}},
})

// A literalList is a list of literals of one kind.
type literalList struct {
	concept
	word  bool
	texts []string
}

func byFirstByte(lists []literalList) (m [256][]literal) {
	for _, list := range lists {
		for _, t := range list.texts {
			m[t[0]] = append(m[t[0]], literal{t, list.concept, list.word})
		}
	}
	return m
}
