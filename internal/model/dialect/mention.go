package dialect

import (
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/strictjson"
)

// A Mention says how frames of a format refer to the calls of a response. Each function says whether its argument identifies a
// call.
type Mention struct {
	Index func(int) bool    // nil: calls have no index
	ID    func(string) bool // never called with ""
}

// In says whether a frame of an unknown kind is about a call: whether it has the index or the id of a call anywhere in it. What
// such a frame says about the call was not judged.
func (m Mention) In(v strictjson.Value) bool {
	switch v.Kind() {
	case strictjson.String:
		text, ok := v.Text()
		return ok && text != "" && m.ID(text)
	case strictjson.Array:
		for elem := range v.Elems() {
			if m.In(elem) {
				return true
			}
		}
	case strictjson.Object:
		for name, value := range v.Members() {
			if m.In(value) || m.Index != nil && namesIndex(name) && m.atIndex(value) {
				return true
			}
		}
	}
	return false
}

// indexNames are the names that formats and their extensions have for the index of a call, in lower case and without underscores.
var indexNames = []string{"index", "blockindex", "contentblockindex", "outputindex", "itemindex", "toolindex", "callindex", "toolcallindex"}

func namesIndex(name strictjson.Value) bool {
	text := strings.ReplaceAll(string(name.AppendText(nil)), "_", "")
	for _, n := range indexNames {
		if strings.EqualFold(text, n) {
			return true
		}
	}
	return false
}

// atIndex says whether a value is the index of a call, as a number in whatever notation or as text.
func (m Mention) atIndex(v strictjson.Value) bool {
	text := string(v.Raw())
	if v.Kind() == strictjson.String {
		text, _ = v.Text()
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return err == nil && 0 <= n && n <= maxIndex && m.Index(int(n))
}

// maxIndex is more than any index of a call.
const maxIndex = 1 << 30
