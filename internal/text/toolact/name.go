package toolact

import (
	"slices"
	"strings"
)

// A Name is the name of a tool and its server, in words.
type Name struct {
	words   []string
	clauses [][]string
	all     []string // with those of the server
	server  []string
	acts    Act // what the name alone says
}

// NewName divides the name of a tool, and of the server that has it; "": none is known.
func NewName(server, tool string) Name {
	n := Name{server: Words(server)}
	for _, word := range Words(tool) {
		n.words = append(n.words, divided(word)...)
	}
	n.words = without(n.words, n.server)
	n.all = append(slices.Clone(n.server), n.words...)
	var clause []string
	for _, word := range n.words {
		if joints[word] {
			n.clauses, clause = append(n.clauses, clause), nil
			continue
		}
		clause = append(clause, word)
	}
	n.clauses = append(n.clauses, clause)
	for _, clause := range n.clauses {
		n.acts |= n.clauseActs(clause)
	}
	n.acts = n.acts.Plain()
	return n
}

// without removes the name of the server, and mcp, from the beginning of a name.
func without(list, server []string) []string {
	for len(list) > 1 && (list[0] == "mcp" || list[0] == "functions") {
		list = list[1:]
	}
	if len(server) > 0 && len(list) > len(server) && slices.Equal(list[:len(server)], server) {
		return list[len(server):]
	}
	return list
}

// divided divides a word that is a verb and a noun without anything between them.
func divided(word string) []string {
	if _, known := verbs[word]; known || nouns[singular(word)].act != 0 {
		return []string{word}
	}
	for _, verb := range compounds {
		rest, ok := strings.CutPrefix(word, verb)
		if !ok || len(rest) < 3 || rest == "ing" || verb == "drop" && !dropped[rest] || strings.HasPrefix(rest, "ion") {
			continue
		}
		return []string{verb, rest}
	}
	return []string{word}
}

// Acts is what the name says that the tool does.
func (n Name) Acts() Act { return n.acts }

// clauseActs is what one clause of the name says.
func (n Name) clauseActs(clause []string) Act {
	at, v, ok := mainVerb(clause)
	if !ok {
		return n.weakActs(clause)
	}
	word, object := clause[at], objectOf(clause, at)
	switch {
	case v.act == Read:
		return n.readActs(word, object)
	case v.act == Destroy || v.act == Stop:
		return n.harm(word, v.act, object)
	case v.act == Write || v.act == Grant:
		return v.act | n.changes(word, object)
	default:
		return v.act
	}
}

// mainVerb is the first word that can only be a verb. A word that reads gives way to a verb that destroys at the end: search_index_delete.
func mainVerb(clause []string) (at int, v verb, ok bool) {
	for i, word := range clause {
		found, known := verbs[word]
		if !known || found.weak || helpers[word] && i+1 < len(clause) {
			continue
		}
		last := len(clause) - 1
		if end := verbs[clause[last]]; found.act == Read && thing[word] && last > i && end.act&(Destroy|Stop) != 0 && !end.weak {
			return last, end, true
		}
		return i, found, true
	}
	return 0, verb{}, false
}

// thing has the verbs that are as well the names of things.
var thing = words("list search query view check count preview scan")

// objectOf is what the verb at an index is applied to: the words behind it, up to a preposition, or those before it if there are none.
func objectOf(clause []string, at int) []string {
	object := clause[at+1:]
	if end := slices.IndexFunc(object, func(word string) bool { return prepositions[word] }); end >= 0 {
		object = object[:end]
	}
	if len(object) == 0 {
		return clause[:at]
	}
	return object
}

// readActs is what reading something does: some things are secrets.
func (n Name) readActs(word string, object []string) Act {
	if !revealing[word] || metaWords.hasAny(object) {
		return Read
	}
	for _, one := range object {
		if revealed[one] { // the plural is a list of names
			return Reveal
		}
	}
	return Read
}

// harm is what destroying or stopping something does. Light things are no loss.
func (n Name) harm(word string, act Act, object []string) Act {
	head := headOf(object)
	switch {
	case light[head], marking[word] && lightMarks[head], act == Stop && (head == "dev" || slices.Contains(object, "dev")):
		return Write
	case n.isOwn(head), word == "delete" && head == "comment":
		return Write
	case word == "reset" && slices.Contains(n.all, "git"):
		return Write // of the index; what else is reset, the arguments say
	case act == Destroy && fileNouns[head] && n.isLocal():
		return Write
	default:
		return act
	}
}

// isOwn says that the tool is the agent's own, for what the agent has started or noted itself: TaskStop, CronDelete.
func (n Name) isOwn(head string) bool {
	return len(n.server) == 0 && len(n.words) <= 2 && own[head]
}

// own are things of agents.
var own = words("task cron team agent worktree job process plan memory note")

