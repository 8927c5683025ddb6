package mcp

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/weir-gate/weir/internal/call"
)

// Limits for the recording of invalid messages. They cost their sender nothing. With an event for each of them, either side could
// fill the record and crowd out the events of others.
const (
	toldFirst   = 10     // so many of each kind are recorded one by one
	maxKinds    = 100    // of one side are counted separately; the rest counts as one kind
	manyRefused = 10_000 // so many refused messages of one side are logged
)

// A kind is a group of similar invalid messages of one side.
type kind struct {
	code, tool, method string
	rest               bool // it is the kind of all that are not counted separately
}

// A tally counts the invalid messages of one side. Its zero value has counted none.
type tally struct {
	kinds map[kind]uint64
	all   uint64
}

// count counts one more. It returns the number of its kind, and of all kinds.
func (t *tally) count(k kind) (nth, all uint64) {
	if _, known := t.kinds[k]; !known {
		if t.kinds == nil {
			t.kinds = map[kind]uint64{}
		}
		if len(t.kinds) >= maxKinds {
			k = kind{rest: true}
		} else {
			k.tool, k.method = strings.Clone(k.tool), strings.Clone(k.method) // they may share the memory of a large message
		}
	}
	t.kinds[k]++
	t.all++
	return t.kinds[k], t.all
}

// isTold says whether the nth message of a kind is recorded: the first few are, and then one each time their number has doubled.
func isTold(nth uint64) bool {
	return nth <= toldFirst || nth%toldFirst == 0 && bits.OnesCount64(nth/toldFirst) == 1
}

// refused counts an invalid message, and tells the judge unless too many of its kind came before. It returns whether it told the
// judge. The caller does not hold s.mu.
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
