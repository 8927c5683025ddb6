package yamledit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Text returns a string for Append.
func Text(s string) *yamlfile.Node { return &yamlfile.Node{Kind: yamlfile.String, Text: s} }

// List returns a list for Append.
func List(items ...*yamlfile.Node) *yamlfile.Node {
	return &yamlfile.Node{Kind: yamlfile.List, Items: items}
}

// Member returns an entry of a mapping for Append.
func Member(name string, value *yamlfile.Node) yamlfile.Entry {
	return yamlfile.Entry{Name: name, Value: value}
}

// Map returns a mapping for Append.
func Map(entries ...yamlfile.Entry) *yamlfile.Node {
	return &yamlfile.Node{Kind: yamlfile.Map, Entries: entries}
}

// widest is the number of columns up to which a list or mapping is written on one line.
const widest = 120

// itemText returns a value as an item of a block list, whose dash is indented.
func itemText(n *yamlfile.Node, indent int) string {
	var b strings.Builder
	writeItem(&b, n, indent, n.Kind == yamlfile.Map)
	return b.String()
}

// Block returns a value as text of its own: a list, the items of which are blocks.
func Block(n *yamlfile.Node) string {
	var b strings.Builder
	for _, item := range n.Items {
		writeItem(&b, item, 0, true)
	}
	return b.String()
}

// writeItem writes a value after a dash. spread has a mapping written over several lines even if it is short.
func writeItem(b *strings.Builder, n *yamlfile.Node, indent int, spread bool) {
	margin := strings.Repeat(" ", indent)
	if short := flowText(n); n.Kind != yamlfile.Map || !spread && indent+2+len(short) <= widest {
		fmt.Fprintf(b, "%s- %s\n", margin, short)
		return
	}
	for i, e := range n.Entries {
		lead := margin + "  "
		if i == 0 {
			lead = margin + "- "
		}
		writeEntry(b, e, lead, indent+2)
	}
}

// writeEntry writes a key and its value. Lists and mappings that are too long for one line are written as blocks.
func writeEntry(b *strings.Builder, e yamlfile.Entry, lead string, indent int) {
	short := flowText(e.Value)
	switch nested := e.Value.Kind == yamlfile.Map || e.Value.Kind == yamlfile.List; {
	case !nested || len(lead)+len(e.Name)+2+len(short) <= widest:
		fmt.Fprintf(b, "%s%s: %s\n", lead, e.Name, short)
	case e.Value.Kind == yamlfile.List:
		fmt.Fprintf(b, "%s%s:\n", lead, e.Name)
		for _, item := range e.Value.Items {
			writeItem(b, item, indent+2, false)
		}
	default:
		fmt.Fprintf(b, "%s%s:\n", lead, e.Name)
		for _, inner := range e.Value.Entries {
			writeEntry(b, inner, strings.Repeat(" ", indent+2), indent+2)
		}
	}
}

// flowText returns a value on one line.
func flowText(n *yamlfile.Node) string {
	switch n.Kind {
	case yamlfile.String:
		return scalarText(n.Text)
	case yamlfile.List:
		items := make([]string, len(n.Items))
		for i, item := range n.Items {
			items[i] = flowText(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case yamlfile.Map:
		entries := make([]string, len(n.Entries))
		for i, e := range n.Entries {
			entries[i] = e.Name + ": " + flowText(e.Value)
		}
		return "{" + strings.Join(entries, ", ") + "}"
	default:
		return string(n.JSON())
	}
}

// plainText matches strings that need no quotes anywhere in YAML, unless they are one of the words.
var (
	plainText  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./@+-]*$`)
	otherWords = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"}
)

func scalarText(s string) string {
	printable := !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
	switch {
	case plainText.MatchString(s) && !slices.Contains(otherWords, strings.ToLower(s)):
		return s
	case printable && strings.ContainsAny(s, `"\`) && !strings.Contains(s, "'"):
		return "'" + s + "'"
	default:
		return quoteJSON(s)
	}
}

// quoteJSON returns a string in double quotes. Characters that editors and parsers treat in a special way are escaped.
func quoteJSON(s string) string {
	quoted, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		quoted, _ = jsontext.AppendQuote(nil, strings.ToValidUTF8(s, "\ufffd")) // it is valid now
	}
	var b strings.Builder
	for _, r := range string(quoted) {
		if r >= 0x7f && r < 0xa0 || r >= 0x2028 && r <= 0x202e || r == 0xfeff {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
