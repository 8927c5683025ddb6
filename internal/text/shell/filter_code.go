package shell

import (
	"encoding/base32"
	"html"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// base32Text decodes its input.
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

// deskCalculator reads the few commands of dc that print numbers and characters, and those that it starts.
func deskCalculator(r *reader, c invocation) value {
	client(r, c)
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
