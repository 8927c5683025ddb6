package shell

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// A filter outputs its input, changed in a way that can be computed. Where it cannot, its output is unknown.

// maxFiltered bounds the text that is filtered.
const maxFiltered = 1 << 14

// filtered applies a change to the input of a command.
func (r *reader) filtered(c invocation, change func(text string) (string, bool)) value {
	if c.pipes.in == nil {
		return unknownValue
	}
	return mapKnown(c.pipes.in, func(text string) string {
		if len(text) > maxFiltered || !r.spendBytes(bytesPerStep*len(text)) {
			return anyWords
		}
		out, ok := change(text)
		if !ok || len(out) > 2*maxFiltered {
			return anyWords
		}
		return clean(out)
	})
}

// everyLine applies a change to every line of a text.
func everyLine(text string, change func(line string) string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if i < len(lines)-1 || line != "" {
			lines[i] = change(line)
		}
	}
	return strings.Join(lines, "\n")
}

// translate reads tr: sets of characters that it replaces, or removes with -d.
func translate(r *reader, c invocation) value {
	var sets []string
	deletes, complement := false, false
	for _, arg := range c.args {
		if len(sets) == 0 && len(arg) > 1 && arg[0] == '-' && strings.Trim(arg[1:], "dcC") == "" {
			deletes = deletes || strings.Contains(arg, "d")
			complement = complement || strings.ContainsAny(arg, "cC")
			continue
		}
		sets = append(sets, arg)
	}
	if len(sets) == 0 || len(sets) > 2 || deletes != (len(sets) == 1) || complement && !deletes {
		return unknownValue
	}
	from, ok := characterSet(sets[0])
	to := []rune(nil)
	if len(sets) == 2 {
		var known bool
		to, known = characterSet(sets[1])
		ok = ok && known && len(to) > 0
	}
	if !ok {
		return unknownValue
	}
	return r.filtered(c, func(text string) (string, bool) {
		return strings.Map(func(char rune) rune {
			i := slices.Index(from, char)
			switch {
			case deletes && (i >= 0) != complement:
				return -1
			case deletes || i < 0:
				return char
			}
			return to[min(i, len(to)-1)]
		}, text), true
	})
}

// characterClasses are the classes that sets of characters name, as ranges.
var characterClasses = map[string]string{
	"[:lower:]": "a-z", "[:upper:]": "A-Z", "[:digit:]": "0-9", "[:alpha:]": "A-Za-z", "[:alnum:]": "0-9A-Za-z", "[:blank:]": " \t",
	"[:space:]": "\t-\r ", "[:punct:]": "!-/:-@[-`{-~", "[:cntrl:]": "\x01-\x1f",
}

