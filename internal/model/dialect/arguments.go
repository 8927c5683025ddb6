package dialect

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/strictjson"
)

// freeTextMember is what the text of a call is called among its arguments, where it takes free text.
const freeTextMember = "input"

// FreeTextArguments are the arguments of a call that takes free text.
func FreeTextArguments(text []byte) []byte {
	return append(strictjson.AppendString([]byte(`{"`+freeTextMember+`":`), string(text)), '}')
}

// freeTextOf is the text in the arguments of a call that takes free text. It is not ok if they are others.
func freeTextOf(args []byte) (text string, ok bool) {
	var doc strictjson.Doc
	if doc.Parse(args) != nil || doc.Root().Len() != 1 {
		return "", false
	}
	v, err := doc.Root().Member(freeTextMember)
	if err != nil {
		return "", false
	}
	return v.Text()
}

// Accepts says whether these arguments can go out in the place of the call's own.
func (s *Slot) Accepts(args jsontext.Value) bool {
	if s.IsFixed() || strictjson.CheckArguments(args) != nil {
		return false
	}
	_, isText := freeTextOf(args)
	return isText || !s.FreeText
}

// CheckArguments looks at the arguments of a complete call, which may have limit bytes.
func (s *Slot) CheckArguments(limit int) {
	fits := len(s.Args) <= limit
	switch {
	case s.Fault != nil:
	case !fits:
		s.Fault = Oversize()
	case strictjson.CheckArguments(s.Args) != nil:
		s.Fault = NotObject()
	}
	if !fits {
		s.Args = s.Args[:limit]
	}
}

// Replaced says whether the call goes out with other arguments than it came with.
func (s *Slot) Replaced() bool {
	return s != nil && s.Ruling != nil && s.Ruling.Released && s.Ruling.Args != nil
}

// Withheld says whether something of the call as it came is not the agent's to have: it is refused, or goes out with other
// arguments.
func (s *Slot) Withheld() bool {
	return s != nil && s.Ruling != nil && (!s.Ruling.Released || s.Ruling.Args != nil)
}

// Sent are the arguments that the call goes out with, if it does.
func (s *Slot) Sent() []byte {
	if s.Replaced() {
		return s.Ruling.Args
	}
	return s.Args
}

// SentText is the text that a call which takes free text goes out with.
func (s *Slot) SentText() string {
	text, _ := freeTextOf(s.Sent()) // the gate has seen that the arguments are such a text
	return text
}
