package bedrock

import (
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The members of unions. Content blocks, their starts and their deltas are unions.
const (
	unitText      = "text"
	unitCitation  = "citation"
	unitReasoning = "reasoningContent"
	unitCall      = "toolUse"
	unitResult    = "toolResult"
	unitImage     = "image"
)

// saidUnits are the blocks that pass, with their deltas.
var saidUnits = map[string][]string{
	unitText:           {unitText, unitCitation},
	unitReasoning:      {unitReasoning},
	unitImage:          {unitImage},
	"citationsContent": nil,
	"document":         nil,
	"video":            nil,
	"audio":            nil,
	"guardContent":     nil,
	"cachePoint":       nil,
	"searchResult":     nil,
}

// knownUnits are the names of all members, the most frequent first.
var knownUnits = []string{
	unitText, unitCall, unitReasoning, unitCitation, unitResult, unitImage, "citationsContent", "document", "video", "audio",
	"guardContent", "cachePoint", "searchResult",
}

// A unit is the one member of a union that is set.
type unit struct {
	name  string
	value strictjson.Value
	whole strictjson.Value // the union
}

// maxMembers is how many members a union may have: the format has fewer than twenty.
const maxMembers = 32

// unitOf reads a union. It fails if not exactly one member is set: clients would then choose differently, or fail.
func unitOf(v strictjson.Value) (unit, error) {
	if v.Kind() != strictjson.Object || v.Len() > maxMembers {
		return unit{}, dialect.Malformed("a content block is not an object of one member")
	}
	u, set := unit{whole: v}, 0
	for name, value := range v.Members() {
		known, err := unitName(name)
		if err != nil {
			return unit{}, err
		}
		if _, err := v.Member(known); err != nil {
			return unit{}, dialect.Ambiguous()
		}
		if value.Kind() != strictjson.Null {
			u.name, u.value = known, value
			set++
		}
	}
	if set != 1 {
		return unit{}, dialect.Malformed("a content block is not an object of one member")
	}
	return u, nil
}

// unitName returns the name of a member of a union. It fails for a known name in another case, which some clients would accept.
func unitName(name strictjson.Value) (string, error) {
	for _, known := range knownUnits {
		if name.Is(known) {
			return known, nil
		}
	}
	for _, known := range knownUnits {
		if name.Folds(known) {
			return "", dialect.Ambiguous()
		}
	}
	text, ok := name.Text()
	if !ok || text == "" || len(text) > dialect.MaxName || strings.ContainsRune(text, 0) {
		return "", dialect.Malformed("a content block is of a kind that cannot be named")
	}
	return text, nil
}

// checkSaid checks that a unit that passes has no call in it.
func (u unit) checkSaid() error {
	if u.name == unitText && u.value.Kind() != strictjson.String {
		return dialect.Malformed("a text is not a string")
	}
	if dialect.CarriesCall(u.value) {
		return dialect.Malformed("a content block of another kind has the shape of a call")
	}
	return nil
}
