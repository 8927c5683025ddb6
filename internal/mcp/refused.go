package mcp

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/weir-gate/weir/internal/call"
)

// How messages are told of that are refused for what they are. They cost their sender nothing, so that one event for each would
// let either side fill the record, and keep what others do out of it.
const (
	toldFirst   = 10     // of each kind are told of one by one
	maxKinds    = 100    // of a side are counted apart; the rest counts as one
	manyRefused = 10_000 // messages of a side are worth a line in the log
)

// A kind is what messages of one side that are refused for what they are have in common.
type kind struct {
	code, tool, method string
	rest               bool // it stands for all that are not counted apart
}

// A tally counts the messages of a side that are refused for what they are. Its zero value has counted none.
type tally struct {
	kinds map[kind]uint64
	all   uint64
}

// count counts one more. It returns how many there are of its kind, and in all.
func (t *tally) count(k kind) (nth, all uint64) {
	if _, known := t.kinds[k]; !known {
		if t.kinds == nil {
			t.kinds = map[kind]uint64{}
		}
		if len(t.kinds) >= maxKinds {
			k = kind{rest: true}
		} else {
			k.tool, k.method = strings.Clone(k.tool), strings.Clone(k.method) // they may be part of a large message
		}
	}
	t.kinds[k]++
	t.all++
	return t.kinds[k], t.all
}

// isTold says whether the judge is told of a message, by how many of its kind there are: of the first few, and then each time
// their number has doubled.
func isTold(nth uint64) bool {
	return nth <= toldFirst || nth%toldFirst == 0 && bits.OnesCount64(nth/toldFirst) == 1
}

// refused takes note of a message that is refused for what it is, and tells the judge unless too many of its kind came before.
// It reports whether it did. The caller does not have s.mu.
func (s *Session) refused(from *side, act call.Call, ruling call.Ruling) (told bool) {
	s.mu.Lock()
	nth, all := from.refusals.count(kind{code: ruling.Code, tool: act.Tool, method: act.MCP.Method})
	s.mu.Unlock()
	if all == manyRefused {
		sender := "client"
		if from == &s.fromServer {
			sender = "server"
		}
		s.log.Warn("many messages of one side are refused for what they are", "server", s.server.ID, "from", sender, "messages", all)
	}
	if !isTold(nth) {
		return false
	}
	if nth > toldFirst { // all of these end in zero
		ruling.Reason = fmt.Sprintf("%s (the %dth of its kind in this session).", strings.TrimSuffix(ruling.Reason, "."), nth)
	}
	s.judge.Refused(act, ruling)
	return true
}
