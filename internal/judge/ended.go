package judge

import (
	"time"

	"github.com/weir-gate/weir/internal/audit"
	"github.com/weir-gate/weir/internal/call"
)

// Ended records how a response ended.
func (j *Judge) Ended(o call.Outcome) {
	e := audit.Event{
		Time: time.Now(), Actor: o.Actor, Exchange: o.Exchange, PolicyVersion: j.cfg.Policy().Version(),
	}
	if o.Code != "" {
		j.RequestRefused(o)
	}
	e.Type = audit.TypeResponseDone
	e.Detail = audit.ResponseDone{Usage: o.Usage, Released: o.Released, Refused: o.Refused, Clean: o.Clean}
	j.cfg.Recorder.Record(e, func(error) {})
}

// RequestRefused records that weir answered a request itself, or ended its answer, and why.
func (j *Judge) RequestRefused(o call.Outcome) {
	j.cfg.Recorder.Record(audit.Event{
		Time: time.Now(), Actor: o.Actor, Exchange: o.Exchange, PolicyVersion: j.cfg.Policy().Version(),
		Type: audit.TypeStreamRefused, Blocked: j.cfg.Mode != Observe, Code: o.Code, Reason: o.Reason,
	}, func(error) {})
}
