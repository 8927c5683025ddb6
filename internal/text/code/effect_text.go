package code

import (
	"slices"
	"strconv"
	"strings"
)

// subjectText is the text that a function or a method is about.
func (c invocation) subjectText() value {
	if c.on != nil && c.count() == 0 {
		return *c.on
	}
	return c.arg(0)
}

// encodes reads functions whose result says nothing, but comes from its arguments.
func encodes(_ *evaluator, c invocation) value {
	if strings.HasSuffix(c.name, ".encode") && c.on != nil {
		return value{texts: c.on.texts, taint: c.on.whole()}
	}
	if c.on != nil && len(c.on.texts) > 0 && (strings.HasSuffix(c.name, ".lower") || strings.HasSuffix(c.name, ".upper")) {
		change := strings.ToLower
		if strings.HasSuffix(c.name, ".upper") {
			change = strings.ToUpper
		}
		return c.on.each(func(s string) string {
			if hasHole(s) {
				return s
			}
			return change(s)
		})
	}
	return value{texts: []string{Unknown}}
}

func makesChar(_ *evaluator, c invocation) value {
	out := ""
	for _, texts := range c.files() {
		n, err := strconv.ParseInt(texts[0], 0, 32)
		if err != nil || len(texts) > 1 {
			return value{texts: []string{Unknown}, taint: taint{decoded: true}}
		}
		out += string(rune(n))
	}
	return text(clean(out))
}

// makesText reads functions whose result is the text of their subject. A list of numbers is the text of these characters.
func makesText(_ *evaluator, c invocation) value {
	subject := c.subjectText()
	isFunction := slices.ContainsFunc(textFunctions, func(name string) bool { return strings.HasSuffix(c.name, name) })
	if c.on != nil && !isFunction {
		subject = *c.on
	}
	if strings.HasSuffix(c.name, "Buffer.from") && c.count() > 1 {
		switch strings.Join(c.arg(1).texts, "") {
		case "base64", "base64url":
			return decoded(c.arg(0), fromBase64)
		case "hex":
			return decoded(c.arg(0), fromHex)
		}
	}
	if subject.list && len(subject.items) > 0 {
		if chars, ok := characters(subject); ok {
			return text(chars)
		}
	}
	return value{
		texts: subject.texts, items: subject.items, list: subject.list, path: subject.path, taint: subject.whole(), made: subject.made,
		names: subject.names,
	}
}

// textFunctions are those of them that are functions of a module, and no methods.
var textFunctions = strings.Fields(`Buffer.from Buffer.of os.fspath path.abspath path.realpath path.normpath path.normalize
	Array.from String.raw getstring getbytes`)

// characters is the text of a list of numbers.
func characters(v value) (string, bool) {
	var out strings.Builder
	for _, item := range v.items {
		if len(item.texts) != 1 {
			return "", false
		}
		n, err := strconv.ParseInt(item.texts[0], 0, 32)
		if err != nil {
			return "", false
		}
		out.WriteRune(rune(n))
	}
	return clean(out.String()), true
}

func reverses(_ *evaluator, c invocation) value {
	subject := c.subjectText()
	if subject.list {
		items := slices.Clone(subject.items)
		slices.Reverse(items)
		return value{items: items, list: true}
	}
	return subject.each(reversed)
}

func reversed(s string) string {
	if hasHole(s) {
		return Unknown
	}
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}

// joinsList reads join: of a list by a separator, on either of the two.
func joinsList(e *evaluator, c invocation) value {
	list, separator := c.arg(0), text("")
	switch {
	case c.on != nil && c.on.list:
		list, separator = *c.on, c.arg(0)
	case c.on != nil && c.on.known():
		separator = *c.on
	case c.arg(1).list:
		list, separator = c.arg(1), c.arg(0)
	case !c.arg(0).list:
		list = value{list: true}
		for _, a := range c.args {
			if a.key == "" {
				list.items = append(list.items, a)
			}
		}
		if last := len(c.args) - 1; e.language == Perl && last >= 0 {
			list.items, separator = list.items[min(1, len(list.items)):], c.arg(0)
		}
	default:
		separator = c.arg(1)
	}
	if !list.list || len(list.items) > maxDestructured {
		return value{texts: []string{Unknown}, taint: list.whole()}
	}
	if len(separator.texts) == 0 {
		separator = text("")
	}
	out := text("")
	for i, item := range list.items {
		if i > 0 {
			out = e.join(out, separator)
		}
		out = e.join(out, item.value)
	}
	return out
}

