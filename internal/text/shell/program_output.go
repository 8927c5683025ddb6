package shell

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// echo outputs its words.
func echo(_ *reader, c invocation) value {
	args, end, escapes := c.args, "\n", false
	for len(args) > 0 && isEchoOption(args[0]) {
		if strings.Contains(args[0], "n") {
			end = ""
		}
		escapes = strings.Contains(args[0], "e")
		args = args[1:]
	}
	text := strings.Join(args, " ")
	switch {
	case !strings.Contains(text, `\`):
		return value{text + end}
	case hasHole(text):
		if escapes {
			return unknownValue
		}
		return value{text + end}
	case escapes:
		return value{unescapeEcho(text) + end}
	}
	// The echo of some shells decodes escapes by itself.
	return value{text + end, unescapeEcho(text) + end}
}

func isEchoOption(arg string) bool {
	return len(arg) > 1 && arg[0] == '-' && strings.Trim(arg[1:], "neE") == ""
}

// printf outputs its format; only formats with plain verbs are followed.
func printf(r *reader, c invocation) value {
	args := c.args
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	into := ""
	if len(args) > 1 && args[0] == "-v" {
		into, args = args[1], args[2:]
		r.subscripts([]string{into}, c.scope)
	}
	if len(args) == 0 {
		return value{""}
	}
	out := unknownValue
	if text, ok := r.formatted(args[0], args[1:]); ok {
		out = value{text}
	}
	if into != "" && !hasHole(into) {
		c.scope.setText(into, out)
		return value{""}
	}
	return out
}

// formatted repeats a format until all arguments are used.
func (r *reader) formatted(format string, args []string) (string, bool) {
	if hasHole(format) || slices.ContainsFunc(args, anyNumber) {
		return "", false
	}
	var out strings.Builder
	for {
		before := len(args)
		var ok bool
		if args, ok = formatOnce(&out, format, args); !ok || !r.spendBytes(len(format)) {
			return "", false
		}
		if len(args) == 0 || len(args) == before {
			return out.String(), true
		}
	}
}

func formatOnce(out *strings.Builder, format string, args []string) ([]string, bool) {
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			out.WriteString(unescapeANSI(format))
			return args, true
		}
		out.WriteString(unescapeANSI(format[:i]))
		if i+1 == len(format) {
			return nil, false
		}
		width := len(format[i+1:]) - len(strings.TrimLeft(format[i+1:], "0123456789"))
		if width > 2 || i+1+width == len(format) {
			return nil, false
		}
		padding := format[i+1 : i+1+width]
		verb := format[i+1+width]
		format = format[i+2+width:]
		if verb == '%' {
			out.WriteByte('%')
			continue
		}
		arg := ""
		if len(args) > 0 {
			arg, args = args[0], args[1:]
		}
		switch {
		case padding != "" && verb != 'o' && verb != 'x' && verb != 'X' && verb != 'd':
			return nil, false
		case verb == 'd' && padding != "":
			out.WriteString(padded(arg, padding))
		case verb == 's' || verb == 'd' || verb == 'i':
			out.WriteString(arg)
		case verb == 'b' && !hasHole(arg):
			out.WriteString(unescapeEcho(arg))
		case verb == 'c' && arg != "":
			out.WriteByte(arg[0])
		case verb == 'o' || verb == 'x' || verb == 'X':
			number, err := strconv.ParseUint(arg, 0, 32)
			if err != nil {
				return nil, false
			}
			base := 16
			if verb == 'o' {
				base = 8
			}
			out.WriteString(padded(strconv.FormatUint(number, base), padding))
		default:
			return nil, false
		}
	}
}

// padded fills a number up to a width, with zeros if that begins with one.
func padded(digits, width string) string {
	fill := " "
	if strings.HasPrefix(width, "0") {
		fill = "0"
	}
	wide, _ := strconv.Atoi(width)
	return strings.Repeat(fill, max(0, wide-len(digits))) + digits
}

// catenate outputs its input, or the files that the text wrote.
func catenate(r *reader, c invocation) value {
	out := value{""}
	read := false
	for _, arg := range c.args {
		if strings.HasPrefix(arg, "-") && arg != "-" {
			continue
		}
		read = true
		text := c.pipes.in
		if !isStdin(arg) {
			text = r.contents(value{arg})
		}
		if text == nil {
			return unknownValue
		}
		out = r.concat(out, text)
	}
	switch {
	case !read && c.pipes.in == nil:
		return value{""}
	case !read:
		out = c.pipes.in
	}
	if c.name == "tac" {
		if len(c.args) > 1 || len(c.args) == 1 && strings.HasPrefix(c.args[0], "-") {
			return unknownValue
		}
		return mapKnown(out, backwards)
	}
	return out
}

// backwards returns the lines of a text, the last one first.
func backwards(text string) string {
	lines := strings.SplitAfter(text, "\n")
	slices.Reverse(lines)
	return strings.Join(lines, "")
}

// tee writes its input to files and outputs it.
func tee(r *reader, c invocation) value {
	if c.pipes.in == nil {
		return unknownValue
	}
	line := c.line()
	for _, file := range line.Operands() {
		r.write(target{file.Text, line.Has("a") != truth.No}, c.pipes.in)
	}
	return c.pipes.in
}

func base64Text(r *reader, c invocation) value {
	line := c.line()
	if line.Has("d", "D") == truth.No {
		return unknownValue
	}
	in := c.pipes.in
	if files := line.Operand(0); len(files) > 0 && !isStdin(files[0]) {
		in = r.contents(value(files[:1]))
	}
	return decoded(in, func(s string) ([]byte, error) {
		return base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	})
}

func hexText(_ *reader, c invocation) value {
	line := c.line()
	if line.Has("r") == truth.No || line.Has("p") == truth.No || len(line.Operands()) > 0 {
		return unknownValue
	}
	return decoded(c.pipes.in, hex.DecodeString)
}

// decoded returns a decoded input, or unknown.
func decoded(in value, decode func(string) ([]byte, error)) value {
	if in == nil {
		return unknownValue
	}
	return mapKnown(in, func(text string) string {
		out, err := decode(strings.Join(strings.Fields(text), ""))
		if err != nil {
			return anyWords
		}
		return clean(string(out))
	})
}

func reverse(_ *reader, c invocation) value {
	if c.pipes.in == nil || len(c.args) > 0 {
		return unknownValue
	}
	return mapKnown(c.pipes.in, func(text string) string {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			runes := []rune(line)
			slices.Reverse(runes)
			lines[i] = string(runes)
		}
		return strings.Join(lines, "\n")
	})
}
