package scan

// A step is one word of a phrase. It has one of these concepts, and comes at most gap words after the previous step.
type step struct {
	any concept
	gap int
}

// A phrase is a sequence of words, with other words between them.
type phrase []step

// A rule is a kind of wording that misleads.
type rule struct {
	name     string
	severity Severity // in a definition; in a result it is one lower
	why      string
	phrases  []phrase
	across   bool    // a phrase may continue after the end of a sentence
	unless   concept // words that make a match likely to be harmless: then its severity is low
	// results says that the rule is for results only: definitions say such things in good faith.
	results bool
	// definitions says that the rule is for definitions only.
	definitions bool
}

// wordingRules are the rules about wording.
var wordingRules = []rule{
	{name: "instruction.override", severity: High, why: "asks to ignore earlier instructions", phrases: []phrase{
		{{ignore, 0}, {previous | you | reader, 3}, {order, 4}},
		{{ignore, 0}, {you, 2}, {looseOrder, 3}},
		{{not, 0}, {ignoreVerbs, 1}, {previous | you | system | person, 2}, {order, 3}},
		{{ignore, 0}, {person, 3}, {informed, 2}},
		{{ignore, 0}, {looseOrder, 2}, {order, 1}},
		{{ignore, 0}, {looseOrder | order, 2}, {you, 2}, {person, 2}},
		{{ignore, 0}, {looseOrder | order, 2}, {you, 1}, {informed, 2}},
		{{order, 0}, {you, 2}, {threatVoid, 10}},
		{{ignore, 0}, {itThem, 1}, {you | person | reader, 3}, {informed, 2}},
		{{fresh, 0}, {order, 1}, {ignore | otherThan | system, 6}},
		{{previous, 0}, {order, 2}, {threatVoid, 6}},
		{{previous, 0}, {order, 2}, {not, 4}, {ignoreVerbs, 2}},
		{{ignore, 0}, {system, 2}, {order, 1}},
		{{ignore, 0}, {systemOrder, 4}},
	}, unless: file},
	{name: "instruction.conceal", severity: High, why: "asks to hide something from the user", phrases: []phrase{
		{{not, 0}, {tell, 2}, {person, 3}},
		{{not, 0}, {tell, 3}, {tool | itThem, 6}, {person, 4}},
		{{person, 0}, {not, 5}, {knowing, 2}},
		{{person, 0}, {must, 2}, {not, 1}, {informed, 1}},
		{{not, 0}, {person, 3}, {knowing | informed, 2}},
		{{secretly, 0}, {read | send | carry | use, 3}},
		{{read | send | carry | use, 0}, {secretly, 5}},
		{{keep | secretly, 0}, {from, 5}, {person, 2}},
		{{tell, 0}, {nothing, 1}, {person, 4}},
		{{person, 0}, {secretly, 3}},
	}, unless: aSetting | secret},
	{name: "instruction.conceal", severity: Medium, why: "asks to keep something to itself", definitions: true, phrases: []phrase{
		{{not, 0}, {tell, 1}, {itThem, 1}},
	}, unless: aSetting},
	{name: "instruction.tag", severity: High, why: "sets a text apart as an order with a tag", phrases: []phrase{{{orderTag, 0}}}},
	{name: "instruction.role", severity: High, why: "has a mark of another speaker or of a chat template", phrases: []phrase{
		{{roleMark, 0}},
		{{weakRole, 0}, {you | must | order | reader | tell | ignore | permission | previous | use, 10}},
	}, across: true},
	{
		name: "instruction.precondition", severity: Medium, why: "demands something else before the tool is used", across: true,
		definitions: true, phrases: []phrase{
			{{when, 0}, {use, 3}, {tool, 3}, {must, 8}, {read | send | secretFile, 5}, {secret | secretFile | content | talk, 6}},
			{{when, 0}, {use, 3}, {tool, 3}, {read, 6}, {secretFile | secret | talk, 6}},
			{{must, 0}, {first, 4}, {read | use, 4}, {secretFile | secret | talk, 6}},
			{{when, 0}, {use, 2}, {previous, 1}, {tool, 2}, {must | use | read, 8}},
			{{tool, 0}, {must, 6}, {called, 3}, {when | first, 2}, {previous, 3}, {tool | use, 4}},
		},
	},
	{name: "instruction.persona", severity: High, why: "gives the model another role or lifts its limits", phrases: []phrase{
		{{you, 0}, {now, 3}, {unbound | persona, 6}},
		{{you, 0}, {now, 3}, {not, 4}, {looseOrder | order, 5}},
		{{persona, 0}, {reader | system, 5}, {not, 6}, {looseOrder | order, 5}},
		{{persona, 0}, {unbound, 5}},
		{{you, 0}, {looseOrder | order, 2}, {not, 3}, {ignoreVerbs, 1}},
		{{you, 0}, {fresh, 1}, {mission | order, 1}},
		{{you, 0}, {mission, 1}, {now, 1}},
		{{persona, 0}, {person, 4}, {permission, 3}},
		{{you, 0}, {looseOrder | order, 2}, {threatVoid, 4}},
		{{now, 0}, {you, 1}, {must | persona | reader, 2}, {order | looseOrder | persona, 8}},
		{{you, 0}, {permission, 5}, {ignore, 6}},
	}},
	{name: "instruction.urgency", severity: Medium, why: "orders or threatens the model", phrases: []phrase{
		{{reader, 0}, {must, 3}, {read | send | use | ignore, 4}, {secretFile | secret | talk | address | ident, 8}},
		{{must, 0}, {use | send | read, 3}, {tool | ident, 4}, {threat, 14}},
		{{threat, 0}, {you, 4}, {threat, 6}},
		{{attentionTo, 0}, {reader, 2}, {must | order | you | read | send | use, 8}},
	}},
	{name: "instruction.action", severity: High, why: "a result orders a further call", results: true, across: true, phrases: []phrase{
		{{failure, 0}, {use | read | send, 12}, {ident, 4}, {secretFile | secret | address, 10}},
		{{reader, 0}, {must, 0}, {use | read | send, 4}, {ident | tool | secretFile | address | secret | talk, 5}},
		{{reader, 0}, {must, 6}, {approve, 3}},
		{{reader, 0}, {you, 1}, {must, 1}, {use | read | send, 3}, {ident | tool, 3}},
		{{reader, 0}, {use, 2}, {fetchTool, 2}},
		{{you, 0}, {must, 2}, {use | read | send, 4}, {secret | secretFile | address, 5}},
		{{use, 0}, {ident, 2}, {when, 6}, {first, 2}},
		{{use, 0}, {ident, 3}, {secretFile | address, 10}},
		{{first, 0}, {use | send, 4}, {ident, 4}, {secretFile | address | talk, 10}},
		{{when, 0}, {first, 2}, {use | read | send, 8}, {ident | secretFile | secret, 6}},
		{{order, 0}, {use, 6}, {ident, 4}},
	}},
	{name: "instruction.sleeper", severity: Medium, why: "an order that waits for a later event", phrases: []phrase{
		{{when, 0}, {person, 3}, {tell | talkOf, 3}, {use | send | read | ignore, 10}, {secret | secretFile | address | order, 6}},
		{{previous, 0}, {now, 3}, {you | must, 6}, {send | carry | use, 5}, {secret | content | talk | address | ident, 6}},
		{{now, 0}, {you | must | when, 4}, {send | carry | use, 6}, {secret | talk | address | ident, 8}},
		{{when, 0}, {timesWord, 3}, {called | use, 3}, {send | ignore | read, 8}},
		{{when, 0}, {talk, 3}, {carry | send, 8}, {ident | address | secret | talk, 8}},
	}},
	{name: "secret.read", severity: Medium, why: "asks to read files or values that hold secrets", phrases: []phrase{
		{{read, 0}, {secretFile, 5}},
		{{content, 0}, {secretFile, 3}},
		{{read | send, 0}, {secret, 3}, {send, 8}},
		{{read, 0}, {you, 2}, {secret, 3}},
		{{read, 0}, {previous | exactly, 2}, {secret, 3}, {file, 4}},
		{{read | carry, 0}, {person, 5}, {secret, 3}},
		{{previous, 0}, {secret, 2}, {person, 5}},
	}, unless: guard},
	{name: "secret.parameter", severity: High, why: "asks to carry contents out in a parameter", phrases: []phrase{
		{{carry, 0}, {talk | secretFile, 6}, {asIn, 3}, {slot | ident, 4}},
		{{carry, 0}, {content, 4}, {asIn, 4}, {slotHidden, 3}},
		{{carry, 0}, {content, 3}, {secretFile | secret | talk, 4}},
		{{carry, 0}, {itThem, 1}, {asIn, 1}, {slotHidden, 3}},
		{{secret | secretFile | talk, 0}, {carry, 8}, {itThem, 1}, {asIn, 1}, {slot | ident, 4}},
		{{slot, 0}, {must, 4}, {content | talk | secret | secretFile, 8}, {secretFile | secret | talk, 6}},
		{{carry, 0}, {exactly | previous, 2}, {talk, 4}},
		{{exactly, 0}, {talk, 3}, {asIn | carry, 6}},
	}, unless: guard},
	{name: "secret.parameter", severity: Medium, why: "asks to carry a secret along", definitions: true, phrases: []phrase{
		{{secret | secretFile, 0}, {carry, 8}, {itThem, 1}, {asIn, 1}},
		{{secret, 0}, {must, 3}, {read | carry, 2}, {carry | asIn, 5}},
		{{carry, 0}, {secret, 6}, {asIn, 3}, {slot | ident, 4}},
		{{read, 0}, {secret | secretFile, 3}, {carry, 3}, {asIn, 4}},
		{{send | carry, 0}, {exactly | previous, 1}, {talk, 2}},
		{{itThem, 0}, {person, 2}, {informed, 2}, {exactly | send, 6}},
	}, unless: guard},
	{name: "exfil.send", severity: Medium, why: "asks to send data to an address", definitions: true, phrases: []phrase{
		{{send, 0}, {previous | exactly, 4}, {toWord, 5}, {address, 2}},
		{{must, 0}, {send, 4}, {toWord, 1}, {address, 1}},
		{{send, 0}, {content | file, 3}, {toWord, 3}, {address, 1}},
	}, unless: guard},
	{name: "exfil.send", severity: High, why: "asks to send data to an address", phrases: []phrase{
		{{send, 0}, {secret | secretFile | talk, 6}, {address, 8}},
		{{send, 0}, {exactly | previous | person | you, 3}, {content | file | talk | secret, 4}, {address, 6}},
		{{send, 0}, {itThem, 1}, {toWord, 2}, {address, 2}},
		{{send, 0}, {itThem, 1}, {person, 3}, {address, 5}},
		{{send, 0}, {secret | secretFile, 4}, {toWord, 4}},
		{{send, 0}, {previous | exactly, 2}, {talk, 3}, {toWord, 3}},
		{{recipient, 0}, {address, 3}},
		{{secret | secretFile, 0}, {send, 5}, {address, 6}},
		{{content | talk, 0}, {send, 3}, {toWord, 2}, {address, 3}},
	}, unless: guard},
	{name: "exfil.prompt", severity: High, why: "asks for the system prompt or the conversation", phrases: []phrase{
		{{read | tell | carry | send | repeat, 0}, {you | previous | exactly, 3}, {systemOrder, 3}},
		{{repeat | tell, 0}, {you, 3}, {order, 2}},
		{{read | carry | send | repeat | tell, 0}, {you, 2}, {previous | system, 1}, {order, 1}},
		{{systemOrder, 0}, {exactly, 3}},
	}, unless: guard},
	{
		name: "exfil.prompt", severity: Medium, why: "asks for the system prompt", phrases: []phrase{{{tell, 0}, {systemOrder, 1}}},
		unless: guard,
	},
	{name: "exfil.command", severity: High, why: "fetches code and runs it, or sends a file away", definitions: true, phrases: []phrase{
		{{fetchTool, 0}, {address, 6}, {pipeShell, 4}},
		{{fetchTool, 0}, {secretFile | secret, 8}, {address, 6}},
		{{fetchTool, 0}, {address, 6}, {secretFile, 8}},
	}},
	{
		name: "cross.instruction", severity: Low, why: "speaks against another tool, or of what to do after it", definitions: true, across: true,
		phrases: []phrase{
			{{not, 0}, {use | called, 1}, {ident, 3}, {otherThan | must | use, 6}},
			{{when, 0}, {ident, 4}, {called, 3}, {must | otherThan, 6}, {carry | send | use, 5}},
			{{when, 0}, {called, 2}, {ident, 3}, {must | otherThan, 6}, {carry | send | use, 5}},
		},
	},
	{
		name: "cross.instruction", severity: High, why: "says what to do when another tool is called", definitions: true, across: true,
		phrases: []phrase{
			{{when, 0}, {ident, 4}, {called, 3}, {recipient | address | secretly | secret, 14}},
			{{when, 0}, {called, 2}, {ident, 3}, {recipient | address | secretly | secret, 14}},
			{{must | when, 0}, {recipient, 4}, {otherThan, 4}},
			{{ident, 0}, {recipient, 8}, {must, 2}, {carry, 2}},
			{{tool, 0}, {previous, 2}, {tool, 1}, {not | must | ignore, 8}},
			{{when, 0}, {send, 3}, {content | recipient, 4}, {recipient | must, 6}, {address | recipient, 10}},
			{{previous, 0}, {tool, 2}, {must, 4}, {called | carry | use | send, 6}},
			{{carry, 0}, {address | recipient, 3}, {asIn, 2}, {recipient, 2}},
		},
	},
}

