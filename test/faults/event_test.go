package faults

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/record/store/storetest"
	"github.com/weir-gate/weir/test/loadtest"
)

// eightMiB is more than the arguments of a call usually have, by far.
const eightMiB = 8 << 20

// TestLargeCalls has calls whose arguments are 8 MiB and more. They arrive whole and are on record, as a whole or by size and
// digest, or they are refused; and the calls around them are not affected.
func TestLargeCalls(t *testing.T) {
	t.Parallel()
	const roomy = "bounds: {frame: 48MiB, arguments: 12MiB}\n"
	for backend, open := range storetest.Databases {
		for name, test := range map[string]struct {
			settings string
			refusal  string // "": they pass
			whole    bool   // all of the arguments are on record
		}{
			"recorded by digest": {settings: roomy},
			"recorded in full":   {settings: roomy + "audit: {max_arguments: 12MiB}\n", whole: true},
			"too large":          {settings: "bounds: {frame: 48MiB}\n", refusal: "(args_oversize)"},
		} {
			t.Run(backend+", "+name, func(t *testing.T) {
				tr := newTrial(t, open(t), test.settings)
				tr.serve()
				for _, streams := range []bool{true, false} {
					for i, bulk := range []int{0, 0, eightMiB} { // the model's third turn has one call
						tr.bulk.Store(int64(bulk))
						got := tr.ask(streams)
						refused := bulk > 0 && test.refusal != ""
						if refused != (got.Calls == 0) || refused != (len(got.Notices) > 0) || refused && !strings.Contains(got.Notices[0], test.refusal) {
							t.Errorf("turn %d: %+v", i, got)
						}
					}
				}
				tr.bulk.Store(0)
				if got := tr.ask(true); got.Calls == 0 || len(got.Notices) > 0 {
					t.Errorf("the turn after it: %+v", got)
				}
				tr.finish()
				tr.complete()
				tr.large(test.refusal == "", test.whole)
			})
		}
	}
}

// ask asks for a turn.
func (tr *trial) ask(streams bool) loadtest.Turn {
	tr.t.Helper()
	turn, err := tr.client(streams).Turn(tr.t.Context())
	if err != nil {
		tr.t.Fatalf("%v\n%s", err, tr.end(tr.process.Log()))
	}
	return turn
}

// large checks how the calls with large arguments are on record.
func (tr *trial) large(released, whole bool) {
	tr.t.Helper()
	n := 0
	for id, list := range loadtest.Records(tr.t, tr.install) {
		args := loadtest.Arguments(id)
		if len(args) < eightMiB {
			continue
		}
		n++
		r := list[0]
		if len(list) != 1 || r.Blocked == released || whole != (string(r.Args) == args) {
			tr.t.Errorf("call %s: %d records; blocked: %t, %d bytes of arguments", id, len(list), r.Blocked, len(r.Args))
		}
	}
	if n == 0 {
		tr.t.Error("no large call is on record")
	}
}