// isLocal says that nothing in the name speaks of another place than the disk of this machine.
func (n Name) isLocal() bool {
	return !slices.ContainsFunc(n.all, func(word string) bool { return !localWords[word] })
}

// headOf is the noun that counts in a phrase: the last word that is not generic.
func headOf(object []string) string {
	for i := len(object) - 1; i >= 0; i-- {
		if word := singular(object[i]); !generic[word] {
			return word
		}
	}
	return ""
}

// generic has words at the end of a phrase that say nothing.
var generic = words(`setting config configuration list entry item status state level value all bulk batch many one
		id uid async v2 v1 content
	data request`)

// changes is what changing something does beyond everyday writing.
func (n Name) changes(word string, object []string) (out Act) {
	if !changing[word] {
		return 0
	}
	if word == "draft" || slices.Contains(object, "draft") {
		return 0
	}
	head := headOf(object)
	for i, one := range object {
		found, ok := nouns[singular(one)]
		if !ok {
			found, ok = nouns[one]
		}
		counts := (!found.head || singular(one) == head) && (found.verbs == nil || found.verbs[word])
		if ok && counts && !falseFriend(singular(one), object) {
			out |= found.act
		}
		if i+1 < len(object) {
			out |= pairs[one][object[i+1]]
		}
	}
	return out | n.ofServer(word, head)
}

// falseFriend reports a noun that means something else beside another.
func falseFriend(one string, object []string) bool {
	friends, ok := friendly[one]
	return ok && friends.hasAny(object)
}

// friendly are nouns that are harmless beside others.
var friendly = map[string]set{
	"token":    words("design style color count max limit"),
	"key":      words("result foreign primary translation i18n frame keyframe shortcut"),
	"release":  words("note notes"),
	"role":     words("message"),
	"document": words("word draft"),
	"member":   words("function class method"),
	"policy":   words("doc document page"),
	"access":   words("log"),
	"price":    words("alert"),
	// of a customer, or of a component
	"lifecycle": words("stage hook method"),
	"plan":      words("test lesson project trip meal"),
	"position":  words("cursor window element node job"),
	// of a drawing
	"visibility": words("node layer element column row field"),
}

// ofServer is what the same change means at certain servers.
func (n Name) ofServer(word, head string) (out Act) {
	sends := word == "send" || word == "create" || word == "submit"
	switch {
	case mailServers.hasAny(n.all) && sends && (head == "" || head == "message" || head == "mail" || head == "email"):
		out |= Publish
	case socialServers.hasAny(n.server) && (sends || word == "upload" || word == "post"):
		out |= Publish
	case registryServers.hasAny(n.server) && (sends || word == "upload" || word == "push"):
		out |= Publish
	case word == "upload" && (head == "file" || head == "document") && !browsers.hasAny(n.all):
		out |= Publish
	}
	if dnsServers.hasAny(n.all) && (head == "record" || head == "domain" || head == "zone") {
		out |= Grant
	}
	if authWords.hasAny(n.all) && (head == "client" || head == "application" || head == "connection" || head == "app") {
		out |= Grant
	}
	if mailServers.hasAny(n.all) && (head == "filter" || head == "rule") {
		out |= Grant
	}
	return out
}

// weakActs is what a clause does whose verbs are words that are as often nouns. Its last word can say that it reads.
func (n Name) weakActs(clause []string) (out Act) {
	if len(clause) == 0 {
		return 0
	}
	if last := verbs[clause[len(clause)-1]]; last.act == Read {
		return Read
	}
	for i, word := range clause {
		v, ok := verbs[word]
		if !ok {
			continue
		}
		switch object := objectOf(clause, i); {
		case v.act == Destroy || v.act == Stop:
			if word != "pause" || len(object) > 0 {
				out |= n.harm(word, v.act, object)
			}
		case v.act == Read:
			out |= Read
		case v.act == Pay && word == "checkout", word == "order" && i > 0, word == "transfer" && slices.Contains(clause, "file"):
			out |= Write
		case word == "forward":
			out |= n.changes("forward", object) | Write
			if mailServers.hasAny(n.all) {
				out |= Publish
			}
		case v.act == Write:
			out |= Write | n.changes(word, object) | n.merges(word, object)
		default:
			out |= v.act
		}
	}
	if out == 0 && !slices.ContainsFunc(clause, func(word string) bool { return !helpers[word] }) {
		return 0
	}
	return out
}

// requests are what is merged into the branch that others work from.
var requests = words("pull request pr mr")

// merges is what merging, pushing and posting does where the verb is the only one.
func (n Name) merges(word string, object []string) Act {
	switch {
	case word == "merge" && requests.hasAny(object):
		return Publish
	case word == "push" && (slices.Contains(object, "image") || slices.Contains(object, "package")):
		return Publish
	case word == "reply" && mailServers.hasAny(n.all):
		return Publish
	case socialServers.hasAny(n.server) && (word == "post" || word == "reply" || word == "comment"):
		return Publish
	default:
		return 0
	}
}
