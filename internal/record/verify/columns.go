package verify

import (
	"github.com/weir-gate/weir/internal/record"
)

// laterColumns names the first column in which got and want differ, among the columns that were added later; "": none.
func laterColumns(got, want record.Columns) string {
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

// differs names the first column in which got and want differ; "": none.
func differs(got, want record.Columns) string {
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
