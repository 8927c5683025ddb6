package record

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Numbers are the counts in the detail of an event, as columns. They are zero for events without counts.
type Numbers struct {
	ResultBytes  int64 // of a Types.ToolResult event
	ResultFailed bool

	Calls          int64 // of a Types.ResponseDone event, released or refused
	InputTokens    int64 // without those of the cache
	CacheTokens    int64 // read from the cache or put into it
	OutputTokens   int64
	CostMicros     int64
	UpstreamMicros int64 // see Timings
	HeldMicros     int64
	JudgedMicros   int64
	RecordedMicros int64
	TotalMicros    int64
}

// numbers returns the counts of a detail. A detail that cannot be parsed has none.
func numbers(typ Type, raw jsontext.Value) Numbers {
	if k := byType[typ]; k == nil || !k.detail.counts {
		return Numbers{}
	}
	detail, err := readDetail(typ, raw)
	if err != nil {
		return Numbers{}
	}
	if d, ok := detail.(counting); ok {
		return d.numbers()
	}
	return Numbers{}
}

// nameLength is how many characters of a name a column holds. This many fit into an index of every database.
const nameLength = 256

// Name is s as a column of names holds it: names of persons, providers, models, requests and responses.
func Name(s string) string {
	s = columnText(s)
	if len(s) <= nameLength {
		return s
	}
	n := 0
	for i := range s {
		if n++; n > nameLength {
			return strings.Clone(s[:i]) // so that the rest can be freed
		}
	}
	return s
}
