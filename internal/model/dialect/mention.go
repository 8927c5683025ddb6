package dialect

import (
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/strictjson"
)

// A Mention is how frames of a format speak of the calls of a response. Each says whether it is that of a call.
type Mention struct {
	Index func(int) bool    // nil: calls have no index
	ID    func(string) bool // never asked about ""
}

// In says whether a frame of a kind that a dialect does not know is about a call, by its index or its id, wherever in it that
// stands. What such a frame says of the call nobody has judged.
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

// indexNames are how formats and their extensions name the place of a call, without what tells their spellings apart.
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
