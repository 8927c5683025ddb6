package sqltext

import "strings"

const (
	// maxDepth bounds how deep text inside text is parsed.
	maxDepth = 8
	// maxStatements bounds the statements: a text with more could have anything in the rest.
	maxStatements = 100_000
	// maxTokens bounds the tokens of one statement. A longer statement is parsed in pieces, and could be anything.
	maxTokens = 1 << 20
)

// A reader collects the statements of one text in one dialect.
type reader struct {
	dialect
	statements []Statement
	certain    bool
	known      bool // a verb began one of the statements
	depth      int
	tokens     []token // of the current statement; the slice is reused
}

func (r *reader) add(s Statement) {
	if len(r.statements) < maxStatements {
		r.statements = append(r.statements, s)
		return
	}
	r.certain = false
	r.statements[maxStatements-1] = Statement{}
}

// text parses a whole text.
func (r *reader) text(text string) {
	l := newLexer(text, r.dialect)
	tokens := r.tokens[:0]
	for {
		t, ok := l.next()
		switch {
		case !ok:
			r.statement(tokens)
			r.tokens = tokens
			return
		case t.kind == tokenEnd:
			r.statement(tokens)
			tokens = tokens[:0]
		case t.kind == tokenMeta && t.word != "":
			r.certain = false // only one database client knows it, and it could be other text
			r.add(Statement{Kind: t.word})
		case t.kind == tokenMeta:
			if runsBuffer(t.text) {
				r.statement(tokens)
				tokens = tokens[:0]
			}
			r.metaCommands(t.text)
		case len(tokens) == maxTokens:
			r.add(Statement{})
			r.statement(tokens)
			tokens = append(tokens[:0], t)
		default:
			tokens = append(tokens, t)
		}
	}
}

// nested parses the tokens of a statement inside another.
func (r *reader) nested(tokens []token) {
	if r.depth == maxDepth {
		r.add(Statement{})
		return
	}
	r.depth++
	r.statement(tokens)
	r.depth--
}

// inner parses text that a statement runs.
func (r *reader) inner(text string) {
	if r.depth == maxDepth {
		r.add(Statement{})
		return
	}
	outer := r.tokens
	r.tokens = nil
	r.depth++
	r.text(text)
	r.depth--
	r.tokens = outer
}

// statement parses the tokens between two semicolons.
func (r *reader) statement(tokens []token) {
	// There may be parentheses around a query, and other delimiters of a client before it.
	for len(tokens) > 0 && tokens[0].kind == tokenOther {
		tokens = tokens[1:]
	}
	if len(tokens) == 0 {
		return
	}
	r.functions(tokens)
	verb := tokens[0].word
	if tokens[0].kind == tokenWord && isProcedure(tokens[0]) {
		// The first call of a batch needs no verb.
		r.known = true
		r.add(Statement{Kind: "EXEC"})
		r.dynamic(append([]token{{kind: tokenWord, text: "EXEC", word: "EXEC"}}, tokens...))
		return
	}
	if tokens[0].kind != tokenWord || !verbs[verb] {
		r.add(Statement{Kind: "OTHER"})
		r.inside(tokens, 0)
		return
	}
	r.known = true
	switch verb {
	case "WITH":
		if !r.inside(tokens, 1) {
			r.add(Statement{Kind: "SELECT"})
		}
	case "EXPLAIN", "DESCRIBE", "DESC":
		r.add(Statement{Kind: verb})
		r.explained(tokens[1:])
	case "EXECUTE", "EXEC", "PREPARE", "DO":
		r.add(Statement{Kind: verb})
		r.dynamic(tokens)
	case "BEGIN":
		r.add(Statement{Kind: verb})
		r.inside(tokens, 1)
	case "SYSTEM", "SOURCE":
		r.certain = false // it may be an ordinary word, or a command of one client
		r.add(Statement{Kind: map[string]string{"SYSTEM": "SHELL", "SOURCE": "FILE"}[verb]})
	case "SHOW", "HELP", "COMMENT":
		r.add(Statement{Kind: verb})
	default:
		end := r.nextInside(tokens, 1)
		r.simple(tokens[:end])
		if end < len(tokens) {
			r.inside(tokens, end)
		}
	}
}

