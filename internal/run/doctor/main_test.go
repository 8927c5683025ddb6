package doctor

import (
	"os"
	"testing"

	"github.com/weir-gate/weir/internal/run/confine"
)

func TestMain(m *testing.M) {
	if confine.Inside() {
		confine.Main() // what confine.Check starts is this program
	}
	os.Exit(m.Run())
}
