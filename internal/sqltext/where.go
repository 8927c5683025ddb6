package sqltext

import (
	"strconv"
	"strings"
)

// withoutWhere says whether a DELETE or UPDATE touches every row: it has no WHERE, or one that is always true.
func withoutWhere(tokens []token) bool {
	depth := 0
	for i, t := range tokens {
		switch {
		case t.kind == tokenOther && t.text == "(":
			depth++
		case t.kind == tokenOther && t.text == ")":
			depth--
		case t.word == "WHERE" && depth <= 0:
			return alwaysTrue(condition(tokens[i+1:]), 0)
		}
	}
	return true
}

// condition cuts a WHERE clause at the next clause.
func condition(tokens []token) []token {
	depth := 0
	for i, t := range tokens {
		switch {
		case t.kind == tokenOther && t.text == "(":
			depth++
		case t.kind == tokenOther && t.text == ")":
			depth--
		case depth <= 0 && (t.word == "RETURNING" || t.word == "ORDER" || t.word == "LIMIT" || t.word == "OPTION"):
			return tokens[:i]
		}
	}
	return tokens
}

// alwaysTrue says whether a condition plainly holds for every row. Past a depth that nobody writes, it is said to.
func alwaysTrue(tokens []token, depth int) bool {
	if len(tokens) == 0 || depth > 32 {
		return true
	}
	for _, or := range split(tokens, "OR", "||") {
		all := true
		for _, and := range split(or, "AND", "&&") {
			all = all && holds(and, depth)
		}
		if all {
			return true
		}
	}
	return false
}

// split cuts at a word or operator outside of parentheses.
func split(tokens []token, word, operator string) [][]token {
	var out [][]token
	depth, start := 0, 0
	for i, t := range tokens {
		if t.kind == tokenOther {
			switch {
			case t.text == "(":
				depth++
			case t.text == ")":
				depth--
			case depth == 0 && i > start && t.text == operator[:1] && tokens[i-1].kind == tokenOther && tokens[i-1].text == operator[1:]:
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

// holds says whether one comparison is plainly true.
func holds(tokens []token, depth int) bool {
	if len(tokens) > 0 && (tokens[0].word == "NOT" || tokens[0].text == "!") {
		return plainlyFalse(tokens[1:], depth)
	}
	if inner, ok := parenthesised(tokens); ok {
		return alwaysTrue(inner, depth+1)
	}
	switch len(tokens) {
	case 0:
		return false
	case 1:
		t := tokens[0]
		n, err := strconv.ParseFloat(t.text, 64)
		return t.word == "TRUE" || t.kind == tokenNumber && (err != nil || n != 0) || t.kind == tokenString && t.text != "" && t.text != "0"
	}
	left, operator, right := comparison(tokens)
	switch operator {
	case "=", "==", "<=", ">=", "<=>", "LIKE", "IS":
		if same(left, right) {
			return true
		}
	}
	if operator == "LIKE" && len(right) == 1 && right[0].kind == tokenString && strings.Trim(right[0].text, "%") == "" {
		return right[0].text != ""
	}
	return numbersHold(left, operator, right)
}

func plainlyFalse(tokens []token, depth int) bool {
	if inner, ok := parenthesised(tokens); ok && depth < 32 {
		return plainlyFalse(inner, depth+1)
	}
	if len(tokens) == 1 {
		return tokens[0].word == "FALSE" || tokens[0].kind == tokenNumber && strings.Trim(tokens[0].text, "0.") == ""
	}
	left, operator, right := comparison(tokens)
	switch operator {
	case "<>", "!=", "<", ">":
		return same(left, right)
	case "=", "==":
		return len(left) == 1 && len(right) == 1 && left[0].kind == tokenNumber && right[0].kind == tokenNumber && !same(left, right)
	}
	return false
}

// parenthesised removes parentheses around the whole.
func parenthesised(tokens []token) ([]token, bool) {
	if len(tokens) < 2 || tokens[0].text != "(" || tokens[0].kind != tokenOther {
		return nil, false
	}
	inner := closed(tokens[1:])
	return inner, len(inner) == len(tokens)-2
}

// comparison takes a comparison apart at its operator.
func comparison(tokens []token) (left []token, operator string, right []token) {
	for i, t := range tokens {
		if t.word == "LIKE" || t.word == "IS" {
			return tokens[:i], t.word, tokens[i+1:]
		}
		if t.kind != tokenOther || strings.IndexByte("=<>!", t.text[0]) < 0 {
			continue
		}
		end := i
		for end < len(tokens) && tokens[end].kind == tokenOther && strings.IndexByte("=<>!", tokens[end].text[0]) >= 0 {
			operator += tokens[end].text
			end++
		}
		return tokens[:i], operator, tokens[end:]
	}
	return tokens, "", nil
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

// numbersHold compares two numbers.
func numbersHold(left []token, operator string, right []token) bool {
	if len(left) != 1 || len(right) != 1 || left[0].kind == tokenWord || right[0].kind == tokenWord {
		return false
	}
	if left[0].kind == tokenName || right[0].kind == tokenName {
		return false
	}
	a, errA := strconv.ParseFloat(left[0].text, 64)
	b, errB := strconv.ParseFloat(right[0].text, 64)
	if errA != nil || errB != nil {
		// Different strings.
		return (operator == "<>" || operator == "!=") && left[0].text != right[0].text
	}
	switch operator {
	case "=", "==":
		return a == b
	case "<>", "!=":
		return a != b
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	}
	return false
}