// simple parses one statement that has no statement inside that changes data.
func (r *reader) simple(tokens []token) {
	verb := tokens[0].word
	s := Statement{Kind: verb}
	switch verb {
	case "DELETE", "UPDATE":
		s.NoWhere = withoutWhere(tokens)
		if len(tokens) == 1 || verb == "UPDATE" && find(tokens, "SET") < 0 {
			r.certain = false
		}
	case "CREATE", "ALTER", "DROP":
		object, sure := objectOf(tokens)
		r.certain = r.certain && sure
		if object == "" {
			break
		}
		s.Kind += " " + object
		if s.Kind == "ALTER TABLE" {
			s.Kind += lost(tokens)
		}
		if s.Kind == "CREATE TABLE" && find(tokens, "AS") > 0 {
			s.Kind += " AS"
		}
		if verb == "CREATE" && (object == "FUNCTION" || object == "PROCEDURE" || object == "TRIGGER" || object == "EVENT" ||
			object == "ROUTINE") {
			r.bodies(tokens)
		}
	case "SELECT", "TABLE", "VALUES":
		if r.intoTable(tokens) {
			s.Kind = "SELECT INTO"
		}
	case "MERGE":
		r.merged(tokens)
	case "COPY":
		s.Kind = r.copied(tokens)
	case "LOAD", "BULK", "BACKUP", "RESTORE", "ATTACH", "UNLOAD", "EXPORT":
		r.add(Statement{Kind: "FILE"})
	case "INSERT":
		if len(tokens) > 2 && strings.EqualFold(tokens[2].text, "FUNCTION") { // of ClickHouse: the rows go elsewhere
			r.add(Statement{Kind: "FILE"})
		}
	}
	if administers(tokens) {
		r.add(Statement{Kind: "ADMIN"})
	}
	r.add(s)
}

// lost says that an ALTER TABLE drops columns or partitions with what is in them, or disables what guards the rows; "": neither.
func lost(tokens []token) string {
	for i, t := range tokens {
		if t.kind != tokenWord || i+1 >= len(tokens) {
			continue
		}
		next := tokens[i+1]
		switch {
		case strings.EqualFold(t.text, "DROP") && !(next.kind == tokenWord && keptObjects[strings.ToUpper(next.text)]):
			return " DROP"
		case strings.EqualFold(t.text, "DISABLE") && next.kind == tokenWord:
			return " DISABLE"
		}
	}
	return ""
}

// keptObjects are what an ALTER TABLE can drop without losing data.
var keptObjects = set(`NOT DEFAULT IDENTITY EXPRESSION CONSTRAINT INDEX KEY PRIMARY FOREIGN CHECK STORED GENERATED STATISTICS UNIQUE`)

// objectOf returns the kind of object that CREATE, ALTER or DROP works on, or "". It is not sure if unknown words come before the
// object.
func objectOf(tokens []token) (object string, sure bool) {
	const maxModifiers, maxUnknown = 16, 3
	unknown := 0
	for i := 1; i < len(tokens) && i < maxModifiers; i++ {
		t := tokens[i]
		switch object := objectName(t); {
		case t.kind == tokenWord && t.word == "IF", t.kind == tokenString:
			return "", false
		case t.kind != tokenWord:
			// DEFINER = "a"@"b" may come before the object.
			if tokens[0].word == "DROP" || i == 1 {
				return "", false
			}
		case t.word == "MATERIALIZED" || t.word == "FOREIGN":
		case object != "" && !(modifiers[t.word] && i+1 < len(tokens) && objectName(tokens[i+1]) != ""):
			return object, unknown == 0
		case !modifiers[t.word] && (tokens[0].word == "DROP" || i == 1 || unknown > 0):
			if unknown++; unknown > maxUnknown {
				return "", false
			}
		}
	}
	return "", false
}

