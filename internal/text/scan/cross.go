package scan

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/inert"
)

// CrossTool looks for definitions that mention tools of other servers. A name that is also an ordinary word counts only if it is
// marked as a name. Where of a finding is server/tool and the position in the definition.
func (s *Scanner) CrossTool(definitions []Definition) []Finding {
	owners := map[string][]string{} // the servers that have a tool, by its folded name
	for _, d := range definitions {
		name := fold(d.Name).text
		owners[name] = append(owners[name], d.Server)
	}
	b := batch{scanner: s}
	for _, d := range definitions {
		prefix := inert.Name(d.Server, 64) + "/" + inert.Name(d.Name, 64)
		for _, t := range d.texts(s.maxText) {
			b.crossText(d.Server, prefix+t.Where, t.Text, owners)
		}
	}
	return sorted(b.findings)
}

// texts are the texts of a definition that can name a tool. A part that is not JSON has none: Definition reports it.
func (d Definition) texts(limit int) []Content {
	list := []Content{{"/title", d.Title}, {"/description", d.Description}}
	for _, part := range d.parts() {
		list = append(list, jsonTexts(part.where, part.raw)...)
	}
	for i := range list {
		list[i].Text = strings.ToValidUTF8(list[i].Text[:min(limit, len(list[i].Text))], "\ufffd")
	}
	return list
}

// crossText looks for the names of other servers' tools in one text.
func (b *batch) crossText(server, where, text string, owners map[string][]string) {
	folded := fold(text)
	words := lex(folded.text)
	said := map[string]bool{}
	for _, n := range namesIn(folded.text) {
		other, found := foreign(owners[n.name], server)
		if !found || said[n.name] || (!n.marked && !strings.ContainsAny(n.name, "_-.")) {
			continue
		}
		said[n.name] = true
		severity, why := Low, "names a tool of another server, "
		switch directed := around(words, n); {
		case directed&(recipient|address|secret|secretFile|secretly|talk) != 0:
			severity, why = Critical, "gives an order about where data goes for a tool of another server, "
		case directed&(must|otherThan|not|ignore|when) != 0:
			severity, why = High, "gives an order about a tool of another server, "
		}
		b.add(Finding{"cross.tool", severity, where, excerpt(text, folded.origin(n.start), folded.origin(n.end)), why + inert.Name(other, 64)})
	}
}

// foreign returns one of the owners, unless the definition's own server is among them.
func foreign(owners []string, server string) (string, bool) {
	for _, o := range owners {
		if o == server {
			return "", false
		}
	}
	if len(owners) == 0 {
		return "", false
	}
	return owners[0], true
}

// A mention is a position where a text may name a tool.
type mention struct {
	name       string
	start, end int
	marked     bool // it is in quotes or after a server's name, or is called a tool
}

// namesIn returns the possible names in a folded text. Names that clients prefix with a server's name are cut to the tool.
func namesIn(text string) (list []mention) {
	for i := 0; i < len(text); {
		if !isLetter(text[i]) {
			i++
			continue
		}
		end := i
		for end < len(text) && (isLetter(text[end]) || strings.IndexByte("_-./", text[end]) >= 0 && end+1 < len(text) && isLetter(text[end+1])) {
			end++
		}
		m := mention{name: text[i:end], start: i, end: end}
		m.marked = i > 0 && strings.IndexByte("`\"'", text[i-1]) >= 0 ||
			strings.HasPrefix(text[end:], " tool") || strings.HasPrefix(text[end:], "()")
		list = append(list, m)
		for _, separator := range []string{"__", ".", "/"} {
			if k := strings.LastIndex(m.name, separator); k > 0 {
				list = append(list, mention{name: m.name[k+len(separator):], start: i, end: end, marked: true})
			}
		}
		i = end
	}
	return list
}

// aroundName is how many words on either side of a name can form an order about it.
const aroundName = 14

// around returns the concepts of the words near a mention.
func around(words []word, m mention) concept {
	at := 0
	for at < len(words) && int(words[at].end) < m.end {
		at++
	}
	var c concept
	for _, w := range words[max(0, at-aroundName):min(len(words), at+aroundName)] {
		c |= w.concept
	}
	return c
}
