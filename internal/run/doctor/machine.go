package doctor

import (
	"context"
	"fmt"
	"net"
	"strings"

	"github.com/weir-gate/weir/internal/run"
	"github.com/weir-gate/weir/internal/run/confine"
)

// machine examines what the machine can do.
func (e *examination) machine(context.Context) {
	if err := confine.Check(); err != nil {
		e.add(Warning, "weir run cannot confine agents here: "+text(err),
			"connections are watched only with proxy variables, which programs can ignore; programs can reach weir's files",
			"see the reason; weir verify says what is covered without")
	}
	if l, err := net.Listen("tcp", "[::1]:0"); err != nil {
		e.add(Note, "this machine has no IPv6 on loopback", "sessions cannot reach services at ::1", "nothing, if you need none")
	} else {
		_ = l.Close()
	}
	if left := run.Leftovers(e.Temp); len(left) > 0 {
		e.add(Note, fmt.Sprintf("%d runs were killed and left folders behind: %s", len(left), strings.Join(left, ", ")),
			"they have the addresses of sessions that are over", "the next weir run removes them")
	}
}
