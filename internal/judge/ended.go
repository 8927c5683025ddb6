package judge

import (
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// Ended records how a response ended. If bodies are stored, it is recorded when it is known what became of them.
func (j *Judge) Ended(o call.Outcome) {
	o.Usage = o.Usage.Plausible()
	j.underway.hear(o.Actor)
	e := record.Event{
		Time: time.Now(), Actor: o.Actor, Exchange: o.Exchange, Ruling: record.Ruling{PolicyVersion: j.policyOf(o.Actor).Version()},
	}
	var with record.Effects
	if o.Code != "" {
		j.RequestRefused(o)
	}
	e.Type = record.Types.ResponseDone
	done := record.ResponseDone{Timings: timings(o, e.Time), Usage: o.Usage, Released: o.Released, Refused: o.Refused, Clean: o.Clean}
	if j.cfg.Prices != nil && !o.Exchange.Reread {
		usage, guessed := usageOf(o)
		done.CostGuessed, done.Prices = guessed, j.cfg.Prices.Version()
		done.CostMicros, _ = j.cfg.Prices.Cost(o.Exchange.Provider, o.Exchange.Model, usage)
		if with.Spend = spends(o.Actor, done.CostMicros); j.cfg.Budgets != nil {
			j.cfg.Budgets.Add(e.Time, with.Spend)
		}
	}
	ended := func(b call.Bodies) {
		done.RequestBody, done.ResponseBody = b.Request, b.Response
		e.Detail = done
		j.cfg.Recorder.RecordAll([]record.Event{e}, with, nil)
	}
	if o.Bodies == nil {
		ended(call.Bodies{})
		return
	}
	o.Bodies(ended)
}

// timings are where the time of a response went; zero if nobody looked at the clock.
func timings(o call.Outcome, now time.Time) record.Timings {
	if o.Started.IsZero() {
		return record.Timings{}
	}
	return record.Timings{
		Started: o.Started.UTC(), Status: o.Status,
		UpstreamMicros: o.Took.Upstream.Microseconds(), HeldMicros: o.Took.Held.Microseconds(), JudgedMicros: o.Took.Judged.Microseconds(),
		RecordedMicros: o.Took.Recorded.Microseconds(), TotalMicros: max(0, now.Sub(o.Started).Microseconds()),
	}
}

// usageOf is what a response used, and whether its size had to tell: the agent did not ask for it, or hung up before it came. A
// budget would never be used up by such responses.
func usageOf(o call.Outcome) (usage call.Usage, guessed bool) {
	usage = o.Usage
	volume := o.Volume.Usage()
	if usage == (call.Usage{}) {
		return volume, volume != call.Usage{}
	}
	if !o.Clean && volume.Output > usage.Output {
		usage.Output, guessed = volume.Output, true
	}
	return usage, guessed
}

// RequestRefused records that weir answered a request itself, or ended its answer, and why.
func (j *Judge) RequestRefused(o call.Outcome) {
	e := record.Event{
		Time: time.Now(), Actor: o.Actor, Exchange: o.Exchange, Ruling: record.Ruling{
			PolicyVersion: j.policyOf(o.Actor).Version(),
			Blocked:       j.cfg.Mode != Observe, Code: o.Code, Reason: o.Reason,
		},
		Type: record.Types.StreamRefused,
	}
	j.cfg.Recorder.Record(e, nil)
}
