// Package scenarios plays the files of testdata/scenarios against a whole weir.
package scenarios

import (
	"flag"
	"os"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest"
)

var update = flag.Bool("update", false, "write what comes out into the scenarios' files; read the difference before you keep it")

func TestMain(m *testing.M) {
	weirtest.ServeMCP()
	// They wait more than they compute; a flag still says otherwise.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func TestScenarios(t *testing.T) { weirtest.Run(t, "../../testdata/scenarios", *update) }
