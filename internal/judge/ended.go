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
		refused := e
		refused.Type, refused.Blocked = audit.TypeStreamRefused, j.cfg.Mode != Observe
		refused.Code, refused.Reason = o.Code, o.Reason
		j.cfg.Recorder.Record(refused, func(error) {})
	}
	e.Type = audit.TypeResponseDone
	e.Detail = audit.ResponseDone{Usage: o.Usage, Released: o.Released, Refused: o.Refused, Clean: o.Clean}
	j.cfg.Recorder.Record(e, func(error) {})
}
