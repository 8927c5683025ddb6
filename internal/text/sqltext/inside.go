package sqltext

import "strings"

// inside parses the statements that begin within another: in a common table expression, in a body, or directly after it, since some
// databases need no semicolon. It says whether it found one.
func (r *reader) inside(tokens []token, from int) bool {
	found := false
	for i := r.nextInside(tokens, from); i < len(tokens); {
		end := r.nextInside(tokens, i+1)
		if i == 0 || tokens[i-1].text != "(" && tokens[0].word != "WITH" {
			r.certain = false
		}
		found = true
		part := closed(tokens[i:end])
		if tokens[i].word == "EXEC" || tokens[i].word == "EXECUTE" {
			r.add(Statement{Kind: tokens[i].word})
			r.dynamic(part)
		} else {
			r.simple(part)
		}
		i = end
	}
	r.known = r.known || found && tokens[0].kind == tokenWord && (tokens[0].word == "IF" || strings.EqualFold(tokens[0].text, "while"))
	return found
}

// closed cuts a statement at the parenthesis that closes one before the statement.
func closed(tokens []token) []token {
	depth := 0
	for i, t := range tokens {
		if t.kind != tokenOther {
			continue
		}
		switch t.text {
		case "(":
			depth++
		case ")":
			if depth--; depth < 0 {
				return tokens[:i]
			}
		}
	}
	return tokens
}

// nextInside returns the position of the next statement that begins at from or later. It must have a form that only statements
// have.
func (r *reader) nextInside(tokens []token, from int) int {
	main := tokens[0].word
	after := -1
	if main == "WITH" {
		after = afterExpressions(tokens)
	}
	for i := from; i < len(tokens); i++ {
		if i == after {
			return i
		}
		word := func(n int) string {
			if i+n < len(tokens) {
				return tokens[i+n].word
			}
			return ""
		}
		if i > 0 && opensBody(tokens[i-1].word) && changes(tokens[i:]) {
			return i
		}
		switch tokens[i].word {
		case "DELETE":
			if word(1) == "FROM" && main != "GRANT" && main != "REVOKE" {
				return i
			}
		case "INSERT":
			if word(1) == "INTO" || word(1) == "OVERWRITE" {
				return i
			}
		case "MERGE", "REPLACE":
			if word(1) == "INTO" {
				return i
			}
		case "UPDATE":
			if word(1) != "SET" && find(tokens[i+1:min(len(tokens), i+10)], "SET") > 0 && main != "GRANT" && !foreignKey(tokens, i) {
				return i
			}
		case "TRUNCATE":
			if word(1) == "TABLE" {
				return i
			}
		case "DROP", "CREATE", "ALTER":
			if startsObject(tokens[i:], main) {
				return i
			}
		case "EXEC", "EXECUTE":
			if executes(tokens[i:], main) {
				return i
			}
		}
	}
	return len(tokens)
}

// afterExpressions returns the position of the statement after common table expressions if it changes data; -1 if it does not.
func afterExpressions(tokens []token) int {
	depth := 0
	for i, t := range tokens {
		depth += nesting(t)
		if depth > 0 || i == 0 || tokens[i-1].text != ")" || tokens[i-1].kind != tokenOther {
			continue
		}
		switch t.word {
		case "DELETE", "UPDATE", "INSERT", "MERGE", "REPLACE":
			return i
		case "SELECT", "VALUES", "TABLE":
			return -1
		}
	}
	return -1
}

// opensBody reports the words after which a statement begins.
func opensBody(word string) bool {
	switch word {
	case "BEGIN", "THEN", "ELSE", "LOOP", "DO":
		return true
	}
	return false
}

// changes says whether a statement that changes something begins here. Parts of MERGE and INSERT are written like these
// but name no table.
func changes(tokens []token) bool {
	switch tokens[0].word {
	case "DELETE", "UPDATE", "INSERT", "TRUNCATE", "DROP", "ALTER", "CREATE", "MERGE", "EXEC", "EXECUTE", "GRANT", "REVOKE":
	default:
		return false
	}
	if len(tokens) == 1 || tokens[1].word == "SET" || tokens[1].word == "WHEN" || tokens[1].word == "OUTPUT" {
		return false
	}
	return tokens[1].kind == tokenWord || tokens[1].kind == tokenName || tokens[1].kind == tokenString
}

// foreignKey reports ON UPDATE SET NULL and FOR UPDATE, which change nothing now.
func foreignKey(tokens []token, i int) bool {
	if i == 0 {
		return false
	}
	switch tokens[i-1].word {
	case "ON", "FOR", "KEY", "OR":
		return true
	}
	return false
}

