package sqltext

import (
	"strconv"
	"strings"
)

// outcomeOfValue evaluates a condition of one token.
func outcomeOfValue(t token) outcome {
	switch {
	case t.word == "TRUE":
		return always
	case t.word == "FALSE" || t.word == "NULL":
		return never
	case t.kind == tokenNumber:
		if strings.Trim(t.text, "0.") == "" {
			return never
		}
		return always
	case t.kind == tokenString:
		if t.text == "" || t.text == "0" {
			return never
		}
		return always
	default:
		return byRow
	}
}

// compare evaluates a comparison as far as that needs no row; constant means that the result is not known.
func compare(left []token, operator string, right []token) outcome {
	if same(left, right) {
		switch operator {
		case "=", "==", "<=", ">=", "<=>", "LIKE", "IS":
			return always
		case "<>", "!=", "<", ">", "IS NOT", "NOT LIKE":
			return never
		}
	}
	if operator == "LIKE" && len(right) == 1 && right[0].kind == tokenString && right[0].text != "" && strings.Trim(right[0].text, "%") == "" {
		return always
	}
	if len(left) != 1 || len(right) != 1 {
		return constant
	}
	return compareValues(left[0], operator, right[0])
}

// compareValues compares two numbers or strings.
func compareValues(left token, operator string, right token) outcome {
	literal := func(t token) bool { return t.kind == tokenNumber || t.kind == tokenString }
	if !literal(left) || !literal(right) {
		return constant
	}
	a, errA := strconv.ParseFloat(left.text, 64)
	b, errB := strconv.ParseFloat(right.text, 64)
	if errA != nil || errB != nil {
		// The strings differ.
		switch operator {
		case "=", "==":
			return never
		case "<>", "!=":
			return always
		}
		return constant
	}
	holds := false
	switch operator {
	case "=", "==":
		holds = a == b
	case "<>", "!=":
		holds = a != b
	case "<":
		holds = a < b
	case "<=":
		holds = a <= b
	case ">":
		holds = a > b
	case ">=":
		holds = a >= b
	default:
		return constant
	}
	if holds {
		return always
	}
	return never
}

// plainWords are the words in a condition that name no column.
var plainWords = set("TRUE FALSE NULL NOT IS IN LIKE BETWEEN EXISTS SELECT AND OR AS CASE WHEN THEN ELSE END UNION ALL ANY SOME DISTINCT " +
	"XOR DIV MOD")

func isPlain(word string) bool { return len(word) <= maxKeyword && plainWords[strings.ToUpper(word)] }

// namesColumn says whether a condition looks at anything but literals: a column, a parameter, a variable.
func namesColumn(tokens []token) bool {
	for i, t := range tokens {
		switch t.kind {
		case tokenName:
			return true
		case tokenOther:
			if t.text == "?" || t.text == "$" || t.text == ":" && (i == 0 || tokens[i-1].text != ":") && i+1 < len(tokens) &&
				tokens[i+1].text != ":" {
				return true
			}
		case tokenWord:
			isFunction := i+1 < len(tokens) && tokens[i+1].text == "(" && tokens[i+1].kind == tokenOther
			isType := i > 0 && (tokens[i-1].word == "AS" || tokens[i-1].text == ":")
			if !isFunction && !isType && !isPlain(t.text) {
				return true
			}
		}
	}
	return false
}
