package gate

import (
	"errors"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// About what is held beside the bytes of the wire.
const (
	callOverhead  = 1 << 10 // of a call: what is known of it, until the response ends
	frameOverhead = 256     // of a frame that waits
	textOverhead  = 80      // of each text in it, if its texts are asked for
)

// smallFrame is the size of frames that are read within what every connection is charged for.
const smallFrame = 4 << 10

// parseCost is what it takes to read a frame and to write it, beside its bytes.
func parseCost(f frame.Frame) int {
	if len(f.Data) <= smallFrame {
		return 0
	}
	cost := strictjson.Cost(f.Data)
	if len(f.Data) > flushAt {
		cost += len(f.Data) // it is written through a buffer, and the agent may take its time
	}
	return cost
}

// errManyOpen says that more calls are under way than are looked at.
var errManyOpen = errors.New("more calls are open at once than weir follows")

// noRoom is the refusal of a response that makes weir hold more than there is room for.
func noRoom(err error) *dialect.Refused {
	return &dialect.Refused{Code: call.CodeOverBudget, Reason: err.Error()}
}