// characterSet returns the characters of a set as tr reads it.
func characterSet(text string) ([]rune, bool) {
	if hasHole(text) {
		return nil, false
	}
	for name, ranges := range characterClasses {
		text = strings.ReplaceAll(text, name, ranges)
	}
	runes := []rune(unescapeANSI(text))
	if text == `\` {
		runes = []rune(text)
	}
	var out []rune
	const most = 1 << 10
	for i := 0; i < len(runes); i++ {
		last := runes[i]
		if i+2 < len(runes) && runes[i+1] == '-' && runes[i+2] >= runes[i] {
			last = runes[i+2]
		}
		if int(last-runes[i])+len(out) > most {
			return nil, false
		}
		for char := runes[i]; char <= last; char++ {
			out = append(out, char)
		}
		if last != runes[i] {
			i += 2
		}
	}
	return out, true
}

// cutOut reads cut with -c, or with -d and -f.
func cutOut(r *reader, c invocation) value {
	line := c.line()
	if line.Has("complement", "output-delimiter", "s", "n") != truth.No || len(line.Operands()) > 0 {
		return unknownValue
	}
	for _, option := range []string{"c", "b", "f"} {
		values := line.Values(option)
		if len(values) != 1 {
			continue
		}
		chosen, ok := positions(values[0])
		delimiter := "\t"
		if given := line.Values("d"); len(given) == 1 {
			delimiter = given[0]
		}
		if !ok || delimiter == "" {
			return unknownValue
		}
		if option == "f" {
			return r.fieldsOf(c, delimiter, chosen)
		}
		return r.filtered(c, func(text string) (string, bool) {
			return everyLine(text, func(line string) string { return strings.Join(pick(strings.Split(line, ""), chosen), "") }), true
		})
	}
	return unknownValue
}

// fieldsOf outputs fields of each line. Fields may be the user's folder, or another path that is known by its position.
func (r *reader) fieldsOf(c invocation, delimiter string, chosen func(int) bool) value {
	choose := func(line string) string {
		if !strings.Contains(line, delimiter) {
			return line
		}
		return strings.Join(pick(strings.Split(line, delimiter), chosen), delimiter)
	}
	if len(c.pipes.in) == 1 && onlyHome(c.pipes.in[0]) {
		return value{everyLine(c.pipes.in[0], choose)}
	}
	return r.filtered(c, func(text string) (string, bool) { return everyLine(text, choose), true })
}

// onlyHome reports a text in which nothing is unknown but the path of the user's folder.
func onlyHome(text string) bool {
	known := strings.NewReplacer(homeWord, "", homeWords, "").Replace(text)
	return known != text && !hasHole(known)
}

// pick returns the parts at the chosen positions, which begin with one.
func pick(parts []string, chosen func(int) bool) (out []string) {
	for i, part := range parts {
		if chosen(i + 1) {
			out = append(out, part)
		}
	}
	return out
}

// positions reads a list such as 1,3-5,7-.
func positions(text string) (func(int) bool, bool) {
	type span struct{ from, to int }
	var spans []span
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to := from
		if isRange {
			if to = maxFiltered; last != "" {
				to, _ = strconv.Atoi(last)
			}
			if first == "" {
				from, err = 1, nil
			}
		}
		if err != nil || len(spans) > maxAlternatives*maxAlternatives {
			return nil, false
		}
		spans = append(spans, span{from, to})
	}
	return func(n int) bool {
		return slices.ContainsFunc(spans, func(s span) bool { return n >= s.from && n <= s.to })
	}, true
}

// someLines reads head and tail with a number of lines or bytes.
func someLines(r *reader, c invocation) value {
	count, bytes := 10, false
	for i, arg := range c.args {
		digits := strings.TrimLeft(arg, "-ncq")
		switch n, err := strconv.Atoi(digits); {
		case err == nil:
			count = n
		case digits != "" || arg == "-":
			return unknownValue // a file, or a number such as +2
		}
		bytes = bytes || strings.HasPrefix(arg, "-c")
		if i > 1 {
			return unknownValue
		}
	}
	if _, listed := listedWords(c.pipes.in); listed && !bytes {
		return c.pipes.in // some of these names
	}
	return r.filtered(c, func(text string) (string, bool) {
		parts := strings.SplitAfter(text, "\n")
		if bytes {
			parts = strings.Split(text, "")
		} else if parts[len(parts)-1] == "" {
			parts = parts[:len(parts)-1]
		}
		n := min(count, len(parts))
		if c.name == "tail" {
			return strings.Join(parts[len(parts)-n:], ""), true
		}
		return strings.Join(parts[:n], ""), true
	})
}

// sameLines reads programs that output the lines of their input in another order, or some of them. Only for names of files it is told
// what that gives.
func sameLines(r *reader, c invocation) value {
	out := known(r, c)
	if _, listed := listedWords(c.pipes.in); listed && len(c.line().Operands()) == 0 {
		return c.pipes.in
	}
	return out
}

// matchingLines reads grep on a known input, with one pattern that all kinds of expressions share.
func matchingLines(r *reader, c invocation) value {
	line := c.line()
	operands := line.Operand(0)
	if len(operands) != 1 || len(line.Operands()) != 1 || line.Has("e", "f", "c", "l", "L", "n", "A", "B", "C", "P", "m", "q") != truth.No {
		return unknownValue
	}
	expression := operands[0]
	if line.Has("F") == truth.Yes || c.name == "fgrep" {
		expression = regexp.QuoteMeta(expression)
	} else if strings.ContainsAny(expression, `\+?{}()|`) && line.Has("E") != truth.Yes && c.name != "egrep" {
		return unknownValue // basic expressions read these signs in another way
	}
	if line.Has("x") == truth.Yes {
		expression = "^(?:" + expression + ")$"
	}
	if line.Has("i") == truth.Yes {
		expression = "(?i)" + expression
	}
	matcher, err := regexp.Compile(expression)
	if err != nil || hasHole(expression) || len(expression) > maxClassText {
		return unknownValue
	}
	return r.filtered(c, func(text string) (string, bool) {
		var out []string
		for each := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
			switch {
			case line.Has("o") == truth.Yes:
				out = append(out, matcher.FindAllString(each, -1)...)
			case matcher.MatchString(each) != (line.Has("v") == truth.Yes):
				out = append(out, each)
			}
		}
		return strings.Join(append(out, ""), "\n"), true
	})
}

// pasted reads paste -s, which joins the lines of its input.
func pasted(r *reader, c invocation) value {
	line := c.line()
	delimiter := "\t"
	if given := line.Values("d"); len(given) == 1 {
		delimiter = unescapeANSI(given[0])
	}
	if delimiter == `\0` || delimiter == "\x00" {
		delimiter = ""
	}
	if line.Has("s") != truth.Yes || len(delimiter) > 1 {
		return unknownValue
	}
	return r.filtered(c, func(text string) (string, bool) {
		return strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", delimiter) + "\n", true
	})
}
