package audit

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

// ColumnsOf returns the columns of the event with this text, but for its hash.
func ColumnsOf(text []byte) (Columns, error) {
	t, err := decode(text)
	if err != nil {
		return Columns{}, err
	}
	return t.columns(), nil
}

// numbers repeats what a detail counts. A detail that cannot be read counts nothing.
func numbers(typ Type, raw jsontext.Value) Numbers {
	switch typ {
	case TypeToolResult, TypeResponseDone:
	default:
		return Numbers{}
	}
	detail, err := readDetail(typ, raw)
	if err != nil {
		return Numbers{}
	}
	switch d := detail.(type) {
	case ToolResult:
		return Numbers{ResultBytes: d.SizeBytes, ResultFailed: d.Failed}
	case ResponseDone:
		return Numbers{
			Calls:       int64(d.Released) + int64(d.Refused),
			InputTokens: d.Usage.Input, CacheTokens: d.Usage.CacheRead + d.Usage.CacheCreation, OutputTokens: d.Usage.Output,
			CostMicros: d.CostMicros, UpstreamMicros: d.Timings.UpstreamMicros, HeldMicros: d.Timings.HeldMicros,
			JudgedMicros: d.Timings.JudgedMicros, RecordedMicros: d.Timings.RecordedMicros, TotalMicros: d.Timings.TotalMicros,
		}
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

// laterColumns names the first of the columns that were added later in which got and want are not the same, "" if there
// is none.
func laterColumns(got, want Columns) string {
	for _, c := range []struct {
		name string
		same bool
	}{
		{"within", got.Within == want.Within},
		{"surface", got.Surface == want.Surface},
		{"would_be", got.WouldBe == want.WouldBe},
		{"reason", got.Reason == want.Reason},
		{"org", got.Org == want.Org},
		{"team", got.Team == want.Team},
		{"employee", got.Employee == want.Employee},
		{"key", got.Key == want.Key},
		{"provider", got.Provider == want.Provider},
		{"model", got.Model == want.Model},
		{"request_id", got.RequestID == want.RequestID},
		{"response_id", got.ResponseID == want.ResponseID},
		{"result_bytes", got.ResultBytes == want.ResultBytes},
		{"result_failed", got.ResultFailed == want.ResultFailed},
		{"calls", got.Calls == want.Calls},
		{"input_tokens", got.InputTokens == want.InputTokens},
		{"cache_tokens", got.CacheTokens == want.CacheTokens},
		{"output_tokens", got.OutputTokens == want.OutputTokens},
		{"cost_micros", got.CostMicros == want.CostMicros},
		{"upstream_us", got.UpstreamMicros == want.UpstreamMicros},
		{"held_us", got.HeldMicros == want.HeldMicros},
		{"judged_us", got.JudgedMicros == want.JudgedMicros},
		{"recorded_us", got.RecordedMicros == want.RecordedMicros},
		{"total_us", got.TotalMicros == want.TotalMicros},
	} {
		if !c.same {
			return c.name
		}
	}
	return ""
}

// differs names the first column in which got and want are not the same, "" if there is none.
func differs(got, want Columns) string {
	for _, c := range []struct {
		name string
		same bool
	}{
		{"chain", got.Chain == want.Chain},
		{"seq", got.Seq == want.Seq},
		{"time", got.Micros == want.Micros},
		{"type", got.Type == want.Type},
		{"session", got.Session == want.Session},
		{"server", got.Server == want.Server},
		{"tool", got.Tool == want.Tool},
		{"call_id", got.CallID == want.CallID},
		{"wire_id", got.WireID == want.WireID},
		{"verdict", got.Verdict == want.Verdict},
		{"blocked", got.Blocked == want.Blocked},
		{"code", got.Code == want.Code},
		{"rule", got.Rule == want.Rule},
	} {
		if !c.same {
			return c.name
		}
	}
	return laterColumns(got, want)
}