func replaces(_ *evaluator, c invocation) value {
	subject, from, to := value{}, c.arg(0), c.arg(1)
	if c.on != nil {
		if c.on.path && c.count() == 1 {
			return value{}
		}
		subject = *c.on
	} else {
		subject = c.arg(2)
	}
	if len(from.texts) != 1 || len(to.texts) != 1 || hasHole(from.texts[0]) || from.texts[0] == "" {
		return value{texts: []string{Unknown}, taint: subject.whole()}
	}
	return subject.each(func(s string) string {
		if len(s)*max(1, len(to.texts[0])) > maxText {
			return Unknown
		}
		return strings.ReplaceAll(s, from.texts[0], to.texts[0])
	})
}

func splits(_ *evaluator, c invocation) value {
	subject, separator := c.subjectText(), ""
	if c.on != nil && c.on.known() {
		subject = *c.on
		separator = strings.Join(c.arg(0).texts, "")
	} else if c.count() > 1 {
		subject, separator = c.arg(1), strings.Join(c.arg(0).texts, "")
	}
	if len(subject.texts) != 1 || len(subject.texts[0]) > maxText {
		return value{taint: subject.whole()}
	}
	var parts []string
	if separator == "" || separator == " " {
		parts = strings.Fields(subject.texts[0])
	} else {
		parts = strings.Split(subject.texts[0], separator)
	}
	out := value{list: true}
	for _, part := range parts[:min(len(parts), maxItems)] {
		out.items = append(out.items, argument{value: text(part)})
	}
	return out
}

// maps reads functions that apply another to the elements of a list.
func maps(e *evaluator, c invocation) value {
	over := c.arg(1)
	if c.on != nil && !over.list {
		over = *c.on
	}
	f := c.arg(0)
	if strings.HasSuffix(c.name, "array_walk") {
		over, f = f, over
	}
	if e.language == PHP {
		f.names = more(f.names, f.texts, maxNames)
	}
	if len(f.names) > 0 && over.list {
		out := value{list: true}
		for _, item := range over.items[:min(len(over.items), maxDestructured)] {
			out.items = append(out.items, argument{value: e.called(f, []argument{item})})
		}
		return out
	}
	return value{taint: over.whole(), items: over.items, list: over.list}
}

// callsNamed reads the functions of PHP that call another, which a text names.
func callsNamed(e *evaluator, c invocation) value {
	args := c.args
	if c.on != nil {
		args = append(slices.Clone(c.on.made), args...)
	}
	if len(args) == 0 {
		return value{}
	}
	f := value{names: args[0].texts}
	if args = args[1:]; strings.HasSuffix(c.name, "_array") && len(args) > 0 {
		args = args[0].items
	}
	return e.called(f, args)
}

// format fills the %s of a text.
func (e *evaluator) format(v, args value) value {
	if len(v.texts) != 1 || !strings.Contains(v.texts[0], "%") {
		return value{taint: v.whole().with(args.whole())}
	}
	values := []argument{{value: args}}
	if args.list {
		values = args.items
	}
	return e.filledFormat(v.texts[0], values, args.whole())
}

// filledFormat replaces the places of a format by values.
func (e *evaluator) filledFormat(format string, values []argument, from taint) value {
	out := text("")
	for {
		i := strings.IndexAny(format, "%{")
		if i < 0 || i+1 >= len(format) {
			out = e.join(out, text(format))
			break
		}
		out = e.join(out, text(format[:i]))
		size, place := 2, ""
		if format[i] == '{' {
			end := strings.IndexByte(format[i:], '}')
			if end < 0 {
				out = e.join(out, text(format[i:]))
				break
			}
			size, place = end+1, format[i+1:i+end]
		} else if format[i+1] == '%' {
			out = e.join(out, text("%"))
			format = format[i+2:]
			continue
		} else {
			for size < len(format)-i && strings.IndexByte("0123456789.-+$(", format[i+size-1]) >= 0 {
				size++
			}
		}
		format = format[i+size:]
		next := text(Unknown)
		n, err := strconv.Atoi(place)
		switch {
		case place != "" && err == nil && n < len(values):
			next = values[n].value
		case place != "" && err != nil:
			if v, ok := (invocation{args: values}).key(place); ok {
				next = v
			}
		case len(values) > 0:
			next, values = values[0].value, values[1:]
		}
		out = e.join(out, next)
	}
	out.taint = out.taint.with(from)
	return out
}

func formats(e *evaluator, c invocation) value {
	if c.on != nil && len(c.on.texts) == 1 {
		return e.filledFormat(c.on.texts[0], c.args, c.taint())
	}
	if len(c.args) > 0 && len(c.args[0].texts) == 1 {
		return e.filledFormat(c.args[0].texts[0], c.args[1:], c.taint())
	}
	return value{texts: []string{Unknown}}
}
