package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/inert"
)

// YAML is the suggested policy. It refuses what was not seen, and says in comments how often, by whom and when a tool was called.
// Every call that was released is released under it, too, unless its name would mean more than itself in a rule. A call that was refused
// because of its arguments may be released: the rules that refused it are not in the suggestion.
func (s *Suggestion) YAML() string {
	var b strings.Builder
	b.WriteString("# Least privilege: what was called and released is allowed, all else is refused.\n" +
		"# Read it before you use it, and see with weir policy replay what it would have changed.\n" +
		"version: 1\ndefault: deny\n")
	tools := s.sortedTools()
	if !slices.ContainsFunc(tools, func(t *seenTool) bool { return t.notLiteral() == "" }) {
		b.WriteString("rules: []\n")
	} else {
		b.WriteString("rules:\n")
	}
	ids := map[string]bool{}
	heading := ""
	for i, t := range tools {
		if h := t.heading(); i == 0 || h != heading {
			heading = h
			fmt.Fprintf(&b, "\n  # %s\n", heading)
		}
		t.write(&b, ids)
	}
	s.writeRefused(&b)
	if s.dropped > 0 {
		fmt.Fprintf(&b, "\n# %d more calls were of too many different tools to be listed.\n", s.dropped)
	}
	return b.String()
}

// sortedTools are the tools that a rule can name, sorted by server.
func (s *Suggestion) sortedTools() []*seenTool {
	var out []*seenTool
	for key, t := range s.tools {
		if key.tool != "" && (key.server != "" || t.server == "") {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b *seenTool) int {
		return cmp.Or(cmp.Compare(a.owner, b.owner), cmp.Compare(toolname.Fold(a.tool), toolname.Fold(b.tool)),
			cmp.Compare(toolname.Fold(a.server), toolname.Fold(b.server)))
	})
	return out
}

func (t *seenTool) heading() string {
	if t.owner != "" {
		return "MCP server " + quoteYAML(t.owner)
	}
	return "tools of the agent itself"
}

// notLiteral says why no rule can name exactly this tool; "": one can.
func (t *seenTool) notLiteral() string {
	return cmp.Or(toolname.NotLiteral(t.tool), toolname.NotLiteral(t.server))
}

func (t *seenTool) write(b *strings.Builder, ids map[string]bool) {
	fmt.Fprintf(b, "  # %s\n", t.uses)
	if t.flagged > 0 {
		fmt.Fprintf(b, "  # flagged: %s; a rule with verdict audit does so beside this one\n", times(t.flagged))
	}
	if t.sanitized > 0 {
		fmt.Fprintf(b, "  # sanitised: %s; keep the rule with verdict sanitize beside this one\n", times(t.sanitized))
	}
	if why := t.notLiteral(); why != "" {
		fmt.Fprintf(b, "  # not allowed here: %s; in a rule, %s\n", comment(strings.TrimSpace(t.server+" "+t.tool)), why)
		return
	}
	fmt.Fprintf(b, "  - id: %s\n", uniqueID(t.server, t.tool, ids))
	fmt.Fprintf(b, "    tool: %s\n", quoteYAML(t.tool))
	if t.server != "" {
		fmt.Fprintf(b, "    server: %s\n", quoteYAML(t.server))
	}
	if conditions := t.conditions(); len(conditions) > 0 {
		b.WriteString("    conditions:\n      all:\n")
		for _, c := range conditions {
			fmt.Fprintf(b, "        - %s\n", c)
		}
	}
	b.WriteString("    verdict: allow\n")
}

// conditions are tests that every call passes. There are none if there were too few calls.
func (t *seenTool) conditions() (out []string) {
	if t.partial || t.count < enoughCalls {
		return nil
	}
	for _, p := range t.params {
		if p.count != t.count {
			continue // some call was without it, or had it twice
		}
		if c := p.condition(); c != "" {
			out = append(out, c)
		}
	}
	slices.Sort(out)
	return out
}

func (s *Suggestion) writeRefused(b *strings.Builder) {
	if len(s.refused) == 0 {
		return
	}
	keys := make([]refusalKey, 0, len(s.refused))
	for key := range s.refused {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b refusalKey) int {
		return cmp.Or(cmp.Compare(a.server, b.server), cmp.Compare(a.tool, b.tool), cmp.Compare(a.code, b.code),
			cmp.Compare(a.rule, b.rule), cmp.Compare(a.reason, b.reason))
	})
	b.WriteString("\n  # Refused, or would have been. The rules above may allow calls like these: " +
		"keep the rules that refuse them beside this file.\n")
	for _, key := range keys {
		r := s.refused[key]
		name := quoteYAML(r.tool)
		if r.server != "" {
			name += " of server " + quoteYAML(r.server)
		}
		fmt.Fprintf(b, "  # - %s: %s (%s", name, r.uses, comment(key.code))
		if key.rule != "" {
			fmt.Fprintf(b, ", rule %s", inert.Name(key.rule, maxComment))
		}
		fmt.Fprintf(b, "): %s\n", comment(key.reason))
	}
}

// String says how often, by whom and when the calls were made.
func (u uses) String() string {
	text := times(u.count)
	if len(u.who) > 0 {
		who := make([]string, len(u.who))
		for i, name := range u.who {
			who[i] = inert.Name(name, maxComment)
		}
		text += " by " + strings.Join(who, ", ")
		if u.more {
			text += " and others"
		}
	}
	if u.last != "" {
		text += ", last on " + comment(u.last)
	}
	return text
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// maxComment bounds the length of a name or reason in a comment.
const maxComment = 200

// comment makes untrusted text safe for a comment: on one line, with only visible characters.
func comment(text string) string {
	var b strings.Builder
	for i, r := range []rune(argument.Clip(text)) {
		switch {
		case i == maxComment:
			return b.String() + "…"
		case inert.Visible(r):
			b.WriteRune(r)
		default:
			b.WriteRune('·')
		}
	}
	return b.String()
}

// quoteYAML formats a text as a double-quoted scalar.
func quoteYAML(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case inert.Visible(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// uniqueID makes an id from names, which may have characters that an id cannot have.
func uniqueID(server, tool string, taken map[string]bool) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)), r == '_', r == '.':
			return r
		default:
			return '-'
		}
	}, strings.Trim(server+"-"+tool, "-"))
	const most = 40
	base := "allow-" + id[:min(len(id), most)]
	name := base
	for n := 2; taken[name]; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	taken[name] = true
	return name
}
