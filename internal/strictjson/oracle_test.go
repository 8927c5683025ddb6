package strictjson_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// oracle is what jsontext says of a document, with the bounds that it does not have itself.
type oracle struct {
	valid   bool // one value, in valid UTF-8
	object  bool
	inBound bool // no deeper than 256, no more than a million values
	unique  bool // no two names of an object are equal in any case
	paired  bool // no lone surrogate escapes
}

// consult asks jsontext, which takes lone surrogates and bad bytes or neither: the bytes are checked apart.
func consult(data []byte) (o oracle) {
	o.inBound, o.unique = true, true
	lenient := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	var names [][]string
	values := 0
	for {
		token, err := lenient.ReadToken()
		if errors.Is(err, io.EOF) && values > 0 && lenient.StackDepth() == 0 {
			break
		}
		if err != nil {
			return oracle{inBound: o.inBound && lenient.StackDepth() < 256}
		}
		if values > 0 && lenient.StackDepth() == 0 && token.Kind() != '}' && token.Kind() != ']' {
			return oracle{inBound: o.inBound} // a second value
		}
		if lenient.StackDepth() > 256 {
			o.inBound = false
		}
		kind, length := lenient.StackIndex(lenient.StackDepth())
		switch token.Kind() {
		case '{', '[':
			if values > 0 && lenient.StackDepth() == 1 {
				return oracle{inBound: o.inBound}
			}
			o.object = o.object || values == 0 && token.Kind() == '{'
			values++
			names = append(names, nil)
		case '}', ']':
			names = names[:len(names)-1]
		default:
			if kind != '{' || length%2 == 0 {
				values++
				break
			}
			for _, other := range names[len(names)-1] {
				o.unique = o.unique && !strings.EqualFold(other, token.String())
			}
			names[len(names)-1] = append(names[len(names)-1], token.String())
		}
	}
	o.valid = utf8.Valid(data)
	o.inBound = o.inBound && values <= 1_000_000
	o.paired = jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true))
	return o
}
