package gate

import (
	"errors"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Rough costs in bytes of what is held beside the bytes of the wire.
const (
	callOverhead  = 1 << 10 // of a call: its state, until the response ends
	frameOverhead = 256     // of a frame that waits
	textOverhead  = 80      // of each text in the frame, if the dialect asked for its texts
)

// smallFrame is the largest size of a frame whose parsing is free: the charge of every connection covers it.
const smallFrame = 4 << 10

// parseCost is the memory that it takes to parse and write a frame, beside its bytes.
func parseCost(f frame.Frame) int {
	if len(f.Data) <= smallFrame {
		return 0
	}
	cost := strictjson.Cost(f.Data)
	if len(f.Data) > flushAt {
		cost += len(f.Data) // it is written through a buffer, and the agent may be slow to read it
	}
	return cost
}

// errManyOpen says that more calls are under way at once than weir follows.
var errManyOpen = errors.New("more calls are open at once than weir follows")

// noRoom is the refusal of a response for which the memory budget has no room.
func noRoom(err error) *dialect.Refused {
	return &dialect.Refused{Code: call.CodeOverBudget, Reason: err.Error()}
}
