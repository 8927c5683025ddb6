package shell

import (
	"encoding/base32"
	"html"
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

func base32Text(_ *reader, c invocation) value {
	if c.line().Has("d", "decode") == truth.No || len(c.line().Operands()) > 0 {
		return unknownValue
	}
	return decoded(c.pipes.in, func(s string) ([]byte, error) {
		return base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.TrimRight(s, "="))
	})
}

// recoded reads recode from the entities of HTML.
func recoded(r *reader, c invocation) value {
	if len(c.args) != 1 || !strings.HasPrefix(strings.ToLower(c.args[0]), "html") {
		return unknownValue
	}
	return r.filtered(c, func(text string) (string, bool) { return html.UnescapeString(text), true })
}

// converted reads programs that change the encoding of a text: plain ASCII stays as it is in most of them.
func converted(r *reader, c invocation) value {
	text := strings.ToLower(strings.Join(c.args, " "))
	if strings.Contains(text, "16") || strings.Contains(text, "32") || strings.Contains(text, "ebcdic") || strings.Contains(text, "037") {
		return unknownValue
	}
	return r.filtered(c, func(text string) (string, bool) {
		return text, strings.IndexFunc(text, func(char rune) bool { return char > '~' }) < 0
	})
}

// deskCalculator reads the few commands of dc that print numbers and characters.
func deskCalculator(r *reader, c invocation) value {
	code := c.pipes.in
	if values := c.line().Values("e"); len(values) == 1 {
		code = value(values)
	}
	c.pipes.in = code
	return r.filtered(c, calculated)
}

func calculated(code string) (string, bool) {
	var out strings.Builder
	var stack []int
	apart := strings.NewReplacer("p", "p ", "P", "P ", "n", "n ", "f", "f ")
	for word := range strings.FieldsSeq(apart.Replace(code)) {
		number, err := strconv.Atoi(strings.TrimRight(word, "pPnaf"))
		if err == nil {
			stack = append(stack, number)
		}
		for _, command := range strings.TrimLeft(word, "0123456789") {
			if len(stack) == 0 || !strings.ContainsRune("pPnaf", command) || out.Len() > maxFiltered {
				return "", false
			}
			top := stack[len(stack)-1]
			switch command {
			case 'p':
				out.WriteString(itoa(top) + "\n")
			case 'n':
				out.WriteString(itoa(top))
				stack = stack[:len(stack)-1]
			case 'P':
				out.WriteRune(rune(top))
				stack = stack[:len(stack)-1]
			case 'f':
				for i := len(stack) - 1; i >= 0; i-- {
					out.WriteString(itoa(stack[i]) + "\n")
				}
			default:
				return "", false
			}
		}
	}
	return out.String(), true
}

// temporaryFile outputs the name of a new file. Each is another, so that what is written to it can be found again.
func temporaryFile(r *reader, _ invocation) value {
	r.temporaries++
	return value{oneWord + "/" + temporaryName + itoa(r.temporaries) + "\n"}
}

// temporaryName begins the names of temporary files.
const temporaryName = "tmp.XXXXXX"

// accountEntry outputs the line of a user, as far as it is known: mostly for the folder in it.
func accountEntry(_ *reader, c invocation) value {
	if len(c.args) != 2 || c.args[0] != "passwd" {
		return unknownValue
	}
	name := quoteHoles.Replace(c.args[1])
	home := "~" + name
	switch {
	case hasHole(name):
		name, home = "user", homeWord
	case name == "root":
		home = "/root"
	case strings.Trim(name, "0123456789") == "":
		name, home = "user", homeWord
	}
	return value{name + ":x:1000:1000::" + home + ":/bin/bash\n"}
}

// completions reads compgen -c, which outputs the names of all programs. If one of them is chosen by its name, it is that one.
func completions(r *reader, c invocation) value {
	if slices.Contains(c.args, "-c") && len(c.args) == 1 && r.spendBytes(len(knownNames)*longestName) {
		return value{strings.Join(knownNames, "\n") + "\n"}
	}
	return known(r, c)
}

// loadBuiltin reads enable -f, which loads code into the shell.
func loadBuiltin(r *reader, c invocation) value {
	if c.line().Has("f") != truth.No {
		r.noteUnknown()
	}
	return value{""}
}

// duplicate reads dd, which copies its input.
func duplicate(r *reader, c invocation) value {
	in, to := c.pipes.in, ""
	for _, arg := range c.args {
		name, text, _ := strings.Cut(arg, "=")
		switch name {
		case "if":
			in = r.contents(value{text})
		case "of":
			to = text
		case "skip", "count", "conv", "seek":
			return unknownValue
		}
	}
	if in == nil {
		return unknownValue
	}
	if to != "" {
		r.write(target{name: to}, in)
		return value{""}
	}
	return in
}
