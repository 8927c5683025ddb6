package sqltext

import "strings"

// withoutWhere says whether a DELETE or UPDATE touches every row: it has no WHERE, or a WHERE that every row passes.
func withoutWhere(tokens []token) bool {
	depth := 0
	for i, t := range tokens {
		depth += nesting(t)
		if t.word == "WHERE" && depth <= 0 {
			return outcomeOf(clause(tokens[i+1:], endsCondition), 0).everyRow()
		}
	}
	return true
}

// mergedEverywhere says whether the condition of a MERGE is the same for all rows, so that the MERGE changes all or none.
func mergedEverywhere(tokens []token) bool {
	depth := 0
	for i, t := range tokens {
		depth += nesting(t)
		if t.word == "ON" && depth <= 0 {
			return outcomeOf(clause(tokens[i+1:], func(word string) bool { return word == "WHEN" }), 0) != byRow
		}
	}
	return true
}

func endsCondition(word string) bool {
	return word == "RETURNING" || word == "ORDER" || word == "LIMIT" || word == "OPTION"
}

// clause returns the tokens before the first word outside of parentheses that ends the clause.
func clause(tokens []token, ends func(word string) bool) []token {
	depth := 0
	for i, t := range tokens {
		if depth += nesting(t); depth <= 0 && ends(t.word) {
			return tokens[:i]
		}
	}
	return tokens
}

// nesting is how a token changes the depth of parentheses.
func nesting(t token) int {
	switch {
	case t.kind != tokenOther:
		return 0
	case t.text == "(":
		return 1
	case t.text == ")":
		return -1
	default:
		return 0
	}
}

// An outcome is what is known of a condition without looking at a row.
type outcome uint8

const (
	byRow    outcome = iota // it names a column
	never                   // always false
	constant                // it names no column, so it is the same for every row
	always                  // always true
)

// everyRow says whether every row passes the condition. A condition that is the same for every row counts as true: nobody intends
// to write one that is false.
func (t outcome) everyRow() bool { return t == always || t == constant }

func (t outcome) not() outcome {
	switch t {
	case never:
		return always
	case always:
		return never
	default:
		return t
	}
}

// outcomeOf parses a condition. Beyond a depth that nobody writes, it counts as the same for every row.
func outcomeOf(tokens []token, depth int) outcome {
	if len(tokens) == 0 || depth > 32 {
		return constant
	}
	alternatives := split(tokens, "OR", "||")
	best := never
	for _, or := range alternatives {
		switch t := outcomeOfAll(or, depth); t {
		case always, constant:
			return t
		case byRow:
			best = byRow
		case never:
		}
	}
	if best == byRow && opposed(alternatives) {
		return always
	}
	return best
}

// outcomeOfAll parses conditions joined by AND.
func outcomeOfAll(tokens []token, depth int) outcome {
	worst := always
	for _, and := range split(tokens, "AND", "&&") {
		switch t := outcomeOfOne(and, depth); {
		case t == never:
			return never
		case t == byRow || worst == byRow:
			worst = byRow
		case t == constant:
			worst = constant
		}
	}
	return worst
}

// outcomeOfOne parses one comparison.
func outcomeOfOne(tokens []token, depth int) outcome {
	if len(tokens) > 0 && (tokens[0].word == "NOT" || tokens[0].text == "!" && tokens[0].kind == tokenOther) {
		if depth > 32 {
			return constant
		}
		return outcomeOfOne(tokens[1:], depth+1).not()
	}
	if inner, ok := parenthesised(tokens); ok {
		return outcomeOf(inner, depth+1)
	}
	if len(tokens) == 1 {
		return outcomeOfValue(tokens[0])
	}
	if t := compare(comparison(tokens)); t != constant {
		return t
	}
	if namesColumn(tokens) {
		return byRow
	}
	return constant
}

// opposed says whether two of the alternatives are each other's opposite, as in a IS NULL OR a IS NOT NULL.
func opposed(alternatives [][]token) bool {
	const few = 8 // each is compared with each other
	for i, one := range alternatives[:min(few, len(alternatives))] {
		left, operator, right := comparison(one)
		for _, other := range alternatives[:i] {
			otherLeft, otherOperator, otherRight := comparison(other)
			if same(left, otherLeft) && same(right, otherRight) && (opposite[operator] == otherOperator || opposite[otherOperator] == operator) {
				return true
			}
		}
	}
	return false
}

// opposite has operators that together match every row.
var opposite = map[string]string{"=": "<>", "==": "!=", "!=": "=", "<": ">=", ">": "<=", ">=": "<=", "IS": "IS NOT", "LIKE": "NOT LIKE"}

// split splits at a word or operator outside of parentheses.
func split(tokens []token, word, operator string) [][]token {
	var out [][]token
	depth, start := 0, 0
	for i, t := range tokens {
		if t.kind == tokenOther {
			depth += nesting(t)
			if depth == 0 && i > start && t.text == operator[:1] && tokens[i-1].kind == tokenOther && tokens[i-1].text == operator[1:] {
				out = append(out, tokens[start:i-1])
				start = i + 1
			}
			continue
		}
		if depth == 0 && t.word == word {
			out = append(out, tokens[start:i])
			start = i + 1
		}
	}
	return append(out, tokens[start:])
}

// parenthesised removes parentheses around the whole condition.
func parenthesised(tokens []token) ([]token, bool) {
	if len(tokens) < 2 || tokens[0].text != "(" || tokens[0].kind != tokenOther {
		return nil, false
	}
	inner := closed(tokens[1:])
	return inner, len(inner) == len(tokens)-2
}

// comparison splits a comparison at its operator.
func comparison(tokens []token) (left []token, operator string, right []token) {
	for i, t := range tokens {
		switch {
		case t.word == "LIKE" && i > 0 && tokens[i-1].word == "NOT":
			return tokens[:i-1], "NOT LIKE", tokens[i+1:]
		case t.word == "IS" && i+1 < len(tokens) && tokens[i+1].word == "NOT":
			return tokens[:i], "IS NOT", tokens[i+2:]
		case t.word == "LIKE" || t.word == "IS":
			return tokens[:i], t.word, tokens[i+1:]
		case !isComparing(t):
			continue
		}
		end := i
		for end < len(tokens) && isComparing(tokens[end]) {
			operator += tokens[end].text
			end++
		}
		return tokens[:i], operator, tokens[end:]
	}
	return tokens, "", nil
}

func isComparing(t token) bool {
	return t.kind == tokenOther && strings.IndexByte("=<>!", t.text[0]) >= 0
}

// same says whether two operands are written alike.
func same(left, right []token) bool {
	if len(left) != len(right) || len(left) == 0 {
		return false
	}
	for i := range left {
		if left[i].kind != right[i].kind || !strings.EqualFold(left[i].text, right[i].text) {
			return false
		}
	}
	return true
}