// startsObject says whether a statement such as DROP TABLE begins here.
func startsObject(tokens []token, main string) bool {
	if main == "GRANT" || main == "REVOKE" || main == "ALTER" || len(tokens) < 3 {
		return false
	}
	object, sure := objectOf(tokens[:min(len(tokens), 6)])
	if !sure {
		return false
	}
	switch object {
	case "TABLE", "DATABASE", "SCHEMA", "VIEW", "FUNCTION", "PROCEDURE", "TRIGGER", "SEQUENCE", "USER", "ROLE", "LOGIN", "INDEX":
		last := tokens[findObject(tokens, object)+1:]
		return len(last) > 0 && (last[0].kind == tokenWord || last[0].kind == tokenName)
	}
	return false
}

// findObject returns the position of the kind of an object, which must be present.
func findObject(tokens []token, object string) int {
	for i, t := range tokens {
		if objectName(t) == object {
			return i
		}
	}
	return -1
}

// executes says whether EXEC runs text or a procedure here.
func executes(tokens []token, main string) bool {
	if len(tokens) < 2 || main == "GRANT" || main == "REVOKE" || main == "CREATE" && strings.EqualFold(tokens[1].text, "function") {
		return false
	}
	next := tokens[1]
	return next.kind == tokenString || next.text == "(" || next.word == "IMMEDIATE" || strings.HasPrefix(next.text, "@") || isProcedure(next)
}

// isProcedure reports the names of system procedures.
func isProcedure(t token) bool {
	const prefix = 3
	return len(t.text) > prefix && (strings.EqualFold(t.text[:prefix], "sp_") || strings.EqualFold(t.text[:prefix], "xp_"))
}

// explained parses the statement that EXPLAIN runs. It runs only if it is measured.
func (r *reader) explained(tokens []token) {
	measured := false
	for i, t := range tokens {
		switch {
		case t.word == "ANALYZE" || t.word == "ANALYSE":
			measured = true
		case verbs[t.word]:
			if measured {
				r.nested(tokens[i:])
			}
			return
		}
	}
}

// dynamic parses the text that a statement runs. Text that is not entirely literal could be anything.
func (r *reader) dynamic(tokens []token) {
	switch tokens[0].word {
	case "PREPARE":
		if as := find(tokens, "AS"); as > 0 {
			r.nested(tokens[as+1:])
			return
		}
		if from := find(tokens, "FROM"); from > 0 {
			r.literal(tokens[from+1:])
		}
	case "DO":
		r.bodies(tokens)
	default:
		next := tokens[1:]
		if at := findProcedure(next, "SP_EXECUTESQL"); at >= 0 {
			r.literal(next[at+1:])
			return
		}
		switch {
		case len(next) == 0:
			r.certain = false
		case next[0].word == "IMMEDIATE":
			r.literal(next[1:])
		case next[0].kind == tokenString || next[0].text == "(":
			r.literal(next)
		case next[0].kind == tokenWord && strings.HasPrefix(next[0].text, "@"):
			r.add(Statement{})
		case tokens[0].word == "EXECUTE":
			r.add(Statement{}) // what was prepared under that name is not remembered here
		}
	}
}

// findProcedure returns the position of a procedure's name near the begin; -1 if there is none.
func findProcedure(tokens []token, name string) int {
	for i, t := range tokens[:min(len(tokens), 8)] {
		if t.kind != tokenString && keyword(strings.Trim(t.text, "[]")) == name {
			return i
		}
	}
	return -1
}

// literal parses strings that operators concatenate. Anything else makes the text unknown.
func (r *reader) literal(tokens []token) {
	var text strings.Builder
	unknown := len(tokens) == 0
loop:
	for _, t := range tokens {
		switch {
		case t.kind == tokenString:
			text.WriteString(unquote(t.text))
		case t.kind == tokenOther && strings.Contains("()|+", t.text):
		case t.word == "USING" || t.word == "INTO" || t.text == ",":
			break loop // arguments follow
		default:
			unknown = true
		}
	}
	if unknown || text.Len() == 0 {
		r.add(Statement{})
	}
	if text.Len() > 0 {
		r.inner(text.String())
	}
}

// bodies parses the strings of a statement as code.
func (r *reader) bodies(tokens []token) {
	if tokens[0].word == "CREATE" {
		r.certain = false // the code runs later, if at all
	}
	for _, t := range tokens {
		if t.kind == tokenString {
			r.inner(unquote(t.text))
		}
	}
}

// unquote replaces doubled quotes by single ones.
func unquote(text string) string { return strings.ReplaceAll(text, "''", "'") }