// merged parses what a MERGE does with the rows that it finds.
func (r *reader) merged(tokens []token) {
	for i, t := range tokens[:len(tokens)-1] {
		if next := tokens[i+1].word; t.word == "THEN" && (next == "DELETE" || next == "UPDATE") {
			r.add(Statement{Kind: next, NoWhere: mergedEverywhere(tokens)})
		}
	}
}

// intoTable says whether a query creates a table. It adds the files that the query writes.
func (r *reader) intoTable(tokens []token) bool {
	for i := 1; i+1 < len(tokens); i++ {
		if tokens[i].word != "INTO" {
			continue
		}
		switch next := tokens[i+1]; {
		case next.word == "OUTFILE" || next.word == "DUMPFILE":
			r.add(Statement{Kind: "FILE"})
		case next.kind == tokenOther || strings.HasPrefix(next.text, "@"): // a variable
		default:
			return true
		}
	}
	return false
}

// copied parses COPY: its direction, and the file or program at its other end.
func (r *reader) copied(tokens []token) string {
	kind := "COPY"
	depth := 0
	for i, t := range tokens {
		switch {
		case t.text == "(" && t.kind == tokenOther:
			depth++
		case t.text == ")" && t.kind == tokenOther:
			depth--
		}
		if depth > 0 || t.word != "FROM" && t.word != "TO" || i+1 >= len(tokens) {
			continue
		}
		kind = "COPY " + t.word
		switch next := tokens[i+1]; {
		case next.word == "PROGRAM":
			r.add(Statement{Kind: "SHELL"})
		case next.word != "STDIN" && next.word != "STDOUT":
			r.add(Statement{Kind: "FILE"})
		}
		break
	}
	return kind
}

// runsBuffer reports the psql commands that end a statement and run it.
func runsBuffer(line string) bool {
	return strings.HasPrefix(line, `\g`) || strings.HasPrefix(line, `\watch`) || strings.HasPrefix(line, `\crosstabview`)
}

// metaCommands parses a line of commands of a database client.
func (r *reader) metaCommands(line string) {
	if line[0] == '.' {
		r.metaCommand(line)
		return
	}
	for command := range strings.SplitSeq(line[1:], `\`) {
		if command != "" {
			r.metaCommand(`\` + command)
		}
	}
}

func (r *reader) metaCommand(line string) {
	name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	program := strings.ContainsAny(rest, "|`") || find(lex(rest, r.dialect), "PROGRAM") >= 0
	switch name = strings.ToLower(name); {
	case strings.HasPrefix(name, `\!`), runsPrograms[name]:
		r.client("SHELL")
	case program && (usesFiles[name] || strings.Contains(rest, "`")):
		r.client("SHELL")
	case usesFiles[name] && (rest != "" || name == ".excel"), strings.HasPrefix(name, `\lo_`), strings.HasPrefix(name, `\.`):
		r.client("FILE")
	case name == `\gexec`:
		r.known = true
		r.add(Statement{})
	}
	if name == `\copy` {
		r.inner("COPY " + rest)
	}
}

// runsPrograms and usesFiles are the commands of clients that reach beyond the database.
var (
	runsPrograms = set(`.shell .system .load \setenv`)
	usesFiles    = set(`\copy \g \gx \o \out \w \write \i \ir \include \include_relative .read .output .once .import .save
		.backup .restore .open
		.clone .log .excel .archive .ar .dump .cd`)
)

// client adds an action of one database client itself.
func (r *reader) client(kind string) {
	r.known = true
	r.certain = false // only one database client knows it
	r.add(Statement{Kind: kind})
}

// lex returns the tokens of a short text.
func lex(text string, d dialect) []token {
	l := newLexer(text, d)
	var out []token
	for t, ok := l.next(); ok; t, ok = l.next() {
		out = append(out, t)
	}
	return out
}

// find returns the position of the first such word; -1 if there is none.
func find(tokens []token, word string) int {
	for i, t := range tokens {
		if t.word == word {
			return i
		}
	}
	return -1
}
