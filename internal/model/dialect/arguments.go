package dialect

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/strictjson"
)

// freeTextMember is the name of the argument that holds the text of a call that takes free text.
const freeTextMember = "input"

// FreeTextArguments returns the arguments of a call that takes free text.
func FreeTextArguments(text []byte) []byte {
	return append(strictjson.AppendString([]byte(`{"`+freeTextMember+`":`), string(text)), '}')
}

// freeTextOf is the text in the arguments of a call that takes free text. It is not ok if they are other arguments.
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

// Accepts says whether args can replace the arguments of the call.
func (s *Slot) Accepts(args jsontext.Value) bool {
	if s.IsFixed() || strictjson.CheckArguments(args) != nil {
		return false
	}
	_, isText := freeTextOf(args)
	return isText || !s.FreeText
}

// CheckArguments sets the Fault of a complete call whose arguments are invalid or larger than limit bytes.
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

// Replaced says whether the call is sent with other arguments than it came with.
func (s *Slot) Replaced() bool {
	return s != nil && s.Ruling != nil && s.Ruling.Released && s.Ruling.Args != nil
}

// Withheld says whether the agent must not see the call as it came: it is refused, or is sent with other arguments.
func (s *Slot) Withheld() bool {
	return s != nil && s.Ruling != nil && (!s.Ruling.Released || s.Ruling.Args != nil)
}

// Sent returns the arguments with which the call is sent, if it is released.
func (s *Slot) Sent() []byte {
	if s.Replaced() {
		return s.Ruling.Args
	}
	return s.Args
}

// SentText returns the text with which a free-text call is sent.
func (s *Slot) SentText() string {
	text, _ := freeTextOf(s.Sent()) // the gate has checked that the arguments are such a text
	return text
}
