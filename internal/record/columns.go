package record

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Numbers are what the detail of an event counts, as columns. They are zero for events that count nothing.
type Numbers struct {
	ResultBytes  int64 // of a TypeToolResult event
	ResultFailed bool

	Calls          int64 // of a TypeResponseDone event, released or refused
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

// numbers repeats what a detail counts. A detail that cannot be read counts nothing.
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

// nameLength is how many characters of a name a column holds: so many fit into every database's index.
const nameLength = 256

// Name is s as it stands in a column of names: those of persons, providers, models, requests and responses.
func Name(s string) string {
	s = columnText(s)
	if len(s) <= nameLength {
		return s
	}
	n := 0
	for i := range s {
		if n++; n > nameLength {
			return strings.Clone(s[:i]) // not to keep the rest
		}
	}
	return s
}
