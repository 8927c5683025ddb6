package toolname

import "strings"

// NotLiteral says why a name means more than itself where a policy has it; "": it means only itself. Such a name cannot be written in a
// rule: there is no sign that takes the meaning away.
func NotLiteral(name string) string {
	switch shown := Visible(name); {
	case strings.ContainsAny(name+shown, "*%"):
		return "* and % in its name would stand for any run of characters"
	case strings.HasPrefix(name, "$") || strings.HasPrefix(shown, "$"):
		return "a name that begins with $ would be that of a list"
	default:
		return ""
	}
}