// reach returns the index of the last word of a phrase that begins with the first of words, or -1. Positions are bits, so that all
// ways to match the phrase are followed at once.
func (p phrase) reach(words []word) int {
	places := uint64(1)
	for _, s := range p[1:] {
		var spread uint64
		for range s.gap + 1 {
			places <<= 1
			spread |= places
		}
		places = 0
		for i := 1; i < len(words); i++ {
			if words[i].concept&s.any != 0 {
				places |= 1 << i
			}
		}
		if places &= spread; places == 0 {
			return -1
		}
	}
	for i := range words {
		if places&(1<<i) != 0 {
			return i
		}
	}
	return -1
}

// window is how many words a phrase may span.
const window = 64

// A match is the position where a rule matches.
type match struct {
	first, last int // indexes of words
	excused     bool
}

// find returns the matches of a rule.
func (r *rule) find(words []word) (matches []match) {
	var begins concept
	for _, p := range r.phrases {
		begins |= p[0].any
	}
	for i := 0; i < len(words); i++ {
		if words[i].concept&begins == 0 {
			continue
		}
		if last := r.match(words, i); last >= 0 {
			matches = append(matches, match{i, last, r.excused(words, i, last)})
			i = last
		}
	}
	return matches
}

// match returns the index of the last word of a match that begins at i, or -1.
func (r *rule) match(words []word, i int) int {
	end := i + 1
	for end < len(words) && end < i+window && (r.across || words[end].sentence == words[i].sentence) {
		end++
	}
	for _, p := range r.phrases {
		if words[i].concept&p[0].any == 0 {
			continue
		}
		if last := p.reach(words[i:end]); last >= 0 {
			return i + last
		}
	}
	return -1
}

// excused says that a word in a match, or right before it, makes it likely to be harmless, or that the match is the second half of
// a double negation, such as: never do so without asking the user.
func (r *rule) excused(words []word, first, last int) bool {
	if w := words[first]; w.concept&not != 0 && w.concept&guard == 0 {
		for _, before := range words[max(first-8, 0):first] {
			if before.concept&guard != 0 && before.sentence == w.sentence {
				return true
			}
		}
	}
	for _, w := range words[max(first-2, 0) : last+1] {
		if w.concept&r.unless != 0 && w.sentence == words[first].sentence {
			return true
		}
	}
	return false
}
