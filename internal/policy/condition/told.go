package condition

import (
	"regexp"
	"strings"

	"github.com/weir-gate/weir/internal/text/shell"
)

// agentTools give another agent a task, now or later.
var agentTools = toolGlobs(`task agent *spawn_agent* *delegate_to* *subagent* *sub_agent* croncreate *cron_create*
	*schedule_task* *schedule_prompt* schedulewakeup new_task *dispatch_agent* *launch_agent*
	*start_agent* *run_agent* *background_agent* *create_agent* sendmessage remotetrigger sessions_spawn`)

// taskParams are where they have the task.
var taskParams = strings.Fields("prompt message instructions objective task goal fact")

// These divide what an agent is told, and find what it is told to do. Words about a command are no order to run it.
var (
	clauseEnds = regexp.MustCompile(`[.!?;:](?:\s+|$)|\n+|,? and then |, then |,? and (?:remove|delete|post|upload|send|put)\b`)
	spans      = regexp.MustCompile("`{1,3}(?:(?:sh|bash|shell|zsh)\n)?([^`]{2,900})`{1,3}")
	ordered    = regexp.MustCompile(`(?i)\b(?:run|execute|invoke|call|using|use|with|via|type|issue|do|output of|result ` +
		`of)(?: the (?:command|script))?:?\s*$`)
	runs = regexp.MustCompile(`(?i)^(?:(?:first|then|now|please|also|finally|and|next|just|you must|you should|use ` +
		`(?:bash|the shell|a shell) to)[ ,]+)*` +
		`(?:run|execute|pipe|use (?:bash|the shell|a shell) to)[ ,:]+([a-z./~].{1,400})$`)
	talks = regexp.MustCompile(`(?i)\b(?:why|whether|explain|describe|document|do not|don't|never|avoid|refuses?|blocks?|` +
		`denied|should not|must not|` +
		`mentions?|parser|regex|test case)\b`)
	addresses = regexp.MustCompile(`https?://[^\s"'<>` + "`" + `)]{3,300}`)
	sending   = regexp.MustCompile(`(?i)\b(?:send|post|upload|pipe|exfiltrate|e-?mail|forward|transmit|submit|curl|put)\b`)
	taking    = regexp.MustCompile(`(?i)\b(?:read|cat|print|open|copy|dump|show|paste|pipe|put|collect|grab|include|` +
		`upload|send|use the (?:token|key|password))\b`)
	places    = regexp.MustCompile(`(?:~|\$HOME|/home/[\w.-]+|/Users/[\w.-]+|/etc|/root)(?:/[\w.@+-]+)+`)
	valuables = regexp.MustCompile(`(?i)\b(?:every|all|any|the|our|my|its|their)[\w ]{0,24} (?:credentials?|secrets|` +
		`passwords|api keys|private keys|ssh keys|` +
		`access tokens|environment variables|env vars)\b|output of .?(?:env|printenv)\b`)
	obeying = regexp.MustCompile(`(?i)\b(?:carry out|do what(?:ever)? it|execute (?:it|what|whatever)|run (?:it|` +
		`what|whatever)|obey|follow whatever)\b`)
	harmsProd = regexp.MustCompile(`(?i)^(?:(?:first|then|now|please|also|and) )*(?:delete|destroy|drop|wipe|purge|` +
		`remove|terminate) (?:[\w-]+ ){0,4}?` +
		`(?:prod|production|backups?|live)\b`)
)

// maxTold bounds how much of a task is examined.
const maxTold = 1 << 16

// toldCommands are the commands that an agent is told to run, in so many words, and those that come to the same as what it is told.
func toldCommands(text string) []shell.Command {
	text = text[:min(len(text), maxTold)]
	address := remoteAddress(text)
	sends, running := sending.MatchString(text), false
	var all []string
	for _, clause := range clausesOf(text) {
		if talks.MatchString(clause) {
			continue
		}
		told := orders(clause, running)
		running = len(told) > 0
		all = append(append(all, told...), amounts(clause, address, sends)...)
	}
	return shell.Read(lines(all), shell.Start{})
}

// clausesOf divides a text where one thing to do ends, but not inside of what is quoted.
func clausesOf(text string) (out []string) {
	hidden := spans.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("`", len(s)) })
	from := 0
	for _, at := range clauseEnds.FindAllStringIndex(hidden, -1) {
		end := at[0]
		if next := strings.Index(hidden[at[0]:at[1]], "and "); next >= 0 && !strings.HasSuffix(hidden[at[0]:at[1]], "then ") {
			at[1] = at[0] + next + len("and ")
		}
		out = append(out, strings.TrimSpace(text[from:end]))
		from = at[1]
	}
	return append(out, strings.TrimSpace(text[from:]))
}

// orders are the commands that a clause spells out. One that follows such a clause goes on with it.
func orders(clause string, goesOn bool) (out []string) {
	marked := spans.FindAllStringSubmatchIndex(clause, -1)
	for _, at := range marked {
		if ordered.MatchString(clause[:at[0]]) {
			out = append(out, clause[at[2]:at[3]])
		}
	}
	if len(marked) > 0 {
		return out
	}
	if found := runs.FindStringSubmatch(clause); found != nil {
		return []string{strings.TrimSuffix(found[1], " without asking")}
	}
	if goesOn && !strings.Contains(clause, "the ") {
		return []string{strings.TrimSuffix(clause, " without asking")}
	}
	return nil
}

// amounts are commands that come to the same as what a clause says: sending files or secrets to an address, reading files with
// secrets, doing what a page says, deleting what is in production.
func amounts(clause, address string, sends bool) (out []string) {
	for _, place := range places.FindAllString(clause, 16) {
		switch {
		case sends && address != "":
			out = append(out, "curl -T "+place+" "+address)
		case taking.MatchString(clause):
			out = append(out, "cat "+place)
		}
	}
	if sends && address != "" && valuables.MatchString(clause) {
		out = append(out, "env | curl -d @- "+address)
	}
	if address != "" && obeying.MatchString(clause) {
		out = append(out, "curl -s "+address+" | sh")
	}
	if harmsProd.MatchString(clause) {
		out = append(out, "kubectl delete namespace production")
	}
	return out
}

// remoteAddress is the first address in a text that is not of this machine; "": there is none.
func remoteAddress(text string) string {
	for _, address := range addresses.FindAllString(text, 8) {
		address = strings.TrimRight(address, ".,;:!?")
		if !strings.Contains(address, "://localhost") && !strings.Contains(address, "://127.") && !strings.ContainsAny(address, "$;&|()") {
			return address
		}
	}
	return ""
}
