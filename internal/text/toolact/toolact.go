// Package toolact says what a tool does, by the words of its name and by the arguments that say it.
//
// Servers name their tools in every style: delete_repository, pods-delete, jira_delete_issue, deleteRepository. A name is divided into
// words, and the verb among them says what is done. Some verbs destroy or publish whatever they are applied to; others do so with certain
// nouns: a role that is created gives rights. What a name leaves open, arguments may say: an action that is DELETE, an acl that is public.
package toolact

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// An Act is a kind of what tools do.
type Act uint16

// These are the kinds. A tool can do several.
const (
	Read    Act = 1 << iota // it only reads
	Reveal                  // it hands out a secret
	Write                   // it changes something in an everyday way
	Destroy                 // it deletes, empties or overwrites
	Stop                    // it stops, disables or cancels
	Publish                 // it makes something public, deploys, or sends it to people
	Pay                     // it moves money, or sets prices
	Grant                   // it gives rights, or changes what protects and leads others
	Unknown                 // nothing is known
)

// names are the names of the kinds, in their order.
var names = []string{"read", "reveal", "write", "destroy", "stop", "publish", "pay", "grant", "unknown"}

// Names returns the names of all kinds.
func Names() []string { return slices.Clone(names) }

// Named is the kind of a name; 0: there is none.
func Named(name string) Act {
	if i := slices.Index(names, name); i >= 0 {
		return 1 << i
	}
	return 0
}

// Each returns the kinds in a set of them.
func (a Act) Each() (out []Act) {
	for i := range names {
		if one := Act(1) << i; a&one != 0 {
			out = append(out, one)
		}
	}
	return out
}

func (a Act) String() string {
	var out []string
	for i, name := range names {
		if a&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

// Risky says that a set has more in it than everyday reading and writing.
func (a Act) Risky() bool { return a&(Reveal|Destroy|Stop|Publish|Pay|Grant) != 0 }

// Plain is the set without what says nothing beside the rest: that the tool also reads, or is otherwise unknown.
func (a Act) Plain() Act {
	if rest := a &^ (Unknown | Read); rest != 0 {
		return rest
	}
	if a&Read != 0 {
		return Read
	}
	return Unknown
}

// maxName bounds how much of a name is examined. No server has longer names.
const maxName = 512

// Words are the words of a name in lower case: deleteDNSRecord is delete, dns, record.
func Words(name string) (out []string) {
	if len(name) > maxName {
		name = name[:maxName]
	}
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	runes := []rune(norm.NFKC.String(name))
	for i, r := range runes {
		switch {
		case unicode.Is(unicode.Cf, r):
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0:
			nextIsLower := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if unicode.IsLower(runes[i-1]) || unicode.IsUpper(runes[i-1]) && nextIsLower {
				flush()
			}
		}
		word = append(word, r)
	}
	flush()
	return out
}

// singular is a noun without the ending of its plural.
func singular(word string) string {
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && len(word) > 3:
		return word[:len(word)-1]
	default:
		return word
	}
}

// A set is words that are looked up.
type set map[string]bool

func words(text string) set {
	out := set{}
	for word := range strings.FieldsSeq(text) {
		out[word] = true
	}
	return out
}

func (s set) hasAny(list []string) bool {
	return slices.ContainsFunc(list, func(word string) bool { return s[word] })
}
